"""The suite's own rules: no verdict depends on the machine's speed, and the dearest tests are named."""

import re
from pathlib import Path
from types import SimpleNamespace

from hypothesis import HealthCheck, settings
from tests.slowest import KEY, Slowest

TESTS = Path(__file__).parents[1]


def test_no_example_has_a_deadline():
    assert settings.default.deadline is None
    assert HealthCheck.too_slow in settings.default.suppress_health_check
    own = [path for path in TESTS.rglob("*.py") if path != Path(__file__) and path.name != "conftest.py"]
    assert [path.name for path in own if re.search(r"\bdeadline=", path.read_text("utf-8"))] == []


def test_the_ten_dearest_tests_are_named_with_the_sum():
    told = Slowest()
    for i in range(12):
        for phase in ("setup", "call", "teardown"):
            cost = [(KEY, i + 0.5)] if phase == "teardown" else []
            told.pytest_runtest_logreport(
                SimpleNamespace(nodeid=f"t{i}", when=phase, user_properties=[("other", 1), *cost])
            )
    named = " · ".join(f"t{i} {i + 0.5}" for i in range(11, 1, -1))
    assert told.line() == f"processor seconds of 12 tests: 72; the slowest: {named}"
