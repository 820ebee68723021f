"""Prices from errors, before any data are seen.

"A count right within 50, with a confidence of 95 %": the least ε (or ρ) with four significant digits whose noise keeps it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import each_confidence
from sfumato.mechanism.central.count import Count
from sfumato.mechanism.central.mean_of_replaced import mean_for
from sfumato.mechanism.central.sums import Sum
from sfumato.numbers.check import whole
from sfumato.numbers.exact import exact

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.account.event import Price, PureDP, ZeroConcentratedDP
    from sfumato.table.domain import Range
    from sfumato.table.unit import Unit


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How wrong an answer may be, and how surely it is not more wrong.

    Args:
        error: largest tolerated difference from the true (bounded) answer, >= 0; a float stands for its decimal text.
        confidence: in (0, 1), for each answer by itself.

    Raises:
        ParameterError: a number outside its range. Remedy: give one inside.

    Example:
        >>> Accuracy("0.5", 0.95).exact_error
        Fraction(1, 2)
    """

    error: str | float | Fraction
    confidence: float

    def __post_init__(self) -> None:
        each_confidence(self.confidence, 1)
        if self.exact_error < 0:
            raise ParameterError(
                "`error` must be at least 0; got {error!r}.", "give the largest tolerated difference.", error=self.error
            )

    @property
    def exact_error(self) -> Fraction:
        """The error that was written."""
        return exact("error", self.error)


_LEAST, _MOST = -33, 6
"""Prices are searched from 10⁻³³ to 10⁶."""
_DIGITS = 1000


def price_for_count(
    wanted: Accuracy, *, unit: Unit, groups: int | None, kind: type[PureDP | ZeroConcentratedDP]
) -> Price:
    """The least price with which the noise of each count is as small as wanted.

    Args:
        wanted: how right each answer must be.
        unit: persons, and the most they contribute.
        groups: number of declared groups; None: unknown.
        kind: PureDP for an ε (discrete Laplace noise), ZeroConcentratedDP for a ρ (discrete Gaussian noise).

    Raises:
        ParameterError: an accuracy that no price up to 10⁶ keeps. Remedy: ask for less accuracy.

    Example:
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> row = Unit.row(Neighbors.ADD_REMOVE)
        >>> price_for_count(Accuracy(50, 0.95), unit=row, groups=10, kind=PureDP)
        PureDP(epsilon=Fraction(1483, 25000))
    """
    return least_price(lambda price: Count(unit, price, groups).error(wanted.confidence) <= wanted.exact_error, kind)


def price_for_sum(
    wanted: Accuracy,
    domain: Range,
    *,
    unit: Unit,
    groups: int | None,
    kind: type[PureDP | ZeroConcentratedDP],
) -> Price:
    """The least price with which the noise of each sum is as small as wanted.

    Args:
        wanted: how right each answer must be.
        domain: declared range of the column.
        unit: persons, and the most they contribute.
        groups: number of declared groups; None: unknown.
        kind: as `price_for_count`.

    Raises:
        ParameterError: as `price_for_count`.

    Example:
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.table.domain import Range
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> row = Unit.row(Neighbors.ADD_REMOVE)
        >>> price_for_sum(Accuracy(6000, 0.95), Range(0, 120, 1), unit=row, groups=1, kind=PureDP)
        PureDP(epsilon=Fraction(5991, 100000))
    """
    return least_price(
        lambda price: Sum("column", domain, unit, price, groups).error(wanted.confidence) <= wanted.exact_error, kind
    )


def price_for_mean(
    wanted: Accuracy,
    domain: Range,
    expected: int,
    *,
    unit: Unit,
    groups: int | None,
    kind: type[PureDP | ZeroConcentratedDP],
) -> Price:
    """The least price with which the error of a mean of so many rows is as small as wanted, whatever its value.

    Args:
        wanted: how right each answer must be.
        domain: declared range of the column.
        expected: number of rows in a group, >= 1, a public guess.
        unit: persons, and the most they contribute.
        groups: number of declared groups; None: unknown.
        kind: as `price_for_count`.

    Raises:
        ParameterError: as `price_for_count`.

    Example:
        >>> from sfumato.account.event import PureDP
        >>> from sfumato.table.domain import Range
        >>> from sfumato.table.unit import Neighbors, Unit
        >>> row = Unit.row(Neighbors.ADD_REMOVE)
        >>> price_for_mean(Accuracy("0.5", 0.95), Range(0, 120, 1), 1000, unit=row, groups=1, kind=PureDP)
        PureDP(epsilon=Fraction(4467, 5000))
    """
    rows = whole(expected, "expected", 1, 2**62)

    def keeps(price: Price) -> bool:
        found = mean_for("column", domain, unit, price, groups).error(wanted.confidence, rows)
        return found is not None and found <= wanted.exact_error

    return least_price(keeps, kind)


def least_price(keeps: Callable[[Price], bool], kind: type[PureDP | ZeroConcentratedDP]) -> Price:
    """The least price with four significant digits that keeps an error.

    Args:
        keeps: whether a price does; noise falls as the price rises.
        kind: PureDP for an ε, ZeroConcentratedDP for a ρ.

    Raises:
        ParameterError: none up to 10⁶ does. Remedy: ask for less accuracy.

    Example:
        >>> from sfumato.account.event import PureDP
        >>> least_price(lambda price: price.epsilon >= Fraction(1, 3), PureDP)
        PureDP(epsilon=Fraction(1667, 5000))
    """

    def enough(number: Fraction) -> bool:
        try:
            return keeps(kind(number))
        except ParameterError:  # so much noise that it would not fit 64 bits
            return False

    power = _bisect(lambda exponent: enough(Fraction(10) ** exponent), _LEAST, _MOST + 1)
    if power > _MOST:
        raise ParameterError("No price up to 10^6 keeps this error.", "ask for less accuracy.")
    step = Fraction(10) ** (power - 1) / _DIGITS
    return kind(step * _bisect(lambda m: enough(m * step), _DIGITS, 10 * _DIGITS))


def _bisect(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The least whole number from low to high that holds, where `high` is taken to hold."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
