"""[[statistics]] of a plan of a graph as they are written: what is told of it under differential privacy."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from sfumato.document.trace_statistics import PriceTable
from sfumato.frozen import dataclass


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
class CoresTable:
    """The core number of each vertex. Protects edges, at a pure epsilon.

    Args:
        by: how: "rising" peels by rising thresholds, "mat" peels with one noisy threshold each, "montresor" publishes noisy
            rounds, "levels" is the local protocol in which vertices move up; see `docs/concepts/graphs.md`.
        price: what it costs.
    """

    tag: ClassVar[tuple[str, str]] = ("name", "cores")
    by: Literal["rising", "mat", "montresor", "levels"] = "rising"
    price: PriceTable


GraphStatisticTable: TypeAlias = EdgesToConnectTable | EdgesToDisconnectTable | CoresTable
"""One of the statistics; `name` tells which. A new one is a class here and a line in `release/graph/registry.py`."""
