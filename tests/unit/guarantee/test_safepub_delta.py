"""δ of sampled classes against sums of exact fractions, and against the other published values."""

from fractions import Fraction
from math import comb, exp, floor, log

import pytest

from sfumato.errors import ParameterError
from sfumato.guarantee.safepub_delta import SampledClasses
from sfumato.numbers.enclosure import exp_between, log_between


def chance(rows, j, beta):
    return comb(rows, j) * beta**j * (1 - beta) ** (rows - j) if 0 <= j <= rows else Fraction(0)


def bad_twin(epsilon, beta, rows):
    """P[Bin(N, β) > γN] in exact fractions, e^ε from 60 digits."""
    gamma = 1 - (1 - beta) * exp_between(-epsilon)[1]
    return sum(chance(rows, j, beta) for j in range(floor(gamma * rows) + 1, rows + 1))


def reached_twin(epsilon, beta, k, rows):
    """The largest excess of one count's chance over e^ε times the other's, in exact fractions."""
    grow = exp_between(epsilon)[0]
    return sum(max(Fraction(0), chance(rows, j, beta) - grow * chance(rows - 1, j, beta)) for j in range(k, rows + 1))


@pytest.mark.parametrize(
    ("epsilon", "expected"),
    [
        (Fraction(1), [34, 47, 61, 74, 91]),
        (log_between(Fraction(2))[0], [29, 41, 53, 66, 80]),
        (log_between(Fraction(2))[1], [29, 41, 53, 66, 80]),
        (Fraction(repr(log(2))), [29, 41, 53, 66, 80]),
        (Fraction(1, 2), [27, 39, 51, 63, 75]),
    ],
)
def test_the_smallest_k_is_the_published_one(epsilon, expected):
    sampled = SampledClasses(epsilon)
    assert [sampled.smallest_k(Fraction(1, 10**d)) for d in (3, 4, 5, 6, 7)] == expected


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(1), Fraction(3)])
def test_the_smallest_k_is_smallest(epsilon):
    sampled, delta = SampledClasses(epsilon), Fraction(1, 10**4)
    k = sampled.smallest_k(delta)
    assert sampled.delta(k) < delta <= sampled.delta(k - 1)


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(1), Fraction(2)])
@pytest.mark.parametrize("k", [2, 9])
def test_the_bound_is_the_exact_maximum_rounded_up(epsilon, k):
    sampled = SampledClasses(epsilon)
    first = -(-Fraction(k) / sampled.gamma[1] + 1).__floor__()
    exact = max(bad_twin(epsilon, sampled.beta, rows) for rows in range(max(first, 1), first + 25))
    found = sampled.delta(k)
    assert exact <= found <= exact * (1 + Fraction(1, 10**8))


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(1), Fraction(2)])
@pytest.mark.parametrize("k", [1, 2, 9])
def test_what_is_reached_is_the_exact_maximum_rounded_up(epsilon, k):
    sampled = SampledClasses(epsilon)
    exact = max(reached_twin(epsilon, sampled.beta, k, rows) for rows in range(k, 3 * k + 25))
    found = sampled.reached(k)
    assert exact <= found <= exact + Fraction(1, 10**30)
    assert found <= sampled.delta(k)


def test_what_is_reached_betrays_no_more_in_the_other_direction():
    """Without the row, classes below k are likelier, by at most 1/(1 - β) <= e^ε."""
    epsilon, k = Fraction(1), 5
    sampled = SampledClasses(epsilon)
    for rows in range(1, 40):
        small = [sum(chance(n, j, sampled.beta) for j in range(k)) for n in (rows - 1, rows)]
        assert small[0] <= exp_between(epsilon)[0] * small[1]
        for j in range(k, rows):
            assert chance(rows - 1, j, sampled.beta) <= exp_between(epsilon)[0] * chance(rows, j, sampled.beta)


def test_beta_never_exceeds_what_epsilon_allows():
    for epsilon in (Fraction(1, 10), Fraction(1), Fraction(3)):
        beta = SampledClasses(epsilon).beta
        assert 1 / (1 - beta) <= exp_between(epsilon)[0]
        assert float(beta) == pytest.approx(1 - exp(-epsilon), abs=2e-12)


@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(9), Fraction(1, 200), 1.0])
def test_an_epsilon_out_of_range_is_refused(epsilon):
    with pytest.raises(ParameterError, match="must be an exact fraction from 1/100 to 8"):
        SampledClasses(epsilon)


def test_other_numbers_out_of_range_are_refused():
    sampled = SampledClasses(Fraction(1))
    with pytest.raises(ParameterError, match="`delta` must be"):
        sampled.smallest_k(Fraction(0))
    with pytest.raises(ParameterError, match="`k` must be a whole number from 1"):
        sampled.delta(0)
