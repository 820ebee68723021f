"""Coins of probability e^-x."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.noise.sources import NoBits, RecordingBits, ScriptedBits, first_part, interval, law, packed
from tests.unit.numbers.slow_exp import exp

from sfumato.errors import ParameterError
from sfumato.noise.bernoulli_exp import bernoulli_exp, bernoulli_exp_many
from sfumato.testing.seeded_bits import SeededBits


@law
@given(st.fractions(Fraction(1, 10**9), 60, max_denominator=10**9), st.integers(0, 2**32))
def test_a_coin_is_whether_a_uniform_real_lies_below_the_exponential(x, seed):
    """The slow twin has 240 digits of e^-x."""
    bits = RecordingBits(seed)
    coin = bernoulli_exp(1, x, bits=bits)[0]
    low, high = interval([(first_part(call, np.uint8), 8) for call in bits.calls])
    assert high <= exp(-x) if coin else low > exp(-x)


@law
@given(st.fractions(0, 40, max_denominator=10**6), st.integers(0, 2**32))
def test_many_agrees_with_the_twin(x, seed):
    bits = RecordingBits(seed)
    coin = bernoulli_exp_many(np.array([float(x)]), lambda _: x, bits=bits)[0]
    low, high = interval([(first_part(call, np.uint32), 32) for call in bits.calls[:1]])
    assert high <= exp(-x) if coin else low > exp(-x)


@pytest.mark.parametrize("x", [Fraction(1), Fraction(1, 3), Fraction(7, 2), Fraction(20)])
@pytest.mark.parametrize("offset", [-2, -1, 0, 1, 2])
def test_near_ties_are_decided_by_certified_digits(x, offset):
    """The first 32 bits of U equal those of e^-x; the next 64 differ from its by the offset."""
    prefix, digits = divmod(int(exp(-x) * 2**96), 2**64)
    script = ScriptedBits(*packed([prefix], np.uint32), digits + offset)
    coin = bernoulli_exp_many(np.array([float(x)]), lambda _: x, bits=script)[0]
    if offset:
        assert (offset < 0) == coin
    else:  # the digits of U go on with seeded words
        low = interval([(prefix, 32), (digits, 64), (int(SeededBits(0).words(1)[0]), 64)])[0]
        assert (low < exp(-x)) == coin


def test_a_float_that_is_slightly_wrong_changes_nothing():
    """An error of 2^-36 in e^-x is absorbed, wherever U falls: 2^32 e^-x is nearly an integer here."""
    x = next(x for x in (Fraction(i, 64) for i in range(1, 9999)) if (exp(-x) * 2**32) % 1 < Fraction(1, 40))
    cut = int(exp(-x) * 2**32)
    for wrong in (float(x) - 2.0**-36, float(x) + 2.0**-36):
        for prefix in range(cut - 3, cut + 4):
            bits = ScriptedBits(*packed([prefix], np.uint32), 0)
            assert (prefix <= cut) == bernoulli_exp_many(np.array([wrong]), lambda _: x, bits=bits)[0]


def test_an_exponent_of_zero_is_certain_even_at_the_last_word():
    bits = ScriptedBits(*packed([2**32 - 1], np.uint32))
    assert bernoulli_exp_many(np.array([0.0]), lambda _: Fraction(0), bits=bits)[0]
    assert bernoulli_exp(3, 0, bits=NoBits()).all()


@pytest.mark.parametrize("x", [1e300, Fraction(10**400), 5e-324])
def test_extreme_exponents_end(x):
    assert (x == 5e-324) == bernoulli_exp(100, x, bits=SeededBits(0)).all()


@pytest.mark.parametrize("x", [-1, float("nan"), float("inf")])
def test_a_wrong_exponent_is_refused(x):
    with pytest.raises(ParameterError, match="x must be positive and finite"):
        bernoulli_exp(1, x, bits=NoBits())
