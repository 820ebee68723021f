"""Laws of private core numbers on tiny graphs: every noise of a box by the code itself, or every transcript in fractions.

Many runs are one run: what is said in one part of a graph does not depend on the others, so that the graphs of a box of
noises stand beside each other in one.
"""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from tests.unit.mechanism.central.threshold_laws import pattern_chance

from sfumato.mechanism.graph.cores import rising
from sfumato.summary.cores import core_numbers, h_indices
from sfumato.table.graph import Graph


def pairs_of(n):
    return list(combinations(range(n), 2))


def graph_of(n, mask):
    """The graph of a set of edges, as a mask."""
    edges = [pair for i, pair in enumerate(pairs_of(n)) if mask >> i & 1]
    return Graph(n, np.array(edges, np.int64).reshape(-1, 2))


def neighbors_of(n):
    """All pairs of masks that differ in one edge, the larger graph second."""
    return [(m, m | 1 << i) for m in range(1 << len(pairs_of(n))) for i in range(len(pairs_of(n))) if not m >> i & 1]


def beside(graph, copies):
    """So many copies of a graph in one."""
    edges = graph.edges[None] + graph.vertices * np.arange(copies)[:, None, None]
    return Graph(graph.vertices * copies, edges.reshape(-1, 2))


def rising_laws(n, q, fine, first, step, reach, last):
    """For each graph the chance of every outcome that ends by a round, by all noises up to a reach; exact for rational q.

    A noise of the reach stands for all larger ones, with which a vertex leaves at once too; an outcome whose noises go
    below the box ends later than `last`, so that the chances of the others are whole.
    """
    assert reach >= fine * (n - 1) - first
    assert -reach < -(first + step * last)
    center = (1 - q) / (1 + q)
    weight = {z: center * q ** abs(z) for z in range(-reach, reach)} | {reach: q**reach / (1 + q)}
    box = list(product(weight, repeat=n))
    noise = np.array(box, np.int64).ravel()
    chances = [math.prod(weight[z] for z in zs) for zs in box]
    laws = []
    for mask in range(1 << len(pairs_of(n))):
        start, to = beside(graph_of(n, mask), len(box)).neighbors()
        left = rising.rounds_of_leaving(start, to, noise, fine, first, step).reshape(-1, n)
        law = {}
        for outcome, chance in zip(map(tuple, left.tolist()), chances, strict=True):
            if max(outcome) <= last:
                law[outcome] = law.get(outcome, 0) + chance
        laws.append(law)
    return laws


def worst_ratio(laws, n):
    """The largest ratio of the chances of one outcome under two neighbors."""
    ratio = 1
    for a, b in neighbors_of(n):
        assert laws[a].keys() == laws[b].keys()
        ratio = max(ratio, *(max(p / laws[b][o], laws[b][o] / p) for o, p in laws[a].items()))
    return ratio


def peeling_law(has_edge, thresholds_of, rounds, q1, q2):
    """P(transcript) of two vertices that are asked so many times, each with one noise and fresh ones, in fractions.

    A transcript is the question at which each left, or `rounds`: it stayed. `thresholds_of` tells the public thresholds
    of a transcript.
    """
    law = {}
    for left in product(range(rounds + 1), repeat=2):
        thresholds, chance = thresholds_of(left, rounds), Fraction(1)
        for one, other in (left, left[::-1]):
            asked = range(min(one + 1, rounds))
            values = tuple(thresholds[t] - (has_edge and t <= other) for t in asked)
            chance *= pattern_chance(values, tuple(t == one for t in asked), q1, q2)
        law[left] = chance
    return law


def mat_thresholds(left, rounds):
    """k rises after each question at which nobody left."""
    out = [0]
    for t in range(rounds):
        out.append(out[-1] + (t not in left))
    return out


def level_thresholds(each, growth):
    """(1 + φ)^⌊r/L⌋, rounded down."""
    return lambda left, rounds: [int((1 + growth) ** (r // each)) for r in range(rounds + 1)]


def moved(n, values):
    """The largest L1 change of a vector by one edge, over all graphs."""
    found = [values(graph_of(n, mask)) for mask in range(1 << len(pairs_of(n)))]
    return max(int(np.abs(found[a] - found[b]).sum()) for a, b in neighbors_of(n))


def cores_moved(n):
    return moved(n, core_numbers)


def estimates_moved(n, heard):
    """The largest L1 change, by one edge, of the vertices' own estimates, whatever was published before."""
    return max(
        moved(n, lambda g, y=y: np.minimum(g.degrees, h_indices(g.neighbors()[0], np.array(y)[g.neighbors()[1]])))
        for y in heard
    )
