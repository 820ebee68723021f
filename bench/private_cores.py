"""How far are private core numbers from the true ones, beside what others do at the same true price, and how long they take.

Peers are written here as published (discrete Laplace noise in place of the continuous one). Their true price for one edge,
for the whole process, is what is compared: where an algorithm costs less than it says, it is also run at the price that
ours states for it. Chance is seeded: this is a simulation on public graphs.

Run: python bench/private_cores.py [error|speed]
"""

from __future__ import annotations

import gzip
import sys
from fractions import Fraction
from math import ceil, log

import numpy as np
from timing import median_of, shared_folder, write

from sfumato.account.cost import pure_epsilon
from sfumato.mechanism.graph.cores.baseline import NoisyDegrees, OneGuess
from sfumato.mechanism.graph.cores.montresor import NoisyMontresor, noisy_rounds
from sfumato.mechanism.graph.cores.naive import NaiveCores
from sfumato.mechanism.graph.cores.peeling import LevelStructure, MatPeeling, Questions
from sfumato.mechanism.graph.cores.published import PublishedMontresor, PublishedNaive
from sfumato.mechanism.graph.cores.rising import RisingPeeling
from sfumato.noise.bits import KeyedBits
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.summary.cores import core_numbers
from sfumato.table.graph import Graph

GRAPHS = ("karate_edges.csv", "ca-GrQc.txt.gz", "email-Eu-core.csv.gz", "facebook_combined.txt.gz")
RUNS = 20
BITS = KeyedBits(bytes(31) + b"\1", is_secure=False)


def read(name):
    """A graph of the shared folder, its vertices numbered."""
    path = shared_folder() / "data" / "graphs" / name
    text = gzip.decompress(path.read_bytes()).decode() if name.endswith("gz") else path.read_text()
    rows = [line.replace(",", " ").split() for line in text.splitlines()]
    pairs = np.array([row for row in rows if row[0].isdigit()], np.int64)
    names, codes = np.unique(pairs, return_inverse=True)
    return Graph(len(names), codes.reshape(pairs.shape))


def montresor_of_notes(graph, epsilon, rounds):
    """Noise of scale 2T/ε in each of T rounds; the least that was published. True price ε."""
    out = noisy_rounds(graph, (2 * rounds / epsilon,) * rounds, bits=BITS)
    return np.maximum(np.minimum.reduce(out), 0)


def mat(graph, once, each):
    """Peeling of Dhulipala, Li and Liu, step 1. True price 2/once + 1/each; the paper proves 8/once, or less."""
    questions, k = Questions(graph, once, each, bits=BITS), 0
    core = np.zeros(graph.vertices, np.int64)
    while len(questions.here):
        leaving = questions.ask(k)
        core[leaving] = k
        k += not len(leaving)
    return core


def levels(graph, epsilon, share, *, growth=0.5, factor=2.5):
    """Mundra et al., as their program: a noisy degree bounds the rounds of a vertex, each with fresh noise.

    Degrees cost share · ε: scale 2/(share ε). The rest is spread over a vertex's rounds: scale 2 rounds/(rest) each.
    """
    start, to = graph.neighbors()
    n, degrees = graph.vertices, np.diff(start)
    first, rest = epsilon * share, epsilon * (1 - share)
    noisy = np.maximum(degrees + discrete_laplace(n, 2 / first, bits=BITS), 1)
    length = max(1, ceil(log(n) / log(1 + growth)) // 4)
    rounds = np.ceil(np.log2(noisy)).astype(np.int64) * length + 1
    level, owner = np.zeros(n, np.int64), np.repeat(np.arange(n), degrees)
    for r in range(int(rounds.max())):
        here = level == r
        count = np.bincount(owner[here[to]], minlength=n)
        for many in np.unique(rounds[here & (rounds > r)]):
            asked = np.flatnonzero(here & (rounds == many))
            noise = discrete_laplace(len(asked), 2 * int(many) / rest, bits=BITS)
            level[asked[count[asked] + noise > (1 + growth) ** (r // length)]] += 1
    return factor * (1 + growth) ** np.maximum((level + 1) // length - 1, 0)


def peers(epsilon):
    """Name, true price, whether it ran at the price that our proof states, and a run."""
    yield "0 for all", 0, lambda g: np.zeros(g.vertices)
    yield "exact degrees (not private)", "none", lambda g: g.degrees
    for rounds in (1, 2, 3, 5):
        yield f"noisy Montresor T={rounds}", epsilon, lambda g, t=rounds: montresor_of_notes(g, epsilon, t)
    yield "MAT as published (4, 8)", epsilon * Fraction(5, 8), lambda g: mat(g, 4 / epsilon, 8 / epsilon)
    yield "MAT as published, monotone (4, 4)", epsilon * Fraction(3, 4), lambda g: mat(g, 4 / epsilon, 4 / epsilon)
    yield "MAT as published, at our price", epsilon, lambda g: mat(g, Fraction(5, 2) / epsilon, 5 / epsilon)
    yield "MAT monotone, at our price", epsilon, lambda g: mat(g, 3 / epsilon, 3 / epsilon)
    for share in (Fraction(1, 5), Fraction(1, 2), Fraction(4, 5)):
        yield f"levels of Mundra, share {share}", epsilon, lambda g, s=share: levels(g, epsilon, s)


def ours(n, epsilon):
    """Every mechanism of ours at this price."""
    yield from (RisingPeeling(n, epsilon), NoisyMontresor(n, epsilon), MatPeeling(n, epsilon))
    yield from (LevelStructure(n, epsilon), NaiveCores(n, epsilon), NoisyDegrees(n, epsilon), OneGuess(n, epsilon))
    yield from (PublishedNaive(n, epsilon), PublishedMontresor(n, epsilon, 3))


def error():
    """One row for each graph, ε and algorithm."""
    rows = []
    for name in GRAPHS:
        graph = read(name)
        exact = core_numbers(graph)
        for epsilon in (Fraction(1), Fraction(4)):
            runs = [(kind, said, price, run) for kind, said, price, run in named(graph, epsilon)]
            for kind, said, price, run in runs:
                off = [float(np.abs(run(graph) - exact).mean()) for _ in range(RUNS)]
                spread = float(np.std(off, ddof=1) / RUNS**0.5)
                rows.append({
                    "graph": name.split(".")[0], "mean_core": float(exact.mean()), "epsilon": str(epsilon), "whose": kind,
                    "algorithm": said, "true_epsilon": str(price), "mae": float(np.mean(off)), "standard_error": spread,
                })  # fmt: skip
    write("private_cores_error", rows, ("networkx",), runs=RUNS)
    for key in dict.fromkeys((row["graph"], row["epsilon"]) for row in rows):
        here = [row for row in rows if (row["graph"], row["epsilon"]) == key]
        best = min((r for r in here if r["whose"] == "peer" and r["true_epsilon"] != "none"), key=lambda r: r["mae"])
        mine = next(r for r in here if r["algorithm"] == "peeling by rising thresholds")
        print(
            *key,
            f"ours {mine['mae']:.2f}",
            f"best peer {best['mae']:.2f} ({best['algorithm']})",
            f"0: {mine['mean_core']:.2f}",
        )


def named(graph, epsilon):
    """Whose, name, true price, and a run of the graph."""
    for said, price, run in peers(epsilon):
        yield "peer", said, price, run
    for mechanism in ours(graph.vertices, epsilon):
        price = pure_epsilon(mechanism.event)
        yield "ours", mechanism.name, price, lambda g, m=mechanism: m.decide(g, bits=BITS).numbers


def r_mat(scale, edges, seed):
    """An R-MAT graph of 2^scale vertices: each bit of both ends by (0.57, 0.19, 0.19, 0.05)."""
    rng, ends = np.random.default_rng(seed), np.zeros((edges, 2), np.int64)
    for _ in range(scale):
        quarter = np.searchsorted([0.57, 0.76, 0.95], rng.random(edges))
        ends = 2 * ends + np.stack((quarter >> 1, quarter & 1), axis=1)
    return Graph(1 << scale, ends)


def speed():
    """Exact and private ones on a graph of about 10⁷ edges, turn by turn."""
    graph = r_mat(20, 11_000_000, 7)
    core_numbers(r_mat(20, 3_000_000, 7))  # compiled
    rows = []
    exact = median_of(lambda: core_numbers(graph), 3)
    for epsilon in (Fraction(1), Fraction(4)):
        method = RisingPeeling(graph.vertices, epsilon)
        private = median_of(lambda m=method: m.decide(graph, bits=BITS), 3)
        rows.append({
            "vertices": graph.vertices, "edges": len(graph.edges), "epsilon": str(epsilon), "exact_cpu_s": exact["cpu_s"],
            "private_cpu_s": private["cpu_s"], "ratio": private["cpu_s"] / exact["cpu_s"],
        })  # fmt: skip
    write("private_cores_speed", rows, ("numba",), runs=3)


if __name__ == "__main__":
    {"error": error, "speed": speed}[sys.argv[1] if len(sys.argv) > 1 else "error"]()
