"""Private core numbers: sensitivities of all small graphs, laws of whole processes in fractions, audits, broken twins."""

import copy
from fractions import Fraction
from itertools import product
from math import exp, log

import networkx as nx
import numpy as np
import pytest
from tests.unit.mechanism.graph.cores.core_laws import (
    beside,
    cores_moved,
    estimates_moved,
    graph_of,
    level_thresholds,
    mat_thresholds,
    moved,
    peeling_law,
    rising_laws,
    worst_ratio,
)
from tests.unit.summary.test_cores import read

from sfumato.account.cost import pure_epsilon
from sfumato.attack.audit import audit
from sfumato.errors import ParameterError, QueryError
from sfumato.mechanism.graph.cores import montresor, party, peeling, rising
from sfumato.mechanism.graph.cores.baseline import NoisyDegrees, OneGuess
from sfumato.mechanism.graph.cores.calibration import cost, is_enough, least_scale
from sfumato.mechanism.graph.cores.montresor import NoisyMontresor, even_split, rising_split
from sfumato.mechanism.graph.cores.naive import NaiveCores
from sfumato.mechanism.graph.cores.peeling import LevelStructure, MatPeeling
from sfumato.mechanism.graph.cores.published import PublishedMontresor, PublishedNaive
from sfumato.mechanism.graph.cores.recommend import Model, recommend
from sfumato.mechanism.graph.cores.rising import RisingPeeling, rounds_of_leaving
from sfumato.summary.cores import core_numbers
from sfumato.table.graph import Graph
from sfumato.testing.seeded_bits import SeededBits

ONE = Fraction(1)


def every(n, epsilon=ONE):
    return [
        NaiveCores(n, epsilon),
        NoisyMontresor(n, epsilon),
        RisingPeeling(n, epsilon),
        MatPeeling(n, epsilon),
        LevelStructure(n, epsilon),
        PublishedNaive(n, epsilon),
        PublishedMontresor(n, epsilon, 3),
        NoisyDegrees(n, epsilon),
        OneGuess(n, epsilon),
    ]


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_one_edge_moves_all_core_numbers(n):
    assert cores_moved(n) == n


def test_one_edge_moves_all_core_numbers_of_six_vertices_by_at_most_one():
    """A random tenth of the pairs of neighbors, and the path that becomes a cycle."""
    rng = np.random.default_rng(3)
    for _ in range(3000):
        mask, edge = int(rng.integers(1 << 15)), 1 << int(rng.integers(15))
        less, more = (core_numbers(graph_of(6, m)) for m in (mask & ~edge, mask | edge))
        assert ((more - less >= 0) & (more - less <= 1)).all()
    path = np.array([[i, i + 1] for i in range(5)])
    cycle = np.concatenate((path, [[5, 0]]))
    assert (core_numbers(Graph(6, cycle)) - core_numbers(Graph(6, path))).tolist() == [1] * 6


@pytest.mark.parametrize("n", [2, 3, 4])
def test_one_edge_moves_two_estimates_of_a_round_by_one_whatever_was_said(n):
    assert moved(n, lambda g: g.degrees) == 2
    assert estimates_moved(n, product((-1, 1, 2, 3), repeat=n)) == 2


def test_one_edge_of_five_vertices_moves_two_estimates():
    assert moved(5, lambda g: g.degrees) == 2
    said = np.random.default_rng(9).integers(-1, 6, (6, 5))
    assert estimates_moved(5, said) == 2


def test_the_price_of_rising_thresholds_is_what_the_formula_says_in_fractions():
    """All noises of a box by the code itself, q = 1/2: e^eps = 4 · (1 - 1/4)/(1 - 1/2) = 6, reached, and never passed."""
    q = Fraction(1, 2)
    assert worst_ratio(rising_laws(2, q, fine=1, first=-1, step=1, reach=12, last=8), 2) == 6
    assert worst_ratio(rising_laws(3, q, fine=1, first=0, step=1, reach=6, last=5), 3) == 6
    finer = q**-4 * (1 - q**3) / (1 - q)
    assert worst_ratio(rising_laws(2, q, fine=2, first=0, step=1, reach=12, last=11), 2) == finer
    wider = q**-2 * (1 - q**3) / (1 - q**2)
    assert worst_ratio(rising_laws(3, q, fine=1, first=0, step=2, reach=8, last=3), 3) == wider


def test_one_list_priced_only_is_caught():
    """A scale for the end that leaves first alone, F/S = eps: the law costs more than twice that."""
    stated = log(2)
    assert log(worst_ratio(rising_laws(2, Fraction(1, 2), 1, -1, 1, 12, 8), 2)) > 2 * stated


def test_a_threshold_without_noise_is_caught():
    left = rounds_of_leaving(*graph_of(2, 1).neighbors(), np.zeros(2, np.int64), 1, 0, 1)
    other = rounds_of_leaving(*graph_of(2, 0).neighbors(), np.zeros(2, np.int64), 1, 0, 1)
    assert left.tolist() != other.tolist()  # an outcome of chance 1 and one of chance 0: no epsilon holds


@pytest.mark.parametrize("epsilon", ["1/100", "1/10", "1", "2", "4", "25"])
def test_the_scale_is_enough_and_hardly_more(epsilon):
    method = RisingPeeling(10, Fraction(epsilon))
    step, q = method.rise.numerator, exp(-1 / float(method.scale))
    direct = -2 * method.fine * log(q) + log((1 - q ** (method.fine + step)) / (1 - q**step))
    assert direct == pytest.approx(float(Fraction(epsilon)), rel=1e-4)
    assert cost(float(method.scale), method.fine, step) <= float(Fraction(epsilon)) * (1 + 1e-9)
    assert is_enough(method.scale, method.fine, step, method.epsilon)
    assert not is_enough(method.scale * Fraction(99, 100), method.fine, step, method.epsilon)


def test_too_small_a_step_is_refused():
    with pytest.raises(ParameterError, match=r"log\(1 \+ 1/step\)"):
        RisingPeeling(10, ONE, Fraction(1, 2))
    assert least_scale(ONE, 1, 1) > 4


@pytest.mark.parametrize("thresholds", [mat_thresholds, level_thresholds(2, Fraction(1, 2))])
@pytest.mark.parametrize(("q1", "q2"), [(Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 4))])
def test_the_price_of_questions_in_fractions(thresholds, q1, q2):
    """Every transcript of five questions: at most 2/s1 + 1/s2, and more than 2/s1, so that both noises are needed."""
    less, more = (peeling_law(edge, thresholds, 5, q1, q2) for edge in (False, True))
    assert sum(less.values()) == sum(more.values()) == 1
    ratio = max(max(more[t] / less[t], less[t] / more[t]) for t in less)
    assert q1**-2 < ratio <= q1**-2 / q2


def test_published_prices_are_what_they_truly_cost():
    assert pure_epsilon(PublishedNaive(34, ONE).event) == 34
    assert pure_epsilon(PublishedMontresor(34, ONE, 7).event) == 2
    assert all(pure_epsilon(method.event) == 1 for method in every(34) if "published" not in method.name)
    assert sum(rising_split(5)) == sum(even_split(5)) == 1


def test_each_vertex_alone_says_what_all_say_together(monkeypatch):
    """Parties that know their own list, their own noise and who left leave in the same rounds."""
    graph = Graph(60, np.random.default_rng(2).integers(0, 60, (200, 2)))
    noise, method = np.random.default_rng(4).integers(-9, 9, 60), RisingPeeling(60, Fraction(2))
    monkeypatch.setattr(rising, "discrete_laplace", lambda n, scale, bits: noise)
    monkeypatch.setattr(party, "discrete_laplace", lambda n, scale, bits: noise[bits : bits + 1])
    start, to = graph.neighbors()
    parties = {v: party.Party(to[start[v] : start[v + 1]].tolist(), method, bits=v) for v in range(60)}
    left, t = {}, 0
    while len(left) < 60:
        gone = set(left)
        left |= {v: t for v, one in parties.items() if v not in gone and one.leaves(t, gone)}
        t += 1
    assert method.decide(graph, bits=None).rounds[0].tolist() == [left[v] for v in range(60)]
    with pytest.raises(QueryError, match="until it leaves"):
        parties[0].leaves(t, set(left))
    with pytest.raises(TypeError, match="secret noise"):
        copy.copy(parties[0])


def test_with_hardly_any_noise_they_are_the_core_numbers():
    graph = Graph(34, np.array(list(nx.karate_club_graph().edges())))
    exact, huge = core_numbers(graph), Fraction(2000)
    for method in (NaiveCores(34, huge), NoisyMontresor(34, huge, even_split(5)), MatPeeling(34, huge)):
        assert method.decide(graph, bits=SeededBits(1)).numbers.tolist() == exact.tolist()
    near = RisingPeeling(34, Fraction(300)).decide(graph, bits=SeededBits(1)).numbers
    assert np.abs(near - exact).max() <= 1


@pytest.mark.parametrize("method", every(4), ids=lambda m: m.name)
def test_what_is_published_is_of_the_declared_graph(method):
    found = method.decide(graph_of(4, 13), bits=SeededBits(5))
    assert found.numbers.shape == (4,)
    assert found.numbers.dtype == np.int64
    assert found.numbers.min() >= 0
    with pytest.raises(ParameterError, match="declared vertices"):
        method.decide(graph_of(3, 5), bits=SeededBits(5))


COPIES = 4000
"""A bound at confidence 1 - 1e-6 is false with chance 1e-6."""


def audited(method, seed=11):
    """The audit of a whole process on two vertices, with and without their edge."""
    bits = SeededBits(seed)

    def randomize(inputs):
        """Runs beside each other; all inputs of one call are equal."""
        copies = beside(graph_of(2, int(inputs[0])), len(inputs))
        found = method(copies.vertices).decide(copies, bits=bits)
        return np.stack(found.rounds, axis=1).reshape(len(inputs), -1)

    return audit(randomize, [0, 1], n=COPIES, confidence=1 - 1e-6)


TWO = Fraction(2)


@pytest.mark.parametrize("kind", [RisingPeeling, NoisyMontresor, LevelStructure, NoisyDegrees])
def test_an_audit_does_not_refute_a_promise(kind):
    assert not audited(lambda n: kind(n, TWO)).refutes(2)


def test_an_audit_refutes_what_is_published():
    assert audited(lambda n: PublishedMontresor(n, TWO, 1)).refutes(2)


@pytest.mark.parametrize(
    ("kind", "module"), [(RisingPeeling, rising), (NoisyMontresor, montresor), (LevelStructure, peeling)]
)
def test_an_audit_refutes_too_little_noise(kind, module, monkeypatch):
    """A quarter of the noise; half of it is caught by the exact laws of the contract."""
    drawn, part = module.discrete_laplace, Fraction(1, 4)
    monkeypatch.setattr(module, "discrete_laplace", lambda n, scale, bits: drawn(n, scale * part, bits=bits))
    assert audited(lambda n: kind(n, TWO)).refutes(2)


def test_a_recommendation_is_by_error_and_by_trust():
    """Only mechanisms without a curator in the local model; the trivial answers beside them."""
    local = recommend(400, 2400, Fraction(2), Model.LOCAL, runs=1)
    central = recommend(400, 2400, Fraction(2), Model.CENTRAL, runs=1)
    assert all(one.mechanism.is_local and one.mechanism.vertices == 400 for one in local.candidates)
    assert {type(one.mechanism) for one in central.candidates} >= {NaiveCores, OneGuess, RisingPeeling}
    errors = [one.error for one in local.candidates]
    assert errors == sorted(errors)
    assert local.is_worth_it
    assert isinstance(local.best, RisingPeeling)
    assert local == recommend(400, 2400, Fraction(2), Model.LOCAL, runs=1)


def test_where_epsilon_is_small_nothing_may_be_worth_it():
    found = recommend(30, 20, Fraction(1, 50), Model.LOCAL, runs=1)
    assert not found.is_worth_it


def test_its_error_on_real_graphs_is_below_that_of_noisy_rounds(shared):
    """At one price; two runs each, errors a factor of two apart."""
    graph = read(shared / "data" / "graphs" / "email-Eu-core.csv.gz")
    exact, bits = core_numbers(graph), SeededBits(8)
    for epsilon in (Fraction(1), Fraction(4)):
        ours, rounds = (
            np.mean([np.abs(m.decide(graph, bits=bits).numbers - exact).mean() for _ in range(2)])
            for m in (RisingPeeling(1005, epsilon), NoisyMontresor(1005, epsilon, even_split(3)))
        )
        assert 2 * ours < rounds
