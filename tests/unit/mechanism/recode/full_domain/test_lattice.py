"""The lattice as an array."""

import numpy as np

from sfumato.mechanism.recode.full_domain.lattice import Lattice

LATTICE = Lattice((2, 0, 1))


def test_an_attribute_without_a_choice_takes_no_dimension():
    assert (LATTICE.shape, LATTICE.size) == ((3, 2), 6)


def test_levels_are_in_lexicographic_order_and_index_finds_them():
    levels = LATTICE.levels()
    assert [LATTICE.index(node) for node in levels.tolist()] == list(range(6))
    assert levels.tolist() == sorted(levels.tolist())


def test_below_and_above_are_the_finer_and_the_coarser_nodes():
    levels = LATTICE.levels()
    node = np.array([1, 0, 1])
    for slices, expected in (
        (LATTICE.below(node), (levels <= node).all(axis=1)),
        (LATTICE.above(node), (levels >= node).all(axis=1)),
    ):
        marks = np.zeros(LATTICE.shape, bool)
        marks[slices] = True
        assert marks.ravel().tolist() == expected.tolist()
