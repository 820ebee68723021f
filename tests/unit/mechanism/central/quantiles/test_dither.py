"""Dither: grid places stay what they are, and equal ones become distinct."""

import numpy as np
import pytest
from tests.distribution.laws import follows

from sfumato.mechanism.central.quantiles.dither import dither, dither_bits
from sfumato.testing.seeded_bits import SeededBits


@pytest.mark.parametrize("size", [2, 3, 121, 2**30, 2**30 + 1, 2**52 + 1])
def test_fine_places_fit_and_shift_back(size):
    """The top place with the largest move stays below 2^62."""
    width = dither_bits(size)
    top = dither(np.full(1000, size - 1), width, bits=SeededBits(1))
    assert size << width <= 2**62
    assert np.array_equal(top >> width, np.full(1000, size - 1))


def test_moves_are_uniform_and_fresh():
    """Three bits: eight moves, equally likely."""
    fine = dither(np.full(80_000, 6), 3, bits=SeededBits(2))
    assert follows(fine - 48, dict.fromkeys(range(8), 1 / 8))


def test_no_bits_no_move():
    """Width 0 leaves places alone."""
    assert dither(np.array([4, 4]), 0, bits=SeededBits(1)).tolist() == [4, 4]
