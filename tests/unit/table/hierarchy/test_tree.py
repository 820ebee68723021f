"""A hierarchy is a tree of uniform depth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import AmbiguousHierarchy, IncompleteHierarchy
from sfumato.table.hierarchy.tree import Hierarchy, encode


def test_missing_and_ambiguous_are_different_errors():
    """B2: one node with two parents is not the same fault as a missing level."""
    with pytest.raises(AmbiguousHierarchy, match="1 nodes of level 1 have several at level 2"):
        Hierarchy.from_paths("x", [("12", "[10, 20[", "[0, 20[", "*"), ("15", "[10, 20[", "[10, 30[", "*")])
    with pytest.raises(IncompleteHierarchy, match="1 of 2 lines"):
        Hierarchy.from_paths("x", [("12", "[10, 20[", "*"), ("15", "*")])


def test_a_repeated_value_is_ambiguous():
    with pytest.raises(AmbiguousHierarchy, match="1 lines repeat one"):
        Hierarchy.from_paths("x", [("1", "*"), ("1", "*")])


def test_a_tree_has_one_root():
    with pytest.raises(IncompleteHierarchy, match="one root"):
        Hierarchy.from_paths("x", [("1", "a"), ("2", "b")])


def test_an_empty_tree_is_incomplete():
    with pytest.raises(IncompleteHierarchy, match="at least one value"):
        Hierarchy.from_paths("x", [])


@given(st.lists(st.text("ab", min_size=3, max_size=3), min_size=1, unique=True))
def test_climbing_equals_paths(leaves):
    climbed = Hierarchy.from_steps(
        "x", leaves, [lambda names: [n[:2] for n in names], lambda names: [n[:1] for n in names]]
    )
    listed = Hierarchy.from_paths("x", [(leaf, leaf[:2], leaf[:1], "*") for leaf in leaves])
    assert listed.labels == climbed.labels
    assert [codes.tolist() for codes in listed.ancestors] == [codes.tolist() for codes in climbed.ancestors]


def test_codes_of_two_parents_are_refused():
    with pytest.raises(AmbiguousHierarchy):
        Hierarchy.from_codes(
            "x", [("a", "b"), ("g",), ("h", "i")], [np.array([0, 1]), np.array([0, 0]), np.array([0, 1])]
        )


@given(st.lists(st.one_of(st.none(), st.text(max_size=2))))
def test_codes_are_indices_of_labels(names):
    labels, codes = encode(names)
    assert names == [labels[code] for code in codes]
    assert len(set(labels)) == len(labels)
