"""Sums, means, variances and covariances: their declarations, and how Python asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import QueryError
from sfumato.mechanism.central.accuracy import price_for_mean, price_for_sum
from sfumato.mechanism.central.covariance import Covariance, PairCovariance
from sfumato.mechanism.central.mean_of_replaced import mean_for
from sfumato.mechanism.central.sums import Sum
from sfumato.mechanism.central.variance import Variance, deviation_of
from sfumato.release.answer.asking import Asking
from sfumato.release.answer.price import known_only
from sfumato.release.answer.query import Aggregate, SqlFunction

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from sfumato.account.event import Price
    from sfumato.mechanism.central.accuracy import Accuracy
    from sfumato.mechanism.central.estimate import NumericMechanism
    from sfumato.release.answer.answer import Answer
    from sfumato.release.answer.asking import Conditions, Groups
    from sfumato.release.answer.price import Offer
    from sfumato.release.answer.query import Kind, Query, Setting


def _sum(setting: Setting, price: Price) -> NumericMechanism:
    return Sum(setting.query.columns[0], setting.domains[0], setting.unit, price, setting.groups)


def _mean(setting: Setting, price: Price) -> NumericMechanism:
    return mean_for(setting.query.columns[0], setting.domains[0], setting.unit, price, setting.groups)


def _variance(setting: Setting, price: Price) -> NumericMechanism:
    return Variance(setting.query.columns[0], setting.domains[0], setting.unit, price, setting.groups)


def _covariance(setting: Setting, price: Price) -> NumericMechanism:
    return Covariance(setting.query.columns, setting.domains, setting.unit, price, setting.groups)


def _pair(setting: Setting, price: Price) -> NumericMechanism:
    (one, other), (of_one, of_other) = setting.query.columns, setting.domains
    return PairCovariance((one, other), (of_one, of_other), setting.unit, price, setting.groups)


def _price_of_sum(setting: Setting, wanted: Accuracy, kind: Kind) -> Price:
    return price_for_sum(wanted, setting.domains[0], unit=setting.unit, groups=setting.groups, kind=kind)


def _price_of_mean(setting: Setting, wanted: Accuracy, kind: Kind) -> Price:
    rows = setting.query.expected
    if rows is None:
        raise QueryError("The error of a mean depends on the number of rows.", "say how many rows a group has, about.")
    return price_for_mean(wanted, setting.domains[0], rows, unit=setting.unit, groups=setting.groups, kind=kind)


def _upper_half(query: Query) -> tuple[str, ...]:
    names = query.columns
    return tuple(f"covariance of {a} and {b}" for i, a in enumerate(names) for b in names[i:])


def _of_two(query: Query) -> tuple[str, ...]:
    return (f"covariance of {query.columns[0]} and {query.columns[1]}",)


SUM = Aggregate("SUM", "sum", (1, 1), (SqlFunction(("SUM",), "Sum"),), totals=_sum, least_price=_price_of_sum)
MEAN = Aggregate("MEAN", "mean", (1, 1), (SqlFunction(("AVG",), "Avg"),), totals=_mean, least_price=_price_of_mean)
VARIANCE = Aggregate("VARIANCE", "variance", (1, 1), (SqlFunction(("VAR_POP",), "VariancePop"),), totals=_variance)
"""Mean squared distance from the mean (divisor n)."""
DEVIATION = Aggregate(
    "DEVIATION",
    "deviation",
    (1, 1),
    (SqlFunction(("STDDEV_POP",), "StddevPop"),),
    totals=_variance,
    finish=deviation_of,
)
"""Square root of the variance."""
COVARIANCE = Aggregate("COVARIANCE", "covariance", (2, 100), totals=_covariance, cells=_upper_half)
"""Covariance matrix of several columns (divisor n)."""
PAIR = Aggregate(
    "PAIR", "pair covariance", (2, 2), (SqlFunction(("COVAR_POP",), "CovarPop", ("this", "expression"), of_one="VAR_POP"),),
    totals=_pair, cells=_of_two,
)  # fmt: skip
"""Covariance of two columns alone (divisor n)."""

AGGREGATES = (SUM, MEAN, VARIANCE, DEVIATION, COVARIANCE, PAIR)


class Moments(Asking):
    """How Python asks for sums, means, variances and covariances."""

    @known_only
    def sum(
        self, column: str, *, by: Groups = (), where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:  # fmt: skip
        """Sum of a number's clamped values."""
        return self._asked(SUM, (column,), by, where, join, offer)

    @known_only
    def mean(
        self, column: str, *, by: Groups = (), where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:  # fmt: skip
        """Mean of a number's clamped values."""
        return self._asked(MEAN, (column,), by, where, join, offer)

    @known_only
    def variance(
        self, column: str, *, by: Groups = (), where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:  # fmt: skip
        """Mean squared distance from the mean (divisor n)."""
        return self._asked(VARIANCE, (column,), by, where, join, offer)

    @known_only
    def deviation(
        self, column: str, *, by: Groups = (), where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:  # fmt: skip
        """Standard deviation, the square root of the variance."""
        return self._asked(DEVIATION, (column,), by, where, join, offer)

    @known_only
    def covariance(
        self, columns: Sequence[str], *, by: Groups = (), where: Conditions = (), join: str | None = None, **offer: Unpack[Offer]
    ) -> Answer:  # fmt: skip
        """Covariance matrix of several numbers (divisor n): its upper half, row by row.

        The price is divided among its cells. Where one of them is wanted, `COVAR_POP(x, y)` in SQL spends all on it.
        """
        return self._asked(COVARIANCE, columns, by, where, join, offer)
