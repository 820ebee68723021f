"""A vertex is found among those that look the same, and one alone for certain."""

import numpy as np
import pytest

from sfumato.attack.graph.look import Around, LookAlike, chance_of_finding
from sfumato.table.graph import Graph

KITE = Graph(6, np.array([[0, 1], [0, 2], [1, 2], [2, 3], [3, 4]]))
"""A triangle with a tail, and a vertex alone."""


@pytest.mark.parametrize(
    ("knows", "alike"),
    [
        ("degree", [3, 3, 1, 3, 1, 1]),
        ("degrees of neighbors", [2, 2, 1, 1, 1, 1]),
        ("neighborhood", [2, 2, 1, 1, 1, 1]),
    ],
)
def test_what_an_intruder_finds(knows, alike):
    assert (1 / chance_of_finding(KITE, knows)).round().tolist() == alike


def test_each_who_looks_the_same_is_drawn_alike():
    """A share of 600 draws; false alarm 1e-6 by Hoeffding."""
    known = Around(KITE, np.zeros(600, int))
    said = LookAlike("degree").guess(KITE, known, np.random.default_rng(3))
    count = np.bincount(said, minlength=6)
    assert set(np.flatnonzero(count)) == {0, 1, 3}
    assert np.abs(count[[0, 1, 3]] / 600 - 1 / 3).max() <= np.sqrt(np.log(6e6) / 1200)


def test_nobody_looks_so():
    known = Around(Graph(6, np.array([[0, i] for i in range(1, 6)])), np.array([0]))
    assert LookAlike("degree").guess(KITE, known, np.random.default_rng(1)).tolist() == [-1]
