"""Parallel composition: the worst person, found by trying every person."""

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.account.ledger.account import Scope
from sfumato.account.parallel import total_cost
from sfumato.errors import ParameterError
from sfumato.table.unit import OF_TABLES, Neighbors

KEYS = "abcde"
SCOPES = st.none() | st.builds(Scope, st.just("county"), st.sets(st.sampled_from(KEYS), min_size=1).map(tuple))
COSTS = st.tuples(st.integers(0, 9).map(Fraction), st.integers(0, 3).map(Fraction))


def slow(charges, sides):
    """Every key that a person may have, or every two keys that a replacement may have."""
    best = [Fraction(0), Fraction(0)]
    for keys in combinations_with_replacement((*KEYS, "nowhere"), sides):
        for i in range(2):
            touched = [c[i] for c, s in charges if s is None or set(keys) & set(s.keys)]
            best[i] = max(best[i], sum(touched, Fraction(0)))
    return tuple(best)


@given(st.lists(st.tuples(COSTS, SCOPES), min_size=1, max_size=8), st.sampled_from(OF_TABLES))
def test_total_is_that_of_the_worst_person(charges, neighbors):
    """Equal to trying all of them."""
    assert total_cost(charges, neighbors) == slow(charges, neighbors.sides)


@given(st.lists(st.tuples(COSTS, SCOPES), min_size=1, max_size=8), st.tuples(COSTS, SCOPES), st.sampled_from(OF_TABLES))
def test_one_more_charge_never_lowers_the_total(charges, more, neighbors):
    """So a filter on the total is a filter at every moment, and never above the plain sum."""
    before, after = total_cost(charges, neighbors), total_cost([*charges, more], neighbors)
    assert all(a <= b for a, b in zip(before, after, strict=True))
    assert after[0] <= sum(cost[0] for cost, _ in [*charges, more])


def test_one_answer_about_all_parts_counts_once():
    """A histogram over the keys costs its ε under replacement, not twice."""
    cost = (Fraction(1),)
    charges = [(cost, Scope("county", tuple(KEYS)))]
    assert total_cost(charges, Neighbors.REPLACE) == cost


def test_different_columns_add_up():
    """A person has a value in each."""
    charges = [((Fraction(1),), Scope("county", ("a",))), ((Fraction(2),), Scope("age", ("a",)))]
    assert total_cost(charges, Neighbors.ADD_REMOVE) == (Fraction(3),)


def test_many_parts_are_quick():
    """2 000 parts with a charge each: two of them count."""
    charges = [((Fraction(i),), Scope("county", (str(i),))) for i in range(2000)]
    assert total_cost(charges, Neighbors.REPLACE) == (Fraction(1999 + 1998),)


@pytest.mark.parametrize("charges", [[], [((Fraction(1),), None), ((Fraction(1), Fraction(0)), None)]])
def test_only_costs_of_one_measure_add_up(charges):
    """No charge at all has no measure."""
    with pytest.raises(ParameterError, match="one measure"):
        total_cost(charges, Neighbors.REPLACE)


MANY = [f"k{i:02}" for i in range(16)]
WIDE = st.builds(Scope, st.just("county"), st.sets(st.sampled_from(MANY), min_size=1).map(tuple))


@given(st.lists(st.tuples(st.integers(0, 9).map(Fraction), WIDE), min_size=1, max_size=8))
def test_many_parts_at_once_cost_at_least_the_worst_replacement_and_at_most_the_sum(charges):
    """Pairs are not kept for wide scopes: what is counted may be more than the worst, never less."""
    total = total_cost([((cost,), scope) for cost, scope in charges], Neighbors.REPLACE)[0]
    reads = {frozenset(i for i, (_, scope) in enumerate(charges) if key in scope.keys) for key in MANY}
    worst = max(sum(charges[i][0] for i in a | b) for a in reads for b in reads)
    assert worst <= total <= sum(cost for cost, _ in charges)


def test_disjoint_blocks_of_many_parts_cost_two_of_them_and_one_answer_about_all_costs_one():
    blocks = [((Fraction(1),), Scope("county", tuple(f"{block} {i}" for i in range(20)))) for block in range(5)]
    assert total_cost(blocks, Neighbors.REPLACE) == (2,)
    everything = Scope("county", tuple(f"{block} {i}" for block in range(5) for i in range(20)))
    assert total_cost([((Fraction(3),), everything)], Neighbors.REPLACE) == (3,)
