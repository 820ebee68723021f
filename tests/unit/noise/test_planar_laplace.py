"""Laplace noise of the plane on its whole numbers: certified digits, the float sieve, and the law."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.distribution.laws import follows
from tests.unit.noise.sources import NoBits, law
from tests.unit.numbers.slow_exp import CONTEXT, exp

from sfumato.errors import ParameterError
from sfumato.noise.planar_laplace import PART, gap_bound, gaps, planar_laplace
from sfumato.testing.seeded_bits import SeededBits

RATES = st.fractions(Fraction(1, 1000), 20, max_denominator=1000)
STEPS = st.integers(-3000, 3000)


def slow_gap(x, y, rate):
    """γ to 240 digits."""
    root = CONTEXT.sqrt(CONTEXT.create_decimal(x * x + y * y))
    return rate * Fraction(root) - rate * PART * (abs(x) + abs(y))


def test_the_part_is_below_one_over_root_two_so_that_no_gap_is_negative():
    assert 2 * PART * PART < 1
    assert all(slow_gap(x, y, Fraction(1)) > 0 for x in range(30) for y in range(30) if (x, y) != (0, 0))


@law
@given(STEPS, STEPS, RATES, st.integers(8, 130))
def test_digits_are_certified(x, y, rate, w):
    """low <= 2ʷ e^-γ < high, and the bounds close in."""
    if (x, y) == (0, 0):
        return
    low, high = gap_bound(x, y, rate, w)
    exact = exp(-slow_gap(x, y, rate)) * 2**w
    assert low <= exact < high
    assert high - low <= 4


@law
@given(STEPS, STEPS, RATES)
def test_gaps_in_floats_are_near_enough_or_not_trusted(x, y, rate):
    gap, is_far = gaps(np.array([[x, y]]), rate)
    if (x, y) != (0, 0) and not is_far[0]:
        assert abs(Fraction(float(np.exp(-gap[0]))) - exp(-slow_gap(x, y, rate))) < Fraction(1, 2**36)
    assert is_far[0] == (float(rate) * np.hypot(x, y) > 2**12)


def law_of(rate, reach):
    """Probabilities of the points, numbered row by row."""
    steps = np.arange(-reach, reach + 1)
    shares = np.exp(-float(rate) * np.hypot(steps[:, None], steps[None, :]))
    return dict(enumerate((shares / shares.sum()).ravel().tolist()))


def numbered(points, reach):
    inside = (np.abs(points) <= reach).all(axis=1)
    return np.where(inside, (points[:, 0] + reach) * (2 * reach + 1) + points[:, 1] + reach, -1)


@pytest.mark.parametrize(("rate", "reach"), [(Fraction(1, 2), 80), (Fraction(7, 3), 20), (Fraction(6), 8)])
def test_draws_follow_the_law(rate, reach):
    """False-alarm rate 10⁻⁶ at most; what lies outside of the listed points has less than 10⁻¹⁵."""
    drawn = planar_laplace(400_000, rate, bits=SeededBits(31))
    assert follows(numbered(drawn, reach), law_of(rate, reach))


def test_the_mean_length_of_a_small_rate_is_that_of_the_plane():
    """2/rate; the deviation of the mean of n is √2/(rate √n): 6 of them, false-alarm rate below 10⁻⁸."""
    drawn = planar_laplace(1_000_000, Fraction(1, 100), bits=SeededBits(32))
    assert abs(np.hypot(*drawn.T).mean() - 200) < 6 * 141.5 / 1000


def test_twins_are_caught():
    """Noise of each axis alone, a radius without the plane's factor, and the proposals all kept."""
    rng, n, rate, reach = np.random.default_rng(33), 400_000, Fraction(1, 2), 80
    turn = rng.uniform(0, 2 * np.pi, n)
    ring = rng.exponential(2, n)
    twins = [
        np.round(rng.laplace(scale=2, size=(n, 2))).astype(np.int64),
        np.round(np.stack([ring * np.cos(turn), ring * np.sin(turn)], axis=1)).astype(np.int64),
        np.round(rng.laplace(scale=float(2 / PART), size=(n, 2))).astype(np.int64),
    ]
    assert not any(follows(numbered(twin, reach), law_of(rate, reach)) for twin in twins)


def test_what_floats_cannot_tell_is_decided_by_digits():
    """Beyond the trusted length every coin is certified: with a rate of 5000 only the origin is trusted."""
    drawn = planar_laplace(1000, Fraction(5000), bits=SeededBits(34))
    assert not drawn.any()
    gap, is_far = gaps(np.array([[2**52, 2**52], [1, 0]]), Fraction(5000))
    assert is_far.all()
    assert np.isfinite(gap).all()
    low, high = gap_bound(2**52, 2**52, Fraction(1, 2**39), 64)
    assert low <= exp(-slow_gap(2**52, 2**52, Fraction(1, 2**39))) * 2**64 < high


@pytest.mark.parametrize("n", [0, 1, 70_000])
def test_as_many_as_asked(n):
    assert planar_laplace(n, 0.25, bits=SeededBits(1)).shape == (n, 2)


@pytest.mark.parametrize("rate", [0, -1, float("nan"), float("inf"), Fraction(1, 2**41)])
def test_wrong_rates_are_refused(rate):
    with pytest.raises(ParameterError, match="rate"):
        planar_laplace(1, rate, bits=NoBits())
