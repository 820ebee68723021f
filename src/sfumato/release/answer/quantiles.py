"""Which quantile method answers, and how do grid places become numbers again?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any

from sfumato.errors import QueryError
from sfumato.mechanism.central.quantiles.choose import choose
from sfumato.mechanism.central.quantiles.histogram_method import HistogramMethod
from sfumato.mechanism.central.quantiles.inverse_sensitivity import InverseSensitivity
from sfumato.mechanism.central.quantiles.joint_exponential import JointExponential
from sfumato.mechanism.central.quantiles.method import true_quantiles
from sfumato.mechanism.central.quantiles.recursive import Recursive
from sfumato.mechanism.central.quantiles.small_histogram import SmallHistogram
from sfumato.mechanism.central.quantiles.tree import Tree
from sfumato.release.answer.offer import pure_part
from sfumato.release.answer.outcome import Outcome
from sfumato.summary.bounded import Places

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

    from sfumato.account.event import Event
    from sfumato.engine.base import Engine
    from sfumato.mechanism.central.price import Price
    from sfumato.mechanism.central.quantiles.method import QuantileMethod
    from sfumato.noise.bits import Bits
    from sfumato.release.answer.query import Query
    from sfumato.summary.bounded import BoundedAsk
    from sfumato.table.domain import Range
    from sfumato.table.unit import Unit
    from sfumato.types import IntArray

NO_INTERVAL = "Quantiles come without an interval: none is proven."
"""What an answer says where others have intervals."""
METHODS: Mapping[str, Callable[..., QuantileMethod]] = {
    "joint exponential": JointExponential,
    "small histogram": SmallHistogram,
    "recursive": Recursive,
    "tree": Tree,
    "inverse sensitivity": partial(InverseSensitivity, flip=True),
    "histogram method": HistogramMethod,
}


@dataclass(frozen=True, slots=True)
class PreparedQuantiles:
    """Quantiles of one range column in one group."""

    method: QuantileMethod
    ask: BoundedAsk
    column: str
    domain: Range
    quantiles: tuple[Fraction, ...]

    @property
    def event(self) -> Event:
        """What is charged."""
        return self.method.event

    @property
    def mechanism(self) -> str:
        """In the field's words."""
        return self.method.name

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return self.method.argument

    @property
    def cells(self) -> tuple[str, ...]:
        """Names of the numbers."""
        return tuple(f"quantile {q} of {self.column}" for q in self.quantiles)

    def run(self, engine: Engine[Any], table: object, *, confidence: float, bits: Bits) -> Outcome:
        """Read, choose places, and forget the exact ones. No interval is proven, so `confidence` is not used."""
        del confidence
        places = engine.summarize(table, Places(self.ask, self.column)).places
        return self._outcome(self.method.decide(places, bits=bits))

    def exact(self, engine: Engine[Any], table: object) -> Outcome:
        """The quantiles themselves, unprotected: for synthetic rows only."""
        return self._outcome(
            true_quantiles(engine.summarize(table, Places(self.ask, self.column)).places, self.quantiles)
        )

    def _outcome(self, places: IntArray) -> Outcome:
        """Grid places as numbers of the column."""
        unknown = ((nan,) * len(self.quantiles),)
        values = tuple(float(self.domain.value(place)) for place in places.tolist())
        return Outcome(((),), (values,), unknown, unknown, notes=(NO_INTERVAL,))


def method_of(query: Query, domain: Range, unit: Unit, price: Price) -> QuantileMethod:
    """The method that was named, or the one that the rule chooses from public numbers.

    Quantiles are asked of one group, in which the engine leaves a person at most `rows` rows: `keys`, the groups that a
    person may be in, does not count.

    Raises:
        QueryError: an unknown name. Remedy: one of the listed ones.
        ParameterError: as the method.
    """
    epsilon, rows = pure_part(price).epsilon, unit.rows
    if not query.method:
        return choose(query.quantiles, epsilon, domain.size, unit.neighbors, rows, query.expected)
    if query.method not in METHODS:
        raise QueryError(
            "Quantile methods are {methods}; got {method!r}.",
            "name one, or none.",
            methods=sorted(METHODS),
            method=query.method,
        )
    return METHODS[query.method](query.quantiles, epsilon, domain.size, unit.neighbors, rows)
