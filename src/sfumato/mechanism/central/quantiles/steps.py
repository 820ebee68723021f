"""By which single steps does one table become its neighbor, and what does a step cost?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.mechanism.central.quantiles.method import row_epsilon
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.mechanism.central.quantiles.method import QuantileMethod


_MOST_PARTS = 1 << 20
"""Denominators up to it times rows up to 2⁴² fit an int64."""


def keeps_count(method: QuantileMethod) -> bool:
    """Whether one step exchanges one row for another, so that neighbors have equally many rows.

    So it is when a person is one row and is replaced. A person with several rows may be replaced by one with fewer,
    and then the number of rows tells of the person.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.mechanism.central.quantiles.small_histogram import SmallHistogram
        >>> keeps_count(SmallHistogram((Fraction(1, 2),), Fraction(1), 100, Neighbors.REPLACE, rows=2))
        False
    """
    return method.neighbors is Neighbors.REPLACE and method.rows == 1


def step_epsilon(method: QuantileMethod) -> Fraction:
    """The ε of a single step: one exchange where `keeps_count`, else one row added or removed.

    To replace a person with r rows, r rows are removed and r added at most: 2r steps.

    Source:
        C. Dwork and A. Roth, "The Algorithmic Foundations of Differential Privacy", 2014, theorem 2.2.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.mechanism.central.quantiles.small_histogram import SmallHistogram
        >>> step_epsilon(SmallHistogram((Fraction(1, 2),), Fraction(1), 100, Neighbors.REPLACE, rows=2))
        Fraction(1, 4)
    """
    return row_epsilon(method) if keeps_count(method) else adding_epsilon(method)


def adding_epsilon(method: QuantileMethod) -> Fraction:
    """The ε of adding or removing one row, when an exchange is counted as two such steps.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.mechanism.central.quantiles.small_histogram import SmallHistogram
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
