"""How wrong answers computed from the release are: random COUNT queries, and averages by group.

Both read the release as its user would: a row lies anywhere in what its labels leave open, each value
equally likely. The truth comes from the original classes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.summary.histogram import tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.summary.histogram import Histogram
    from sfumato.summary.published import Published
    from sfumato.summary.span import Domain
    from sfumato.types import FloatArray, IntArray

Conditions: TypeAlias = "dict[int, FloatArray]"
"""For some columns, (…, n) float64: 1 for accepted leaves of the domain, in its order, 0 for others; of one query or more."""

_AT_ONCE = 1 << 18
"""Classes times queries that are looked at together: 2 MiB a column."""

COUNT_SOURCE = "X. Xiao, Y. Tao, Anatomy, VLDB 2006, section 6; K. LeFevre et al., ICDE 2006, section 5.3"

AVERAGE_DEFINITION = (
    "mean over persons of |answer - truth| / |truth| of their group, at most 1; a class spreads evenly over what its "
    "label covers, suppressed rows take no part."
)
"""What the error of averages by group is, for reports."""


@dataclass(frozen=True, slots=True)
class Workload:
    """Random COUNT(*) queries with a range or set condition on several quasi-identifiers.

    Args:
        n_queries: number of queries, >= 1.
        n_conditions: quasi-identifiers in each query, >= 1; at most all of them are used.
        selectivity: share of the domain that the conditions of a query cover together, in (0, 1]; each
            covers selectivity^(1/n_conditions) of the leaves of its column.
        sanity: a true count below this share of the rows is taken as that in the denominator, so that
            queries that match almost nothing do not decide the mean.

    Raises:
        ParameterError: a number outside its range. Remedy: as the message says.
    """

    n_queries: int = 500
    n_conditions: int = 2
    selectivity: float = 0.05
    sanity: float = 0.001

    def __post_init__(self) -> None:
        if self.n_queries < 1 or self.n_conditions < 1:
            raise ParameterError(
                "A workload needs at least one query with one condition; got {n_queries} queries with {n_conditions}.",
                "raise both to at least 1.",
                n_queries=self.n_queries,
                n_conditions=self.n_conditions,
            )
        if not 0 < self.selectivity <= 1 or not 0 <= self.sanity <= 1:
            raise ParameterError(
                "`selectivity` must lie in (0, 1] and `sanity` in [0, 1]; got {selectivity} and {sanity}.",
                "pass shares, not percentages.",
                selectivity=self.selectivity,
                sanity=self.sanity,
            )


@dataclass(frozen=True, slots=True)
class Errors:
    """Relative errors over a workload: median, mean and 95th percentile."""

    median: float
    mean: float
    high: float


def count_query_error(
    published: Published, original: Classes, *, workload: Workload, rng: np.random.Generator
) -> Errors | None:
    """Relative error of random COUNT queries answered from the release.

    A class of f rows whose labels leave L_j leaves open in column j, of which the condition accepts A_j,
    counts f * product of A_j / L_j. Suppressed rows lie anywhere. The error of a query is
    |answer - truth| / max(truth, sanity * rows).

    Args:
        published: the released table, every label understood.
        original: finest classes of the original table.
        workload: which queries.
        rng: draws the queries.

    Returns:
        Errors over the queries; None for an original without rows.

    Source:
        X. Xiao and Y. Tao, "Anatomy: simple and effective privacy preservation", VLDB 2006, section 6.
    """
    n = original.n_rows
    if n == 0:
        return None
    domains = [spans.domain for spans in published.spans]
    queries = [draw_conditions(domains, workload, rng) for _ in range(workload.n_queries)]
    of_columns: dict[tuple[int, ...], list[int]] = {}
    for i, query in enumerate(queries):
        of_columns.setdefault(tuple(query), []).append(i)
    n_leaves = [spans.n_leaves for spans in published.spans]
    errors = np.empty(len(queries))
    for columns, asked in of_columns.items():
        before = tally(original.codes[:, list(columns)], original.rows)
        after = tally(published.classes.codes[:, list(columns)], published.classes.rows)
        at_once = max(1, _AT_ONCE // max(len(before[0]), len(after[0]), 1))
        for some in (asked[i : i + at_once] for i in range(0, len(asked), at_once)):
            together = {j: np.stack([queries[i][j] for i in some]) for j in columns}
            truth = _weighted(*before, _accepted_leaves(published, together))
            shares = _accepted_shares(published, together, n_leaves)
            answer = _weighted(*after, shares) + _anywhere(published, together)
            errors[some] = np.abs(answer - truth) / np.maximum(truth, max(workload.sanity * n, 1.0))
    return summed_up(errors)


def summed_up(errors: FloatArray) -> Errors:
    """Median, mean and 95th percentile.

    Example:
        >>> summed_up(np.array([0.0, 4.0, 1.0, 3.0])).median
        2.0
    """
    low, high = np.sort(errors)[[(len(errors) - 1) // 2, len(errors) // 2]].tolist()  # np.median loads masked arrays
    return Errors((low + high) / 2, float(errors.mean()), float(np.quantile(errors, 0.95)))


def draw_conditions(domains: Sequence[Domain], workload: Workload, rng: np.random.Generator) -> Conditions:
    """The conditions of one query: for some columns, (n,) float64, 1 for accepted leaves in domain order.

    An ordered column gets a range of its leaves, a text column a random set.
    """
    n_conditions = min(workload.n_conditions, len(domains))
    share = workload.selectivity ** (1 / n_conditions)
    out = {}
    for j in sorted(rng.choice(len(domains), n_conditions, replace=False).tolist()):
        size = domains[j].n
        wanted = max(1, round(share * size))
        accepted = np.zeros(size)
        if domains[j].positions is None:
            accepted[rng.choice(size, wanted, replace=False)] = 1.0
        else:
            first = int(rng.integers(size - wanted + 1))
            accepted[first : first + wanted] = 1.0
        out[j] = accepted
    return out


def true_count(original: Classes, published: Published, conditions: Conditions) -> float:
    """Rows of the original that satisfy the conditions."""
    codes = original.codes[:, list(conditions)]
    return float(_weighted(codes, original.rows, _accepted_leaves(published, conditions)))


def estimated_count(published: Published, conditions: Conditions) -> float:
    """Rows that the release is expected to hold under the conditions."""
    codes = published.classes.codes[:, list(conditions)]
    n_leaves = [spans.n_leaves for spans in published.spans]
    answer = _weighted(codes, published.classes.rows, _accepted_shares(published, conditions, n_leaves))
    return float(answer + _anywhere(published, conditions))


def _accepted_leaves(published: Published, conditions: Conditions) -> list[FloatArray]:
    """For each condition (…, n_leaves) float64: 1 for the accepted leaf codes."""
    out = []
    for j, accepted in conditions.items():
        and_none = np.concatenate((accepted, np.zeros((*accepted.shape[:-1], 1))), axis=-1)
        out.append(and_none[..., published.spans[j].domain.rank])
    return out


def _accepted_shares(published: Published, conditions: Conditions, n_leaves: Sequence[IntArray]) -> list[FloatArray]:
    """For each condition (…, n_labels) float64: accepted leaves of each label / its leaves, which are given by column."""
    return [published.spans[j].total(accepted) / np.maximum(n_leaves[j], 1) for j, accepted in conditions.items()]


def _anywhere(published: Published, conditions: Conditions) -> FloatArray:
    """(…) float64: suppressed rows expected under the conditions."""
    both = np.prod([accepted.mean(axis=-1) for accepted in conditions.values()], axis=0)
    return np.asarray(published.suppressed_rows * both)


def _weighted(codes: IntArray, rows: IntArray, shares: Sequence[FloatArray]) -> FloatArray:
    """(…) float64: sum over classes of rows times the product of the share of each of their codes."""
    matches = rows.astype(np.float64)
    for j, share in enumerate(shares):
        matches = matches * share[..., codes[:, j]]
    return np.asarray(matches.sum(axis=-1))


def group_average_error(published: Published, original: Classes, group: int, column: str) -> float | None:
    """Error of `SELECT group, AVG(value) FROM release GROUP BY group`, averaged over the persons.

    A class spreads its persons and their values evenly over the groups that its label leaves open. The
    error of a group is |average - truth| / |truth|, at most 1; a group that the release does not answer
    counts 1; a true average of 0 that is answered otherwise counts 1. Suppressed rows take no part.

    Args:
        published: the released table, every label understood.
        original: finest classes of the original table.
        group: index of the quasi-identifier that is grouped by.
        column: name of the averaged column, counted in a histogram of both tables.

    Returns:
        Mean over the persons of the original of the error of their group, in [0, 1]; None where the
        averaged column has no numbers or the release lacks it.

    Source:
        The query `SELECT CP, AVG(Conso) ... GROUP BY CP` of an open-data publisher; relative error as in
        X. Xiao and Y. Tao, VLDB 2006, section 6.
    """
    spans = published.spans[group]
    before, after = histogram_of(original, column), histogram_of(published.classes, column)
    if before is None or after is None or before.attribute.positions is None or after.attribute.positions is None:
        return None
    rank = spans.domain.rank[original.codes[:, group]]
    persons, total = (
        np.bincount(rank[rank >= 0], weights=by_class[rank >= 0], minlength=spans.domain.n)
        for by_class in _counts_and_sums(before, original.n_classes)
    )
    codes = published.classes.codes[:, group]
    seen, summed = (
        spans.spread(np.asarray(np.bincount(codes, weights=by_class, minlength=spans.n_labels), np.float64))
        for by_class in _counts_and_sums(after, published.classes.n_classes)
    )
    asked = persons > 0
    if not asked.any():
        return None
    truth = total[asked] / persons[asked]
    answered = seen[asked] > 1e-9 * max(float(seen.max()), 1.0)
    answer = summed[asked] / np.where(answered, seen[asked], 1.0)
    error = np.where(answered, relative_error(answer, truth), 1.0)
    return float(persons[asked] @ error / persons[asked].sum())


def histogram_of(classes: Classes, column: str) -> Histogram | None:
    """The histogram of a column; None where it was not counted."""
    return next((h for h in classes.histograms if h.attribute.name == column), None)


def relative_error(answer: FloatArray, truth: FloatArray) -> FloatArray:
    """|answer - truth| / |truth|, at most 1; 0 where both are 0.

    Example:
        >>> relative_error(np.array([9.0, 0.0, 1.0]), np.array([10.0, 0.0, 0.0])).round(3).tolist()
        [0.1, 0.0, 1.0]
    """
    gap = np.abs(answer - truth)
    gap = np.where(gap <= 1e-9 * np.abs(truth), 0.0, gap)
    size = np.abs(truth)
    return np.asarray(np.divide(np.minimum(gap, size), size, out=(gap > 0).astype(np.float64), where=size > 0))


def _counts_and_sums(histogram: Histogram, n_classes: int) -> tuple[FloatArray, FloatArray]:
    """(n_classes,) float64 each: persons with a number, and the sum of their numbers."""
    where = np.asarray(histogram.attribute.positions)[histogram.value]
    told = np.isfinite(where)
    owner: IntArray = histogram.owner[told]
    counts = np.bincount(owner, weights=histogram.count[told], minlength=n_classes)
    sums = np.bincount(owner, weights=histogram.count[told] * where[told], minlength=n_classes)
    return np.asarray(counts, np.float64), np.asarray(sums, np.float64)
