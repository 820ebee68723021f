"""Nodes that bear the label of another: two classes that look like one."""

import pytest

from sfumato.errors import AmbiguousHierarchy
from sfumato.release.binding import shared_names
from sfumato.table.attribute import bind
from sfumato.table.hierarchy.groups import Group, Groups
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Role

STATUS = Column("status", Role.QUASI_IDENTIFYING)


@pytest.mark.parametrize(
    "members",
    [
        (Group(("Widowed",), "Divorced"), "Divorced"),  # the label of a value that stays alone
        (Group(("Widowed",), "X"), Group(("Divorced",), "X")),  # two groups, one label
        (
            Group((Group(("Widowed",), "X"), "Single"), "Y"),
            Group((Group(("Divorced",), "Z"),), "X"),
        ),  # at another level
    ],
)
def test_a_group_that_takes_the_label_of_another_is_refused(members):
    with pytest.raises(AmbiguousHierarchy, match="label of its own"):
        Groups(members).build(STATUS, ["Widowed", "Divorced"])


def test_a_group_may_be_called_as_one_of_its_values():
    tree = Groups((Group(("Divorced", "Widowed"), "Divorced"), "Single")).build(STATUS, ["Widowed", "Single"])
    assert tree.labels[1] == ("Divorced", "Single")


def test_a_label_that_stands_for_other_values_higher_up_is_refused():
    paths = [("a", "X", "P", "*"), ("b", "Y", "X", "*")]
    with pytest.raises(AmbiguousHierarchy, match="1 stand for other values at another level"):
        Hierarchy.from_paths("x", paths)


def test_a_label_that_stands_for_more_values_higher_up_is_told():
    tree = Hierarchy.from_paths("status", [("a", "a", "*"), ("b", "Other", "*"), ("Other", "Other", "*")])

    class Given:
        def build(self, column, values):
            return tree

    attribute = bind(Column("status", Role.QUASI_IDENTIFYING, hierarchy=Given()), ["a", "b", "Other"])
    assert "'status' 1 labels are borne at several levels" in shared_names([attribute])[0]


def test_a_label_that_is_repeated_where_a_level_is_skipped_is_not_told():
    tree = Groups((Group(("Divorced", "Widowed"), "Married"), "Single")).build(STATUS, ["Widowed", "Single"])
    attribute = bind(STATUS, ["Widowed", "Single"])
    assert shared_names([attribute]) == []
    assert Hierarchy.from_paths("x", [("a", "a", "*"), ("b", "c", "*")]).height == tree.height == 2
