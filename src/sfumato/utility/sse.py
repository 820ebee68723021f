"""How much of the variation of a table is lost when its numbers are replaced by those of a group.

With x the original and y the published number of a row: SSE = Σ (x - y)², SST = Σ (x - mean)², both over rows and
over columns that are first divided by their standard deviation. The information loss SSE / SST is then the mean over
the columns of their own SSE / SST.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.summary.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.blur import Pairs
    from sfumato.types import FloatArray, IntArray

SOURCE = "J. Domingo-Ferrer, J. M. Mateo-Sanz, IEEE TKDE 14(1), 2002, section 2"


@dataclass(frozen=True, slots=True, eq=False)
class Replaced:
    """The numbers of one column before and after.

    Args:
        name: of the column.
        before: (n,) float64, NaN: missing, left out.
        after: (n,) float64, NaN: nothing was published, counted as the mean of the column.
        rows: (n,) int64, rows of each pair; float64 where they are expected ones.
    """

    name: str
    before: FloatArray
    after: FloatArray
    rows: IntArray | FloatArray


def squares(column: Replaced) -> tuple[float, float, float]:
    """SSE and SST of one column in its own unit, and the rows that have a number.

    Example:
        >>> x = Replaced("x", np.array([1.0, 3.0, 8.0]), np.array([2.0, 2.0, 8.0]), np.ones(3, np.int64))
        >>> squares(x)
        (2.0, 26.0, 3.0)
    """
    there = ~np.isnan(column.before)
    x, rows = column.before[there], column.rows[there]
    n = float(rows.sum())
    if not n:
        return 0.0, 0.0, 0.0
    mean = float(rows @ x) / n
    y = np.where(np.isnan(column.after[there]), mean, column.after[there])
    return float(rows @ (x - y) ** 2), float(rows @ (x - mean) ** 2), n


def information_loss(columns: Sequence[Replaced]) -> float | None:
    """SSE / SST after dividing each column by its standard deviation; None where no column varies.

    Source:
        J. Domingo-Ferrer, J. M. Mateo-Sanz, "Practical data-oriented microaggregation for statistical disclosure
        control", IEEE TKDE 14(1), 2002, section 2.

    Example:
        >>> x = Replaced("x", np.array([1.0, 3.0, 8.0]), np.array([2.0, 2.0, 8.0]), np.ones(3, np.int64))
        >>> round(information_loss([x]), 4)
        0.0769
    """
    shares = [sse / sst for sse, sst, _ in map(squares, columns) if sst > 0]
    return float(np.mean(shares)) if shares else None


def of_pairs(name: str, numbers: FloatArray, pairs: Pairs) -> tuple[Figure, ...]:
    """The information loss of one column whose cells were replaced, and its two sums; none without numbers.

    Args:
        name: of the column.
        numbers: (m,) float64, original values of the leaves; NaN: missing.
        pairs: which leaf was published as which value.

    Example:
        >>> from sfumato.summary.blur import Pairs
        >>> two = Pairs(np.array([0, 1]), np.array([0, 0]), np.ones(2), np.array([1.0, 3.0]), np.array([2.0]), np.array([-1]))
        >>> [figure.value for figure in of_pairs("x", np.array([1.0, 3.0]), two)]
        [1.0, 1.0, 1.0]
    """
    if pairs.published is None:
        return ()
    return figures([Replaced(name, numbers[pairs.leaf], pairs.published[pairs.value], pairs.cells)])[:3]


def figures(columns: Sequence[Replaced]) -> tuple[Figure, ...]:
    """The information loss of all columns together, its two sums, and the loss of each column.

    Args:
        columns: numbers before and after; () gives no figure.
    """
    if not columns:
        return ()
    parts = [squares(column) for column in columns]
    varying = [(sse / sst * (n - 1), n - 1.0) for sse, sst, n in parts if sst > 0]
    sse, sst = (sum(part) for part in zip(*varying, strict=True)) if varying else (0.0, 0.0)
    names = ", ".join(column.name for column in columns)
    about = f"over the numbers of {names}, each divided by its standard deviation"
    return (
        Figure("information_loss", "Information loss of numbers, SSE / SST", information_loss(columns),
               f"SSE / SST {about}: the share of the variation that the published numbers do not show.", SOURCE),
        Figure("sse", "Squared error of numbers, SSE", sse, f"Sum over rows of (original - published)² {about}.", SOURCE),
        Figure("sst", "Squared deviation of numbers, SST", sst, f"Sum over rows of (original - mean)² {about}.", SOURCE),
        *(
            Figure(f"information_loss:{column.name}", f"Information loss of {column.name}, SSE / SST",
                   one[0] / one[1] if one[1] else None,
                   f"Sum of (original - published)² / sum of (original - mean)² of {column.name}.", SOURCE)
            for column, one in zip(columns, parts, strict=True)
        ),
    )  # fmt: skip
