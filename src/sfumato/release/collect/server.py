"""The server counts reports where they lie, or in files of batches, each once; counts of several servers add up."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.errors import ReportError
from sfumato.frozen import dataclass
from sfumato.release.collect.base import Counts, check_digests, counts_of, size_of
from sfumato.release.collect.batch import unwrapped
from sfumato.release.collect.once import batches_of, counted_once, each_once
from sfumato.summary.ask import Counting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Engine
    from sfumato.release.collect.base import Collecting
    from sfumato.table.source import Source
    from sfumato.types import IntArray

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ReportCount:
    """What adds up the counts of the batches of a collection, one batch a row."""

    asked: Collecting

    @property
    def ask(self) -> Counting:
        """All batches: of each its collection's digest and its reports in base64."""
        return Counting(("collection", "reports"), size_of(self.asked), self)

    def __call__(self, cells: Sequence[Sequence[str | None]]) -> IntArray:
        """Counts of some batches.

        Raises:
            ReportError: reports of another collection, another protocol or version, or damaged ones.
        """
        digests, lines = cells
        check_digests(self.asked, digests)
        if not lines:
            return np.zeros(size_of(self.asked), np.int64)
        return self.asked.add_up([self.asked.read(unwrapped(line or "")).content for line in lines])


def aggregate(engine: Engine[T], asked: Collecting, sources: Sequence[Source]) -> Counts:
    """Count the support of every value in the reports of all sources, of which one is open at a time.

    Raises:
        ReportError: no report, reports that come twice, reports of another collection, another protocol or version, or
            damaged ones.
    """
    counting = ReportCount(asked).ask
    total, batches = np.zeros(counting.size, np.int64), []
    for source in sources:
        table = engine.scan(source)
        batches.append(batches_of(engine, table))
        total += engine.summarize(table, counting)
    counts = counts_of(asked, total, of=counted_once(batches))
    if not any(counts.reports):
        raise ReportError("There must be at least one report to count; there is none.", "collect reports first.")
    return counts


def merge(asked: Collecting, parts: Sequence[Counts]) -> Counts:
    """Add up the counts of several servers.

    Raises:
        ReportError: counts of reports that another one counted already.
    """
    total = np.sum([part.vector for part in parts], axis=0)
    return counts_of(asked, total, of=each_once([name for part in parts for name in part.of]))
