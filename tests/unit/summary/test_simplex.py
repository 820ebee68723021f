"""Nearest counts: none below zero, the right total, and no others nearer."""

import numpy as np
import pytest

from sfumato.summary.simplex import nearest_shares


def test_no_other_counts_are_nearer():
    rng = np.random.default_rng(1)
    for _ in range(50):
        values, total = rng.normal(0, 3, 4), rng.uniform(0.1, 10)
        found = nearest_shares(values, total)
        assert found.min() >= 0
        assert found.sum() == pytest.approx(total)
        others = total * rng.dirichlet(np.ones(4), 2000)
        assert np.all(((others - values) ** 2).sum(1) >= ((found - values) ** 2).sum() - 1e-9)


def test_rows_are_made_on_their_own():
    values, totals = np.random.default_rng(2).normal(0, 3, (5, 7)), np.arange(1.0, 6.0)
    together = nearest_shares(values, totals)
    assert together.tolist() == [nearest_shares(v, t).tolist() for v, t in zip(values, totals, strict=True)]
