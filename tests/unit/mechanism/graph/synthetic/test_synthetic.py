"""Synthetic graphs: degrees and numbers of edges that are asked for; noisy numbers are all they read. Losses: contract."""

from fractions import Fraction

import numpy as np
import pytest
from tests.unit.mechanism.graph.tiny_graphs import graphs

from sfumato.account.event import PureDP
from sfumato.errors import ParameterError
from sfumato.mechanism.graph.groups import Groups
from sfumato.mechanism.graph.synthetic.graphs import FromDegrees, FromGroups, FromJointDegrees
from sfumato.mechanism.graph.synthetic.joint_degrees import JointDegrees
from sfumato.mechanism.graph.synthetic.wire import fitted, wire
from sfumato.table.graph import Graph
from sfumato.table.unit import Neighbors
from sfumato.testing.seeded_bits import SeededBits

SURE, EDGE = Fraction(10**4), Neighbors.EDGE


def crowd(n=300, m=1500, seed=1):
    rng = np.random.default_rng(seed)
    chance = rng.pareto(2.5, n) + 0.3
    return Graph(n, rng.choice(n, (m, 2), p=chance / chance.sum()))


def test_degrees_are_those_that_are_asked_for():
    """All degrees of 300 vertices that some graph has: pairing and mending keep nearly all."""
    graph = crowd()
    drawn = wire(np.zeros(300, int), graph.degrees, np.array([[len(graph.edges)]]), bits=SeededBits(1))
    assert np.abs(drawn.degrees - graph.degrees).sum() <= 0.02 * graph.degrees.sum()


def test_edges_between_classes_are_those_that_are_asked_for_also_where_dense():
    classes, degrees = np.repeat([0, 1, 2], [6, 20, 30]), np.repeat([7, 5, 4], [6, 20, 30])
    edges = np.array([[14, 6, 8], [6, 20, 30], [8, 30, 25]])
    drawn = wire(classes, degrees, edges, bits=SeededBits(2))
    ends = np.sort(classes[drawn.edges], axis=1)
    found = np.bincount(ends[:, 0] * 3 + ends[:, 1], minlength=9).reshape(3, 3)
    assert found[np.triu_indices(3)].tolist() == edges[np.triu_indices(3)].tolist()
    assert not len(wire(classes, 0 * degrees, edges, bits=SeededBits(2)).edges)


def test_fitted_counts_have_the_ends():
    rng = np.random.default_rng(1)
    counts = rng.random((5, 5)) + 0.1
    counts += counts.T
    ends = rng.random(5) + 1
    found = fitted(counts, ends, rounds=300)
    assert (found.sum(axis=1) + np.diag(found)).tolist() == pytest.approx(ends.tolist())
    assert np.array_equal(found, found.T)


def test_joint_degrees_are_counted_as_by_hand():
    starts = (1, 2, 4)
    joint = JointDegrees(4, starts, PureDP(SURE))
    for graph in graphs(4)[::7]:
        slow = np.zeros((3, 3), int)
        for u, v in graph.edges.tolist():
            a, b = sorted(max(i for i, s in enumerate(starts) if s <= graph.degrees[w]) for w in (u, v))
            slow[a, b] += 1
        assert joint.totals(graph).tolist() == slow[np.triu_indices(3)].tolist()


def test_graphs_without_noise_keep_what_they_know():
    graph, groups = crowd(), Groups(np.arange(300) % 3, 4)
    true = np.sort(graph.degrees)
    drawn = FromDegrees(300, 299, EDGE, SURE).draw(graph, bits=SeededBits(1))
    assert np.abs(np.sort(drawn.degrees) - true).mean() < 0.1
    method = FromJointDegrees(300, 299, (1, 2, 4, 8, 16), SURE)
    joint, drawn = method.parts[1], method.draw(graph, bits=SeededBits(1))
    apart = np.abs(joint.totals(drawn) - joint.totals(graph)).sum()
    other = FromDegrees(300, 299, EDGE, SURE).draw(graph, bits=SeededBits(1))
    assert apart < 0.5 * np.abs(joint.totals(other) - joint.totals(graph)).sum() or apart < 0.05 * len(graph.edges)
    for share in (Fraction(0), Fraction(1, 2)):
        method = FromGroups(groups, SURE, share)
        mixing, drawn = method.parts[0], method.draw(graph, bits=SeededBits(1))
        assert np.abs(mixing.totals(drawn) - mixing.totals(graph)).sum() <= 0.03 * len(graph.edges)
    assert np.array_equal(np.bincount(groups.codes[drawn.edges].ravel(), minlength=4)[3:], [0])


@pytest.mark.parametrize("epsilon", [Fraction(1, 100), Fraction(1)])
def test_they_read_noisy_numbers_and_nothing_else(epsilon, monkeypatch):
    """Two graphs whose released numbers are made the same give the same drawing; every drawing is a graph."""
    one, other, groups = crowd(40, 90, 1), crowd(40, 90, 2), Groups(np.arange(40) % 3, 3)
    for method in (
        FromDegrees(40, 39, EDGE, epsilon),
        FromDegrees(40, 5, Neighbors.NODE, epsilon),
        FromJointDegrees(40, 39, (1, 2, 4), epsilon),
        FromGroups(groups, epsilon),
        FromGroups(groups, epsilon, Fraction(0)),
    ):
        for part in method.parts:
            monkeypatch.setattr(type(part), "totals", lambda self, graph, of=part: type(of).of(self, one))
        drawn = [method.draw(graph, bits=SeededBits(3)) for graph in (one, other)]
        assert np.array_equal(drawn[0].edges, drawn[1].edges)
        assert drawn[0].vertices == 40
        monkeypatch.undo()


@pytest.mark.parametrize(
    "make",
    [
        lambda: JointDegrees(4, (2, 3), PureDP(SURE)),
        lambda: JointDegrees(4, (1, 3, 2), PureDP(SURE)),
        lambda: JointDegrees(4, (), PureDP(SURE)),
        lambda: FromJointDegrees(4, 3, (1,), SURE, Fraction(1)),
        lambda: FromGroups(Groups.one(3), SURE, 0.5),
        lambda: FromDegrees(4, 3, EDGE, 1.0),
    ],
)
def test_what_is_refused(make):
    with pytest.raises(ParameterError):
        make()
