"""From [[statistics]] of a plan of a graph to statistics: one line for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from sfumato.account.event import PureDP
from sfumato.document import graph_statistics as document
from sfumato.document.graph import EdgeUnit
from sfumato.document.loading import about
from sfumato.errors import PlanError
from sfumato.mechanism.graph.cores.montresor import NoisyMontresor
from sfumato.mechanism.graph.cores.peeling import LevelStructure, MatPeeling
from sfumato.mechanism.graph.cores.rising import RisingPeeling
from sfumato.mechanism.graph.distance.connectivity import EdgesToConnect
from sfumato.mechanism.graph.distance.mechanism import NoisyGraphNumber
from sfumato.mechanism.graph.distance.minimum_cut import EdgesToDisconnect
from sfumato.release.answer.price import in_words, price_of
from sfumato.release.graph.statistic import Statistic, WithoutInterval, names_of

if TYPE_CHECKING:
    from sfumato.document.graph import GraphUnit
    from sfumato.mechanism.graph.cores.result import CoreMechanism
    from sfumato.mechanism.graph.distance.mechanism import GraphNumber


def statistic_of(said: document.GraphStatisticTable, unit: GraphUnit) -> Statistic:
    """One statistic with its mechanism.

    Raises:
        PlanError, ParameterError: it does not protect what the unit says, or its price does not suit it.
    """
    return BUILDERS[type(said)](said, unit)


def statistics_of(said: tuple[document.GraphStatisticTable, ...], unit: GraphUnit) -> tuple[Statistic, ...]:
    """All statistics of a plan; errors name the place of theirs."""
    found = []
    for place, one in enumerate(said):
        with about("statistics", place):
            found.append(statistic_of(one, unit))
            _ = found[-1].event  # a price out of range is refused here
    return tuple(found)


def epsilon_of(said: Any) -> Fraction:
    """A pure price.

    Raises:
        PlanError: another one.
    """
    price = price_of(said.price.epsilon, said.price.delta, said.price.rho)
    if not isinstance(price, PureDP):
        raise PlanError("This statistic is paid by a pure epsilon.", "give `price = {{ epsilon = 1 }}`, say.")
    return price.epsilon


def of_edges(said: Any, unit: GraphUnit) -> None:
    """Refuse a statistic that protects single edges only.

    Raises:
        PlanError: the unit is a vertex.
    """
    if not isinstance(unit, EdgeUnit):
        raise PlanError(
            "The statistic {name!r} protects single edges, not a vertex with all its edges.",
            'write `protects = "edge"` in [unit], or ask for another statistic.',
            name=said.tag[1],
        )


def words_of(said: Any) -> str:
    """The price in words."""
    return in_words(price_of(said.price.epsilon, said.price.delta, said.price.rho))


def _number(number: GraphNumber, title: str, said: Any, unit: GraphUnit) -> Statistic:
    """A number that one edge moves little."""
    of_edges(said, unit)
    epsilon = epsilon_of(said)
    return Statistic(title, number.name, words_of(said), lambda n: NoisyGraphNumber(number, n, epsilon))


_CORES: Mapping[str, Callable[[int, Fraction], CoreMechanism]] = {
    "rising": RisingPeeling,
    "mat": MatPeeling,
    "montresor": NoisyMontresor,
    "levels": LevelStructure,
}
"""How core numbers are made private."""
NO_INTERVAL = (
    "No interval is proven for these numbers; how far they are off on such graphs stands in the documentation."
)


def _cores(said: document.CoresTable, unit: GraphUnit) -> Statistic:
    """Core numbers of all vertices."""
    of_edges(said, unit)
    make, epsilon = _CORES[said.by], epsilon_of(said)
    return Statistic(
        "core numbers", "core", words_of(said), lambda n: WithoutInterval(make(n, epsilon)), "vertex", names_of, (NO_INTERVAL,)
    )  # fmt: skip


BUILDERS: Mapping[type[Any], Callable[[Any, Any], Statistic]] = {
    document.EdgesToConnectTable: partial(_number, EdgesToConnect(), "edges to connect the graph"),
    document.EdgesToDisconnectTable: partial(_number, EdgesToDisconnect(), "edges to disconnect the graph"),
    document.CoresTable: _cores,
}
"""Class of [[statistics]] → what makes the statistic of it. A new statistic is a new line here."""
