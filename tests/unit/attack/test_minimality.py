"""What minimality betrays: every way of giving the value, enumerated."""

from fractions import Fraction
from itertools import combinations

import pytest

from sfumato.attack.minimality import credibility, fine_chance
from sfumato.errors import ParameterError


def worlds(sizes, holders):
    """Holders in each group, once for every choice of persons."""
    group = [i for i, size in enumerate(sizes) for _ in range(size)]
    for chosen in combinations(range(len(group)), holders):
        yield [sum(group[p] == i for p in chosen) for i in range(len(sizes))]


def is_fine(counts, sizes, bound):
    """Whether no group has more than its share."""
    return all(count * bound <= size for count, size in zip(counts, sizes, strict=True))


CASES = [
    ((2, 4), 2, 2),
    ((1, 1, 3), 2, 2),
    ((3, 3), 3, 3),
    ((5, 2, 1), 4, Fraction(3, 2)),
    ((4,), 1, 2),
    ((2, 2), 0, 2),
]


@pytest.mark.parametrize(("sizes", "holders", "bound"), CASES)
def test_a_class_judged_alone(sizes, holders, bound):
    every = list(worlds(sizes, holders))
    broken = [w for w in every if not is_fine(w, sizes, bound)]
    found = credibility(sizes, holders, Fraction(bound), rest=Fraction(1))
    if broken:
        slow = [Fraction(sum(w[i] for w in broken), len(broken) * size) for i, size in enumerate(sizes)]
        assert list(found) == slow
    else:
        assert set(found) == {Fraction(holders, sum(sizes))}
    assert fine_chance(sizes, holders, Fraction(bound)) == Fraction(len(every) - len(broken), len(every))


@pytest.mark.parametrize(("sizes", "holders", "bound"), CASES[:4])
def test_two_classes_judged_together(sizes, holders, bound):
    """The other class may be the one for which the table was generalized."""
    other, there = (3, 1), 1
    both = [
        (a, b)
        for a in worlds(sizes, holders)
        for b in worlds(other, there)
        if not (is_fine(a, sizes, bound) and is_fine(b, other, bound))
    ]
    slow = [Fraction(sum(a[i] for a, _ in both), len(both) * size) for i, size in enumerate(sizes)]
    rest = fine_chance(other, there, Fraction(bound))
    assert list(credibility(sizes, holders, Fraction(bound), rest=rest)) == slow


def test_the_published_example():
    """Two of six have the value; at most half of a group may. Apart, the group of two must have broken that."""
    assert credibility((2, 4), 2, Fraction(2), rest=Fraction(1)) == (1, 0)


def test_holders_add_up():
    sizes, holders = (7, 11, 5), 9
    found = credibility(sizes, holders, Fraction(3, 2), rest=Fraction(1, 3))
    assert sum(p * size for p, size in zip(found, sizes, strict=True)) == holders


def test_an_intruder_who_forgets_the_method_is_caught():
    """The broken twin: the published share for everybody. It is what holds only where nothing is betrayed."""
    assert len(set(credibility((2, 4), 2, Fraction(2), rest=Fraction(1)))) == 2
    assert set(credibility((2, 4), 2, Fraction(2), rest=Fraction(0))) == {Fraction(1, 3)}


@pytest.mark.parametrize(("sizes", "holders", "bound"), [((), 0, 2), ((0, 1), 1, 2), ((2,), 3, 2), ((2,), 1, 0)])
def test_numbers_outside_their_range(sizes, holders, bound):
    with pytest.raises(ParameterError, match="holders among them"):
        credibility(sizes, holders, Fraction(bound), rest=Fraction(1))
