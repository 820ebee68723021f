"""The law of noise in shares: enclosed, compared with the discrete Laplace law, and audited."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from tests.distribution.laws import follows
from tests.unit.mechanism.secure_sum.parties import Parties, terms_for
from tests.unit.numbers.slow_exp import exp

from sfumato.errors import ParameterError
from sfumato.mechanism.secure_sum import noise as module
from sfumato.mechanism.secure_sum.noise import SharedNoise
from sfumato.numbers.enclosure import exp_between


def laplace(epsilon, value):
    q = exp(-epsilon)
    return (1 - q) / (1 + q) * q ** abs(value)


@pytest.mark.parametrize(("epsilon", "among"), [(Fraction(1), 1), (Fraction(1, 2), 3), (Fraction(3), 7)])
def test_the_sum_of_as_many_shares_as_declared_is_the_discrete_laplace_law(epsilon, among):
    """The twin has exponentials to 240 digits."""
    for value in (-5, 0, 1, 2, 9):
        low, high = SharedNoise(epsilon, 1, among).probability(among, value)
        assert low <= laplace(epsilon, value) <= high
        assert high - low < Fraction(1, 10**40)


def rising(s, x):
    return math.prod((s + i) / (i + 1) for i in range(x))


@pytest.mark.parametrize("holders", [1, 2, 5, 9])
def test_any_number_of_shares_is_the_difference_of_two_negative_binomials(holders):
    """A twin in floats, and the whole law is 1."""
    noise, s, q = SharedNoise(Fraction(1), 1, among=3), holders / 3, math.exp(-1)
    law = {}
    for value in range(-60, 61):
        low, high = noise.probability(holders, value)
        terms = (rising(s, x) * rising(s, x + abs(value)) * q ** (2 * x + abs(value)) for x in range(60))
        assert float(low) == pytest.approx(sum(terms) * (1 - q) ** (2 * s), rel=1e-9)
        law[value] = low, high
    assert sum(low for low, _ in law.values()) < 1
    assert sum(high for _, high in law.values()) > 1 - Fraction(1, 10**20)
    variance = sum(float(low) * value**2 for value, (low, _) in law.items())
    assert variance == pytest.approx(float(noise.variance(holders)), rel=1e-9)
    assert noise.variance(holders) >= Fraction(2 * holders, 3) * Fraction(math.e) / Fraction(math.e - 1) ** 2 * (1 - Fraction(1, 10**12))  # fmt: skip


def spent(noise, honest, reach=25):
    """The certified least epsilon of what honest shares hide of a change by one: the largest ratio of neighbors."""
    law = [noise.probability(honest, value) for value in range(reach)]
    return max(one[0] / two[1] for one, two in pairwise(law))


@pytest.mark.parametrize("honest", [1, 2, 3, 4, 8])
def test_what_honest_shares_hide_is_what_is_promised(honest):
    """Colluding holders take their own shares off; what remains keeps the price that is stated for it, exactly enclosed."""
    noise = SharedNoise(Fraction(1, 2), 1, among=3)
    least = spent(noise, honest)
    assert least <= exp_between(noise.price(honest))[1]
    assert (least > exp_between(noise.epsilon)[1]) == (honest < 3)


def test_shares_for_all_holders_where_fewer_are_honest_are_caught():
    """The broken twin: shape 1/n, sized for all five, while three are honest. Its law breaks the promise, certified."""
    right, broken = SharedNoise(Fraction(1), 1, among=3), SharedNoise(Fraction(1), 1, among=5)
    assert spent(right, 3) <= exp_between(Fraction(1))[1]
    assert spent(broken, 3) > exp_between(Fraction(1))[1] * Fraction(14, 10)
    assert broken.price(3) > 1 == right.price(3)


@pytest.mark.parametrize("sensitivity", [1, 3])
def test_a_change_of_several_is_as_dear_as_is_said(sensitivity):
    noise = SharedNoise(Fraction(2), sensitivity, among=2)
    for honest in (1, 2):
        law = [noise.probability(honest, value) for value in range(20)]
        ratios = [law[v][0] / law[v + sensitivity][1] for v in range(20 - sensitivity)]
        assert max(ratios) <= exp_between(noise.price(honest))[1]


def test_sums_carry_the_noise_of_their_survivors():
    """Two of three honest: 6,000 cells of a sum follow the law of three shares; without noise they would be 0."""
    noise = SharedNoise(Fraction(1), 1, among=2)
    terms = terms_for(3, 2, cells=6000, noise=noise)
    found = Parties(terms, counts=lambda i, cells: np.full(cells, i)).total().counts - 3

    def law(holders):
        return {sign * v: sum(noise.probability(holders, v)) / 2 for v in range(25) for sign in (-1, 1)}

    assert follows(found, law(3))
    assert not follows(found, law(2))
    assert found.min() < -3


def test_noise_stays_within_its_reach():
    """m geometric numbers reach m y with probability at most m q^y, here below 2⁻⁴⁰ over all cells and both sides."""
    noise = SharedNoise(Fraction(1, 3), 1, among=2)
    reach, m = noise.reach(5, 1000), 3
    assert 2 * 1000 * m * math.exp(-reach / m / 3) < 2**-40


@pytest.mark.parametrize(
    "change", [{"epsilon": Fraction(0)}, {"sensitivity": 0}, {"among": 0}, {"epsilon": Fraction(1, 2**41)}]
)
def test_noise_that_promises_nothing_is_refused(change):
    with pytest.raises(ParameterError):
        SharedNoise(**{"epsilon": Fraction(1), "sensitivity": 1, "among": 2} | change)
    assert module.SharedNoise(Fraction(1), 1, among=2).price(0) is None
