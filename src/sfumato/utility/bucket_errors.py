"""How wrong answers from two tables with a bucket number are: random COUNT queries and averages by group.

The same queries, each with conditions on quasi-identifiers and on the sensitive column, are also answered from a
generalization that keeps the same promises, because that is the choice a publisher has.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.summary.span import Domain
from sfumato.utility.bucket_sides import Side
from sfumato.utility.query_error import (
    Conditions,
    Errors,
    Workload,
    draw_conditions,
    histogram_of,
    relative_error,
    summed_up,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.summary.pair import Pair
    from sfumato.summary.published import Published
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A random COUNT query.

    Args:
        leaves: for some quasi-identifiers (n_leaves,) bool, the accepted leaves.
        domain: the same as shares of a domain in its order, as `query_error` reads them.
        values: (n_leaves,) bool, the accepted leaves of the sensitive column.
    """

    leaves: dict[int, BoolArray]
    domain: Conditions
    values: BoolArray


def questions(pair: Pair, workload: Workload, rng: np.random.Generator) -> list[Question]:
    """Random queries with conditions on quasi-identifiers and one on the sensitive column.

    All conditions together cover `selectivity` of the domain, each the same share of its column.

    Args:
        pair: for its columns.
        workload: how many queries; `n_conditions` counts those on quasi-identifiers.
        rng: draws them.
    """
    domains, own = [Domain.of(a) for a in pair.attributes], Domain.of(pair.sensitive)
    n = min(workload.n_conditions, len(domains)) + 1
    left = replace(workload, n_conditions=n - 1, selectivity=workload.selectivity ** ((n - 1) / n))
    right = replace(workload, n_conditions=1, selectivity=workload.selectivity ** (1 / n))
    out = []
    for _ in range(workload.n_queries):
        drawn = draw_conditions(domains, left, rng)
        wanted = draw_conditions([own], right, rng)[0]
        leaves = {j: accepted[domains[j].rank] > 0 for j, accepted in drawn.items()}
        out.append(Question(leaves, drawn, wanted[own.rank] > 0))
    return out


def errors_of(answers: Sequence[float], truths: Sequence[float], floor: float) -> Errors:
    """Relative errors |answer - truth| / max(truth, floor).

    Example:
        >>> errors_of([1.0, 3.0], [2.0, 3.0], 1.0)
        Errors(median=0.25, mean=0.25, high=0.475)
    """
    answer, truth = np.asarray(answers), np.asarray(truths)
    errors = np.abs(answer - truth) / np.maximum(truth, floor)
    return summed_up(errors)


def true_answers(joint: Classes, asked: Sequence[Question]) -> list[float]:
    """Rows of the original under each query.

    Args:
        joint: the distinct tuples of the quasi-identifiers and, last, the sensitive column.
        asked: the queries.
    """
    return [float(joint.rows @ (_all_hold(q.leaves, joint.codes) & q.values[joint.codes[:, -1]])) for q in asked]


def bucket_answers(pair: Pair, asked: Sequence[Question]) -> list[float]:
    """Expected rows under each query, every pairing in a bucket equally likely; see `bucket_queries.count`."""
    left, right = Side.of_rows(pair, 0), Side.of_values(pair)
    sizes = np.maximum(left.sizes, 1)
    out = []
    for q in asked:
        picked = left.total(_all_hold(q.leaves, left.codes))
        out.append(float((picked * right.total(q.values[pair.values.value]) / sizes).sum()))
    return out


def generalized_answers(published: Published, column: str, asked: Sequence[Question]) -> list[float] | None:
    """Expected rows under each query from a generalized table; None where it has no counts of the column.

    A class counts its rows with an accepted value times the accepted share of what its labels leave open.

    Args:
        published: the released table, without suppressed rows, with the histogram of the column.
        column: the sensitive column.
        asked: the queries.
    """
    histogram = histogram_of(published.classes, column)
    if histogram is None:
        return None
    out = []
    for q in asked:
        share = _shares(published, q.domain)
        out.append(float(histogram.count @ (share[histogram.owner] * q.values[histogram.value])))
    return out


def average_by_group_error(pair: Pair, joint: Classes, j: int) -> float | None:
    """Error of `SELECT group, AVG(sensitive) GROUP BY group` from the two tables, averaged over the rows.

    A row is expected to have the mean of its bucket. The error of a group is |average - truth| / |truth|, at most
    1. Rows whose value is missing take no part in the truth, and buckets are averaged without them.

    Args:
        pair: the two tables.
        joint: the distinct tuples of the quasi-identifiers and, last, the sensitive column.
        j: which quasi-identifier groups.

    Returns:
        In [0, 1]; None where the sensitive column has no numbers.
    """
    where = pair.sensitive.positions
    if where is None:
        return None
    n = pair.attributes[j].hierarchy.n_leaves
    rows, total = _by_group(joint.codes[:, j], joint.rows.astype(np.float64), where[joint.codes[:, -1]], n)
    right = Side.of_values(pair)
    told, sums = _by_group(right.owner, right.rows, where[pair.values.value], pair.n_buckets)
    share = pair.rows / np.maximum(pair.sizes, 1)[pair.bucket]
    seen = np.bincount(pair.codes[:, j], weights=share * told[pair.bucket], minlength=n)
    summed = np.bincount(pair.codes[:, j], weights=share * sums[pair.bucket], minlength=n)
    asked = rows > 0
    answer = summed[asked] / np.where(seen[asked] > 0, seen[asked], 1.0)
    error = np.where(seen[asked] > 0, relative_error(answer, total[asked] / rows[asked]), 1.0)
    return float(rows[asked] @ error / rows[asked].sum()) if asked.any() else None


def _by_group(group: IntArray, rows: FloatArray, numbers: FloatArray, n: int) -> tuple[FloatArray, FloatArray]:
    """(n,) float64 each: rows with a number in each group, and the sum of their numbers."""
    weight = np.where(np.isfinite(numbers), rows, 0.0)
    sums = np.bincount(group, weights=weight * np.nan_to_num(numbers), minlength=n)
    return np.asarray(np.bincount(group, weights=weight, minlength=n), np.float64), np.asarray(sums, np.float64)


def _all_hold(leaves: dict[int, BoolArray], codes: IntArray) -> BoolArray:
    """(n,) bool: which code tuples satisfy all conditions."""
    out = np.ones(len(codes), bool)
    for j, accepted in leaves.items():
        out &= accepted[codes[:, j]]
    return out


def _shares(published: Published, conditions: Conditions) -> FloatArray:
    """(n_classes,) float64: accepted share of what the labels of each class leave open."""
    out = np.ones(published.classes.n_classes)
    for j, accepted in conditions.items():
        spans = published.spans[j]
        out *= (spans.total(accepted) / np.maximum(spans.n_leaves, 1))[published.classes.codes[:, j]]
    return out
