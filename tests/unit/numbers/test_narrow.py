"""Whole numbers in few bytes are the same numbers."""

import numpy as np
import pytest

from sfumato.numbers.narrow import narrow


@pytest.mark.parametrize(("size", "n_bytes"), [(0, 1), (1, 1), (256, 1), (257, 2), (1 << 16, 2), ((1 << 16) + 1, 4)])
def test_numbers_below_the_size_are_kept_in_as_few_bytes_as_hold_them(size, n_bytes):
    values = np.array([0, max(size - 1, 0)])
    assert narrow(values, size).tolist() == values.tolist()
    assert narrow(values, size).itemsize == n_bytes
