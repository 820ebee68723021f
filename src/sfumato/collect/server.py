"""What stands behind the routes: collections, the writer, rates, and what was counted; batches go in here."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta
from time import monotonic
from typing import TYPE_CHECKING

import orjson

from sfumato.collect.snapshot import event_of
from sfumato.collect.store.base import Arrival, Fate
from sfumato.collect.writer import Writer
from sfumato.errors import ReportError, SfumatoError
from sfumato.frozen import dataclass
from sfumato.release.collect.survey.survey import Survey
from sfumato.web.access import Bucket, Refused, knows
from sfumato.web.bodies import Bodies
from sfumato.web.health import Health

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from sfumato.collect.metrics import Tally
    from sfumato.collect.settings import Served, Settings
    from sfumato.collect.store.base import Store, Totals

_REFRESH = 1.0
"""Seconds between two looks at the totals for the live page."""
_BEAT = 15.0
"""Seconds without news after which a comment keeps a stream open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """What became of a batch.

    Args:
        batch: its id.
        reports: that it holds.
        counted: false: it was counted before.
    """

    batch: str
    reports: int
    counted: bool


class Server:
    """The state behind the routes: store, writer, buckets, and what was counted."""

    def __init__(self, settings: Settings, store: Store, tally: Tally) -> None:
        self.settings, self.store = settings, store
        self.writer = Writer(store, settings.limits.waiting)
        self.buckets = {name: Bucket(settings.limits.batches_per_second) for name in settings.collections}
        self.tally, self.closing = tally, asyncio.Event()
        self.health = Health(store.probe, settings.limits.seconds)
        self.bodies = Bodies(settings.limits, "send smaller batches.")
        for served in settings.collections.values():
            store.open_collection(served.name, served.counter.asked.digest(), served.counter.size)

    def served(self, name: str) -> Served:
        """A collection by name."""
        if name not in self.settings.collections:
            raise Refused(404, "There is no such collection here.", "correct the name in the address.")
        return self.settings.collections[name]

    def reader_of(self, name: str, request: Request) -> Served:
        """A collection whose reader asks."""
        served = self.served(name)
        if not knows(request.headers.get("authorization"), served.reader):
            raise Refused(
                401, "Counts and estimates are for readers of the collection.", "send `Authorization: Bearer TOKEN`."
            )
        return served

    async def take(self, name: str, request: Request) -> Received:
        """Count one batch, durably, before answering."""
        served = self.served(name)
        if not knows(request.headers.get("authorization"), served.writer):
            raise Refused(401, "Reports of this collection need its token.", "send `Authorization: Bearer TOKEN`.")
        asked = served.counter.asked
        if isinstance(asked, Survey) and self.today() > asked.document.ends:
            raise Refused(410, "This survey has ended; nothing was counted.", "thank whoever answered.")
        wait = self.buckets[name].take(monotonic())
        if wait:
            raise Refused(
                429,
                "Batches come faster than this collection takes them.",
                "wait, then send the same batch.",
                wait=wait,
            )
        async with self.bodies.received(request) as body:
            return await self._count(served, body)

    @staticmethod
    def today() -> date:
        """The earliest day that it is anywhere: a survey ends when its last day has ended everywhere."""
        return (datetime.now(UTC) - timedelta(hours=12)).date()

    async def is_open(self, name: str, asked: Survey) -> bool:
        """Whether phones are still asked; what they answered before and send later is counted until the end."""
        totals = await asyncio.to_thread(self.store.totals, name)
        return asked.is_open(self.today(), asked.persons(totals.vector))

    async def _count(self, served: Served, body: bytes) -> Received:
        """Read a batch, have it written, and say what became of it."""
        try:
            counted = served.counter.count(orjson.loads(body), body)
        except orjson.JSONDecodeError as error:
            raise Refused(400, "A batch must be JSON.", "send what the client of this collection makes.") from error
        except ReportError as error:
            raise Refused(422, error.problem, error.remedy) from error
        done = self.writer.submit(Arrival(served.name, counted, body if served.keep_reports else None))
        if done is None:
            raise Refused(503, "Too many batches wait for the store.", "wait, then send the same batch.", wait=1.0)
        fate = await done
        if fate is Fate.CONFLICT:
            raise Refused(409, "This batch id was used for another batch.", "give each batch an id of its own.")
        self.tally.batches[served.name, fate.value] += 1
        self.tally.reports[served.name] += counted.reports if fate is Fate.COUNTED else 0
        return Received(batch=counted.batch, reports=counted.reports, counted=fate is Fate.COUNTED)

    async def changes(self, served: Served) -> AsyncIterator[Totals | None]:
        """Totals as reports arrive, until the reader goes or the server closes; None: nothing new for a while."""
        seen, beat = -1, monotonic()
        while not self.closing.is_set():
            try:
                totals = await asyncio.to_thread(self.store.totals, served.name)
            except SfumatoError:
                return  # the reader opens the stream again, and is then told
            if totals.batches != seen:
                seen, beat = totals.batches, monotonic()
                yield totals
            elif monotonic() - beat > _BEAT:
                beat = monotonic()
                yield None
            try:
                async with asyncio.timeout(_REFRESH):
                    await self.closing.wait()
            except TimeoutError:
                continue

    async def events(self, served: Served) -> AsyncIterator[str]:
        """Snapshots as reports arrive."""
        async for totals in self.changes(served):
            if totals is None:
                yield ": still here\n\n"
            else:
                yield event_of(await asyncio.to_thread(served.counter.snapshot, totals.vector), totals.batches)
