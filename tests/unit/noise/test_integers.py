"""Uniform integers."""

import numpy as np
import pytest
from tests.unit.noise.sources import NoBits, ScriptedBits, packed

from sfumato.errors import ParameterError
from sfumato.noise.integers import uniform_integers
from sfumato.testing.seeded_bits import SeededBits


@pytest.mark.parametrize("high", [1, 2, 3, 5, 16, 1000, 2**31 + 1, 2**32 - 1, 2**32])
def test_the_product_method_agrees_with_big_integers(high):
    """The slow twin reads the same 32-bit words; those it refuses are drawn again afterwards."""
    words = [int(w) for w in SeededBits(1).words(256).view(np.uint32)]
    expected = [w * high >> 32 if (w * high) % 2**32 >= 2**32 % high else None for w in words]
    drawn = uniform_integers(512, high, bits=SeededBits(1))
    assert all(x in {y, None} for x, y in zip(expected, drawn.tolist(), strict=True))
    assert 0 <= drawn.min() <= drawn.max() < high


@pytest.mark.parametrize("high", [3, 7, 100])
def test_refused_words_are_those_in_excess(high):
    """Scaled down: with words of w bits, each value keeps ⌊2^w / high⌋ words."""
    for w in (8, 11):
        kept = [word * high >> w for word in range(2**w) if (word * high) % 2**w >= 2**w % high]
        assert {2**w // high} == set(np.bincount(kept, minlength=high).tolist())


def test_a_refused_word_is_replaced():
    """0 is refused for 3 (its low half is below 1); the next word says 2."""
    last = packed([2**32 - 1], np.uint32)
    assert [2] == uniform_integers(1, 3, bits=ScriptedBits(0, *last)).tolist()
    assert [2] == uniform_integers(1, 3, bits=ScriptedBits(0, 0, 0, *last)).tolist()


@pytest.mark.parametrize("high", [2**32 + 1, 3 * 2**61, 2**63 - 1, 2**63])
def test_large_ranges_agree_with_big_integers(high):
    words = [int(w) for w in SeededBits(2).words(400)]
    expected = [w % high if w < 2**64 - 2**64 % high else None for w in words]
    drawn = uniform_integers(400, high, bits=SeededBits(2))
    assert all(x in {y, None} for x, y in zip(expected, drawn.tolist(), strict=True))
    assert 0 <= drawn.min() <= drawn.max() < high


def test_a_large_word_in_excess_is_replaced():
    assert [5] == uniform_integers(1, 3 * 2**61, bits=ScriptedBits(2**64 - 1, 5)).tolist()


def test_no_integers():
    assert (0,) == uniform_integers(0, 5, bits=SeededBits(0)).shape


@pytest.mark.parametrize(("n", "high"), [(-1, 2), (1, 0), (1, -3), (1, 2**63 + 1), (1, 2.0), (True, 2)])
def test_wrong_numbers_are_refused(n, high):
    with pytest.raises(ParameterError, match="must be an integer from"):
        uniform_integers(n, high, bits=NoBits())
