"""Edges are told from rounds as often as the true price allows, and more often than the stated one."""

from fractions import Fraction
from math import exp, sqrt

import numpy as np

from sfumato.account.cost import pure_epsilon
from sfumato.attack.graph.overlap import overlapping
from sfumato.attack.graph.rounds import AllButThese, EdgeOfCores, EdgeOfRounds, NoisyNumbers, NoisyRounds
from sfumato.mechanism.graph.cores.published import PublishedMontresor, PublishedNaive
from sfumato.table.graph import Graph
from sfumato.testing.seeded_bits import SeededBits

SLACK = sqrt(14 / 2)
"""Hoeffding: n guesses are right more than SLACK/√n above their chance with probability e^-14 < 1e-6."""


def test_core_numbers_as_published_tell_a_ring_from_a_path():
    """One edge moves all n core numbers: a stated epsilon of 1/5 would let nobody be right more than 55 % of the time."""
    n, trials, stated = 200, 300, Fraction(1, 5)
    path = np.array([[i, i + 1] for i in range(n - 1)])
    rng, bits, right = np.random.default_rng(1), SeededBits(7), 0
    method = PublishedNaive(n, stated)
    ask = AllButThese(Graph(n, path), np.array([[0, n - 1]]))
    for closed in rng.random(trials) < 0.5:
        graph = Graph(n, np.concatenate((path, ask.pairs))) if closed else ask.graph
        said = method.decide(graph, bits=bits).rounds[0]
        right += EdgeOfCores().guess(NoisyNumbers(said, float(method.event.scale)), ask, rng)[0] == closed
    assert right / trials > exp(stated) / (1 + exp(stated)) + SLACK / sqrt(trials)


def test_rounds_as_published_keep_their_true_price():
    pairs = np.arange(4000).reshape(-1, 2)
    rng = np.random.default_rng(2)
    truth = rng.random(len(pairs)) < 0.5
    others = rng.integers(0, 4000, (12_000, 2))
    others = others[others[:, 0] // 2 != others[:, 1] // 2]
    method = PublishedMontresor(4000, Fraction(2), 1)
    said = method.decide(Graph(4000, np.concatenate((others, pairs[truth]))), bits=SeededBits(3)).rounds
    view = NoisyRounds(np.stack(said), np.array([float(method.scale)]))
    right = (EdgeOfRounds().guess(view, AllButThese(Graph(4000, others), pairs), rng) == truth).mean()
    true = float(pure_epsilon(method.event))
    assert 0.7 < right <= exp(true) / (1 + exp(true)) + SLACK / sqrt(len(pairs))


def test_two_graphs_overlap_as_declared():
    graph = Graph(1000, np.random.default_rng(6).integers(0, 1000, (20_000, 2)))
    drawn = overlapping(graph, 0.6, 0.5, rng=np.random.default_rng(7))
    assert np.count_nonzero(drawn.truth >= 0) == 600
    common = np.intersect1d(drawn.person_of_one, drawn.person_of_other)
    sides = []
    for part, person in ((drawn.one, drawn.person_of_one), (drawn.other, drawn.person_of_other)):
        edges = np.sort(person[part.edges], axis=1)
        sides.append({tuple(edge) for edge in edges.tolist() if np.isin(edge, common).all()})
    one, other = sides
    assert abs(len(one & other) / len(one | other) - 0.5) <= 3 * SLACK / sqrt(len(one | other))
