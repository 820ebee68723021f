"""Private quantiles, and what every method that finds them looks like.

The empirical q-quantile of n grid places is the inverted distribution function: the least place g of the grid with
#(places <= g) >= q·n. For n >= 1 it is the place in position ⌈q·n⌉ of the sorted list, always a place of the data;
for n = 0 it is place 0.

Steps lead from one table to its neighbor: what one added or removed row costs stands here, and a quantile as a ratio of
whole numbers.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.account.event import PureDP
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.sensitivity import checked_neighbors
from sfumato.numbers.check import whole
from sfumato.table.domain import MOST_STEPS
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

MOST_QUANTILES = 1000
"""So many quantiles at most are asked for at once."""
_LEAST_EPSILON, _MOST_EPSILON = Fraction(1, 2**30), Fraction(2**64)
"""An ε below gives answers that are pure chance, and scales that samplers refuse; above, nothing but the data."""


class QuantileMethod(Protocol):
    """All quantiles of one range column at once, at one price.

    A method is a frozen dataclass made of `Asked`. Whatever the places are, and if there are
    none, `decide` returns places of the public grid and never raises.
    """

    @property
    def quantiles(self) -> tuple[Fraction, ...]:
        """Which quantiles, strictly increasing in (0, 1)."""
        ...

    @property
    def epsilon(self) -> Fraction:
        """The total ε, for one person with all rows."""
        ...

    @property
    def size(self) -> int:
        """Grid points of the declared range; places are 0 … size - 1."""
        ...

    @property
    def neighbors(self) -> Neighbors:
        """Which tables are neighbors."""
        ...

    @property
    def rows(self) -> int:
        """Most rows of a person."""
        ...

    @property
    def name(self) -> str:
        """Its name ("joint exponential mechanism")."""
        ...

    @property
    def event(self) -> PureDP:
        """The price, fixed before data are seen."""
        ...

    @property
    def argument(self) -> str:
        """The sensitivity argument in one sentence."""
        ...

    def decide(self, places: IntArray, *, bits: Bits) -> IntArray:
        """(m,) int64 places, nondecreasing, from (n,) int64 places of the data in any order."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """What every method is asked, checked, at the price of its epsilon.

    Args:
        quantiles: strictly increasing in (0, 1).
        epsilon: total, of one person.
        size: grid points.
        neighbors: which tables are neighbors.
        rows: most rows of a person.

    Raises:
        ParameterError: as `checked`. Remedy: in the message.
    """

    quantiles: tuple[Fraction, ...]
    epsilon: Fraction
    size: int
    neighbors: Neighbors
    rows: int

    def __post_init__(self) -> None:
        checked(self)

    @property
    def event(self) -> PureDP:
        """The price."""
        return PureDP(self.epsilon)


def checked(method: QuantileMethod | Asked) -> None:
    """Refuse what no method can answer; everything here is public.

    Raises:
        ParameterError: quantiles that do not increase strictly inside (0, 1), an ε, a size or a number of rows
            outside its range. Remedy: give them inside.
    """
    inside = all(isinstance(q, Fraction) and 0 < q < 1 for q in method.quantiles)
    if not (
        inside and 1 <= len(method.quantiles) <= MOST_QUANTILES and all(a < b for a, b in pairwise(method.quantiles))
    ):
        raise ParameterError(
            "Quantiles must be exact fractions that increase strictly between 0 and 1, at most {most_quantiles}.",
            "give for example (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)).",
            most_quantiles=MOST_QUANTILES,
        )
    whole(method.size, "size", 2, MOST_STEPS + 1)
    whole(method.rows, "rows", 1, 2**31 - 1)
    if not isinstance(method.neighbors, Neighbors):
        raise ParameterError("`neighbors` must be a `Neighbors`.", "give Neighbors.ADD_REMOVE or Neighbors.REPLACE.")
    checked_neighbors(method.neighbors)
    if not isinstance(method.epsilon, Fraction) or not _LEAST_EPSILON <= row_epsilon(method) <= _MOST_EPSILON:
        raise ParameterError(
            "`epsilon` must be an exact fraction, and epsilon / rows lie between 2^-30 and 2^64.",
            "give a Fraction in that range.",
        )


def row_epsilon(method: QuantileMethod | Asked) -> Fraction:
    """The ε for one row: a person has at most `rows` rows, and so many steps lead from one table to its neighbor.

    Under ADD_REMOVE each step adds or removes one row. Under REPLACE each exchanges one, or adds or removes one (a
    person may come who has fewer rows, or whose values are missing), and a method must pay for all three. If each
    costs at most this ε, all cost at most `epsilon` (group privacy).

    Source:
        C. Dwork and A. Roth, "The Algorithmic Foundations of Differential Privacy", 2014, theorem 2.2.
    """
    return method.epsilon / method.rows


def true_quantiles(places: IntArray, quantiles: tuple[Fraction, ...]) -> IntArray:
    """The exact quantiles, without any protection: for tests, simulations and measures of error only.

    Args:
        places: (n,) int64, any order.
        quantiles: in (0, 1).

    Returns:
        (m,) int64.

    Example:
        >>> true_quantiles(np.array([7, 1, 3, 3]), (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10))).tolist()
        [3, 3, 7]
    """
    ordered = np.sort(np.asarray(places, np.int64))
    if not len(ordered):
        return np.zeros(len(quantiles), np.int64)
    return ordered[[(q * len(ordered)).__ceil__() - 1 for q in quantiles]]


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
