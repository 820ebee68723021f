"""Quantiles: their declaration, the methods that answer them, and how Python asks for them."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from sfumato.errors import QueryError
from sfumato.mechanism.central.quantiles.choose import choose
from sfumato.mechanism.central.quantiles.histogram_method import HistogramMethod
from sfumato.mechanism.central.quantiles.inverse_sensitivity import InverseSensitivity
from sfumato.mechanism.central.quantiles.joint_exponential import JointExponential
from sfumato.mechanism.central.quantiles.method import true_quantiles
from sfumato.mechanism.central.quantiles.recursive import Recursive
from sfumato.mechanism.central.quantiles.small_histogram import SmallHistogram
from sfumato.mechanism.central.quantiles.tree import Tree
from sfumato.release.answer.asking import Asking, columns_of, conditions_of, expected_of, quantiles_of
from sfumato.release.answer.price import known_only, pure_part
from sfumato.release.answer.query import Aggregate, Query, SqlFunction

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Unpack

    from sfumato.account.event import Price
    from sfumato.mechanism.central.quantiles.method import QuantileMethod
    from sfumato.release.answer.answer import Answer
    from sfumato.release.answer.asking import Conditions
    from sfumato.release.answer.price import Offer
    from sfumato.release.answer.query import Setting
    from sfumato.types import IntArray

METHODS: Mapping[str, Callable[..., QuantileMethod]] = {
    "joint exponential": JointExponential,
    "small histogram": SmallHistogram,
    "recursive": Recursive,
    "tree": Tree,
    "inverse sensitivity": partial(InverseSensitivity, flip=True),
    "histogram method": HistogramMethod,
}


def method_of(setting: Setting, price: Price) -> QuantileMethod:
    """The method that was named, or the one that the rule chooses from public numbers.

    Quantiles are asked of one group, in which the engine leaves a person at most `rows` rows: `keys`, the groups that a
    person may be in, does not count.

    Raises:
        QueryError: an unknown name. Remedy: one of the listed ones.
        ParameterError: as the method.
    """
    query, size, unit = setting.query, setting.domains[0].size, setting.unit
    epsilon = pure_part(price).epsilon
    if not query.method:
        return choose(query.quantiles, epsilon, size, unit.neighbors, unit.rows, query.expected)
    if query.method not in METHODS:
        raise QueryError(
            "Quantile methods are {methods}; got {method!r}.",
            "name one, or none.",
            methods=sorted(METHODS),
            method=query.method,
        )
    return METHODS[query.method](query.quantiles, epsilon, size, unit.neighbors, unit.rows)


def _exact(query: Query, places: IntArray) -> IntArray:
    return true_quantiles(places, query.quantiles)


def _cells(query: Query) -> tuple[str, ...]:
    return tuple(f"quantile {q} of {query.columns[0]}" for q in query.quantiles)


QUANTILES = Aggregate(
    "QUANTILES", "quantiles", (1, 1), (
        SqlFunction(("MEDIAN",), "Median", quantile=Fraction(1, 2)),
        SqlFunction(("QUANTILE",), "Quantile", quantile="quantile"),
        SqlFunction(("APPROX_QUANTILE",), "ApproxQuantile", quantile="quantile"),
        SqlFunction(("QUANTILE_CONT",), "PercentileCont", quantile="expression", ranked=("PERCENTILE_CONT",)),
        SqlFunction(("QUANTILE_DISC",), "PercentileDisc", quantile="expression", ranked=("PERCENTILE_DISC",)),
    ),
    places=method_of, exact=_exact, cells=_cells, notes=("Quantiles come without an interval: none is proven.",), takes_quantiles=True,
)  # fmt: skip

AGGREGATES = (QUANTILES,)


class Ranks(Asking):
    """How Python asks for quantiles."""

    @known_only
    def quantiles(
        self,
        column: str,
        quantiles: Sequence[str | float | Fraction],
        *,
        where: Conditions = (),
        method: str = "",
        expected: int | None = None,
        join: str | None = None,
        **offer: Unpack[Offer],
    ) -> Answer:
        """Several quantiles of a number at one price, in order.

        Args:
            column: a declared Range.
            quantiles: increasing, in (0, 1).
            where: conditions.
            method: "": chosen by a rule that reads only public numbers; or a name of `ranks.METHODS`.
            expected: a public guess of the number of rows, for that rule.
            join: a public table.
            offer: price, confidence, request.
        """
        wanted, guess = quantiles_of(quantiles), expected_of(expected)
        query = Query(QUANTILES, columns_of((column,)), (), conditions_of(where), wanted, method, guess, join)
        return self._offered(query, offer)
