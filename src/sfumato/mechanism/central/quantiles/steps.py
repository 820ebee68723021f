"""Steps between neighbors: what one added or removed row costs, and a quantile as a ratio of whole numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.mechanism.central.quantiles.method import row_epsilon

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.mechanism.central.quantiles.method import QuantileMethod


_MOST_PARTS = 1 << 20
"""Denominators up to it times rows up to 2⁴² fit an int64."""


def adding_epsilon(method: QuantileMethod) -> Fraction:
    """The ε of adding or removing one row, when an exchange is counted as two such steps.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.mechanism.central.quantiles.small_histogram import SmallHistogram
        >>> from sfumato.table.unit import Neighbors
        >>> adding_epsilon(SmallHistogram((Fraction(1, 2),), Fraction(1), 100, Neighbors.REPLACE, rows=1))
        Fraction(1, 2)
    """
    return row_epsilon(method) / method.neighbors.sides


def ratio(q: Fraction) -> tuple[int, int]:
    """Numerator and denominator of a quantile, for scores in whole numbers: within 2⁻⁴⁰ of it, and nothing private.

    Example:
        >>> from fractions import Fraction
        >>> ratio(Fraction(3, 4))
        (3, 4)
    """
    near = q.limit_denominator(_MOST_PARTS)
    return near.numerator, near.denominator
