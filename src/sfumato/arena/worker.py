"""The worker: takes the oldest file that waits, has it judged by a process of its own, and notes what it said."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from sfumato.arena.jail import GRACE, started
from sfumato.arena.room import JUDGED
from sfumato.errors import SourceError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.arena.room import Room
    from sfumato.arena.store import Handed, Store

IDLE = 0.5
"""Seconds after which an idle worker looks again, if nobody wakes it."""


@dataclass(slots=True, eq=False)
class Worker:
    """One thread, one judge at a time.

    Args:
        store: what waits.
        room: where the files are.
        contest: the document.
        seconds: that a judgement may take.
    """

    store: Store
    room: Room
    contest: Path
    seconds: float
    _wake: Event | None = None
    _stop: Event | None = None
    _thread: Thread | None = None
    _lost: bool = False

    def start(self) -> None:
        """Begin; what a judge that is gone had, waits again."""
        self.store.put_back()
        self._wake, self._stop = Event(), Event()
        self._thread = Thread(target=self._work, args=(self._wake, self._stop), daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """There is something to do."""
        if self._wake is not None:
            self._wake.set()

    def stop(self) -> None:
        """End after the file that is judged now."""
        if self._thread is not None and self._stop is not None:
            self._stop.set()
            self.wake()
            self._thread.join()

    def _work(self, wake: Event, stop: Event) -> None:
        """Judge until told to stop. Where the store fails, it is asked again: a server that stays away costs time alone."""
        while not stop.is_set():
            try:
                done = self.next_one()
            except SourceError:
                stop.wait(IDLE)
                self._lost = True
                continue
            if done is None:
                wake.wait(IDLE)
                wake.clear()

    def next_one(self) -> Handed | None:
        """Judge the oldest file that waits, and say which it was; None: nothing waits.

        Raises:
            SourceError: the store failed. The file waits again as soon as the store is there.
        """
        if self._lost:  # what was taken may have been noted as taken
            self.store.put_back()
            self._lost = False
        handed = self.store.take()
        if handed is not None:
            answer = self.judge(handed)
            self.store.judged(handed.id, answer["state"], answer["result"], now=time.time())
        return handed

    def judge(self, handed: Handed) -> dict[str, Any]:
        """What a process of its own says of a file. What it writes gets its place only if it ends well."""
        try:
            return self._judged(handed)
        except OSError:
            return _failed("The judge had no room to work, or the file is no longer there.")

    def _judged(self, handed: Handed) -> dict[str, Any]:
        with tempfile.TemporaryDirectory(prefix=JUDGED, dir=self.room.folder) as folder:
            said: dict[str, str] = {"contest": str(self.contest.absolute()), "file": str(self.room.file(handed.id))}
            if handed.target is None:
                said |= {"public": f"{folder}/public", "key": f"{folder}/key"}
            else:
                said |= {"submission": str(self.room.file(handed.target)), "key": str(self.room.key(handed.target))}
            answer = self._said_of(said, folder)
            if handed.target is None and answer["state"] == "accepted" and not self.room.key(handed.id).exists():
                shutil.move(f"{folder}/public", self.room.public(handed.id))
                shutil.move(f"{folder}/key", self.room.key(handed.id))
            return answer

    def _said_of(self, said: dict[str, str], folder: str) -> dict[str, Any]:
        """The answer of a child, or why there is none. One that ends within its time without a word is started once more.

        So a judge that somebody kills costs nobody a submission, and a file that kills judges costs two.
        """
        began = time.monotonic()
        answer = self._answer(said, folder)
        if answer is None and time.monotonic() - began < self.seconds:
            answer = self._answer(said, folder)
        return answer or _failed("The judge did not end within its limits of time and memory.")

    def _answer(self, said: dict[str, str], folder: str) -> dict[str, Any] | None:
        """What a child says; None: nothing."""
        process = started("sfumato.arena.child", folder)
        try:
            text, _ = process.communicate(json.dumps(said).encode(), timeout=self.seconds + GRACE)
            answer: dict[str, Any] = json.loads(text)
        except (subprocess.TimeoutExpired, ValueError):
            return None
        finally:
            _kill(process)
        return answer


def _failed(why: str) -> dict[str, Any]:
    """A file that could not be judged."""
    return {"state": "failed", "result": {"why": why}}


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started; on Windows, which has no groups of processes, the process alone."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (AttributeError, ProcessLookupError, PermissionError):
        process.kill()
    process.wait()
