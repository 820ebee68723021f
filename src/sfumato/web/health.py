"""The health of a store: it is written to, not only asked, and at most once a second however many ask."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

_FRESH = 1.0
"""Seconds for which an answer of the store counts."""


@dataclass(slots=True, eq=False)
class Health:
    """Asks a store whether it can be written.

    Args:
        probe: writes something durably that means nothing, or raises a `SourceError`.
        patience: seconds after which a store that is silent is called unwell.
    """

    probe: Callable[[], None]
    patience: float
    _asked: float = 0.0
    _task: asyncio.Task[None] | None = None

    async def check(self) -> None:
        """Return if the store was written within the last second, or can be now.

        Raises:
            SourceError: it cannot, it has vanished, or it does not answer.
        """
        if self._task is None or (self._task.done() and monotonic() - self._asked >= _FRESH):
            self._asked = monotonic()
            self._task = asyncio.create_task(asyncio.to_thread(self.probe))
        try:
            await asyncio.wait_for(asyncio.shield(self._task), self.patience)
        except TimeoutError as error:
            raise SourceError(
                "The store must take a write within {patience:g} seconds; it does not answer.",
                "look for another process that locks it.",
                patience=self.patience,
            ) from error
