"""Words cut into smaller integers."""

import numpy as np
import pytest

from sfumato.noise.narrow import narrow
from sfumato.testing.seeded_bits import SeededBits


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_parts_are_those_of_the_words_in_order(kind):
    parts = narrow(11, kind, bits=SeededBits(1))
    assert kind == parts.dtype
    assert parts.tolist() == SeededBits(1).words(11).view(kind)[:11].tolist()


def test_no_more_words_are_drawn_than_needed():
    bits = SeededBits(1)
    narrow(9, np.uint8, bits=bits)
    assert bits.words(1)[0] == SeededBits(1).words(3)[2]


def test_none_are_drawn_for_none():
    assert (0,) == narrow(0, np.uint16, bits=SeededBits(1)).shape
