"""What does the server read off the reports? Counts that merge by addition, then shares with intervals."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from sfumato.errors import ParameterError, ReportError
from sfumato.mechanism.local.intervals import exact_intervals
from sfumato.mechanism.local.oracle import estimate, variance
from sfumato.mechanism.local.projections import project_simplex
from sfumato.mechanism.local.several.scheme import TupleCounts
from sfumato.release.collect.once import batches_of, counted_once, each_once, files_in
from sfumato.summary.ask import Counting

if TYPE_CHECKING:
    from sfumato.engine.base import Engine
    from sfumato.release.collect.collection import Collection
    from sfumato.table.source import Source
    from sfumato.types import FloatArray, IntArray

T = TypeVar("T")

MOST_REPORTS = 2**53
"""A count of a document at most: every larger whole number is beyond what estimates tell apart."""
COUNTS = "sfumato.counts/1"
ESTIMATES = "sfumato.estimates/1"


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """The answers to one question.

    Args:
        raw: (k,) unbiased estimates; they may be negative.
        low: (k,) lower ends of the intervals.
        high: (k,) upper ends.
        deviation: (k,) exact standard deviations at the estimate.
        projected: (k,) the nearest shares that are >= 0 and add up to 1.
    """

    raw: FloatArray
    low: FloatArray
    high: FloatArray
    deviation: FloatArray
    projected: FloatArray


@dataclass(frozen=True, slots=True)
class ReportCount:
    """Support counts of the batches of a collection, one batch a row: the supports, then the numbers of reports."""

    collection: Collection

    @property
    def ask(self) -> Counting:
        """All batches: of each its collection's digest and its reports in base64."""
        sizes = self.collection.domain_sizes
        return Counting(("collection", "reports"), sum(sizes) + len(sizes), self)

    def __call__(self, cells: Sequence[Sequence[str | None]]) -> IntArray:
        """Counts of some batches.

        Raises:
            ReportError: reports of another collection, another protocol or version, or damaged ones.
        """
        digests, lines = cells
        _check_digests(self.collection, digests)
        protocol, total = self.collection.protocol_object(), np.zeros(self.ask.size, np.int64)
        for line in lines:
            counted = count_line(protocol, line or "", is_scheme=self.collection.is_scheme)
            total += np.concatenate((*counted.support, counted.reports))
        return total


def aggregate(engine: Engine[T], collection: Collection, sources: Sequence[Source]) -> dict[str, object]:
    """Count the support of every value in the reports of all sources: `sfumato.counts/1`.

    Raises:
        ReportError: no report, reports that come twice, reports of another collection, another protocol or version, or
            damaged ones.
    """
    counting = ReportCount(collection).ask
    tables = [engine.scan(source) for source in sources]
    names = counted_once([batches_of(engine, table) for table in tables])
    total = np.zeros(counting.size, np.int64)
    for table in tables:
        total += engine.summarize(table, counting)
    sizes = collection.domain_sizes
    *support, reports = np.split(total, np.cumsum(sizes))
    if not reports.any():
        raise ReportError("There must be at least one report to count; there is none.", "collect reports first.")
    return counts_document(collection, TupleCounts(tuple(support), tuple(reports.tolist())), of=names)


def counts_document(collection: Collection, counts: TupleCounts, *, of: Sequence[str] = ()) -> dict[str, object]:
    """Counts as plain data; `of` names the files of reports that were counted."""
    return {
        "format": COUNTS,
        "collection": collection.digest(),
        "reports": list(counts.reports),
        "support": [support.tolist() for support in counts.support],
        **({"of": sorted(of)} if of else {}),
    }


def merge(collection: Collection, documents: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Add up the counts of several servers.

    Raises:
        ReportError: counts of another collection, or of reports that another document counted already.
    """
    parts = [counts_from(collection, document) for document in documents]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    names = [files_in(document) for document in documents]
    return counts_document(collection, total, of=each_once([name for part in names for name in part]))


def counts_from(collection: Collection, document: Mapping[str, object]) -> TupleCounts:
    """Counts from their document, refused when it belongs to another collection."""
    if document.get("format") != COUNTS:
        raise ReportError(
            "Counts must be a document of the format {counts}.", "give what `aggregate` wrote.", counts=COUNTS
        )
    _check_digests(collection, [str(document.get("collection"))])
    support, reports = document.get("support"), document.get("reports")
    if not isinstance(support, list) or not all(map(_are_counts, support)) or not _are_counts(reports):
        raise ReportError(
            "Counts must hold `support` and `reports` as lists of whole numbers from 0 to {most_reports}.",
            "give what `aggregate` wrote.",
            most_reports=MOST_REPORTS,
        )
    sizes = tuple(len(row) for row in support)
    if sizes != collection.domain_sizes or len(cast("list[int]", reports)) != len(sizes):
        raise ReportError("Counts must have the declared number of values.", "give what `aggregate` wrote.")
    return TupleCounts(tuple(np.asarray(row, np.int64) for row in support), tuple(cast("list[int]", reports)))


def _are_counts(values: object) -> bool:
    """Whether these are whole numbers that sums of several documents still hold."""
    return isinstance(values, list) and all(
        isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= MOST_REPORTS for n in values
    )


def estimates(collection: Collection, document: Mapping[str, object], *, confidence: float) -> dict[str, object]:
    """The shares of every answer: `sfumato.estimates/1`.

    Args:
        collection: what was asked.
        document: the counts.
        confidence: of each interval, in [0.5, 1).

    Raises:
        ParameterError: a confidence outside its range, or no report.
    """
    if not 0.5 <= confidence < 1:
        raise ParameterError(
            "`confidence` must lie in [0.5, 1); got {confidence}.", "choose such as 0.95.", confidence=confidence
        )
    counts = counts_from(collection, document)
    found = (
        _of_scheme(collection, counts, confidence)
        if collection.is_scheme
        else [_of_oracle(collection, counts, confidence)]
    )
    return {
        "format": ESTIMATES,
        "collection": collection.digest(),
        "protocol": collection.protocol,
        "epsilon": _epsilons(collection),
        "persons": persons_of(collection, counts),
        "reports": list(counts.reports),
        "confidence": confidence,
        "questions": [
            {
                "column": question.column,
                "answers": [
                    {
                        "value": value,
                        "estimate": float(shares.raw[v]),
                        "low": float(shares.low[v]),
                        "high": float(shares.high[v]),
                        "deviation": float(shares.deviation[v]),
                        "projected": float(shares.projected[v]),
                    }
                    for v, value in enumerate(question.values)
                ],
            }
            for question, shares in zip(collection.questions, found, strict=True)
        ],
    }


def _epsilons(collection: Collection) -> dict[str, float | None]:
    """What is truly promised, exactly."""
    if not collection.is_scheme:
        epsilon = collection.oracle().epsilon
        return {"asked": collection.epsilon, "published": None, "tuple_level": epsilon, "one_attribute": epsilon}
    true = collection.scheme().epsilons
    return {
        "asked": collection.epsilon,
        "published": true.published,
        "tuple_level": true.tuple_level,
        "one_attribute": true.one_attribute,
    }


def persons_of(collection: Collection, counts: TupleCounts) -> int:
    """Persons whose reports were counted."""
    return collection.scheme().persons(counts) if collection.is_scheme else counts.reports[0]


def _of_oracle(collection: Collection, counts: TupleCounts, confidence: float) -> Shares:
    """Shares of one question, with exact intervals."""
    oracle, n = collection.oracle(), counts.reports[0]
    raw = estimate(counts.support[0], n, oracle.support)
    found = exact_intervals(counts.support[0], n, oracle.support, confidence=confidence)
    spread = variance(np.clip(raw, 0, 1), n, oracle.support)
    return Shares(raw, found.low, found.high, np.sqrt(np.maximum(spread, 0)), project_simplex(raw))


def _of_scheme(collection: Collection, counts: TupleCounts, confidence: float) -> list[Shares]:
    """Shares of several questions, with normal intervals from the exact variance at the estimate."""
    scheme = collection.scheme()
    raws = scheme.estimate(counts)
    spreads = scheme.variance([np.clip(raw, 0, 1) for raw in raws], scheme.persons(counts))
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    out = []
    for raw, spread in zip(raws, spreads, strict=True):
        deviation = np.sqrt(np.maximum(spread, 0))
        low, high = np.clip(raw - z * deviation, 0, 1), np.clip(raw + z * deviation, 0, 1)
        out.append(Shares(raw, low, high, deviation, project_simplex(raw)))
    return out


def count_line(protocol: Any, line: str, *, is_scheme: bool) -> TupleCounts:
    """Support counts of one line of wire bytes, read by the scheme or oracle of the collection."""
    try:
        data = base64.b64decode(line, validate=True)
    except ValueError as error:  # also binascii.Error; text beyond ASCII is a plain ValueError
        raise ReportError("Reports must be base64 text; a line is not.", "send that batch again.") from error
    reports = protocol.from_bytes(data)
    counted = protocol.count_support(reports)
    return counted if is_scheme else TupleCounts((counted,), (len(reports),))


def _check_digests(collection: Collection, digests: Sequence[str | None]) -> None:
    """Every line must belong to this collection."""
    ours = collection.digest()
    if any(digest != ours for digest in digests):
        raise ReportError(
            "Reports must belong to this collection: the same questions, values, protocol and epsilon; some do not.",
            "use one collection document on the devices and on the server.",
        )
