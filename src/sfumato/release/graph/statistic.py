"""What a statistic of a graph declares, so that one run answers them all, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import each_confidence
from sfumato.mechanism.central.estimate import Estimate, Mechanism
from sfumato.mechanism.graph.cores.rising import RisingPeeling
from sfumato.mechanism.graph.groups import Groups
from sfumato.mechanism.graph.statistics.degrees import spread
from sfumato.release.mobility.how import composed

if TYPE_CHECKING:
    from sfumato.account.event import Event
    from sfumato.mechanism.graph.cores.result import CoreMechanism
    from sfumato.noise.bits import Bits
    from sfumato.recipe.columns import Cells
    from sfumato.table.graph import Graph
    from sfumato.table.named_graph import NamedGraph
    from sfumato.types import FloatArray, IntArray

SMALL = Groups(np.array([0, 1]), 2)
"""Two vertices of two groups: prices depend neither on the number of vertices nor on groups."""
UNKNOWN = "(unknown)"
"""The group of vertices whose attribute is missing."""


class GraphMechanism(Mechanism, Protocol):
    """Noisy numbers of a graph."""

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """The numbers with their intervals, in a public order."""
        ...


@dataclass(frozen=True, slots=True)
class OfCores:
    """Core numbers as an estimate: with the bounds that their noise proves, or without any.

    Args:
        of: what makes them.
    """

    of: CoreMechanism

    @property
    def name(self) -> str:
        """What was done."""
        return self.of.name

    @property
    def event(self) -> Event:
        """The price."""
        return self.of.event

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return self.of.argument

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """The numbers, with their bounds, which all hold together."""
        found = self.of.decide(graph, bits=bits)
        numbers = found.numbers.astype(np.float64)
        if not isinstance(self.of, RisingPeeling):
            return Estimate.alone(numbers)
        low, high = (end.astype(np.float64) for end in self.of.bounds(found, confidence))
        return spread(numbers, low, high, confidence)


Of: TypeAlias = Literal["vertices", "counted", "groups", "listed"]
"""What an axis goes over: the names of the vertices, 0, 1, 2 and so on, the groups of the vertices, or listed keys."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """One statistic of a plan.

    Args:
        title: what it is.
        number: what its numbers are.
        price: what it costs, in words.
        make: its mechanism, for public vertices with their groups; its price is the same for all.
        axes: what the numbers belong to: the name of each column of keys, and what it goes over. (): there is one number.
        attribute: of the vertices, whose values are the groups; None: all are one group.
        notes: what a reader should know.
        listed: keys of an axis that are listed by the plan.
        is_whole: whether the exact numbers are whole, so that ends of intervals are moved to the next whole numbers within.
    """

    title: str
    number: str
    price: str
    make: Callable[[Groups], GraphMechanism]
    axes: tuple[tuple[str, Of], ...] = ()
    attribute: str | None = None
    notes: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    is_whole: bool = True

    @property
    def event(self) -> Event:
        """The price, fixed before anything is read."""
        return self.mechanism.event

    @property
    def mechanism(self) -> GraphMechanism:
        """What answers, for two public vertices: its price, and the law of its noise, are those for any."""
        return self.make(SMALL)

    def found(self, named: NamedGraph, *, confidence: float, bits: Bits) -> Found:
        """The released numbers; whoever calls has paid for them.

        Args:
            named: the graph, whose vertices and their attributes are public.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        each_confidence(confidence, 1)
        groups, labels = groups_of(named, self.attribute)
        mechanism = self.make(groups)
        told = mechanism.decide(named.graph, confidence=confidence, bits=bits)
        shape = told.values.shape[-len(self.axes) :] if self.axes else (1,)
        values, low, high = (np.asarray(part, np.float64).ravel() for part in (told.values, told.low, told.high))
        if self.is_whole:
            low, high = np.ceil(low), np.floor(high)
        texts = {"vertices": named.names, "groups": labels, "listed": self.listed}
        keys = tuple(_along(shape, i, texts.get(of)) for i, (_, of) in enumerate(self.axes))
        return Found(self, mechanism, keys, values, low, high, told.confidence)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Released numbers.

    Args:
        statistic: which one.
        mechanism: what was done.
        keys: for each axis, (n,) to what the numbers belong.
        values: (n,) float64 noisy numbers; NaN where one has no meaning.
        low: (n,) lower ends of the intervals of the exact numbers.
        high: (n,) upper ends.
        confidence: chance, over the noise alone, that each single interval covers; NaN: no interval is proven.
    """

    statistic: Statistic
    mechanism: GraphMechanism
    keys: tuple[IntArray | Sequence[str], ...]
    values: FloatArray
    low: FloatArray
    high: FloatArray
    confidence: float

    def columns(self) -> dict[str, Cells]:
        """The columns of its table: the keys, then the numbers with their intervals; whole ones as whole numbers."""
        number = self.statistic.number
        ends = {number: self.values}
        if np.isfinite(self.confidence):
            ends |= {f"{number} low": self.low, f"{number} high": self.high}
        keys: dict[str, Cells] = {name: key for (name, _), key in zip(self.statistic.axes, self.keys, strict=True)}
        return {**keys, **{name: numbers_of(values) for name, values in ends.items()}}


def groups_of(named: NamedGraph, attribute: str | None) -> tuple[Groups, tuple[str, ...]]:
    """The groups of the vertices, and what they are called.

    Args:
        named: a graph with public attributes of its vertices.
        attribute: one of them; None: all vertices are one group.
    """
    if attribute is None:
        return Groups.one(named.graph.vertices), ("",)
    texts = [UNKNOWN if text is None else text for text in named.attributes[attribute]]
    labels, codes = np.unique(np.array(texts, object).astype(str), return_inverse=True)
    return Groups(codes.astype(np.int64), len(labels)), tuple(labels.tolist())


def numbers_of(values: FloatArray) -> Cells:
    """Numbers as a column: whole where all are whole; those that are none are missing.

    Example:
        >>> numbers_of(np.array([1.0, 2.0])).tolist(), numbers_of(np.array([0.5, np.nan]))
        ([1, 2], [0.5, None])
    """
    if bool(np.all(np.isfinite(values) & (values == np.rint(values)) & (np.abs(values) < 2**53))):
        return np.asarray(values).astype(np.int64)
    return [x if np.isfinite(x) else None for x in np.asarray(values).tolist()]


def event_of(statistics: Sequence[Statistic]) -> Event:
    """What all statistics cost together, fixed before anything is read.

    Raises:
        ParameterError: there is none. Remedy: ask for one.
    """
    if not statistics:
        raise ParameterError("At least one statistic must be asked for.", "add one.")
    return composed(tuple(one.event for one in statistics))


def _along(shape: tuple[int, ...], axis: int, texts: Sequence[str] | None) -> IntArray | Sequence[str]:
    """The keys of one axis, for each number: texts, or how far it is counted."""
    place = np.arange(shape[axis]).reshape([-1 if i == axis else 1 for i in range(len(shape))])
    places = np.broadcast_to(place, shape).ravel()
    if texts is None:
        return places.astype(np.int64)
    return list(texts) if len(shape) == 1 else [texts[i] for i in places.tolist()]
