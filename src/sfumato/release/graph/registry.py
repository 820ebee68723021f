"""From [[statistics]] of a plan of a graph to statistics: one line for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sfumato.document import graph_statistics as document
from sfumato.document.graph import EdgeUnit, NodeUnit
from sfumato.document.loading import about
from sfumato.errors import PlanError
from sfumato.mechanism.graph.cores.montresor import NoisyMontresor
from sfumato.mechanism.graph.cores.peeling import LevelStructure, MatPeeling
from sfumato.mechanism.graph.cores.quantiles import CoreQuantiles, NodeCoreQuantiles
from sfumato.mechanism.graph.cores.rising import RisingPeeling
from sfumato.mechanism.graph.distance.connectivity import EdgesToConnect
from sfumato.mechanism.graph.distance.mechanism import NoisyGraphNumber
from sfumato.mechanism.graph.distance.minimum_cut import EdgesToDisconnect
from sfumato.mechanism.graph.statistics.coefficients import DegreeAssortativity, Transitivity
from sfumato.mechanism.graph.statistics.counts import ConnectedParts, GroupDegrees, MixingMatrix, StarCount
from sfumato.mechanism.graph.statistics.degrees import DegreeCounts
from sfumato.mechanism.graph.statistics.ladder_count import LadderCount
from sfumato.mechanism.graph.statistics.segregation import GroupAssortativity
from sfumato.mechanism.graph.statistics.subgraphs import Stars, Triangles
from sfumato.numbers.check import whole
from sfumato.release.answer.price import in_words, price_in, pure_in
from sfumato.release.graph.statistic import OfCores, Statistic
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.document.graph import GraphUnit
    from sfumato.mechanism.graph.cores.result import CoreMechanism
    from sfumato.mechanism.graph.distance.mechanism import GraphNumber
    from sfumato.mechanism.graph.groups import Groups
    from sfumato.release.graph.statistic import GraphMechanism

NO_INTERVAL = (
    "No interval is proven for these numbers; how far they are off on such graphs stands in the documentation."
)
TOGETHER = "The intervals of all vertices hold together; they are wide, since whoever is left at the end depends on all noises."
NOT_NEAR = (
    "No interval is proven: a number may be that of a few vertices more or fewer than the share says, and how far those are is "
    "private. Ask for more shares to see."
)
PROJECTED = "Edges beyond the declared degree of a vertex are left out; the interval is of the numbers of what is left."
AND_MORE = "The last degree stands for itself and all larger ones."


def statistics_of(said: tuple[document.GraphStatisticTable, ...], unit: GraphUnit) -> tuple[Statistic, ...]:
    """All statistics of a plan; errors name the place of theirs.

    Raises:
        PlanError, ParameterError: one does not protect what the unit says, or its price does not suit it.
    """
    found = []
    for place, one in enumerate(said):
        with about("statistics", place):
            found.append(BUILDERS[type(one)](one, unit))
            _ = found[-1].event  # what is out of range is refused here
    return tuple(found)


def attributes_in(said: tuple[document.GraphStatisticTable, ...]) -> tuple[str, ...]:
    """The attributes of vertices that statistics name."""
    named = (getattr(one, "by", None) for one in said)
    return tuple(dict.fromkeys(name for name in named if name is not None))


def _priced(said: Any, title: str, number: str, make: Callable[[Groups], GraphMechanism], **more: Any) -> Statistic:
    """A statistic with its price in words."""
    words = in_words(price_in(said.price))
    return Statistic(title, number, words, make, **more)


def _of_edges(said: Any, unit: GraphUnit) -> None:
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


def _protects(unit: GraphUnit) -> tuple[int, Neighbors, tuple[str, ...]]:
    """The declared degree (of no meaning for edges), what is protected, and what a reader should know."""
    if isinstance(unit, NodeUnit):
        return unit.degree, Neighbors.NODE, (PROJECTED,)
    return 1, Neighbors.EDGE, ()


def protected_by(unit: GraphUnit) -> Neighbors:
    """What is protected, as mechanisms have it."""
    return _protects(unit)[1]


def largest_degree(most: int | None, unit: GraphUnit) -> int:
    """The declared degree: of the unit where a vertex is protected.

    Raises:
        PlanError: it is said twice, or not at all.
    """
    if isinstance(unit, NodeUnit) and most is None:
        return unit.degree
    if isinstance(unit, NodeUnit) or most is None:
        raise PlanError(
            "The largest degree is `most` where edges are protected, and `degree` of [unit] where a vertex is.",
            "say it once.",
        ).below("most")
    return most


def _number(number: GraphNumber, title: str, short: str) -> Callable[[Any, Any], Statistic]:
    """A number that one edge moves little."""

    def build(said: Any, unit: GraphUnit) -> Statistic:
        _of_edges(said, unit)
        epsilon = pure_in(said.price).epsilon
        return _priced(said, title, short, lambda groups: NoisyGraphNumber(number, groups.vertices, epsilon))

    return build


def _edges(said: document.EdgeCountTable, unit: GraphUnit) -> Statistic:
    (most, protects, notes), price = _protects(unit), price_in(said.price)
    return _priced(said, "number of edges", "edges", lambda groups: StarCount(groups.vertices, 1, most, protects, price), notes=notes)  # fmt: skip


def _stars(said: document.StarsTable, unit: GraphUnit) -> Statistic:
    legs, title = whole(said.legs, "legs", 2, 3), f"number of stars with {said.legs} legs"
    if isinstance(unit, NodeUnit):
        most, price = unit.degree, price_in(said.price)
        return _priced(
            said, title, "stars", lambda groups: StarCount(groups.vertices, legs, most, Neighbors.NODE, price), notes=(PROJECTED,)
        )  # fmt: skip
    epsilon = pure_in(said.price).epsilon
    return _priced(said, title, "stars", lambda groups: LadderCount(Stars(legs), groups.vertices, epsilon))


def _triangles(said: document.TrianglesTable, unit: GraphUnit) -> Statistic:
    _of_edges(said, unit)
    epsilon = pure_in(said.price).epsilon
    return _priced(said, "number of triangles", "triangles", lambda groups: LadderCount(Triangles(), groups.vertices, epsilon))  # fmt: skip


def _clustering(said: document.ClusteringTable, unit: GraphUnit) -> Statistic:
    _of_edges(said, unit)
    epsilon = pure_in(said.price).epsilon
    return _priced(said, "clustering coefficient", "clustering", lambda groups: Transitivity(groups.vertices, epsilon), is_whole=False)  # fmt: skip


def _assortativity(said: document.AssortativityTable, unit: GraphUnit) -> Statistic:
    _of_edges(said, unit)
    if said.by is None:
        epsilon = pure_in(said.price).epsilon
        return _priced(said, "assortativity by degree", "assortativity", lambda groups: DegreeAssortativity(groups.vertices, epsilon), is_whole=False)  # fmt: skip
    price = price_in(said.price)
    return _priced(
        said, f"assortativity by {said.by}", "assortativity", lambda groups: GroupAssortativity(groups, price),
        attribute=said.by, is_whole=False,
    )  # fmt: skip


def _degrees(said: document.DegreesTable, unit: GraphUnit) -> Statistic:
    """Numbers of vertices by degree."""
    (_, protects, notes), price, most = _protects(unit), price_in(said.price), largest_degree(said.most, unit)
    title, axes = "vertices by degree", (("degree", "counted"),)
    if said.by is not None:
        title, axes = f"vertices by {said.by} and degree", ((said.by, "groups"), *axes)  # type: ignore[assignment]
    return _priced(
        said, title, "vertices", lambda groups: DegreeCounts(groups, most, protects, price), axes=axes,
        attribute=said.by, notes=(AND_MORE, *notes),
    )  # fmt: skip


def _degrees_of_groups(said: document.GroupDegreesTable, unit: GraphUnit) -> Statistic:
    (most, protects, notes), price = _protects(unit), price_in(said.price)
    return _priced(
        said, f"sum of degrees by {said.by}", "degrees", lambda groups: GroupDegrees(groups, most, protects, price),
        axes=((said.by, "groups"),), attribute=said.by, notes=notes,
    )  # fmt: skip


def _mixing(said: document.MixingTable, unit: GraphUnit) -> Statistic:
    _of_edges(said, unit)
    price = price_in(said.price)
    return _priced(
        said, f"edges between groups of {said.by}", "edges", lambda groups: MixingMatrix(groups, price),
        axes=((said.by, "groups"), (f"other {said.by}", "groups")), attribute=said.by,
    )  # fmt: skip


_CORES: Mapping[str, Callable[[int, Fraction], CoreMechanism]] = {
    "rising": RisingPeeling,
    "mat": MatPeeling,
    "montresor": NoisyMontresor,
    "levels": LevelStructure,
}
"""How core numbers are made private."""


def _cores(said: document.CoresTable, unit: GraphUnit) -> Statistic:
    """Core numbers of all vertices."""
    _of_edges(said, unit)
    make, epsilon = _CORES[said.how], pure_in(said.price).epsilon
    notes = (TOGETHER,) if said.how == "rising" else (NO_INTERVAL,)
    return _priced(
        said, "core numbers", "core", lambda groups: OfCores(make(groups.vertices, epsilon)),
        axes=(("vertex", "vertices"),), notes=notes,
    )  # fmt: skip


def _core_quantiles(said: document.CoreQuantilesTable, unit: GraphUnit) -> Statistic:
    """Core numbers that shares of the vertices reach."""
    listed, shares, most = tuple(map(str, said.shares)), said.shares, said.most
    words: dict[str, Any] = {"axes": (("share", "listed"),), "listed": listed}
    if isinstance(unit, NodeUnit) and any(shares):
        epsilon = pure_in(said.price).epsilon
        return _priced(
            said, "core numbers reached", "core", lambda groups: NodeCoreQuantiles(groups.vertices, shares, most, epsilon),
            notes=(NOT_NEAR,), **words,
        )  # fmt: skip
    protects, price = protected_by(unit), price_in(said.price)
    return _priced(
        said, "core numbers reached", "core", lambda groups: CoreQuantiles(groups.vertices, shares, most, protects, price), **words
    )  # fmt: skip


BUILDERS: Mapping[type[Any], Callable[[Any, Any], Statistic]] = {
    document.EdgeCountTable: _edges,
    document.PartsTable: _number(ConnectedParts(), "number of connected parts", "parts"),
    document.EdgesToConnectTable: _number(EdgesToConnect(), "edges to connect the graph", "edges"),
    document.EdgesToDisconnectTable: _number(EdgesToDisconnect(), "edges to disconnect the graph", "edges"),
    document.DegreesTable: _degrees,
    document.GroupDegreesTable: _degrees_of_groups,
    document.MixingTable: _mixing,
    document.TrianglesTable: _triangles,
    document.StarsTable: _stars,
    document.ClusteringTable: _clustering,
    document.AssortativityTable: _assortativity,
    document.CoresTable: _cores,
    document.CoreQuantilesTable: _core_quantiles,
}
"""Class of [[statistics]] → what makes the statistic of it. A new statistic is a new line here."""
