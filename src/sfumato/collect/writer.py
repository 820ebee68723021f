"""Many small requests become few durable transactions: one thread writes all that has gathered, then answers."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import field
from threading import Condition, Thread
from time import perf_counter
from typing import TYPE_CHECKING

from sfumato.errors import SfumatoError, SourceError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.collect.store.base import Arrival, Fate, Store

_GROUP = 1000
"""Batches of one transaction at most."""


@dataclass(slots=True)
class Timing:
    """Transactions so far, and the seconds they took."""

    commits: int = 0
    seconds: float = 0.0
    failures: int = 0


@dataclass(slots=True, eq=False)
class _Waiting:
    """A batch whose sender waits."""

    arrival: Arrival
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Fate]


@dataclass(slots=True, eq=False)
class Writer:
    """The one thread that writes to a store.

    Args:
        store: where to.
        most: batches that may wait; more are refused, so that memory stays bounded.
    """

    store: Store
    most: int
    timing: Timing = field(default_factory=Timing)
    _queue: deque[_Waiting] = field(default_factory=deque)
    _change: Condition = field(default_factory=Condition)
    _closing: bool = False
    _thread: Thread | None = None

    def start(self) -> None:
        """Begin to write."""
        self._thread = Thread(target=self._work, name="sfumato-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Batches that wait."""
        return len(self._queue)

    def submit(self, arrival: Arrival) -> asyncio.Future[Fate] | None:
        """A future that is done when the batch is on disk; None if too many wait or the server is closing."""
        loop = asyncio.get_running_loop()
        waiting = _Waiting(arrival, loop, loop.create_future())
        with self._change:
            if self._closing or len(self._queue) >= self.most:
                return None
            self._queue.append(waiting)
            self._change.notify()
        return waiting.done

    def close(self) -> None:
        """Write all that waits, then stop."""
        with self._change:
            self._closing = True
            self._change.notify()
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        """Take what has gathered, write it, answer; until closed and empty."""
        while True:
            with self._change:
                while not self._queue and not self._closing:
                    self._change.wait()
                if not self._queue:
                    return
                group = [self._queue.popleft() for _ in range(min(_GROUP, len(self._queue)))]
            self._write(group)

    def _write(self, group: Sequence[_Waiting]) -> None:
        """One transaction, and the answers of all its batches."""
        start = perf_counter()
        try:
            fates: Sequence[Fate | SfumatoError] = self.store.commit([one.arrival for one in group])
        except SfumatoError as error:
            self.timing.failures += 1
            fates = [error] * len(group)
        except Exception:  # noqa: BLE001 - whatever it is, the senders must hear that nothing was counted
            self.timing.failures += 1
            fates = [SourceError("The store failed; nothing was counted.", "send the same batches again.")] * len(group)
        self.timing.commits += 1
        self.timing.seconds += perf_counter() - start
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Waiting, Fate | SfumatoError]]] = {}
        for one, fate in zip(group, fates, strict=True):
            by_loop.setdefault(one.loop, []).append((one, fate))
        for loop, answers in by_loop.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(_answer, answers)


def _answer(answers: Sequence[tuple[_Waiting, Fate | SfumatoError]]) -> None:
    """Wake the senders; one that has gone is not missed."""
    for waiting, fate in answers:
        if waiting.done.done():
            continue
        if isinstance(fate, SfumatoError):
            waiting.done.set_exception(fate)
        else:
            waiting.done.set_result(fate)
