"""What the promises of form say that they do not stop is not stopped."""

import numpy as np

from sfumato.attack.graph.look import chance_of_finding
from sfumato.attack.graph.overlap import overlapping
from sfumato.attack.graph.seeds import Propagation, Seeded
from sfumato.mechanism.graph.syntactic.k_degree import KDegree, degree_anonymity
from sfumato.table.graph import Graph


def published():
    """A random graph of 300 persons, made 10-degree anonymous."""
    before = Graph(300, np.random.default_rng(4).integers(0, 300, (2400, 2)))
    return before, KDegree(10, "add").decide(before).graph


def test_degrees_of_neighbors_find_nearly_everybody_although_degrees_find_few():
    _, after = published()
    assert degree_anonymity(after) >= 10
    assert chance_of_finding(after, "degree").max() <= 0.1
    assert chance_of_finding(after, "degrees of neighbors").mean() > 0.9


def test_seeds_find_the_others_and_their_edges():
    """With 20 known of 300 and four fifths of the edges; the same on a graph of others finds nobody."""
    before, after = published()
    rng = np.random.default_rng(5)
    drawn = overlapping(before, 1.0, 0.9, rng=rng)
    place = np.argsort(drawn.person_of_one)
    view = Graph(300, place[after.edges])
    seeds = rng.permutation(300)[:20]
    said = Propagation().guess(view, Seeded(drawn.other, seeds, place[drawn.person_of_other[seeds]]), rng)
    found = said == place[drawn.person_of_other]
    assert np.delete(found, seeds).mean() > 0.8
    code = {tuple(sorted(edge)) for edge in view.edges.tolist()}
    who = np.full(300, -1)
    who[drawn.person_of_other] = said
    known = [tuple(sorted(who[edge].tolist())) in code for edge in before.edges if (who[edge] >= 0).all()]
    assert len(known) > 1000
    assert np.mean(known) > 0.8
    stranger = Graph(300, rng.integers(0, 300, (2400, 2)))
    wrong = Propagation().guess(stranger, Seeded(drawn.other, seeds, place[drawn.person_of_other[seeds]]), rng)
    assert np.delete(wrong == place[drawn.person_of_other], seeds).mean() < 0.05
