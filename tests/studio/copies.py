"""A studio of the tests, most of whose jobs begin as copies of a process that has loaded what they use.

Run: python -m tests.studio.copies FOLDER …        as `sfumato studio`

To load all that takes a job longer than its work on a small table. The first job of each kind begins as it does for everybody,
in a new process that loads what it uses itself; the others run the same function, with the same lock, input, log and session.
"""

import atexit
import gc
import json
import os
import socket
import subprocess
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

LONGEST = 1 << 16
"""Bytes of a message."""


class Copied:
    """What stands for the process of a job.

    Args:
        begin: a socket to the process that is copied.
        command: of the process that would be started.
        files: its standard input, its log, and what else it holds.
    """

    def __init__(self, begin, command, files):
        reads, writes = os.pipe()
        socket.send_fds(begin, [json.dumps(command[3:]).encode()], [reads, *files])
        os.close(reads)
        self.stdin = os.fdopen(writes, "wb")

    def wait(self):
        """Whose copy it is forgets it."""


class Processes:
    """Begins jobs, as `subprocess.Popen` is asked to.

    Args:
        begin: a socket to the process that is copied.
    """

    def __init__(self, begin):
        self._begin, self._kinds = begin, set()

    def __call__(self, command, *, pass_fds, stdout, **more):
        kind = json.loads((Path(command[-1]) / "job.json").read_text("utf-8"))["kind"]
        if kind in self._kinds:
            return Copied(self._begin, command, [stdout.fileno(), *pass_fds])
        self._kinds.add(kind)
        return subprocess.Popen(command, pass_fds=pass_fds, stdout=stdout, **more)


def copied():
    """A socket to a new process, which is copied for each message and ends with this one; in a copy: its job, to the end."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork():
        its.close()
        return ours
    ours.close()
    heard, told = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    import_module("sfumato.studio.child")
    while True:
        said, files, *_ = socket.recv_fds(its, LONGEST, 8)
        forget()
        if not said:
            sys.exit()
        learned(heard)
        gc.freeze()
        if not os.fork():
            its.close()
            work(json.loads(said), files, told)
        for file in files:
            os.close(file)


def forget():
    """So that the system forgets copies that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue


def learned(heard):
    """Load what copies had to load."""
    with suppress(BlockingIOError):
        while True:
            for name in heard.recv(LONGEST, socket.MSG_DONTWAIT).decode().split():
                with suppress(ImportError):
                    import_module(name)


def work(words, files, told):
    """A job with its input, log and lock, in a session of its own; what it had to load is told."""
    from sfumato.studio import child

    os.setsid()
    reads, log, *_ = files
    for file, place in ((reads, 0), (log, 1), (log, 2)):
        os.dup2(file, place)
    before, sys.argv = set(sys.modules), ["child", *words]
    try:
        child.main()
    except BaseException:  # noqa: BLE001  told as any process tells it
        traceback.print_exc()
    told.send("\n".join(name for name in sys.modules if name not in before).encode())
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # to take apart what was loaded would cost more than the work


def main():
    """The command, in a process that asks another one for jobs."""
    begin = copied()
    from sfumato.cli.main import main as command
    from sfumato.studio import jobs

    jobs.subprocess = SimpleNamespace(Popen=Processes(begin), PIPE=subprocess.PIPE)
    sys.argv = ["sfumato", "studio", *sys.argv[1:]]
    command()


if __name__ == "__main__":
    main()
