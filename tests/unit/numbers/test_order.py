"""The order of whole numbers is that of a stable sort, whichever way is taken."""

import numpy as np
import pytest

from sfumato.numbers import order
from sfumato.numbers.order import order_of

SIZES = (1, 2, 1 << 16, (1 << 16) + 1, 1 << 32, (1 << 32) + 1, 1 << 48, (1 << 48) + 1, 1 << 60, (1 << 63) - 1)


@pytest.mark.parametrize("few", [0, order.FEW])
def test_it_is_that_of_a_stable_sort(few, monkeypatch):
    monkeypatch.setattr(order, "FEW", few)
    rng = np.random.default_rng(3)
    for size in SIZES:
        for n in (0, 1, 2, 700):
            values = rng.integers(0, size, n)
            values[n // 2 :] = values[: n - n // 2]  # ties
            values[: n // 9] = size - 1
            assert order_of(values, size).tolist() == np.argsort(values, kind="stable").tolist()
