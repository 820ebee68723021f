"""Small judges for the attacks on graphs."""

import numpy as np

from sfumato.attack.graph import look, overlap, rounds, seeds
from sfumato.summary.cores import core_numbers, h_indices
from sfumato.table.graph import Graph
from sfumato.testing.attack_contract import AttackCase

N = 120


def renamed(graph, rng):
    """The same graph with other numbers, and the new number of each vertex."""
    name = rng.permutation(graph.vertices)
    return Graph(graph.vertices, name[graph.edges]), name


def different():
    """A graph in which all degrees but those of one pair differ, and as many vertices alone."""
    m = N // 2
    return Graph(N, np.array([[i, j] for i in range(m) for j in range(i + 1, m) if i + j >= m - 1]))


def seen(attack, rng, *, other=False, alike=False):
    """Whether vertices that differ are found; in a graph of others; on a ring, where all look alike."""
    graph = Graph(N, np.array([[i, (i + 1) % N] for i in range(N)])) if alike else different()
    view, name = renamed(graph, rng)
    name = rng.permutation(N) if other else name
    persons = rng.permutation(N)[:60] if alike else np.arange(N)
    persons = persons if alike else persons[look.chance_of_finding(graph, attack.knows) == 1]
    return attack.guess(view, look.Around(graph, persons), rng) == name[persons]


def seen_of_others(attack, rng):
    return seen(attack, rng, other=True)


def seen_alike(attack, rng):
    return seen(attack, rng, alike=True)


def followed(attack, rng, *, other=False):
    """Whom ten seeds find in a second graph with four fifths of the edges; or in a graph of the same size that is another."""
    graph = Graph(N, rng.integers(0, N, (N * 12, 2)))
    drawn = overlap.overlapping(graph, 1.0, 0.8, rng=rng)
    known = rng.permutation(N)[:10]
    view = Graph(N, rng.integers(0, N, (len(drawn.one.edges), 2))) if other else drawn.one
    said = attack.guess(view, seeds.Seeded(drawn.other, known, drawn.truth[known]), rng)
    return np.delete(said == drawn.truth, known)


def followed_in_another(attack, rng):
    return followed(attack, rng, other=True)


def asked(rng, graph):
    """Pairs of which a half are edges, in drawn order, and the graph without these."""
    pairs = rng.permutation(graph.vertices).reshape(-1, 2)
    truth = rng.random(len(pairs)) < 0.5
    code = {tuple(sorted(pair)) for pair in pairs.tolist()}
    rest = np.array([edge for edge in graph.edges.tolist() if tuple(edge) not in code]).reshape(-1, 2)
    return rounds.AllButThese(Graph(graph.vertices, rest), pairs), truth


def told(attack, rng, *, scale=0.05, drawn=False):
    """Whether edges are told from rounds with little noise, or from rounds of noise alone."""
    known, truth = asked(rng, Graph(400, rng.integers(0, 400, (1200, 2))))
    graph = Graph(400, np.concatenate((known.graph.edges, known.pairs[truth])))
    start, to = graph.neighbors()
    first = graph.degrees + np.rint(rng.laplace(0, scale, 400)).astype(int)
    second = np.minimum(graph.degrees, h_indices(start, first[to])) + np.rint(rng.laplace(0, scale, 400)).astype(int)
    said = rng.integers(0, 9, (2, 400)) if drawn else np.stack([first, second])
    return attack.guess(rounds.NoisyRounds(said, np.array([scale, scale])), known, rng) == truth


def told_by_coin(attack, rng):
    return told(attack, rng, drawn=True)


def cored(attack, rng, *, drawn=False):
    """Whether a ring is told from a path, by core numbers with noise or by noise alone."""
    out, path = [], np.array([[i, i + 1] for i in range(29)])
    for closed in rng.random(80) < 0.5:
        edges = np.concatenate((path, [[0, 29]])) if closed else path
        said = rng.integers(0, 4, 30) if drawn else core_numbers(Graph(30, edges)) + (rng.random(30) < 0.2)
        ask = rounds.AllButThese(Graph(30, path), np.array([[0, 29]]))
        out.append(attack.guess(rounds.NoisyNumbers(said, 2.0), ask, rng)[0] == closed)
    return np.array(out)


def cored_by_coin(attack, rng):
    return cored(attack, rng, drawn=True)


GRAPH_CASES = [
    *(
        AttackCase(look.LookAlike(knows), seen, seen_of_others, seen_alike, 1 / N)
        for knows in ("degree", "degrees of neighbors", "neighborhood")
    ),
    AttackCase(seeds.Propagation(), followed, followed_in_another, followed_in_another, 1 / 50, 0.9),
    AttackCase(rounds.EdgeOfRounds(), told, told_by_coin, told_by_coin, 0.5),
    AttackCase(rounds.EdgeOfCores(), cored, cored_by_coin, cored_by_coin, 0.5),
]
