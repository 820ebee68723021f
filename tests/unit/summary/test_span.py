"""Labels as runs of leaves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.summary.span import Domain, Ncp, smallest_level, spans_of_leaves
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.strategies import hierarchies


def numbers(values, **kwargs):
    return bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER, **kwargs), values)


@st.composite
def labelled(draw):
    """An attribute, text or ordered, some of its leaves as domain, and random sets of leaves as labels."""
    n = draw(st.integers(1, 8))
    tree = draw(hierarchies("x", n))
    ordered = draw(st.booleans())
    places = np.array(draw(st.permutations(range(n))), float) if ordered else None
    kind = Kind.INTEGER if ordered else Kind.TEXT
    attribute = Attribute(Column("x", Role.QUASI_IDENTIFYING, kind), tree, places)
    present = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(any)))
    leaves = [int(v) for v in np.flatnonzero(present)]
    sets = draw(st.lists(st.sets(st.sampled_from(leaves)), max_size=5))
    return Domain.of(attribute, present), [sorted(s) for s in sets]


def spans_for(domain, sets):
    owner = np.repeat(np.arange(len(sets)), [len(s) for s in sets]).astype(np.int64)
    leaf = np.array([v for s in sets for v in s], np.int64)
    return spans_of_leaves(domain, owner, leaf, len(sets))


@given(labelled())
def test_runs_hold_exactly_the_leaves_they_were_made_of(case):
    domain, sets = case
    spans = spans_for(domain, sets)
    back = [[] for _ in sets]
    for owner, start, stop in zip(spans.owner, spans.start, spans.stop, strict=True):
        back[owner] += domain.order[start:stop].tolist()
    assert [sorted(leaves) for leaves in back] == sets
    assert spans.n_leaves.tolist() == [len(s) for s in sets]


@given(labelled())
def test_totals_are_sums_over_the_leaves(case):
    domain, sets = case
    values = np.arange(1.0, domain.n + 1)
    slow = [sum(values[domain.rank[leaf]] for leaf in s) for s in sets]
    assert spans_for(domain, sets).total(values).tolist() == pytest.approx(slow)


@given(labelled())
def test_spreading_gives_each_leaf_an_equal_part(case):
    domain, sets = case
    weights = np.arange(1.0, len(sets) + 1)
    slow = np.zeros(domain.n)
    for weight, leaves in zip(weights, sets, strict=True):
        for leaf in leaves:
            slow[domain.rank[leaf]] += weight / len(leaves)
    assert spans_for(domain, sets).spread(weights) == pytest.approx(slow)


@given(labelled())
def test_the_smallest_node_is_the_first_common_ancestor(case):
    domain, sets = case
    tree = domain.attribute.hierarchy
    for leaves, level in zip(sets, smallest_level(spans_for(domain, sets)), strict=True):
        common = [h for h in range(tree.height + 1) if len({tree.ancestors[h][v] for v in leaves}) == 1]
        assert level == (common[0] if leaves else tree.height)


@given(labelled())
def test_penalties_equal_their_definitions(case):
    domain, sets = case
    spans, tree, places = spans_for(domain, sets), domain.attribute.hierarchy, domain.attribute.positions

    def penalty(leaves):
        if places is None:
            return 0.0 if len(leaves) <= 1 else len(leaves) / domain.n
        width = places[domain.order].max() - places[domain.order].min()
        return (places[leaves].max() - places[leaves].min()) / width if width and leaves else 0.0

    def node(leaves):
        if not leaves:
            return 0.0
        for ancestors in tree.ancestors:
            if len(set(ancestors[leaves])) == 1:
                return penalty([v for v in domain.order.tolist() if ancestors[v] == ancestors[leaves[0]]])
        raise AssertionError

    assert spans.ncp(Ncp.WIDTH).tolist() == pytest.approx([penalty(s) for s in sets])
    assert spans.ncp(Ncp.NODE).tolist() == pytest.approx([node(s) for s in sets])
    assert spans.ncp(Ncp.LEAVES).tolist() == pytest.approx([0 if len(s) <= 1 else len(s) / domain.n for s in sets])


def test_leaves_of_a_node_follow_each_other():
    tree = Hierarchy.from_paths("x", [("a", "1", "*"), ("b", "2", "*"), ("c", "1", "*")])
    domain = Domain.of(Attribute(Column("x", Role.QUASI_IDENTIFYING), tree, None))
    assert domain.order.tolist() == [0, 2, 1]


def test_declared_bounds_are_the_domain_of_widths():
    domain = Domain.of(numbers(["10", "20"], bounds=(0.0, 100.0)))
    spans = spans_for(domain, [[0, 1]])
    assert spans.ncp(Ncp.WIDTH).tolist() == [0.1]


def test_a_number_or_the_missing_value_counts_its_share_of_leaves():
    domain = Domain.of(numbers(["10", "20", None]))
    spans = spans_for(domain, [[0, 2], [0], [2]])
    assert spans.ncp(Ncp.WIDTH).tolist() == pytest.approx([2 / 3, 0.0, 0.0])


def test_a_label_of_no_leaf_has_no_run():
    spans = spans_for(Domain.of(numbers(["1", "2"])), [[], [0]])
    assert spans.n_leaves.tolist() == [0, 1]
