"""The promise of ratio closeness, computed from nothing but Bayes' rule on every possible table."""

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from sfumato.errors import ParameterError
from sfumato.guarantee.ratio_closeness import RatioCloseness, odds_epsilon
from sfumato.testing.examples import classes_with_illness as table


def posterior(counts, shares, prior, known=()):
    """Shares of the values of one person, given the list of values of the class: by listing all assignments.

    Others are independent with the shares of the table; `known` are the values of some of them.
    """
    size = sum(counts)
    out = [Fraction(0)] * len(counts)
    for assignment in product(range(len(counts)), repeat=size):
        tally = Counter(assignment)
        if [tally[v] for v in range(len(counts))] != list(counts) or assignment[1 : 1 + len(known)] != known:
            continue
        weight = prior[assignment[0]]
        for value in assignment[1 + len(known) :]:
            weight *= shares[value]
        out[assignment[0]] += weight
    whole = sum(out)
    return [chance / whole for chance in out]


def furthest_odds(before, after):
    """The greatest factor on the odds of one value to another."""
    shift = [a / b for a, b in zip(after, before, strict=True)]
    return max(shift) / min(shift)


def shares_of(rows):
    total = [sum(column) for column in zip(*rows, strict=True)]
    return [Fraction(count, sum(total)) for count in total]


TABLES = [[[2, 1], [1, 2]], [[2, 1, 1], [1, 2, 1]], [[3, 1], [2, 2], [2, 2]], [[2, 2, 1], [1, 1, 1]]]
PRIORS = {
    2: [[Fraction(1, 2)] * 2, [Fraction(9, 10), Fraction(1, 10)]],
    3: [[Fraction(1, 3)] * 3, [Fraction(98, 100), Fraction(1, 100), Fraction(1, 100)]],
}


@pytest.mark.parametrize("rows", TABLES)
def test_odds_shift_by_at_most_the_square_whatever_the_prior(rows):
    shares = shares_of(rows)
    limit = Fraction(repr(RatioCloseness("illness", 1).measure(table(rows))))
    for counts in rows:
        for prior in PRIORS[len(shares)]:
            after = posterior(counts, shares, prior)
            assert furthest_odds(prior, after) <= limit**2
            assert after == [p * Fraction(m, sum(counts)) / s / sum(
                q * Fraction(k, sum(counts)) / t for q, k, t in zip(prior, counts, shares, strict=True)
            ) for p, m, s in zip(prior, counts, shares, strict=True)]  # fmt: skip


@pytest.mark.parametrize("rows", TABLES)
def test_whoever_thinks_what_the_table_says_learns_a_factor_of_at_most_t(rows):
    shares = shares_of(rows)
    limit = Fraction(repr(RatioCloseness("illness", 1).measure(table(rows))))
    for counts in rows:
        after = posterior(counts, shares, shares)
        assert after == [Fraction(m, sum(counts)) for m in counts]
        assert all(max(a / b, b / a) <= limit for a, b in zip(after, shares, strict=True))


def test_whoever_knows_the_others_learns_everything():
    """The promise that is not made: with the other rows known, a class that keeps it leaves no doubt."""
    rows = [[2, 1], [1, 2]]
    shares = shares_of(rows)
    after = posterior(rows[0], shares, shares, known=(0, 1))
    assert after == [1, 0]


def test_a_value_that_a_class_lacks_breaks_it():
    assert RatioCloseness("illness", 1000).holds(table([[1, 1], [2, 0]])).tolist() == [True, False]
    assert RatioCloseness("illness", 1000).measure(table([[1, 1], [2, 0]])) == math.inf


def test_thresholds_are_exact():
    skewed = table([[2, 1], [1, 2]])
    assert RatioCloseness("illness", "3/2").holds(skewed).all()
    assert not RatioCloseness("illness", "1.4999999999999999999").holds(skewed).any()


def test_epsilon_is_rounded_up():
    for t in (Fraction(3, 2), Fraction(10**9 + 1, 10**9), Fraction(7)):
        assert odds_epsilon(t) >= 2 * math.log1p(float(t - 1)) * (1 - 1e-15)
    assert RatioCloseness("illness", 2).guarantee().parameters == {"t": 2, "epsilon": odds_epsilon(Fraction(2))}


@pytest.mark.parametrize("t", [0.9, "close"])
def test_parameters_outside_their_range_are_refused(t):
    with pytest.raises(ParameterError):
        RatioCloseness("illness", t)
