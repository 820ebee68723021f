"""What a collection counts: a vector of whole numbers that merges by addition, read off each batch."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from sfumato.collect.snapshot import snapshot_of
from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.decode.decoded import Decoded
from sfumato.release.collect.base import counts_of, size_of
from sfumato.release.collect.batch import from_data
from sfumato.release.collect.rappor import strings_told

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.collect.snapshot import Snapshot
    from sfumato.document.result.collected import EstimatesResult, StringsResult
    from sfumato.document.result.survey import SurveyEstimatesResult
    from sfumato.release.collect.base import Collecting, Counts
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """One batch, read and counted.

    Args:
        batch: its id.
        digest: SHA-256 of what was sent; the same id with other content is a mistake.
        reports: how many.
        content: what was read; the collection that read it adds up many of them at once.
        add_up: turns contents into (size,) int64, what they add to the totals.
    """

    batch: str
    digest: bytes
    reports: int
    content: Any
    add_up: Callable[[Sequence[Any]], IntArray]


@dataclass(frozen=True, slots=True)
class Counter:
    """How reports of one collection are read, and what the totals mean.

    Args:
        asked: the collection.
    """

    asked: Collecting

    @property
    def size(self) -> int:
        """Length of the vector of totals."""
        return size_of(self.asked)

    def count(self, data: object, body: bytes) -> Counted:
        """Read a parsed batch from anyone at all.

        Raises:
            ReportError: it is no batch of this collection.
        """
        batch = from_data(self.asked, data)
        digest = hashlib.sha256(body).digest()
        return Counted(batch.name, digest, batch.read.persons, batch.read.content, self.asked.add_up)

    def counts(self, totals: IntArray) -> Counts:
        """The totals as counts."""
        return counts_of(self.asked, totals)

    def estimate(self, totals: IntArray) -> EstimatesResult | SurveyEstimatesResult | Decoded:
        """Estimates with intervals; none before the first report."""
        return self.asked.estimate(self.counts(totals))

    def told(self, totals: IntArray) -> EstimatesResult | SurveyEstimatesResult | StringsResult:
        """The same as a document."""
        found = self.estimate(totals)
        return strings_told(found) if isinstance(found, Decoded) else found

    def snapshot(self, totals: IntArray) -> Snapshot:
        """The estimate for the live page."""
        return snapshot_of(self.asked, self.estimate(totals))
