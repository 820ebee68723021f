"""Work that takes longer than a page: in a process of its own, which outlives the studio and may be stopped.

A job is a folder with `job.json`. Its process holds a lock on the file `lock` as long as it lives, so that nobody has to
trust a number of a process: a lock that can be taken says that the process has ended, however it did. What it did is then
told by `done` or `failed.json`; neither says that it was killed.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict, field
from typing import IO, TYPE_CHECKING, cast

from sfumato.errors import PlanError, SfumatoError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.table.values import Item

JOB, LOCK, PROGRESS, FAILED, DONE, OF = "job.json", "lock", "progress.json", "failed.json", "done", "of"
PID = "pid.json"
_LOOK, _TRIES, _ENDING = 0.02, 10, 500
"""Seconds between two looks at a job that is waited for, or at a lock that somebody looks at; how often; how often at the lock
of a process that has done its work and is about to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a child process is told.

    Args:
        kind: "draft", "run", "risk", "sweep", "compare", "lattice", "node" or "estimate".
        project: folder of the project.
        source: the table of a draft, or the release of a comparison.
        query: the table or SELECT of a draft, where its source is a database.
        dialect: how the file of a draft is written, where somebody said so.
        sheet: of the file of a draft; "": the first.
        vary: by key of the plan, the values of a sweep.
        levels: by column, the level of a node.
    """

    kind: str
    project: str
    source: str = ""
    query: str = ""
    dialect: Mapping[str, Item] = field(default_factory=dict)
    sheet: str = ""
    vary: Mapping[str, Sequence[int | float | str | bool]] = field(default_factory=dict)
    levels: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """How a job stands.

    Args:
        name: "going", "done", "failed" or "killed".
        done: how much of it is done.
        total: of how much; None: nobody knows.
        message: what is being done.
        problem: why it failed.
        remedy: what to do then.
    """

    name: str
    done: int = 0
    total: int | None = None
    message: str = ""
    problem: str = ""
    remedy: str = ""

    @property
    def is_going(self) -> bool:
        """Whether there is something to wait for."""
        return self.name == "going"

    @property
    def percent(self) -> int | None:
        """Share that is done; None: nobody knows."""
        return None if not self.total else min(100, 100 * self.done // self.total)


def start(folder: Path, job: Job, of: str = "", secret: str = "") -> None:
    """Begin a job in a folder; what an earlier job left there is forgotten.

    Args:
        folder: of the job.
        job: what is to be done.
        of: the text that the work depends on, such as a plan; `is_of` tells later whether it is still the same.
        secret: what its process reads from its standard input, and what stands nowhere else.

    Raises:
        PlanError: one is still going on there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _take(lock, _ENDING if _is_over(folder) else _TRIES)
        for name in (PROGRESS, FAILED, DONE, PID):  # who is asked to stop is never the process of an earlier job
            (folder / name).unlink(missing_ok=True)
        (folder / JOB).write_text(json.dumps(asdict(job)), "utf-8")
        with (folder / "log").open("wb") as log:
            child = subprocess.Popen(  # noqa: S603
                # the lock is inherited: it ends with the child, not with us
                [sys.executable, "-m", "sfumato.studio.child", str(folder)],
                stdin=subprocess.PIPE, stdout=log, stderr=log, pass_fds=(lock,), start_new_session=True,
            )  # fmt: skip
        _tell(child, secret)
        threading.Thread(target=child.wait, daemon=True).start()  # so that the system forgets it once it has ended
        if of:
            (folder / OF).write_text(digest_of(of), "utf-8")
    finally:
        os.close(lock)


def _tell(child: subprocess.Popen[bytes], secret: str) -> None:
    """Hand a secret to a process; one that has ended already needs none."""
    with suppress(BrokenPipeError), cast("IO[bytes]", child.stdin) as line:
        line.write(secret.encode())


def is_of(folder: Path, text: str) -> bool:
    """Whether the work of a folder was begun with this text."""
    path = folder / OF
    return path.is_file() and path.read_text("utf-8") == digest_of(text)


def digest_of(text: str) -> str:
    """Tells a text from another."""
    return hashlib.sha256(text.encode()).hexdigest()


def _take(lock: int, tries: int) -> None:
    """Take a lock; whoever looks at it holds it for a moment only, and a process whose work is over ends soon.

    Raises:
        PlanError: a job holds it.
    """
    for _ in range(tries):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            time.sleep(_LOOK)
        else:
            return
    raise PlanError("One job at a time: this one is still going on.", "wait for it, or stop it first.")


def job_of(folder: Path) -> Job | None:
    """What the job of a folder was told; None: there never was one."""
    try:
        return Job(**json.loads((folder / JOB).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def state(folder: Path) -> State | None:
    """How the job of a folder stands; None: there never was one."""
    if not (folder / JOB).is_file():
        return None
    going = _is_held(folder / LOCK)
    if (folder / DONE).exists():
        return State(name="done")
    failed = _json(folder / FAILED)
    if failed:
        return State(name="failed", problem=str(failed["problem"]), remedy=str(failed["remedy"]))
    if not going:
        return State(name="killed")
    told = _json(folder / PROGRESS)
    total = told.get("total")
    done, message = told.get("done", 0), str(told.get("message", ""))
    return State(
        name="going",
        done=done if isinstance(done, int) else 0,
        total=total if isinstance(total, int) else None,
        message=message,
    )


def wait(folder: Path, seconds: float) -> State | None:
    """How a job stands, at the latest after some seconds; most are over by then."""
    until = time.monotonic() + seconds
    found = state(folder)
    while found is not None and found.is_going and time.monotonic() < until:
        time.sleep(_LOOK)
        found = state(folder)
    return found


def stop(folder: Path) -> None:
    """Ask the process of a job to stop: it cleans up as after Ctrl-C."""
    told = _json(folder / PID)
    pid = told.get("pid")
    if isinstance(pid, int) and _is_held(folder / LOCK):
        os.kill(pid, signal.SIGINT)


def failure(folder: Path, error: SfumatoError) -> None:
    """Tell why a job failed."""
    write_json(folder / FAILED, {"problem": error.problem, "remedy": error.remedy})


def refuse(folder: Path, error: SfumatoError) -> None:
    """Tell why a job was not begun, as if it had failed; one that is still going on stays as it is.

    One whose work is over does not, though its process may need a moment to end.
    """
    if _is_over(folder) or not _is_held(folder / LOCK):
        (folder / DONE).unlink(missing_ok=True)
        write_json(folder / JOB, {})
        failure(folder, error)


def write_json(path: Path, said: Mapping[str, Item]) -> None:
    """Write beside, then rename."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(json.dumps(said, ensure_ascii=False), "utf-8")
    beside.replace(path)


def _json(path: Path) -> dict[str, str | int | None]:
    """What a small file says; {} where there is none."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_over(folder: Path) -> bool:
    """Whether the work of a job is done or has failed; its process then writes nothing more."""
    return (folder / DONE).exists() or (folder / FAILED).exists()


def _is_held(path: Path) -> bool:
    """Whether a job holds the lock; looking at it is shared, so that two who look do not see each other."""
    try:
        lock = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(lock)
