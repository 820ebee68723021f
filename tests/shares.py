"""How the workers of a run share it: what is dear to start is started by one of them, and each test file is compiled by one.

Workers begin with equal parts of the list of tests and take from each other's ends when theirs is done (`--dist worksteal`).
"""

from importlib import import_module
from pathlib import Path

import pytest

TOGETHER = (
    frozenset({"spark"}),  # Java
    frozenset({"chromium", "furniture", "hand", "house", "hands"}),  # a browser, and servers with something to show
    frozenset({"sail", "postgres"}),
)
"""Fixtures of a session that are dear to start; a set belongs to one worker."""


def needs(item):
    """Names of the fixtures that a test needs, also of those that a parameter names."""
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    named = [one.stem if isinstance(one, Path) else one for one in parameters if isinstance(one, Path | str)]
    return {*getattr(item, "fixturenames", ()), *named}


def place(names):
    """The set of `TOGETHER` to which a test belongs, by the names that it needs; behind the last: none."""
    return next((i for i, dear in enumerate(TOGETHER) if dear & names), len(TOGETHER))


def in_shares(places, n_workers):
    """The order of tests, by their places, in which each worker begins with a set of its own; else it stays as it is."""
    sets = [[i for i, at in enumerate(places) if at == wanted] for wanted in range(len(TOGETHER))]
    rest = [i for i, at in enumerate(places) if at == len(TOGETHER)]
    order = []
    for worker in range(n_workers):
        first = [i for dear in sets[worker::n_workers] for i in dear]
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
