"""Groups made by hand are trees; branches of unequal depth are filled upwards."""

import pytest

from sfumato.errors import AmbiguousHierarchy, ParameterError, ValueFormMismatch, ValueNotInHierarchy
from sfumato.table.hierarchy import groups
from sfumato.table.hierarchy.groups import Group, Groups
from sfumato.table.hierarchy.match import Match
from sfumato.table.hierarchy.propose import paths
from sfumato.table.schema import Column, Role

STATUS = Column("status", Role.QUASI_IDENTIFYING)


def test_groups_without_names_are_sets():
    tree = Groups((Group(("b", "a")), Group(("c",)))).build(STATUS, ["c"])
    assert tree.labels == (("b", "a", "c"), ("{a, b}", "c"), ("*",))


def test_groups_of_groups_are_levels():
    tree = Groups((Group((Group(("a", "b")), Group(("c",)))), Group((Group(("d",)),)))).build(STATUS, [])
    assert tree.labels[1:] == (("{a, b}", "c", "d"), ("{a, b, c}", "d"), ("*",))


def test_shorter_branches_repeat_their_lower_label():
    tree = Groups((Group((Group(("a",), "A"), "b"), "AB"), "c")).build(STATUS, [])
    assert paths(tree) == [("a", "A", "AB", "*"), ("b", "b", "AB", "*"), ("c", "c", "c", "*")]


def test_a_value_in_two_groups_is_ambiguous():
    """B2: the same value below two parents."""
    with pytest.raises(AmbiguousHierarchy):
        Groups((Group(("a", "b")), Group(("b", "c")))).build(STATUS, ["a"])


def test_a_value_in_no_group():
    with pytest.raises(ValueNotInHierarchy, match="1 of 2"):
        Groups((Group(("a",)),)).build(STATUS, ["a", "z"])


def test_forms_of_numbers():
    """B5: as in files."""
    spec = Groups((Group(("1", "2"), "low"), "3"))
    with pytest.raises(ValueFormMismatch):
        spec.build(STATUS, ["1.0", "3.0"])
    tree = Groups(spec.members, Match.NUMBER).build(STATUS, ["1.0", "3.0"])
    assert paths(tree) == [("1.0", "low", "*"), ("2", "low", "*"), ("3.0", "3.0", "*")]


def test_empty_groups_are_refused():
    with pytest.raises(ParameterError):
        Group(())
    with pytest.raises(ParameterError):
        Groups(())


def test_no_group_is_walked_again_to_check_its_label(monkeypatch):
    """Each member of a deep tree is visited once: values, and groups whose labels are no values."""
    visited = []
    walk = groups._paths
    monkeypatch.setattr(groups, "_paths", lambda member: (visited.append(member), walk(member))[1])
    tree = [Group(tuple(f"{i}{j}" for j in range(4)), f"group {i}") for i in range(6)]
    Groups((Group(tuple(tree[:3]), "low"), Group(tuple(tree[3:]), "high"))).build(
        Column("x", Role.QUASI_IDENTIFYING), [f"{i}{j}" for i in range(6) for j in range(4)]
    )
    assert len(visited) == 24 + 6 + 2
