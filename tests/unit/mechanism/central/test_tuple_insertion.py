"""α-β insertion: the exact law and ε on a tiny domain, unbiased counts, calibration, broken twins."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.central.tuple_insertion import MOST_INSERTED, TupleInsertion
from sfumato.numbers.enclosure import exp_between
from sfumato.testing.seeded_bits import SeededBits

SETS = [frozenset(c) for k in range(4) for c in combinations(range(3), k)]


def chance(table, published, kept, inserted):
    """P(published | table) on a domain of three tuples."""
    out = Fraction(1)
    for place in range(3):
        p = kept if place in table else inserted
        out *= p if place in published else 1 - p
    return out


def odds(kept, inserted):
    """The largest ratio over all tables that differ in one tuple, and all outcomes."""
    pairs = [(a, b) for a in SETS for b in SETS if len(a ^ b) == 1]
    return max(chance(a, v, kept, inserted) / chance(b, v, kept, inserted) for a, b in pairs for v in SETS)


@pytest.mark.parametrize(("alpha", "beta"), [("1/2", "1/4"), ("4/5", "1/10"), ("1/10", "8/10"), ("1/100", "1/1000")])
def test_the_stated_odds_are_those_of_the_worst_pair(alpha, beta):
    method = TupleInsertion((3,), Fraction(alpha), Fraction(beta))
    assert method.odds == odds(method.alpha + method.beta, method.beta)
    assert float(method.event.epsilon) == pytest.approx(math.log(method.odds), rel=1e-14)
    assert exp_between(method.event.epsilon)[1] >= method.odds


def draws(decide, n=1200):
    """How often each of the eight outcomes comes, for the table {0, 2} of three tuples."""
    seen = np.zeros(8)
    for _ in range(n):
        seen[sum(1 << int(i) for i in decide())] += 1
    return seen


def distance(seen, kept, inserted):
    """The largest number of deviations between the outcomes and their law."""
    law = [chance({0, 2}, {i for i in range(3) if v >> i & 1}, kept, inserted) for v in range(8)]
    expected = seen.sum() * np.array([float(p) for p in law])
    return float(np.max(np.abs(seen - expected) / np.sqrt(expected)))


def test_published_tables_have_their_law():
    """1200 draws, 8 cells, 6 deviations: false alarm below 1e-7."""
    method, bits = TupleInsertion((3,), Fraction(1, 4), Fraction(1, 2)), SeededBits(6)
    seen = draws(lambda: method.decide(np.array([[2], [0], [2]]), bits=bits)[:, 0])
    assert distance(seen, Fraction(3, 4), Fraction(1, 2)) < 6


def test_insertions_that_hit_the_table_would_be_seen():
    """Broken twin: what is inserted is not removed where it hits the table, so a true tuple has a second chance."""
    rng = np.random.default_rng(1)

    def twice():
        kept = {i for i in (0, 2) if rng.random() < 0.75}
        return kept | {i for i in range(3) if rng.random() < 0.5}

    assert distance(draws(twice), Fraction(3, 4), Fraction(1, 2)) > 6


def test_true_tuples_kept_with_alpha_alone_break_the_stated_odds():
    """Broken twin: 1/2 instead of 3/4 lowers the odds; the stated ones would be wrong, and estimates biased."""
    assert odds(Fraction(1, 2), Fraction(1, 4)) != TupleInsertion((3,), Fraction(1, 2), Fraction(1, 4)).odds


def test_insertion_among_present_tuples_only_shows_who_is_there():
    """Broken twin: what is published was in the table; a neighbor without it makes the outcome impossible."""
    with pytest.raises(ZeroDivisionError):
        odds(Fraction(3, 4), Fraction(0))


def test_a_replaced_tuple_costs_twice():
    """Two tables that differ in two tuples: the odds are at most the square, and reach it where β = 1/(1 + e^ε)."""
    method = TupleInsertion((3,), Fraction(1, 2), Fraction(1, 4))
    p, q = method.alpha + method.beta, method.beta
    worst = max(chance({0}, v, p, q) / chance({1}, v, p, q) for v in SETS)
    assert worst == method.odds**2


def test_the_mean_and_variance_of_the_estimate_by_enumeration():
    """Exact, over all outcomes on three tuples, for a property of two of them."""
    method, matching = TupleInsertion((3,), Fraction(1, 3), Fraction(1, 5)), {0, 1}
    p, q = method.alpha + method.beta, method.beta
    for table in SETS:
        true = len(table & matching)
        law = [(chance(table, v, p, q), (len(v & matching) - q * 2) / method.alpha) for v in SETS]
        assert sum(w * x for w, x in law) == true
        assert sum(w * (x - true) ** 2 for w, x in law) == method.variance(true, 2)


def test_estimates_are_unbiased_with_their_variance():
    """400 tables of 50 tuples in 10 000: mean within 6 deviations, variance within 45 % (false alarm below 1e-8)."""
    method, bits = TupleInsertion((100, 100), Fraction(1, 2), Fraction(1, 50)), SeededBits(8)
    table = np.stack([np.arange(50), np.arange(50)], axis=1)
    found = [method.estimate(len(method.decide(table, bits=bits)), 10_000) for _ in range(400)]
    true = float(method.variance(50, 10_000))
    values = np.array([f.value for f in found])
    assert abs(values.mean() - 50) < 6 * math.sqrt(true / 400)
    assert 0.55 < values.var() / true < 1.45
    assert abs(np.mean([f.variance for f in found]) / true - 1) < 0.1


def test_a_huge_domain_is_never_listed():
    method = TupleInsertion((10**4, 10**4, 10**4), Fraction(1, 2), Fraction(1, 10**8))
    table = np.random.default_rng(3).integers(0, 10**4, (2000, 3))
    published = method.decide(table, bits=SeededBits(2))
    assert abs(len(published) - 11_000) < 6 * math.sqrt(10_500)
    hits = set(map(tuple, table.tolist())) & set(map(tuple, published.tolist()))
    assert abs(len(hits) - 1000) < 6 * math.sqrt(500)
    assert np.all((published >= 0) & (published < 10**4))


@pytest.mark.parametrize("epsilon", ["1/100", "1", "5", "32"])
@pytest.mark.parametrize("sizes", [(3,), (1000, 50), (10**6, 10**6)])
def test_calibration_keeps_epsilon_and_the_room(epsilon, sizes):
    method = TupleInsertion.for_epsilon(sizes, Fraction(epsilon), most_inserted=1000)
    assert method.event.epsilon <= Fraction(epsilon)
    assert method.beta * method.domain_size <= 1000
    assert float(method.event.epsilon) > 0.999 * float(Fraction(epsilon))


def test_no_other_beta_is_better_at_the_same_epsilon():
    """The exact variance on a grid of all (α, β) that keep e^ε = 3: least at β = 1/4, α = 1/2, whatever the table."""
    least = TupleInsertion((100,), Fraction(1, 2), Fraction(1, 4))
    for matching in (0, 10, 50, 100):
        for places in range(1, 100):
            beta = Fraction(places, 100)
            kept = min(3 * beta, 1 - (1 - beta) / 3)
            other = TupleInsertion((100,), kept - beta, beta)
            assert other.odds <= 3
            assert other.variance(matching, 100) >= least.variance(matching, 100)


def test_prior_and_posterior_by_bayes():
    """Slow twin: the chance of a tuple after it was, and was not, published."""
    method = TupleInsertion((9,), Fraction(1, 2), Fraction(1, 4))
    p, q = Fraction(3, 4), Fraction(1, 4)
    for d in (Fraction(1, 20), Fraction(1, 4)):
        for g in (Fraction(3, 10), Fraction(1, 2), Fraction(9, 10)):
            seen = d * p / (d * p + (1 - d) * q)
            priors = [d * Fraction(i, 1000) for i in range(1, 1001)]
            falls = min(((1 - p) / (x * (1 - p) + (1 - x) * (1 - q))) for x in priors)
            exact = seen <= g and falls >= d / g
            assert not method.keeps_prior(d, g) or exact
            assert method.keeps_prior(d, g) == (seen <= g and (1 - p) / (1 - q) >= d / g)


@pytest.mark.parametrize(
    ("sizes", "alpha", "beta"),
    [
        ((3,), Fraction(1, 2), Fraction(1, 2)),
        ((3,), Fraction(0), Fraction(1, 2)),
        ((3,), Fraction(1, 2), Fraction(0)),
        ((3,), 0.5, Fraction(1, 4)),
        ((0,), Fraction(1, 2), Fraction(1, 4)),
        ((), Fraction(1, 2), Fraction(1, 4)),
        ((2**26, 2**26), Fraction(1, 2), Fraction(1, 2**30)),
        ((2**30,), Fraction(1, 2), Fraction(MOST_INSERTED + 1, 2**30)),
        ((3,), Fraction(1, 2), Fraction(1, 2**51)),
    ],
)
def test_what_is_refused_before_any_data(sizes, alpha, beta):
    with pytest.raises(ParameterError):
        TupleInsertion(sizes, alpha, beta)


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(33), 1.0])
def test_calibration_refuses(epsilon):
    with pytest.raises(ParameterError):
        TupleInsertion.for_epsilon((3,), epsilon, most_inserted=10)


def test_rows_outside_the_domain_change_nothing():
    """Not even whether there is an answer: the same draws publish the same tuples."""
    method = TupleInsertion((3, 2), Fraction(1, 2), Fraction(1, 4))
    inside, outside = [[0, 1], [2, 0]], [[3, 0], [-1, 1], [0, 2], [2**62, 2**62]]
    seen = [method.decide(np.array(rows), bits=SeededBits(4)).tolist() for rows in (inside, inside + outside)]
    assert seen[0] == seen[1]
    assert method.decide(np.array(outside), bits=SeededBits(4)).shape[1] == 2
    large = np.array([[2**64 - 1, 0]], np.uint64)
    assert method.decide(large, bits=SeededBits(4)).shape[1] == 2


@pytest.mark.parametrize("tuples", [[[0, 0]], [0], [[0.5]]])
def test_shapes_that_do_not_fit_are_refused(tuples):
    with pytest.raises(ParameterError, match="whole numbers, 1 to a row"):
        TupleInsertion((3,), Fraction(1, 2), Fraction(1, 4)).decide(np.array(tuples), bits=SeededBits(1))
