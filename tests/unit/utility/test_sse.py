"""SSE, SST and their ratio, beside rows in a loop."""

import numpy as np
import pytest

from sfumato.utility.sse import Replaced, figures, information_loss, squares


def columns(seed=2, n=40):
    """Two columns with missing numbers, `*` cells and several rows."""
    rng = np.random.default_rng(seed)
    out = []
    for name in ("a", "b"):
        before, rows = rng.normal(3, 5, n), rng.integers(1, 4, n)
        after = before + rng.normal(0, 1, n)
        before[:3], after[:3], after[5] = np.nan, np.nan, np.nan
        out.append(Replaced(name, before, after, rows))
    return out


def slowly(parts):
    """Both sums over standardized rows, one by one."""
    sse = sst = 0.0
    for part in parts:
        pairs = [
            (x, y)
            for x, y, r in zip(part.before, part.after, part.rows, strict=True)
            for _ in range(r)
            if not np.isnan(x)
        ]
        x = np.array([pair[0] for pair in pairs])
        z = (x - x.mean()) / x.std(ddof=1)
        for (_, y), here in zip(pairs, z, strict=True):
            there = 0.0 if np.isnan(y) else (y - x.mean()) / x.std(ddof=1)
            sse, sst = sse + (here - there) ** 2, sst + here**2
    return sse, sst


def test_figures_are_those_of_standardized_rows():
    parts = columns()
    sse, sst = slowly(parts)
    found = {figure.name: figure.value for figure in figures(parts)}
    assert found["sse"] == pytest.approx(sse)
    assert found["sst"] == pytest.approx(sst)
    assert found["information_loss"] == pytest.approx(sse / sst, rel=1e-2)
    assert found["information_loss:a"] == pytest.approx(slowly(parts[:1])[0] / slowly(parts[:1])[1])


def test_a_column_that_does_not_vary_is_left_out():
    flat = Replaced("c", np.ones(4), np.ones(4), np.ones(4, np.int64))
    assert information_loss([flat]) is None
    assert information_loss([flat, columns()[0]]) == information_loss(columns()[:1])
    assert squares(Replaced("d", np.array([np.nan]), np.array([np.nan]), np.ones(1, np.int64))) == (0.0, 0.0, 0)
    assert figures([flat])[0].value is None
    assert figures([]) == ()


def test_nothing_changed_loses_nothing_and_means_lose_everything():
    x = np.array([1.0, 2.0, 6.0])
    assert information_loss([Replaced("x", x, x, np.ones(3, np.int64))]) == 0
    assert information_loss([Replaced("x", x, np.full(3, np.nan), np.ones(3, np.int64))]) == 1
