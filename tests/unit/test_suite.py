"""The suite's own rules: no verdict depends on the machine's speed, and the dearest tests are named."""

import re
from pathlib import Path
from types import SimpleNamespace

from hypothesis import HealthCheck, settings
from tests.shares import TOGETHER, in_shares, place
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


def test_each_worker_begins_with_what_it_alone_starts():
    """Every test has its turn once; the third of three workers begins where `worksteal` cuts the list the second time."""
    places = [4, 0, 4, 2, 4, 4, 3, 1, 4, 0]
    assert in_shares(places, 3) == [1, 9, 0, 7, 3, 2, 6, 4, 5, 8]
    assert in_shares(places, 1) == [1, 9, 7, 3, 6, 0, 2, 4, 5, 8]
    assert in_shares([1, 2, 1, 0, 4], 2) == [3, 4, 0, 2, 1]
    assert in_shares([], 3) == []


def test_what_is_dear_is_known_by_its_fixtures_and_parameters():
    found = [
        place({"tmp_path", *names}) for names in (["spark"], ["tab"], ["chromium", "hand"], ["hand"], ["postgres"])
    ]
    assert found == [0, len(TOGETHER), 1, 2, 3]
