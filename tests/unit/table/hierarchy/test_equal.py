"""Groups of about equal counts: nothing is lost, neighbors stay neighbors, and no group is much fuller than another."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.table.hierarchy.equal import equal_by_frequency, equal_in_order, shared
from sfumato.table.schema import Column, Kind, Role

TOWN = Column("town", Role.QUASI_IDENTIFYING)
COUNTS = st.lists(st.integers(1, 30), min_size=2, max_size=24)


def levels(spec, held):
    """By level above the values, the values of each group."""
    tree = spec.build(TOWN, list(held))
    for level in range(1, tree.height):
        groups = {}
        for leaf, value in enumerate(tree.labels[0]):
            groups.setdefault(int(tree.ancestors[level][leaf]), []).append(value)
        yield list(groups.values())


@given(COUNTS, st.integers(2, 4))
def test_groups_are_as_equal_as_one_value_allows(counts, size):
    """By frequency: the fullest group has at most the persons of one value more than the emptiest."""
    groups = shared(counts, size)
    sizes = [sum(count for count, group in zip(counts, groups, strict=True) if group == one) for one in range(size)]
    assert max(sizes) - min(sizes) <= max(counts)


@given(COUNTS, st.integers(2, 4))
def test_nothing_is_lost_by_frequency(counts, fanout):
    """Each level holds every value once, in fewer groups; of equal counts the first level has n / fanout."""
    held = {f"v{i:02d}": count for i, count in enumerate(counts)}
    n = len(held)
    for groups in levels(equal_by_frequency(list(held), np.array(counts), fanout), held):
        assert sorted(value for group in groups for value in group) == sorted(held)
        assert len(groups) <= n
        n = len(groups)
    equal = [*levels(equal_by_frequency(list(held), np.ones(len(held), np.int64), fanout), held)]
    assert not equal or len(equal[0]) <= -(-len(held) // fanout)


@given(COUNTS, st.integers(2, 4))
def test_groups_in_order_are_runs(counts, fanout):
    """Of neighbors in the order of the texts, whatever order they came in; each level of fewer groups."""
    held = {f"v{i:02d}": count for i, count in enumerate(counts)}
    turned = dict(reversed(held.items()))
    spec = equal_in_order(TOWN, list(turned), np.array(list(turned.values())), fanout)
    assert spec == equal_in_order(TOWN, list(held), np.array(counts), fanout)
    n = len(held)
    for groups in levels(spec, held):
        assert [value for group in sorted(groups) for value in group] == sorted(held)
        assert len(groups) <= n
        n = len(groups)


def test_a_long_group_has_a_name_of_its_own():
    """Also where the table has a value of that text; a missing value is in no group."""
    spec = equal_in_order(TOWN, [*"abcdefghijkl", "a – e", None], np.array([1] * 13 + [50]), 7)
    assert [member.label for member in spec.members] == ["a – e (merged)", "f – l"]
    spec = equal_by_frequency([*"abcdefg", "a and 5 more"], np.array([9, 1, 1, 1, 1, 1, 20, 20]), 4)
    assert len({label for names in spec.build(TOWN, []).labels[:2] for label in names}) == 10


def test_numbers_become_ranges_and_a_fanout_is_two_at_least():
    age = Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER)
    spec = equal_in_order(age, ["4", "3", "2", "1"], np.ones(4, np.int64), 2)
    assert spec.build(age, ["1", "4"]).labels[1] == ("< 3", ">= 3")
    for made in (lambda: equal_in_order(TOWN, ["a"], np.ones(1), 1), lambda: equal_by_frequency(["a"], np.ones(1), 1)):
        with pytest.raises(ParameterError):
            made()
