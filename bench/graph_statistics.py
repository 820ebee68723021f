"""What statistics of graphs and synthetic graphs are worth at ε = 0.1 and 1 for an edge, beside what others would do.

On the graphs of `shared/data/graphs`. Peers are formulas, run here on the same graphs, of which those that need to know the
largest degree get it for nothing: noise of global sensitivity (n - 2 triangles), of restricted sensitivity with the largest
degree declared (Blocki, Blum, Datta, Sheffet, ITCS 2013), of smooth sensitivity with Cauchy noise and pure ε (Nissim,
Raskhodnikova, Smith, STOC 2007: 6 S/ε, β = ε/6); for degrees noise on the numbers of vertices of each degree (L1 4), and the
sorted degrees of Hay et al. Then seconds on an R-MAT graph of a million edges (seed 1), networkx beside where it can.

Run: python bench/graph_statistics.py
"""

from __future__ import annotations

import gzip
import math
from fractions import Fraction

import numpy as np
from timing import median_of, shared_folder, write

from sfumato.account.event import PureDP
from sfumato.mechanism.graph.groups import Groups
from sfumato.mechanism.graph.projection import Projection
from sfumato.mechanism.graph.statistics.coefficients import DegreeAssortativity, Transitivity
from sfumato.mechanism.graph.statistics.counts import StarCount
from sfumato.mechanism.graph.statistics.degrees import DegreeCounts, DegreeSequence
from sfumato.mechanism.graph.statistics.ladder_count import LadderCount
from sfumato.mechanism.graph.statistics.segregation import GroupAssortativity
from sfumato.mechanism.graph.statistics.subgraphs import Stars, Triangles
from sfumato.mechanism.graph.synthetic.graphs import FromDegrees, FromGroups, FromJointDegrees
from sfumato.noise.bits import SystemBits
from sfumato.table.graph import Graph
from sfumato.table.unit import Neighbors
from sfumato.utility.graph.measure import counts_apart, measure
from sfumato.utility.graph.profile import profile

EPSILONS, RUNS, DRAWN = (Fraction(1, 10), Fraction(1)), 40, 3
EDGE, NODE = Neighbors.EDGE, Neighbors.NODE
STARTS = (1, 2, 3, 5, 9, 17, 33)
BITS = SystemBits()


def graphs(folder):
    """By name, with groups where there are some."""
    out = {}
    for name, file, comma in (
        ("karate", "karate_edges.csv", True),
        ("email-Eu-core", "email-Eu-core.csv.gz", True),
        ("ca-GrQc", "ca-GrQc.txt.gz", False),
        ("facebook", "facebook_combined.txt.gz", False),
    ):
        read = gzip.decompress if file.endswith("gz") else bytes
        lines = read((folder / file).read_bytes()).decode().splitlines()
        pairs = np.loadtxt(lines, np.int64, delimiter="," if comma else None, skiprows=int(comma))
        ids, ends = np.unique(pairs, return_inverse=True)
        out[name] = Graph(len(ids), ends.reshape(-1, 2))
    return out


def departments(folder):
    labels = np.loadtxt(folder / "email-Eu-core-department-labels.csv", np.int64, delimiter=",", skiprows=1)
    return Groups(labels[np.argsort(labels[:, 0]), 1], 42)


def rmat(scale, edges, seed):
    """Kronecker graph with 0.57, 0.19, 0.19, 0.05 (D. Chakrabarti, Y. Zhan, C. Faloutsos, SDM 2004)."""
    rng, ends = np.random.default_rng(seed), np.zeros((edges, 2), np.int64)
    for _ in range(scale):
        part = np.searchsorted([0.57, 0.76, 0.95], rng.random(edges), "right")
        ends = 2 * ends + np.stack((part >> 1, part & 1), axis=1)
    return Graph(1 << scale, ends)


def smooth(size, widths, epsilon):
    """S of β = ε/6, from the same bound of the local sensitivity at each distance."""
    return max(widths.at(size + t) * math.exp(-epsilon / 6 * t) for t in range(int(60 / epsilon)))


def patterns(name, graph):
    """Median relative errors of triangles and stars."""
    n, top = graph.vertices, int(graph.degrees.max())
    for pattern, everywhere, restricted in (
        (Triangles(), n - 2, top - 1),
        (Stars(2), 2 * (n - 2), 2 * (top - 1)),
        (Stars(3), 2 * math.comb(n - 2, 2), 2 * math.comb(top - 1, 2)),
    ):
        true = pattern.value(graph)
        for epsilon in EPSILONS:
            method, e = LadderCount(pattern, n, epsilon), float(epsilon)
            found = [method.decide(graph, confidence=0.95, bits=BITS) for _ in range(RUNS)]
            errors = np.array([abs(float(one.values[0]) - true) for one in found]) / true
            wide = np.array([float(one.high[0] - one.low[0]) / 2 for one in found]) / true
            held = sum(bool(one.low[0] <= true <= one.high[0]) for one in found) / RUNS
            yield {
                "data": name, "what": pattern.name, "true": true, "epsilon": e,
                "ladder": float(np.median(errors)), "half interval": float(np.median(wide)), "held": held,
                "global": math.log(2) * everywhere / e / true, "restricted": math.log(2) * restricted / e / true,
                "smooth": 6 / e * smooth(pattern.size(graph), pattern.widths(n), e) / true,
            }  # fmt: skip


def degrees(name, graph):
    """Earth mover's distance of the distribution of degrees, in degrees, most = n - 1: means of a few runs."""
    n = graph.vertices
    most, true, rng = n - 1, np.bincount(graph.degrees), np.random.default_rng(1)
    for epsilon in EPSILONS:
        row = {}
        plain = [
            np.maximum(np.bincount(graph.degrees, minlength=n) + rng.laplace(0, 4 / float(epsilon), n), 0)
            for _ in range(DRAWN)
        ]
        row["each degree, noise"] = np.mean([counts_apart(x, true) for x in plain])
        counts = DegreeCounts(Groups.one(n), most, EDGE, PureDP(epsilon))
        found = [counts.decide(graph, confidence=0.95, bits=BITS).values[0] for _ in range(DRAWN)]
        row["at least each degree"] = np.mean([counts_apart(x, true) for x in found])
        sequence = DegreeSequence(Groups.one(n), most, EDGE, PureDP(epsilon))
        sums = [np.sort(np.maximum(sequence.noisy(graph, bits=BITS), 0)) for _ in range(DRAWN)]
        row["sorted, noise"] = np.mean([np.abs(x - np.sort(graph.degrees)).mean() for x in sums])
        fits = [sequence.decide(graph, confidence=0.95, bits=BITS).values for _ in range(DRAWN)]
        row["sorted, fitted"] = np.mean([np.abs(x - np.sort(graph.degrees)).mean() for x in fits])
        for theta in (8, 64):
            kept = DegreeCounts(Groups.one(n), theta, NODE, PureDP(epsilon))
            found = [kept.decide(graph, confidence=0.95, bits=BITS).values[0] for _ in range(DRAWN)]
            row[f"vertices, θ = {theta}"] = np.mean([counts_apart(x, true) for x in found])
            row[f"θ = {theta} without noise"] = counts_apart(
                np.bincount(Projection(theta, 0).project(graph).degrees), true
            )
        yield {
            "data": name,
            "epsilon": float(epsilon),
            "mean degree": float(graph.degrees.mean()),
            **{k: float(v) for k, v in row.items()},
        }


def coefficients(name, graph, groups):
    """Median errors of ratios."""
    seen = profile(graph, np.arange(1))
    for epsilon in EPSILONS:
        asked = {
            "transitivity": (Transitivity(graph.vertices, epsilon), seen.transitivity),
            "degree assortativity": (DegreeAssortativity(graph.vertices, epsilon), seen.assortativity),
        }
        if groups is not None:
            method = GroupAssortativity(groups, PureDP(epsilon))
            exact = (
                GroupAssortativity(groups, PureDP(Fraction(10**4))).decide(graph, confidence=0.5, bits=BITS).values[0]
            )
            asked["department assortativity"] = (method, float(exact))
        for what, (method, true) in asked.items():
            found = [method.decide(graph, confidence=0.95, bits=BITS) for _ in range(RUNS // 2)]
            yield {
                "data": name, "what": what, "true": true, "epsilon": float(epsilon),
                "error": float(np.nanmedian([abs(one.values[0] - true) for one in found])),
                "half interval": float(np.median([(one.high[0] - one.low[0]) / 2 for one in found])),
                "held": float(np.mean([one.low[0] <= true <= one.high[0] for one in found])),
            }  # fmt: skip


def synthetic(name, graph, groups):
    """Means of the figures of a few drawings."""
    n = graph.vertices
    for epsilon in (*EPSILONS, Fraction(1000)):
        ways = {
            "degrees": FromDegrees(n, n - 1, EDGE, epsilon),
            "joint degrees": FromJointDegrees(n, n - 1, STARTS, epsilon),
        }
        if groups is not None:
            ways["departments"] = FromGroups(groups, epsilon)
            ways["departments, no degrees"] = FromGroups(groups, epsilon, Fraction(0))
        for way, method in ways.items():
            found = [measure(method.draw(graph, bits=BITS), graph, rng=np.random.default_rng(1)) for _ in range(DRAWN)]
            mean = {
                one[0].name.removeprefix("graph_"): float(
                    np.mean([f.value if f.value is not None else np.nan for f in one])
                )
                for one in zip(*found, strict=True)
            }
            yield {"data": name, "way": way, "epsilon": float(epsilon), **mean}


def seconds():
    """CPU seconds on a million edges, and those of networkx."""
    import networkx as nx

    graph, one = rmat(17, 1_100_000, 1), Fraction(1)
    n = graph.vertices
    slow = nx.Graph()
    slow.add_edges_from(graph.edges.tolist())
    ways = {
        "projection to 16": lambda: Projection(16, 0).project(graph),
        "degrees": lambda: DegreeCounts(Groups.one(n), 20_000, EDGE, PureDP(one)).decide(
            graph, confidence=0.95, bits=BITS
        ),
        "sorted degrees": lambda: DegreeSequence(Groups.one(n), n - 1, EDGE, PureDP(one)).decide(
            graph, confidence=0.95, bits=BITS
        ),
        "edges": lambda: StarCount(n, 1, 1, EDGE, PureDP(one)).decide(graph, confidence=0.95, bits=BITS),
        "transitivity": lambda: Transitivity(n, one).decide(graph, confidence=0.95, bits=BITS),
        "degree assortativity": lambda: DegreeAssortativity(n, one).decide(graph, confidence=0.95, bits=BITS),
        "triangles": lambda: LadderCount(Triangles(), n, one).decide(graph, confidence=0.95, bits=BITS),
        "triangles, networkx, exact": lambda: nx.triangles(slow),
        "graph from degrees": lambda: FromDegrees(n, n - 1, EDGE, one).draw(graph, bits=BITS),
        "graph from joint degrees": lambda: FromJointDegrees(n, n - 1, STARTS, one).draw(graph, bits=BITS),
        "profile (cores, triangles, paths)": lambda: profile(graph, np.arange(64)),
    }
    for what, run in ways.items():
        run() if "networkx" not in what else None
        yield {"what": what, "edges": len(graph.edges), **median_of(run, 1)}


def main() -> None:
    folder = shared_folder() / "data" / "graphs"
    groups, rows = {"email-Eu-core": departments(folder)}, []
    for name, graph in graphs(folder).items():
        rows += patterns(name, graph)
        rows += degrees(name, graph)
        rows += coefficients(name, graph, groups.get(name))
        rows += synthetic(name, graph, groups.get(name))
    rows += seconds()
    write("graph_statistics", rows, ("networkx",), runs=RUNS)


if __name__ == "__main__":
    main()
