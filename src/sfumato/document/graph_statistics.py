"""[[statistics]] of a plan of a graph as they are written: what is told of it under differential privacy."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias

from sfumato.document.trace_statistics import PriceTable
from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeCountTable:
    """How many edges there are.

    Args:
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "edges")
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class PartsTable:
    """How many connected parts there are, vertices without an edge included. Protects edges, at a pure epsilon.

    Args:
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "parts")
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgesToConnectTable:
    """How many edges must be added to connect the graph: one less than its parts. Protects edges, at a pure epsilon.

    Args:
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "edges-to-connect")
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgesToDisconnectTable:
    """How many edges must go until the graph falls apart. Protects edges, at a pure epsilon.

    Args:
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "edges-to-disconnect")
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class DegreesTable:
    """How many vertices have how many neighbors.

    Args:
        most: larger degrees count as this; absent where vertices are protected, whose degree [unit] says.
        by: attribute of the vertices; absent: all vertices together.
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "degrees")
    most: int | None = None
    by: str | None = None
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupDegreesTable:
    """The sum of the degrees of each group of vertices; over its public size, the mean degree.

    Args:
        by: attribute of the vertices.
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "degrees-of-groups")
    by: str
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class MixingTable:
    """How many edges are within each group of vertices and between every two. Protects edges.

    Args:
        by: attribute of the vertices.
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "mixing")
    by: str
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class TrianglesTable:
    """How many triangles there are. Protects edges, at a pure epsilon.

    Args:
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "triangles")
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class StarsTable:
    """How many stars there are: a vertex with so many of its neighbors. At a pure epsilon where edges are protected.

    Args:
        legs: 2 or 3.
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "stars")
    legs: int
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteringTable:
    """The clustering coefficient: three times the triangles over the stars of two legs. Protects edges, at a pure epsilon.

    Args:
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "clustering")
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class AssortativityTable:
    """Whether like is connected with like: by an attribute, or by degree. Protects edges.

    Args:
        by: attribute of the vertices; absent: by their degrees, at a pure epsilon.
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "assortativity")
    by: str | None = None
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class CoresTable:
    """The core number of each vertex. Protects edges, at a pure epsilon.

    Args:
        how: "rising" peels by rising thresholds, "mat" with noise on thresholds and degrees, "montresor" publishes noisy
            rounds, "levels" moves vertices up in the local model.
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "cores")
    how: Literal["rising", "mat", "montresor", "levels"] = "rising"
    price: PriceTable


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreQuantilesTable:
    """The core numbers that shares of the vertices reach: how deep in the graph they stand, not who.

    Args:
        shares: of the vertices, each from 0 to 1; 0 asks for the largest core number, 1/2 for the median.
        most: larger core numbers count as this.
        price: what it costs; where vertices are protected a pure epsilon, but for the largest core number alone.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "core-quantiles")
    shares: tuple[Fraction, ...]
    most: int
    price: PriceTable


GraphStatisticTable: TypeAlias = (
    EdgeCountTable
    | PartsTable
    | EdgesToConnectTable
    | EdgesToDisconnectTable
    | DegreesTable
    | GroupDegreesTable
    | MixingTable
    | TrianglesTable
    | StarsTable
    | ClusteringTable
    | AssortativityTable
    | CoresTable
    | CoreQuantilesTable
)
"""One of the statistics; `name` tells which. A new one is a class here and a line in `release/graph/registry.py`."""
