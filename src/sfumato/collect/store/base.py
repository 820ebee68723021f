"""The joint of stores: each batch id is counted once, and what is answered is on disk."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.errors import SourceError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.collect.counter import Counted
    from sfumato.types import IntArray


class Fate(Enum):
    """What became of a batch."""

    COUNTED = "counted"
    """It was new; the totals hold it."""
    REPEATED = "repeated"
    """The same batch was counted before; nothing was added."""
    CONFLICT = "conflict"
    """Its id was used by another batch; nothing was added."""


@dataclass(frozen=True, slots=True, eq=False)
class Arrival:
    """A batch that waits to be written.

    Args:
        collection: its name.
        counted: what it adds.
        kept: the body, where the plan keeps reports; None otherwise.
    """

    collection: str
    counted: Counted
    kept: bytes | None


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """The state of one collection: how many batches and reports, and the vector of totals."""

    batches: int
    reports: int
    vector: IntArray


class Store(Protocol):
    """Totals of several collections. One thread writes; others may read."""

    def open_collection(self, name: str, digest: str, size: int) -> None:
        """Make a collection with zero totals, or check that the one on disk has these parameters.

        Raises:
            SourceError: the store holds a collection of that name with other parameters.
        """
        ...

    def commit(self, arrivals: Sequence[Arrival]) -> list[Fate]:
        """Count the new ones among some batches, in one durable transaction; all of it or nothing.

        Raises:
            SourceError: the store failed; nothing was counted.
        """
        ...

    def totals(self, name: str) -> Totals:
        """The totals that are on disk."""
        ...

    def probe(self) -> None:
        """Write something durably that means nothing.

        Raises:
            SourceError: the store cannot be written, or is no longer there.
        """
        ...

    def close(self) -> None:
        """Give connections back."""
        ...


def sort_out(arrivals: Sequence[Arrival], known: Mapping[tuple[str, str], bytes]) -> tuple[list[Fate], list[Arrival]]:
    """The fate of each batch, and the new ones, given the digests of ids that are on disk; ids repeat within a group too.

    Example:
        >>> from sfumato.collect.counter import Counted
        >>> one = Arrival("c", Counted("b", b"1", 1, None, sum), None)
        >>> fates, new = sort_out([one, one], {})
        >>> [fate.value for fate in fates], len(new)
        (['counted', 'repeated'], 1)
    """
    seen, fates, new = dict(known), [], []
    for arrival in arrivals:
        key = (arrival.collection, arrival.counted.batch)
        if key not in seen:
            seen[key] = arrival.counted.digest
            new.append(arrival)
            fates.append(Fate.COUNTED)
        else:
            fates.append(Fate.REPEATED if seen[key] == arrival.counted.digest else Fate.CONFLICT)
    return fates, new


def added(arrivals: Sequence[Arrival]) -> dict[str, tuple[int, int, IntArray]]:
    """For each collection: batches, reports, and what all of them add to the totals."""
    grouped: dict[str, list[Counted]] = {}
    for arrival in arrivals:
        grouped.setdefault(arrival.collection, []).append(arrival.counted)
    return {
        name: (len(new), sum(one.reports for one in new), new[0].add_up([one.content for one in new]))
        for name, new in grouped.items()
    }


def gone(name: str) -> SourceError:
    """The error of a store that has lost a collection while it was served."""
    return SourceError(
        "The store must hold the collection {name!r}; it is no longer there.",
        "restore the store, then start again.",
        name=name,
    )


def packed(vector: IntArray) -> bytes:
    """A vector as bytes, little end first."""
    return vector.astype("<i8").tobytes()


def unpacked(data: bytes) -> IntArray:
    """The vector that `packed` wrote."""
    return np.frombuffer(data, "<i8").astype(np.int64)
