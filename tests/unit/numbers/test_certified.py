"""Integer bounds of exponentials."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.noise.sources import law
from tests.unit.numbers.slow_exp import exp

from sfumato.numbers.certified import complement_bound, exp_bound, floors, ratio_bound

EXPONENTS = [Fraction(1), Fraction(1, 3), Fraction(700), Fraction(1, 2**52), Fraction(5e-324), Fraction(2**60)]


@law
@given(
    st.one_of(
        st.sampled_from(EXPONENTS),
        st.fractions(min_value=Fraction(1, 10**6), max_value=300, max_denominator=10**6),
        st.floats(min_value=1e-300, max_value=1e3).map(Fraction),
    ),
    st.integers(1, 400),
)
def test_the_exponential_lies_in_its_bound(x, w):
    """Against the decimal library, at 240 digits."""
    low, high = exp_bound(x, w)
    assert 0 <= low < high <= 1 << w
    assert low <= exp(-x) * 2**w < high or (x < Fraction(1, 10**60) and (1 << w) == high)


@pytest.mark.parametrize("w", [1, 8, 64, 333])
@pytest.mark.parametrize("share", [Fraction(1, 4), Fraction(2, 3), Fraction(7, 10), Fraction(99, 100), Fraction(1)])
def test_exponentials_near_the_last_bit_lie_in_their_bound(w, share):
    """2^w e^-x is 1 at x = 0.693 w."""
    low, high = exp_bound(share * w, w)
    assert low <= exp(-share * w) * 2**w < high


@pytest.mark.parametrize("x", EXPONENTS)
@pytest.mark.parametrize("w", [8, 64, 333])
def test_the_bound_is_tight(x, w):
    low, high = exp_bound(x, w)
    assert high - low <= 2


@law
@given(st.fractions(Fraction(1, 100), 50, max_denominator=1000), st.integers(1, 300))
def test_floors_are_the_integer_parts(x, k):
    assert [int(exp(-x) * 2**k)] == floors(lambda w: [exp_bound(x, w)], k)


def test_the_integer_part_of_a_number_hardly_below_one_is_known():
    """1 - e^(-2^1074): no precision would separate it from 1."""
    tiny = Fraction(2) ** 1074
    assert [2**64 - 1] == floors(lambda w: [complement_bound(exp_bound(tiny, w), w)], 64)


@law
@given(st.integers(0, 99), st.integers(1, 100), st.integers(101, 200), st.integers(1, 60))
def test_a_ratio_lies_in_its_bound(low, more, bottom, w):
    """Both corners of the box of numerator and denominator."""
    least, most = ratio_bound((low, low + more), (bottom + 100, bottom + 101), w)
    assert least <= Fraction(low, bottom + 101) * 2**w
    assert Fraction(low + more, bottom + 100) * 2**w <= most
