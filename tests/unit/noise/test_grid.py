"""Numbers on a fixed-point grid."""

import pytest
from tests.unit.noise.sources import NoBits, ScriptedBits

from sfumato.errors import ParameterError
from sfumato.noise.grid import uniform_grid
from sfumato.testing.seeded_bits import SeededBits


@pytest.mark.parametrize("digits", [1, 20, 53])
def test_numbers_are_the_leading_bits_of_the_words(digits):
    expected = [int(w) >> (64 - digits) for w in SeededBits(1).words(50)]
    drawn = uniform_grid(50, bits=SeededBits(1), digits=digits)
    assert expected == (drawn * 2**digits).astype(int).tolist()


def test_the_ends_of_the_grid():
    drawn = uniform_grid(2, bits=ScriptedBits(0, 2**64 - 1))
    assert [0.0, 1 - 2.0**-53] == drawn.tolist()


@pytest.mark.parametrize("digits", [0, 54])
def test_wrong_digits_are_refused(digits):
    with pytest.raises(ParameterError, match="digits must be an integer from 1 to 53"):
        uniform_grid(1, bits=NoBits(), digits=digits)
