"""The noisy test of nearness: certified digits, exact sides of the limit, and the law."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.noise.sources import law
from tests.unit.numbers.slow_exp import CONTEXT, exp

from sfumato.errors import ParameterError
from sfumato.noise.near import _beyond, _gap_bound, _gaps, near
from sfumato.summary.interval import lower_bound, upper_bound
from sfumato.testing.seeded_bits import SeededBits

STEPS = st.integers(-3000, 3000)
RATES = st.fractions(Fraction(1, 1000), 20, max_denominator=1000)
LIMITS = st.fractions(0, 3000, max_denominator=1000)


def slow_gap(x, y, rate, limit):
    """γ to 240 digits."""
    return rate * abs(Fraction(CONTEXT.sqrt(CONTEXT.create_decimal(x * x + y * y))) - limit)


@law
@given(STEPS, STEPS, RATES, LIMITS, st.integers(8, 100))
def test_digits_are_certified_and_floats_near_enough_or_not_trusted(x, y, rate, limit, w):
    if x * x + y * y == limit * limit:
        return
    truth = exp(-slow_gap(x, y, rate, limit))
    low, high = _gap_bound((x, y), rate, limit, w)
    assert low <= truth * 2**w < high
    assert high - low <= 4
    gap, is_far = _gaps(np.array([x * x + y * y]), rate, limit)
    assert is_far[0] or abs(Fraction(float(np.exp(-gap[0]))) - truth) < Fraction(1, 2**36)


def test_sides_are_decided_in_whole_numbers():
    """3² + 4² is on the limit of 5; floats do not tell √(10¹⁸ + 1) from 10⁹."""
    assert _beyond(np.array([24, 25, 26]), Fraction(5)).tolist() == [False, True, True]
    large = np.array([10**18 - 1, 10**18, 10**18 + 1])
    assert _beyond(large, Fraction(10**9)).tolist() == [False, True, True]
    assert _beyond(large, Fraction(10**30 + 1, 10**21)).tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("point", "rate", "limit"),
    [((0, 0), Fraction(1, 2), Fraction(0)), ((3, 4), Fraction(1, 3), Fraction(5)), ((2, 2), Fraction(1, 2), Fraction(4)), ((5, -1), Fraction(1, 2), Fraction(3)), ((0, 9000), Fraction(1), Fraction(9001))],
)  # fmt: skip
def test_the_law_is_that_of_a_noisy_limit(point, rate, limit):
    """Clopper and Pearson at 10⁻⁸ a side: a false alarm in 10⁷ runs at most."""
    n, apart = 200_000, math.hypot(*point) - float(limit)
    tail = 0.5 * math.exp(-float(rate) * abs(apart))
    true = tail if apart >= 0 else 1 - tail
    few = 2_000 if point[1] == 9000 else n  # certified digit by digit
    hits = int(near(np.tile(point, (few, 1)), rate, limit, bits=SeededBits(7)).sum())
    assert lower_bound(hits, few, 1e-8) <= true <= upper_bound(hits, few, 1e-8)


def test_numbers_outside_are_refused():
    for wrong in (lambda: near(np.zeros((1, 2), np.int64), 0, 1, bits=SeededBits(1)), lambda: near(np.array([[2**31, 0]]), 1, 1, bits=SeededBits(1))):  # fmt: skip
        with pytest.raises(ParameterError):
            wrong()
