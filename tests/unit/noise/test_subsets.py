"""Subsets of a given number of elements."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.noise.sources import NoBits, ScriptedBits, law, packed

from sfumato.errors import ParameterError
from sfumato.noise.subsets import subsets
from sfumato.testing.seeded_bits import SeededBits


@law
@given(st.integers(0, 9), st.integers(1, 300), st.data())
def test_rows_are_increasing_and_in_range(n, size, data):
    k = data.draw(st.integers(0, size))
    drawn = subsets(n, size, k, bits=SeededBits(size))
    assert (n, k) == drawn.shape
    assert np.all(drawn[:, 1:] > drawn[:, :-1])
    assert np.all((drawn >= 0) & (drawn < size))


def test_more_rows_than_fit_at_a_time():
    drawn = subsets(1000, 2000, 999, bits=SeededBits(1))
    assert np.all(drawn[:, 1:] > drawn[:, :-1])
    assert len(np.unique(drawn, axis=0)) == 1000


@pytest.mark.parametrize("size", [8, 128])
def test_a_repeat_is_drawn_again(size):
    """The words say 3, 3, and then 5, for both methods."""
    words = [(value << 32) // size + 1 for value in (3, 3)]
    again = [(5 << 32) // size + 1]
    bits = ScriptedBits(*packed(words, np.uint32), *packed(again, np.uint32))
    assert [[3, 5]] == subsets(1, size, 2, bits=bits).tolist()


def test_huge_domains_need_no_marks():
    assert (5, 3) == subsets(5, 2**62, 3, bits=SeededBits(1)).shape


@pytest.mark.parametrize(("n", "size", "k"), [(-1, 3, 1), (1, 0, 0), (1, 3, 4), (1, 3, -1)])
def test_wrong_numbers_are_refused(n, size, k):
    with pytest.raises(ParameterError, match="must be an integer from"):
        subsets(n, size, k, bits=NoBits())
