"""What a published set of tuples is worth, of which some are inserted and some left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.summary.figure import Figure
from sfumato.summary.places import places

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.types import BoolArray, IntArray

_SOURCE = "V. Rastogi, D. Suciu, S. Hong, VLDB 2007, section 3"


def true_share(true: IntArray, published: IntArray) -> Figure:
    """How many of the published tuples are of the table.

    Args:
        true: (n, m) int64, distinct tuples of the table.
        published: (k, m) int64, distinct published tuples.

    Example:
        >>> true_share(np.array([[0], [1]]), np.array([[1], [5]])).value
        0.5
    """
    value = float((places(published, true) >= 0).mean()) if len(published) else None
    text = "Published tuples that are tuples of the table / published tuples."
    return Figure("tuples_true", "Published tuples that are true", value, text, _SOURCE, "higher")


def count_query_error(
    estimate: Callable[[int, int], float],
    sizes: Sequence[int],
    true: IntArray,
    published: IntArray,
    n_queries: int,
    *,
    rng: np.random.Generator,
) -> tuple[Figure, ...]:
    """How wrong are counts that are estimated from the published set? Random queries, their errors in tuples.

    A query counts the tuples whose values lie in a random half of the values, in each of at most two columns.

    Args:
        estimate: the number of tuples of the table that have a property, from the published ones that have it and the
            tuples of the domain that have it.
        sizes: number of declared values of each column.
        true: (n, m) int64, distinct tuples of the table.
        published: (k, m) int64, distinct published tuples.
        n_queries: >= 1.
        rng: for the queries.

    Example:
        >>> rng, table = np.random.default_rng(1), np.array([[0], [1]])
        >>> count_query_error(lambda found, domain: float(found), (2,), table, table, 5, rng=rng)[0].value
        0.0
    """
    errors = np.array([_error(estimate, sizes, true, published, rng) for _ in range(n_queries)])
    text = (
        f"of {n_queries} random COUNT queries on the set of tuples, each on half of the values of at most two columns: "
        "|estimate - truth|, in tuples."
    )
    return (
        Figure("tuple_query_median", "Error of count queries, median", float(np.median(errors)), f"Median {text}", _SOURCE),
        Figure("tuple_query_mean", "Error of count queries, mean", float(errors.mean()), f"Mean {text}", _SOURCE),
    )  # fmt: skip


def _error(
    estimate: Callable[[int, int], float],
    sizes: Sequence[int],
    true: IntArray,
    published: IntArray,
    rng: np.random.Generator,
) -> float:
    columns = rng.choice(len(sizes), min(2, len(sizes)), replace=False).tolist()
    halves: list[BoolArray] = [rng.permutation(size) < (size + 1) // 2 for size in sizes]
    domain = 1
    for j, size in enumerate(sizes):
        domain *= int(halves[j].sum()) if j in columns else size
    has = [np.logical_and.reduce([halves[j][tuples[:, j]] for j in columns]) for tuples in (true, published)]
    return abs(estimate(int(has[1].sum()), domain) - int(has[0].sum()))
