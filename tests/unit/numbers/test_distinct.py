"""Distinct numbers are those of numpy."""

import numpy as np
import pytest

from sfumato.numbers.distinct import distinct


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint64])
@pytest.mark.parametrize("shape", [(0,), (1,), (200,), (20, 10)])
def test_they_are_those_of_numpy(dtype, shape):
    rng = np.random.default_rng(1)
    for most in (1, 7, 2**31):
        values = rng.integers(0, most, shape).astype(dtype)
        found = distinct(values)
        assert found.tolist() == np.unique(values).tolist()
        assert found.dtype == dtype
