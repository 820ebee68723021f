"""All graphs of a few vertices and their neighbors, and what a number or a law moves at most between two of them."""

import math
from functools import cache
from itertools import combinations

import networkx as nx
import numpy as np

from sfumato.table.graph import Graph
from sfumato.table.unit import Neighbors


def pairs_of(n):
    return list(combinations(range(n), 2))


@cache
def graphs(n):
    """By mask of their edges."""
    pairs = np.array(pairs_of(n), np.int64).reshape(-1, 2)
    return [Graph(n, pairs[mask >> np.arange(len(pairs)) & 1 == 1]) for mask in range(1 << len(pairs))]


def neighbors(n, protects):
    """Pairs of masks: an edge more, or all edges of a vertex more."""
    pairs, masks = pairs_of(n), range(1 << len(pairs_of(n)))
    if protects is Neighbors.EDGE:
        return [(mask, mask & ~(1 << i)) for mask in masks for i in range(len(pairs)) if mask >> i & 1]
    own = [sum(1 << i for i, pair in enumerate(pairs) if v in pair) for v in range(n)]
    return [(mask, mask & ~edges) for mask in masks for edges in own if mask & edges]


def largest_move(totals, protects, n):
    """The largest L1 distance of the totals of two neighbors."""
    found = [totals(graph) for graph in graphs(n)]
    return max(int(np.abs(found[a] - found[b]).sum()) for a, b in neighbors(n, protects))


def ladder_law(value, size, widths, epsilon, reach):
    """Logarithms of the chances of value - reach … value + reach around 0, written a second time."""
    ends = [0]
    while ends[-1] <= 2 * reach + abs(value) + 100 and len(ends) < 4000:
        ends.append(ends[-1] + widths.at(size + len(ends) - 1))
    numbers = np.arange(-reach, reach + 1)
    rung = np.searchsorted(ends, np.abs(numbers - value))
    if ends[-1] == 0:
        return np.where(numbers == value, 0.0, -np.inf)
    total = 1 + sum(2 * widths.at(size + t - 1) * math.exp(-epsilon * t / 2) for t in range(1, 4000))
    return -epsilon * rung / 2 - math.log(total)


def ladder_loss(mechanism, factor):
    """The largest log ratio of two neighbors' numbers, and of their noisy sizes beside."""
    pattern, n, reach = mechanism.pattern, mechanism.vertices, 300
    epsilon = float(mechanism.epsilon_of_ladder) / factor
    seen = [(pattern.value(graph), pattern.size(graph)) for graph in graphs(n)]
    laws = {key: ladder_law(*key, pattern.widths(n), epsilon, reach) for key in set(seen)}
    worst = 0.0
    for a, b in {(seen[a], seen[b]) for a, b in neighbors(n, Neighbors.EDGE)}:
        of_size = abs(a[1] - b[1]) / float(mechanism.noise_of_size) / factor
        worst = max(worst, float(np.abs(laws[a] - laws[b]).max()) + of_size)
    return worst


def crowd(n=60, m=400, seed=1):
    """A random graph of some vertices with many neighbors and many with few."""
    rng = np.random.default_rng(seed)
    chance = rng.pareto(1.5, n) + 0.3
    return Graph(n, rng.choice(n, (m, 2), p=chance / chance.sum()))


def in_networkx(graph):
    """The same graph."""
    out = nx.Graph()
    out.add_nodes_from(range(graph.vertices))
    out.add_edges_from(graph.edges.tolist())
    return out
