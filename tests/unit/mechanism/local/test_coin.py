"""The probability of noise that keeps the exact epsilon within the asked one."""

import math
from fractions import Fraction

import pytest

from sfumato.mechanism.local.coin import Coin, Direct, calibrate, calibrated
from sfumato.mechanism.local.grr import GRR
from sfumato.mechanism.local.oue import OUE
from sfumato.mechanism.local.sue import SUE
from sfumato.numbers.logarithm import log_up

EPSILONS = [1e-6, 1e-3, 0.1, 0.5, math.log(2), 1, math.log(7), 3, 10, 36.7, 100, 300, 700]
SIZES = [2, 3, 5, 16, 128, 1000, 99991, 10**6]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("make", [GRR, OUE, SUE])
def test_the_stated_epsilon_is_at_most_the_asked_one_and_close(make, size, epsilon):
    stated = make(epsilon, size).epsilon
    assert stated <= epsilon
    assert stated == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_rarer_noise_would_exceed_the_asked_epsilon(epsilon):
    coin = calibrated(epsilon, Direct(16))
    step = 0.0 if coin.rare_is_noise else 1.0
    stronger = Coin(math.nextafter(coin.rare, step), rare_is_noise=coin.rare_is_noise)
    assert log_up(1 + 16 * stronger.odds) > epsilon


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("make", [GRR, OUE, SUE])
def test_an_oracle_made_from_its_stated_epsilon_is_the_same(make, epsilon):
    oracle = make(epsilon, 16)
    assert make(oracle.epsilon, 16) == oracle


def test_the_sides_of_a_coin_add_up_to_one_exactly():
    coin = Coin(1e-300, rare_is_noise=True)
    assert coin.noise + coin.truth == 1
    assert coin.odds == (1 - Fraction(1e-300)) / Fraction(1e-300)


def test_a_start_far_off_is_mended():
    """The search does not rest on the accuracy of the floating-point start."""
    good = calibrate(1.0, 1.0, lambda odds: odds)
    assert calibrate(1.0, 1.0 + 1e-10, lambda odds: odds) == good
    assert calibrate(1.0, 1.0 - 1e-10, lambda odds: odds) == good
