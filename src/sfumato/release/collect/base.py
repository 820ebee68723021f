"""What devices and server of any collection agree on, and what the server keeps of it: counts that merge by addition."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sfumato.document.result.collected import CountsResult
from sfumato.errors import ReportError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.several.scheme import TupleCounts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.document.result.collected import EstimatesResult
    from sfumato.document.result.survey import SurveyEstimatesResult
    from sfumato.mechanism.local.rappor.decode.decoded import Decoded
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.noise.bits import Bits
    from sfumato.table.source import Source
    from sfumato.table.values import Item, Table
    from sfumato.types import IntArray

COUNTS = CountsResult.tag[1]
FORMER = "sfumato.rappor-counts/1"
"""Counts of a RAPPOR collection as version 0.1.0 wrote them: `ones` for `support`."""
MOST_REPORTS = 2**53
"""A count of a document at most: every larger whole number is beyond what estimates tell apart."""

_CURE = "give what `aggregate` wrote."


@dataclass(frozen=True, slots=True)
class Sent:
    """One batch of a device.

    Args:
        batch: its id, random.
        persons: whose reports it holds.
        wire: the reports.
    """

    batch: str
    persons: int
    wire: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """One batch as the server reads it.

    Args:
        persons: whose reports it holds.
        content: what the collection that read it adds up.
    """

    persons: int
    content: Any


class Collecting(Protocol):
    """A collection: declared questions under an oracle or a scheme, a survey, or strings under RAPPOR."""

    @property
    def protocol(self) -> str:
        """Name of the protocol."""
        ...

    @property
    def sizes(self) -> tuple[int, ...]:
        """Length of the support of each part: values of each question, or bits of each cohort."""
        ...

    @property
    def note(self) -> str:
        """Protocol and epsilon, in a line for readers of estimates."""
        ...

    @property
    def has_page(self) -> bool:
        """Whether persons can answer on their phones, on a page of the server."""
        ...

    def digest(self) -> str:
        """What must be equal on both sides."""
        ...

    def public(self) -> dict[str, Item]:
        """What clients need to know, as plain data."""
        ...

    def randomized(
        self, source: Source, *, column: str | None, batch: int, bits: Bits, progress: Progress
    ) -> Iterator[Sent]:
        """Play the devices: the reports of `batch` rows at a time; everything is checked before chance is drawn."""
        ...

    def read(self, wire: bytes) -> Read:
        """Reports from anyone at all.

        Raises:
            ReportError: they are none of this collection.
        """
        ...

    @property
    def former(self) -> str | None:
        """The format of batches that clients of version 0.1.0 send in another form, if there are such."""
        ...

    def read_former(self, data: Table) -> Read:
        """Reports of a batch of that format.

        Raises:
            ReportError: they are none of this collection.
        """
        ...

    def add_up(self, contents: Sequence[Any]) -> IntArray:
        """What some batches add to the vector of counts."""
        ...

    def estimate(self, counts: Counts) -> EstimatesResult | SurveyEstimatesResult | Decoded:
        """What the counts tell, with the usual confidence; nothing before the first report."""
        ...


def size_of(asked: Collecting) -> int:
    """Length of the vector of counts: a number of reports for each part, then the supports of all."""
    return len(asked.sizes) + sum(asked.sizes)


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Support counts of a collection.

    Args:
        collection: digest of what was asked.
        reports: number of reports of each part, >= 0.
        support: for each part (k,) int64, reports that support each value or have each bit.
        of: names of the files of reports that were counted; (): not known.
    """

    collection: str
    reports: tuple[int, ...]
    support: tuple[IntArray, ...]
    of: tuple[str, ...] = ()

    @property
    def tuples(self) -> TupleCounts:
        """As the schemes of several attributes read them."""
        return TupleCounts(self.support, self.reports)

    @property
    def vector(self) -> IntArray:
        """Numbers of reports, then supports."""
        return np.concatenate((np.array(self.reports, np.int64), *self.support))

    def told(self, batches: int | None = None) -> CountsResult:
        """The document of the counts; a server tells its number of batches."""
        support = tuple(tuple(one.tolist()) for one in self.support)
        return CountsResult(
            collection=self.collection, reports=self.reports, support=support, of=tuple(sorted(self.of)) or None,
            batches=batches,
        )  # fmt: skip


def counts_of(asked: Collecting, vector: IntArray, *, of: Sequence[str] = ()) -> Counts:
    """The counts in a vector."""
    n = len(asked.sizes)
    support = tuple(np.split(vector[n:], np.cumsum(asked.sizes)[:-1]))
    return Counts(asked.digest(), tuple(int(one) for one in vector[:n]), support, tuple(of))


def counts_from(asked: Collecting, document: Table) -> Counts:
    """Counts from their document, refused when it belongs to another collection.

    Raises:
        ReportError: no counts, counts of another collection, or numbers that are none.
    """
    form = document.get("format")
    if form not in (COUNTS, FORMER):
        raise ReportError("Counts must be a document of the format {counts}.", _CURE, counts=COUNTS)
    check_digests(asked, [str(document.get("collection"))])
    support, reports = document.get("support" if form == COUNTS else "ones"), document.get("reports")
    if not isinstance(support, list) or not all(map(_are_counts, support)) or not _are_counts(reports):
        raise ReportError(
            "Counts must hold `support` and `reports` as lists of whole numbers from 0 to {most_reports}.",
            _CURE,
            most_reports=MOST_REPORTS,
        )
    if (
        tuple(len(row) for row in support) != asked.sizes
        or not isinstance(reports, list)
        or len(reports) != len(support)
    ):
        raise ReportError("Counts must have the declared number of values.", _CURE)
    rows = tuple(np.asarray(row, np.int64) for row in support)
    return Counts(asked.digest(), tuple(reports), rows, _files_in(document))


def _are_counts(values: object) -> bool:
    """Whether these are whole numbers that sums of several documents still hold."""
    return isinstance(values, list) and all(
        isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= MOST_REPORTS for n in values
    )


def _files_in(document: Table) -> tuple[str, ...]:
    """The files that a document of counts was made of; counts without such names stand for themselves."""
    of = document.get("of")
    if isinstance(of, list) and of and all(isinstance(name, str) for name in of):
        return tuple(of)
    content = json.dumps({key: document[key] for key in sorted(document)}, sort_keys=True)
    return (hashlib.sha256(content.encode()).hexdigest(),)


def check_digests(asked: Collecting, digests: Sequence[str | None]) -> None:
    """Every line must belong to this collection.

    Raises:
        ReportError: one does not. Remedy: one document on both sides.
    """
    ours = asked.digest()
    if any(digest != ours for digest in digests):
        raise ReportError(
            "Reports must belong to this collection: the same questions, values, protocol and epsilon; some do not.",
            "use one collection document on the devices and on the server.",
        )
