"""The probabilities of two rounds, against enumeration and against the published formulas."""

from fractions import Fraction
from itertools import product
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.guarantee.local_dp import epsilon_of_matrix
from sfumato.mechanism.local.longitudinal.chain import (
    Chain,
    bits_ratio,
    optimized_chain,
    symbol_chain,
    symbol_ratio,
    symmetric_chain,
    variance_of_mean,
)
from sfumato.mechanism.local.oracle import estimate, variance
from sfumato.numbers.logarithm import log_up

pairs = st.tuples(st.floats(1e-3, 600), st.floats(1.001, 1.15)).map(lambda x: (x[0], x[0] * x[1]))


def symbols(keep, g):
    """The matrix of randomized response, in fractions."""
    return [[keep if x == y else (1 - keep) / (g - 1) for y in range(g)] for x in range(g)]


def matmul(a, b):
    """The product of two matrices of fractions."""
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]


def bits_matrix(p, q, k):
    """The matrix of a vector of k bits with one true bit."""
    rows = []
    for v in range(k):
        ones = [p if i == v else q for i in range(k)]
        row = []
        for y in product([0, 1], repeat=k):
            weight = Fraction(1)
            for one, bit in zip(ones, y, strict=True):
                weight *= one if bit else 1 - one
            row.append(weight)
        rows.append(row)
    return rows


@pytest.mark.parametrize("g", [2, 3, 5])
def test_epsilons_of_symbols_are_those_of_their_matrices(g):
    chain = symbol_chain(1.0, 2.5, g)
    first = symbols(chain.p1, g)
    assert epsilon_of_matrix(first) == log_up(symbol_ratio(chain.p1, g)) <= 2.5
    both = matmul(first, symbols(chain.p2, g))
    assert both[0][0] == chain.p
    assert both[0][1] == chain.q
    assert epsilon_of_matrix(both) == log_up(symbol_ratio(chain.p, g)) <= 1.0


@pytest.mark.parametrize("make", [symmetric_chain, optimized_chain])
def test_epsilons_of_bits_are_those_of_their_matrices(make):
    chain = make(1.0, 2.5)
    assert epsilon_of_matrix(bits_matrix(chain.p1, chain.q1, 3)) == log_up(bits_ratio(chain.p1, chain.q1)) <= 2.5
    assert epsilon_of_matrix(bits_matrix(chain.p, chain.q, 3)) == log_up(bits_ratio(chain.p, chain.q)) <= 1.0
    assert chain.q2 == 1 - chain.p2


@given(pairs, st.sampled_from([2, 3, 1000]))
def test_exact_epsilons_reach_but_never_exceed_the_asked_ones(epsilons, g):
    first, permanent = epsilons
    chain = symbol_chain(first, permanent, g)
    for found, asked in ((symbol_ratio(chain.p, g), first), (symbol_ratio(chain.p1, g), permanent)):
        assert asked * (1 - 1e-9) <= log_up(found) <= asked
    for make in (symmetric_chain, optimized_chain):
        chain = make(first, permanent)
        for found, asked in (((chain.p, chain.q), first), ((chain.p1, chain.q1), permanent)):
            assert asked * (1 - 1e-9) <= log_up(bits_ratio(*found)) <= asked


def test_the_optimized_second_round_is_the_published_one():
    """p2 = (1 - e^(ε1+ε∞)) / (e^ε1 - e^ε∞ - e^(ε1+ε∞) + 1)."""
    chain = optimized_chain(0.7, 1.9)
    assert float(chain.p2) == pytest.approx((1 - exp(2.6)) / (exp(0.7) - exp(1.9) - exp(2.6) + 1), rel=1e-12)


def test_the_estimator_is_the_published_one():
    chain, n, counts = symbol_chain(1.0, 2.0, 4), 1000, np.array([400, 300, 200, 100])
    p1, q1, p2, q2 = (float(x) for x in (chain.p1, chain.q1, chain.p2, chain.q2))
    published = (counts - n * q1 * (p2 - q2) - n * q2) / (n * (p1 - q1) * (p2 - q2))
    assert estimate(counts, n, chain.support) == pytest.approx(published, rel=1e-12)


@given(st.floats(0, 1), st.sampled_from([symbol_chain(1.0, 2.0, 5), optimized_chain(1.0, 2.0)]))
def test_one_round_has_the_variance_of_the_oracle(f, chain):
    """And adding the draw of the values gives γ(1-γ) with the corrected γ."""
    shares, gap = np.array([f]), float(chain.p - chain.q)
    one = variance_of_mean(shares, 100, chain)
    assert one == pytest.approx(variance(shares, 100, chain.support), rel=1e-9)
    gamma = f * gap + float(chain.q)
    assert one + f * (1 - f) / 100 == pytest.approx(gamma * (1 - gamma) / (100 * gap**2), rel=1e-9)


def test_the_variance_stays_positive_where_the_published_one_does_not():
    """The erratum: γ with f(2 p1 p2 - 2 p1 q2 + 2 q2 - 1) gives a negative variance for GRR."""
    chain, f = symbol_chain(1.0, 2.0, 50), 0.9
    p1, q1, p2, q2 = (float(x) for x in (chain.p1, chain.q1, chain.p2, chain.q2))
    wrong = f * (2 * p1 * p2 - 2 * p1 * q2 + 2 * q2 - 1) + p2 * q1 + q2 * (1 - q1)
    assert wrong * (1 - wrong) < 0
    assert variance_of_mean(np.array([f]), 100, chain)[0] > 0


def test_averaging_collections_stops_at_the_remembered_round():
    chain, shares = optimized_chain(1.0, 2.0), np.array([0.2])
    remembered = float(chain.p1), float(chain.q1)
    floor = (0.2 * remembered[0] * (1 - remembered[0]) + 0.8 * remembered[1] * (1 - remembered[1])) / (
        100 * (remembered[0] - remembered[1]) ** 2
    )
    assert variance_of_mean(shares, 100, chain, rounds=10**9)[0] == pytest.approx(floor, rel=1e-6)


@pytest.mark.parametrize("epsilons", [(2.0, 1.0), (1.0, 1.0), (0, 1.0), (-1.0, 1.0), (1.0, float("inf")), (1.0, 800.0)])
def test_epsilons_out_of_order_or_range_are_refused(epsilons):
    for make in (symmetric_chain, optimized_chain, lambda a, b: symbol_chain(a, b, 3)):
        with pytest.raises(ParameterError, match="Remedy"):
            make(*epsilons)


def test_degenerate_rounds_are_refused():
    with pytest.raises(ParameterError, match="0 < q < p < 1"):
        Chain(Fraction(1), Fraction(0), Fraction(1, 2), Fraction(1, 4))
    with pytest.raises(ParameterError, match="one person"):
        variance_of_mean(np.array([0.5]), 0, symbol_chain(1, 2, 3))


def test_large_epsilons_are_worked_out_in_logarithms():
    chain = optimized_chain(1.0, 700.0)
    assert log_up(bits_ratio(chain.p1, chain.q1)) == pytest.approx(700)
