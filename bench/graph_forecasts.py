"""What is foretold of questions to a graph beside what is measured, and quantiles of core numbers beside trivial answers.

Chance is seeded: this is a simulation on public graphs.

Run: python bench/graph_forecasts.py [foretold|quantiles]
"""

from __future__ import annotations

import sys
from fractions import Fraction

import numpy as np
from private_cores import GRAPHS, read
from timing import write

from sfumato.account.event import PureDP
from sfumato.document import graph_statistics as asked
from sfumato.document.graph import EdgeUnit, GraphDocument, GraphTable
from sfumato.document.trace_statistics import PriceTable
from sfumato.mechanism.graph.cores.quantiles import CoreQuantiles, NodeCoreQuantiles
from sfumato.mechanism.graph.cores.rising import RisingPeeling
from sfumato.noise.bits import KeyedBits
from sfumato.release.graph.forecast import Size, foretold, pair_of, tried
from sfumato.summary.cores import core_numbers
from sfumato.table.named_graph import NamedGraph
from sfumato.table.unit import Neighbors

BITS = KeyedBits(bytes(31) + b"\2", is_secure=False)
SHARES = tuple(Fraction(one) for one in ("0", "1/10", "1/4", "1/2", "3/4", "9/10"))
MOST, RUNS, MEASURED = 200, 20, 40


def foretell():
    """Mean error of one number at ε = 1, from the number of vertices and edges alone, and measured."""
    price, out = PriceTable(epsilon=Fraction(1)), []
    statistics = (
        asked.DegreesTable(most=100, price=price), asked.TrianglesTable(price=price), asked.StarsTable(legs=2, price=price),
        asked.ClusteringTable(price=price), asked.CoresTable(price=price),
    )  # fmt: skip
    for name in GRAPHS:
        graph = read(name)
        named = NamedGraph(graph, tuple(map(str, range(graph.vertices))))
        plan = GraphDocument(graph=GraphTable(source="u", target="v"), unit=EdgeUnit(), statistics=statistics)
        lines = foretold(plan, Size(graph.vertices, len(graph.edges))).noises
        for line, statistic in zip(lines, statistics, strict=True):
            errors = tried(pair_of(statistic, EdgeUnit()), named, MEASURED, 0.95, bits=BITS).errors
            found = {
                "graph": name,
                "statistic": line.statistic,
                "foretold": line.mean_error,
                "measured": float(np.nanmean(errors)),
            }
            print(found)
            out.append(found)
    write("graph_forecasts", out, (), runs=MEASURED)


def quantiles():
    """Mean error over six shares; of one number for all, of noise on all, and of 0; width of intervals of rising thresholds."""
    out = []
    for name in GRAPHS:
        graph = read(name)
        n, core = graph.vertices, core_numbers(graph)
        for epsilon in (Fraction(1), Fraction(4)):
            edge = CoreQuantiles(n, SHARES, MOST, Neighbors.EDGE, PureDP(epsilon))
            node, half = (NodeCoreQuantiles(n, shares, MOST, epsilon) for shares in (SHARES, (Fraction(1, 2),)))
            exact, rising = edge.of(graph), RisingPeeling(n, epsilon)
            low, high = rising.bounds(rising.decide(graph, bits=BITS), 0.95)
            noise = np.random.default_rng(1).laplace(0, (n - 1 + core.max()) / float(epsilon), (RUNS, n))
            found = {
                "graph": name, "epsilon": float(epsilon), "reach_of_interval": edge.error(0.95),
                "edge": _off([edge.decide(graph, confidence=0.95, bits=BITS).values - exact for _ in range(RUNS)]),
                "vertex": _off([node.decide(graph, confidence=0.95, bits=BITS).values - exact for _ in range(RUNS)]),
                "median_for_all": _off([core - half.decide(graph, confidence=0.95, bits=BITS).values for _ in range(RUNS)]),
                "exact_median_for_all": _off([core - np.median(core)]), "zero": float(core.mean()),
                "noise_on_all": _off([np.clip(core + one, 0, core.max()) - core for one in noise]),
                "half_interval_of_rising": float((high - low).mean() / 2), "covered": float(((low <= core) & (core <= high)).mean()),
            }  # fmt: skip
            print(found)
            out.append(found)
    write("core_quantiles", out, (), runs=RUNS)


def _off(errors):
    """Mean of absolute errors."""
    return float(np.abs(np.array(errors)).mean())


if __name__ == "__main__":
    {"foretold": foretell, "quantiles": quantiles}[sys.argv[1] if len(sys.argv) > 1 else "quantiles"]()
