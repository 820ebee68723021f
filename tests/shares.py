"""How the workers of a run share it: what is dear to start is started by one of them, and each file is compiled and searched by one.

Workers begin with equal parts of the list of tests and take from each other's ends when theirs is done (`--dist worksteal`).
"""

import sys
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis.internal.constants_ast import constants_from_module

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

    Nor is any file of the package searched by all of them for the constants that Hypothesis tries, which it keeps in a
    folder for each other. Only where the whole suite is run; a file that needs what is not installed skips when it is collected.
    """
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if not whole or not hasattr(config, "workerinput"):
        return
    files = sorted((config.rootpath / "tests").rglob("test_*.py"))
    for path in from_own_on(files, config):
        try:
            import_module(".".join(path.relative_to(config.rootpath).with_suffix("").parts))
        except pytest.skip.Exception:
            continue
    found = {name: one for name, one in sys.modules.items() if name.startswith("sfumato.") and one.__file__}
    for _, module in from_own_on(sorted(found.items()), config):
        constants_from_module(module)


def from_own_on(things, config):
    """All of them, each worker from another place on."""
    worker = int(config.workerinput["workerid"].removeprefix("gw"))
    begin = len(things) * worker // config.workerinput["workercount"]
    return [*things[begin:], *things[:begin]]


def send_less(config):
    """The process that hears all workers hears of each test how it went, not that it begins and is set up.

    Each message costs both sides what a small test costs. Where lines are shown for each test, or times of setting up, all are sent.
    """
    option = config.option
    if (
        not hasattr(config, "workerinput")
        or option.verbose >= 0
        or option.durations
        or getattr(option, "xmlpath", None)
    ):
        return
    for worker in [one for one in config.pluginmanager.get_plugins() if type(one).__name__ == "WorkerInteractor"]:
        worker.sendevent = _without_beginnings(worker.sendevent)


def _without_beginnings(send):
    """What sends events of a worker, but for those that a test begins and that it is set up."""

    def sendevent(name, **values):
        report = values.get("data", {}) if name == "testreport" else {}
        if name != "logstart" and (report.get("when"), report.get("outcome")) != ("setup", "passed"):
            send(name, **values)

    return sendevent
