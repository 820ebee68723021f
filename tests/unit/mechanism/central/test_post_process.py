"""Possible answers from noisy ones, against slow twins."""

from itertools import product

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.central.margins import Margin, fit_margins
from sfumato.mechanism.central.post_process import nearest_semidefinite, nonnegative, rounded, with_total


def test_totals_are_kept_and_nothing_nearer_exists():
    rng = np.random.default_rng(1)
    for _ in range(50):
        values, total = rng.normal(0, 5, 4), float(rng.uniform(0, 20))
        found = with_total(values, total)
        assert found.sum() == pytest.approx(total)
        assert found.min() >= 0
        others = rng.dirichlet(np.ones(4), 200) * total
        assert np.all(((found - values) ** 2).sum() <= ((others - values) ** 2).sum(axis=1) + 1e-9)
    assert with_total(np.array([-1.0, 5.0]), 0.0).tolist() == [0, 0]
    assert nonnegative(np.array([-1.0, 5.0])).tolist() == [0, 5]


@pytest.mark.parametrize(("values", "total"), [([], 1.0), ([1.0], -1.0), ([1.0], np.inf), ([1.0], np.nan)])
def test_totals_that_cannot_be_are_refused(values, total):
    with pytest.raises(ParameterError, match="total"):
        with_total(np.array(values), total)


def test_rounding_keeps_the_total_and_is_the_nearest():
    rng = np.random.default_rng(2)
    for _ in range(50):
        values = rng.normal(0, 3, 5)
        total = round(values.sum())
        found = rounded(values, total)
        assert found.sum() == total
        assert np.all(np.abs(found - values) < 1)
        choices = np.floor(values) + np.array(list(product((0, 1), repeat=5)))
        best = min(np.abs(c - values).sum() for c in choices if c.sum() == total)
        assert np.abs(found - values).sum() == pytest.approx(best)
    with pytest.raises(ParameterError, match="rounding"):
        rounded(np.array([1.0, 2.5]), 5)


def test_nearest_covariance():
    rng = np.random.default_rng(3)
    raw = rng.normal(size=(6, 3, 3))
    raw = (raw + np.swapaxes(raw, 1, 2)) / 2
    found = nearest_semidefinite(raw)
    assert np.linalg.eigvalsh(found).min() > -1e-12
    factors = rng.normal(size=(300, 3, 3))
    for one, near in zip(raw, found, strict=True):
        others = factors @ np.swapaxes(factors, 1, 2)
        assert ((near - one) ** 2).sum() <= ((others - one) ** 2).sum(axis=(1, 2)).min() + 1e-9
    assert nearest_semidefinite(near) == pytest.approx(near)
    assert np.isnan(nearest_semidefinite(np.full((1, 2, 2), np.nan))).all()


def sums(x, axes):
    return x.sum(axis=tuple(a for a in range(x.ndim) if a not in axes))


def slow_fit(table, variance, margins):
    """Least squares by a dense matrix; exact margins with a tiny variance."""
    n = table.size
    rows, right = [np.eye(n) / np.sqrt(variance)], [table.ravel() / np.sqrt(variance)]
    for margin in margins:
        spread = np.sqrt(max(margin.variance, 1e-10))
        units = [sums(unit.reshape(table.shape), margin.axes).ravel() for unit in np.eye(n)]
        rows.append(np.array(units).T.reshape(-1, n) / spread)
        right.append(np.ravel(margin.values) / spread)
    return np.linalg.lstsq(np.vstack(rows), np.concatenate(right), rcond=None)[0].reshape(table.shape)


@pytest.mark.parametrize("shape", [(4,), (2, 3), (2, 3, 2)])
@pytest.mark.parametrize("total_known", [False, True])
def test_margins_are_fitted_as_by_dense_least_squares(shape, total_known):
    rng = np.random.default_rng(4)
    true = rng.integers(0, 50, shape).astype(float)
    axes = [(), *((a,) for a in range(len(shape)))] + ([(0, 2)] if len(shape) == 3 else [])
    margins = []
    for at, kept in enumerate(axes):
        exact = sums(true, kept)
        known = total_known and kept == ()
        noisy = exact if known or kept == tuple(range(len(shape))) else exact + rng.normal(0, 2, exact.shape)
        margins.append(Margin(kept, np.asarray(noisy, float), 0.0 if known else 1.0 + at))
    table = true + rng.normal(0, 2, shape)
    found = fit_margins(table, 4.0, margins)
    assert found == pytest.approx(slow_fit(table, 4.0, margins), abs=1e-5)
    if total_known:
        assert found.sum() == pytest.approx(true.sum())


def test_fitting_lowers_the_error():
    rng = np.random.default_rng(5)
    true, before, after = np.full((4, 5), 20.0), 0.0, 0.0
    for _ in range(200):
        table = true + rng.normal(0, 3, true.shape)
        margins = [
            Margin((0,), true.sum(axis=1) + rng.normal(0, 3, 4), 9.0),
            Margin((1,), true.sum(axis=0) + rng.normal(0, 3, 5), 9.0),
        ]
        before += ((table - true) ** 2).mean()
        after += ((fit_margins(table, 9.0, margins) - true) ** 2).mean()
    assert after < 0.75 * before


@pytest.mark.parametrize(
    "margin",
    [
        Margin((0,), np.zeros(3), 1.0),
        Margin((2,), np.zeros(2), 1.0),
        Margin((0,), np.zeros(2), -1.0),
        Margin((), np.zeros(1), 1.0),
    ],
)
def test_margins_of_another_table_are_refused(margin):
    with pytest.raises(ParameterError, match="margin"):
        fit_margins(np.zeros((2, 3)), 1.0, [margin])
