"""What a statistic of a graph declares, so that one run answers them all, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.additive import each_confidence
from sfumato.mechanism.central.estimate import Estimate, Mechanism

if TYPE_CHECKING:
    from sfumato.account.event import Event
    from sfumato.mechanism.graph.cores.result import CoreMechanism
    from sfumato.noise.bits import Bits
    from sfumato.recipe.columns import Cells
    from sfumato.table.graph import Graph
    from sfumato.table.named_graph import NamedGraph
    from sfumato.types import FloatArray

FEWEST = 2
"""Vertices of which a graph has more than none to tell; prices do not depend on their number."""


class GraphMechanism(Mechanism, Protocol):
    """Noisy numbers of a graph."""

    def decide(self, graph: Graph, *, confidence: float, bits: Bits) -> Estimate:
        """The numbers with their intervals, in a public order."""
        ...


@dataclass(frozen=True, slots=True)
class WithoutInterval:
    """Core numbers as an estimate: no interval is proven for any of them.

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
        """The numbers."""
        del confidence
        numbers = self.of.decide(graph, bits=bits).numbers.astype(np.float64)
        unknown = np.full(len(numbers), np.nan)
        return Estimate(numbers, unknown, unknown, np.nan)


Keys = Callable[["NamedGraph", int], Sequence[str] | Sequence[int]]
"""What the numbers of a statistic belong to: of the public vertices, and as many as there are numbers."""


def names_of(named: NamedGraph, n: int) -> Sequence[str]:
    """A number belongs to each vertex."""
    del n
    return named.names


def counted_up(named: NamedGraph, n: int) -> Sequence[int]:
    """The numbers belong to 0, 1, 2 and so on."""
    del named
    return range(n)


@dataclass(frozen=True, slots=True)
class Statistic:
    """One statistic of a plan.

    Args:
        title: what it is.
        number: what its numbers are.
        price: what it costs, in words.
        make: its mechanism, for a public number of vertices; its price is the same for all.
        by: what numbers belong to ("vertex", "degree"); None: there is one number.
        keys: to which ones.
        notes: what a reader should know.
        is_whole: whether the exact numbers are whole, so that ends of intervals are moved to the next whole numbers within.
    """

    title: str
    number: str
    price: str
    make: Callable[[int], GraphMechanism]
    by: str | None = None
    keys: Keys | None = None
    notes: tuple[str, ...] = ()
    is_whole: bool = True

    @property
    def event(self) -> Event:
        """The price, fixed before anything is read."""
        return self.make(FEWEST).event

    def found(self, named: NamedGraph, *, confidence: float, bits: Bits) -> Found:
        """The released numbers; whoever calls has paid for them.

        Args:
            named: the graph, whose vertices are public.
            confidence: of each interval by itself, in (0, 1).
            bits: source of chance.
        """
        each_confidence(confidence, 1)
        mechanism = self.make(named.graph.vertices)
        told = mechanism.decide(named.graph, confidence=confidence, bits=bits)
        values = np.atleast_1d(told.values)
        keys = None if self.keys is None else self.keys(named, len(values))
        low, high = np.atleast_1d(told.low), np.atleast_1d(told.high)
        if self.is_whole:
            low, high = np.ceil(low), np.floor(high)
        return Found(self, mechanism, keys, values, low, high, told.confidence)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Released numbers.

    Args:
        statistic: which one.
        mechanism: what was done.
        keys: (n,) to what the numbers belong; None: there is one number.
        values: (n,) float64 noisy numbers.
        low: (n,) lower ends of the intervals of the exact numbers.
        high: (n,) upper ends.
        confidence: chance, over the noise alone, that each single interval covers; NaN: no interval is proven.
    """

    statistic: Statistic
    mechanism: GraphMechanism
    keys: Sequence[str] | Sequence[int] | None
    values: FloatArray
    low: FloatArray
    high: FloatArray
    confidence: float

    def columns(self) -> dict[str, Cells]:
        """The columns of its table: the keys, then the numbers with their intervals; whole ones as whole numbers."""
        number, by = self.statistic.number, self.statistic.by
        keys: dict[str, Cells] = {} if by is None or self.keys is None else {by: column_of(self.keys)}
        ends = {number: self.values}
        if np.isfinite(self.confidence):
            ends |= {f"{number} low": self.low, f"{number} high": self.high}
        return {**keys, **{name: numbers_of(values) for name, values in ends.items()}}


def column_of(keys: Sequence[str] | Sequence[int]) -> Cells:
    """Keys as a column.

    Example:
        >>> column_of(range(3)).tolist(), column_of(("a",))
        ([0, 1, 2], ['a'])
    """
    return np.array(keys, np.int64) if isinstance(keys, range) else list(keys)


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
    from sfumato.release.mobility.how import composed

    if not statistics:
        raise ParameterError("At least one statistic must be asked for.", "add one.")
    return composed(tuple(one.event for one in statistics))
