"""The discernibility metric."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.utility.discernibility import discernibility


@given(st.lists(st.integers(1, 30), max_size=10), st.integers(0, 20))
def test_each_row_costs_the_rows_it_cannot_be_told_from(sizes, suppressed):
    n = sum(sizes) + suppressed
    rows = [size for size in sizes for _ in range(size)] + [n] * suppressed
    assert discernibility(np.array(sizes, np.int64), suppressed) == sum(rows)


def test_squares_beyond_64_bits_stay_exact():
    assert discernibility(np.array([2**40, 3]), 0) == 2**80 + 9
    assert discernibility(np.full(2**14, 2**25), 1) == 2**64 + 2**39 + 1
