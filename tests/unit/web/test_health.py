"""Health asks the store itself, but not as often as it is asked."""

import asyncio
from threading import Event

import pytest

from sfumato.errors import SourceError
from sfumato.web.health import Health


class Store:
    """Counts how often it was probed; waits or fails when told."""

    def __init__(self, error=None, *, waits=False):
        self.probes, self.error, self.go = 0, error, Event()
        if not waits:
            self.go.set()

    def probe(self):
        self.probes += 1
        self.go.wait()
        if self.error:
            raise self.error


def test_many_questions_are_one_write():
    async def ask():
        store = Store()
        health = Health(store.probe, 600)
        await asyncio.gather(*(health.check() for _ in range(50)))
        assert store.probes == 1
        health._asked -= 2  # two seconds later
        await health.check()
        assert store.probes == 2

    asyncio.run(ask())


def test_a_store_that_fails_is_unwell_for_everybody_and_may_recover():
    async def ask():
        store = Store(SourceError("It is gone.", "restore it."))
        health = Health(store.probe, 600)
        found = await asyncio.gather(*(health.check() for _ in range(3)), return_exceptions=True)
        assert [type(one) for one in found] == [SourceError] * 3
        store.error, health._asked = None, health._asked - 2
        await health.check()

    asyncio.run(ask())


def test_a_store_that_is_silent_is_unwell_and_asked_once():
    async def ask():
        store = Store(waits=True)
        health = Health(store.probe, 0.01)
        for _ in range(3):
            health._asked -= 2
            with pytest.raises(SourceError, match="does not answer"):
                await health.check()
        assert store.probes == 1
        store.go.set()

    asyncio.run(ask())
