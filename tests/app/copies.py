"""Processes of `sfumato …` that live beside a test: most are copies of one that has loaded what servers use.

To load it takes a process longer than most of what tests ask of it. The first command of each kind begins as it does for
everybody, and loads what it uses itself; the others run the same function, and are stopped and killed as any process is.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-c", "from sfumato.cli.main import main; main()"]
LOADED = [
    "sfumato.cli.main", "sfumato.front.run", "sfumato.web.serve", "sfumato.collect.app", "sfumato.collect.settings",
    "sfumato.arena.app", "sfumato.arena.pages.app", "sfumato.arena.worker", "sfumato.contest.opening", "sfumato.together.app",
    "sfumato.together.client", "sfumato.together.publisher", "sfumato.together.releasing", "sfumato.together.sums.publisher",
    "sfumato.together.sums.carrying", "sfumato.together.holder", "uvicorn", "duckdb", "httpx",
]  # fmt: skip
"""What is there before a copy begins."""


class Copy:
    """A process with those words of `subprocess.Popen` that tests of servers use.

    Args:
        made: by `multiprocessing`.
        stdout: what it prints.
    """

    def __init__(self, made, stdout):
        self._made, self.stdout = made, stdout

    @property
    def pid(self):
        """Its number."""
        return self._made.pid

    def poll(self):
        """Its code, negative where a signal ended it; None: it goes on."""
        return self._made.exitcode

    def wait(self, seconds=None):
        """The same once it has ended."""
        self._made.join(seconds)
        if self.poll() is None:
            raise subprocess.TimeoutExpired(self._made.name, seconds)
        return self.poll()

    def send_signal(self, number):
        """A signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self):
        """Tell it to stop."""
        self.send_signal(signal.SIGTERM)

    def kill(self):
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def communicate(self):
        """What it printed to the end."""
        self.wait()
        with self.stdout:
            return self.stdout.read(), None


def work(words, folder, log, environment):
    """A command in a folder, in a copy."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    with Path(log).open("ab") as file:
        for place in (1, 2):
            os.dup2(file.fileno(), place)
    from sfumato.cli.main import main

    sys.argv = ["sfumato", *words]
    main()


class Processes:
    """Begins them."""

    def __init__(self):
        self._kinds, self._made = set(), multiprocessing.get_context("forkserver")
        self._made.set_forkserver_preload(LOADED)

    def __call__(self, words, folder, log):
        """A command in a folder, which appends what it prints to a file."""
        kind = tuple(words[:2]) if words[0] == "serve" else words[0]
        if kind not in self._kinds:
            self._kinds.add(kind)
            with Path(log).open("ab") as file:
                process = subprocess.Popen([*COMMAND, *words], cwd=folder, stdout=file, stderr=file)
            process.stdout = Path(log).open("rb")  # noqa: SIM115  its reader closes it
            return process
        Path(log).touch()
        made = self._made.Process(target=work, args=(words, str(folder), str(log), dict(os.environ)), daemon=True)
        made.start()
        return Copy(made, Path(log).open("rb"))


begun = Processes()
