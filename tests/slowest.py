"""What each test cost, told at the end of a run: processor time, which other work on the machine hardly changes.

The time of child processes counts when they have ended. Where costs are written to a file, that of processes that still
run counts too, where the system shows it (Linux): it is looked for below every thread, which itself takes milliseconds.
"""

import os
from contextlib import suppress
from pathlib import Path

import pytest

KEY = "processor_seconds"
SHOWN = 10


def spent_so_far(*, below: bool) -> float:
    """Processor time of this process and of those below it that have ended, or of all, in seconds."""
    times = os.times()
    own = times.user + times.system + times.children_user + times.children_system
    return own + (sum(spent_below(one) for one in children(os.getpid())) if below else 0.0)


def spent_below(pid) -> float:
    """Processor time of a running process and of all below it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rsplit(")", 1)[1].split()
    except OSError:
        return 0.0  # it has just ended
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(spent_below, children(pid)))


def children(pid) -> list[str]:
    """Processes that the threads of a process have started and not yet waited for; of others it tells when they ended."""
    found: list[str] = []
    with suppress(OSError):  # it may just have ended
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                found += (thread / "children").read_text("ascii").split()
    return found


class Slowest:
    """Adds the cost to each report; the process that hears all reports adds them up.

    Args:
        times: file to which the process that hears all reports adds costs.
        is_worker: whether another process hears them.
    """

    def __init__(self, times=None, *, is_worker=False):
        self.cost: dict[str, float] = {}
        self._times = None if is_worker else times
        self._below = times is not None
        self._since = 0.0

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self):
        """Where the test runs; whoever hears of it measures nothing."""
        self._since = spent_so_far(below=self._below)
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self):
        report = yield
        if report.when == "teardown":
            report.user_properties = [*report.user_properties, (KEY, spent_so_far(below=self._below) - self._since)]
        return report

    def pytest_runtest_logreport(self, report):
        if report.when != "teardown":
            return
        self.cost[report.nodeid] = next((value for key, value in reversed(report.user_properties) if key == KEY), 0.0)
        if self._times:
            with Path(self._times).open("a", encoding="utf-8") as file:
                file.write(f"{self.cost[report.nodeid]:.2f}\t{report.nodeid}\n")

    def pytest_terminal_summary(self, terminalreporter):
        if self.cost:
            terminalreporter.write_line(self.line())

    def line(self):
        """The ten slowest, and the sum."""
        slowest = sorted(self.cost.items(), key=lambda pair: -pair[1])[:SHOWN]
        named = " · ".join(f"{name} {seconds:.1f}" for name, seconds in slowest)
        return f"processor seconds of {len(self.cost)} tests: {sum(self.cost.values()):.0f}; the slowest: {named}"
