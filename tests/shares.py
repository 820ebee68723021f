"""How the workers of a run share it: what is dear to start is started by one of them, and each test file is compiled by one.

Workers begin with equal parts of the list of tests and take from each other's ends when theirs is done (`--dist worksteal`).
"""

from importlib import import_module
from pathlib import Path

import pytest

TOGETHER = (
    (0, frozenset({"spark"})),  # Java
    (1, frozenset({"chromium"})),  # a browser, which ends with the first test that needs none
    (1, frozenset({"furniture", "hand", "house", "hands", "empty"})),  # servers, which browsers look at too
    (2, frozenset({"sail", "postgres"})),
)
"""Fixtures that are dear to start, and whose share they belong to; those of one share stand in this order."""


def needs(item):
    """Names of the fixtures that a test needs, also of those that a parameter names."""
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    named = [one.stem if isinstance(one, Path) else one for one in parameters if isinstance(one, Path | str)]
    return {*getattr(item, "fixturenames", ()), *named}


def place(names):
    """The entry of `TOGETHER` to which a test belongs, by the names that it needs; behind the last: none."""
    return next((i for i, (_, dear) in enumerate(TOGETHER) if dear & names), len(TOGETHER))


def in_shares(places, n_workers):
    """The order of tests, by their places, in which each worker begins with what it alone starts; else it stays as it is."""
    sets = [[i for i, at in enumerate(places) if at == wanted] for wanted in range(len(TOGETHER))]
    rest = [i for i, at in enumerate(places) if at == len(TOGETHER)]
    order = []
    for worker in range(n_workers):
        own = [dear for (share, _), dear in zip(TOGETHER, sets, strict=True) if share % n_workers == worker]
        first = [i for dear in own for i in dear]
        left = len(places) * (worker + 1) // n_workers - len(order) - len(first)
        order += [*first, *rest[: max(0, left)]]
        rest = rest[max(0, left) :]
    return order + rest


def import_apart(config):
    """Import all test files, each worker from another one on: none is compiled by all of them at once.

    Only where the whole suite is run; a file that needs what is not installed skips when it is collected.
    """
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if not whole or not hasattr(config, "workerinput"):
        return
    files = sorted((config.rootpath / "tests").rglob("test_*.py"))
    worker = int(config.workerinput["workerid"].removeprefix("gw"))
    begin = len(files) * worker // config.workerinput["workercount"]
    for path in [*files[begin:], *files[:begin]]:
        try:
            import_module(".".join(path.relative_to(config.rootpath).with_suffix("").parts))
        except pytest.skip.Exception:
            continue
