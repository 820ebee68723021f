"""Two coins, chosen by a bit, are those of `bernoulli`: whether one uniform real lies below the probability of the bit."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.noise.sources import NoBits, RecordingBits, ScriptedBits, first_part, interval, law, packed

from sfumato.errors import ParameterError
from sfumato.noise.response import Response
from sfumato.testing.seeded_bits import SeededBits

PROBABILITIES = st.one_of(
    st.fractions(0, 1), st.sampled_from([0, 1, Fraction(1, 2), Fraction(3, 4), Fraction(1, 65536)])
)


def agrees(coin, bits, p):
    """The slow twin: the bytes drawn are digits of U, and decide U < p for every continuation."""
    low, high = interval([(first_part(call, np.uint8), 8) for call in bits.calls])
    return high <= p if coin else low >= p


@law
@given(PROBABILITIES, PROBABILITIES, st.booleans(), st.integers(0, 2**32))
def test_the_twin_agrees_for_any_two_probabilities(zero, one, bit, seed):
    bits = RecordingBits(seed)
    coin = Response(zero, one).tossed(np.array([bit]), bits=bits)[0]
    assert agrees(coin, bits, Fraction(one if bit else zero))


@pytest.mark.parametrize("p", [Fraction(1, 3), Fraction(1, 2**40), 1 - Fraction(1, 2**40), Fraction(1), Fraction(0)])
@pytest.mark.parametrize("bit", [False, True])
def test_the_twin_agrees_where_digits_tie(p, bit):
    """The first byte of U is the first digit of p; seeded ones follow."""
    tied = min(255, int(p * 256))
    for seed in range(20):
        bits = RecordingBits(seed)
        bits.source = ScriptedBits(*packed([tied], np.uint8), *SeededBits(seed).words(3).tolist())
        pair = Response(Fraction(1, 7), p) if bit else Response(p, Fraction(1, 7))
        assert agrees(pair.tossed(np.array([bit]), bits=bits)[0], bits, p)


def test_all_bytes_together_give_the_leading_digits_of_both():
    """Every first byte once for each bit; 1/2 = 0x0.8, 3/4 = 0x0.C."""
    for bit, expected in ((False, 128), (True, 192)):
        bits = ScriptedBits(*packed(range(256), np.uint8))
        assert Response(Fraction(1, 2), Fraction(3, 4)).tossed(np.full(256, bit), bits=bits).sum() == expected


def test_both_have_their_frequency():
    """100 000 coins of each bit, |z| < 5.1: 4e-7 each."""
    which = np.arange(200_000) % 2 == 1
    for zero, one in ((Fraction(1, 3), Fraction(5, 7)), (Fraction(1, 256), Fraction(255, 256))):
        coins = Response(zero, one).tossed(which, bits=SeededBits(3))
        for found, p in ((coins[~which], float(zero)), (coins[which], float(one))):
            assert abs(found.mean() - p) < 5.1 * np.sqrt(p * (1 - p) / 100_000)


def test_no_coins_and_sure_coins():
    assert Response(Fraction(1, 3), 1).tossed(np.zeros(0, bool), bits=SeededBits(0)).shape == (0,)
    which = np.arange(1000) % 3 == 0
    assert Response(0, 1).tossed(which, bits=SeededBits(0)).tolist() == which.tolist()


@pytest.mark.parametrize("p", [-1, Fraction(3, 2)])
def test_a_wrong_probability_is_refused(p):
    for pair in ((p, Fraction(1, 2)), (Fraction(1, 2), p)):
        with pytest.raises(ParameterError, match=r"\[0, 1\]"):
            Response(*pair).tossed(np.ones(1, bool), bits=NoBits())
