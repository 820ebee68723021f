"""Coins of any exact probability, and of probability e^-x."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.noise.sources import NoBits, RecordingBits, ScriptedBits, first_part, interval, law, packed
from tests.unit.numbers.slow_exp import exp

from sfumato.errors import ParameterError
from sfumato.noise.bernoulli import bernoulli, bernoulli_exp, bernoulli_exp_many, bernoulli_many
from sfumato.testing.seeded_bits import SeededBits

PROBABILITIES = [0.1, 0.5, 1 / 256, 5e-324, 2.0**-1022, 1 - 2.0**-53, Fraction(1, 3), Fraction(255, 256)]


def real(calls):
    """The interval of U of a single coin from the first byte of every call."""
    return interval([(first_part(call, np.uint8), 8) for call in calls])


@pytest.mark.parametrize("p", PROBABILITIES)
def test_a_coin_is_whether_a_uniform_real_lies_below_p(p):
    """The slow twin: the bytes drawn are digits of U, and decide U < p for every continuation."""
    for seed in range(300):
        bits = RecordingBits(seed)
        coin = bernoulli(1, p, bits=bits)[0]
        low, high = real(bits.calls)
        assert high <= Fraction(p) if coin else low >= Fraction(p)


@law
@given(st.one_of(st.floats(0, 1), st.fractions(0, 1)), st.integers(0, 2**32))
def test_the_twin_agrees_for_any_probability(p, seed):
    bits = RecordingBits(seed)
    coin = bernoulli(1, p, bits=bits)[0]
    low, high = real(bits.calls) if bits.calls else (Fraction(0), Fraction(1))
    assert high <= Fraction(p) if coin else low >= Fraction(p)


@law
@given(st.floats(0, 1), st.integers(0, 2**32))
def test_many_agrees_with_the_twin_for_any_float(p, seed):
    bits = RecordingBits(seed)
    coin = bernoulli_many(np.array([p]), bits=bits)[0]
    low, high = real(bits.calls)
    assert high <= Fraction(p) if coin else low >= Fraction(p)


@pytest.mark.parametrize("draw", [bernoulli, lambda n, p, bits: bernoulli_many(np.full(n, p), bits=bits)])
def test_all_bytes_together_give_the_leading_digits_of_p(draw):
    """Every first byte once, every second byte once under the tie: 0.3 = 0x0.4CCC…"""
    bits = ScriptedBits(*packed(range(256), np.uint8), *packed([0xCB], np.uint8))
    assert 0x4C + 1 == draw(256, 0.3, bits=bits).sum()
    bits = ScriptedBits(*packed(range(256), np.uint8), *packed([0xCD], np.uint8))
    assert 0x4C == draw(256, 0.3, bits=bits).sum()


@pytest.mark.parametrize("p", [5e-324, 3 * 5e-324])
def test_the_smallest_floats_are_tossed_to_their_last_digit(p):
    """134 digits 0, then 4 bits of the last: U with the same digits and a smaller one is below p."""
    zeros = [word for _ in range(134) for word in packed([0], np.uint8)]
    last = int(Fraction(p) * 256**135)
    for byte, expected in ((last - 1, True), (last, False), (last + 1, False)):
        script = [*zeros, *packed([byte], np.uint8)]
        assert expected == bernoulli(1, p, bits=ScriptedBits(*script))[0]
        assert expected == bernoulli_many(np.array([p]), bits=ScriptedBits(*script))[0]


def test_a_tie_with_all_digits_of_p_is_not_below_p():
    assert not bernoulli(1, Fraction(1, 2), bits=ScriptedBits(*packed([128], np.uint8)))[0]


@pytest.mark.parametrize("p", [0, 1, 0.0, 1.0, Fraction(0), Fraction(1)])
def test_certain_coins_need_no_chance(p):
    assert [bool(p)] * 3 == bernoulli(3, p, bits=NoBits()).tolist()


def test_no_coins():
    assert (0,) == bernoulli(0, 0.3, bits=SeededBits(0)).shape
    assert (0,) == bernoulli_many(np.zeros(0), bits=SeededBits(0)).shape


def test_many_keeps_the_shape_and_leaves_its_argument():
    p = np.array([[0.0, 1.0, 0.5], [1.0, 0.0, 0.1]])
    kept = p.copy()
    coins = bernoulli_many(p, bits=SeededBits(0))
    assert [[False, True], [True, False]] == coins[:, :2].tolist()
    assert np.array_equal(p, kept)


@pytest.mark.parametrize("p", [-1e-9, 1.1, float("nan")])
def test_a_wrong_probability_is_refused(p):
    with pytest.raises(ParameterError, match=r"\[0, 1\]"):
        bernoulli(1, p, bits=NoBits())
    with pytest.raises(ParameterError, match=r"\[0, 1\]"):
        bernoulli_many(np.array([0.5, p]), bits=NoBits())


def test_a_negative_number_of_coins_is_refused():
    with pytest.raises(ParameterError, match="n must be"):
        bernoulli(-1, 0.5, bits=NoBits())


def test_coins_do_not_depend_on_how_many_are_tossed_at_a_time():
    """More than one batch, against plain comparison with the digits of 0.3 = 0x0.4CCC…"""
    n = 2**17 + 1000
    first, rest = SeededBits(5), SeededBits(5)
    drawn = first.words(n // 8).view(np.uint8)
    coins = bernoulli(n, 0.3, bits=rest)
    assert np.array_equal(coins[drawn != 0x4C], drawn[drawn != 0x4C] < 0x4C)
    assert 0 < coins[drawn == 0x4C].mean() < 1


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
