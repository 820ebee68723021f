"""The chain of weights against sums over all pairs of ranks."""

from fractions import Fraction
from math import log

import numpy as np
import pytest

from sfumato.mechanism.central.quantiles.joint_exponential_chain import Costs, chain, log_widths, rank_edges
from sfumato.mechanism.central.quantiles.joint_exponential_sums import log_sum

RNG = np.random.default_rng(21)


def slow_total(ordered, fine, costs, lows, highs):
    """Ln of all weights: every pair of ranks, and runs of equal ranks counted one by one."""
    n, m = len(ordered), len(lows)
    edges = np.array([-1, *ordered, fine - 1])
    widths, ranks = np.diff(edges).astype(float), np.arange(n + 1)
    inside = [(ranks >= low) & (ranks <= high) for low, high in zip(lows, highs, strict=True)]
    state = np.zeros((m + 1, n + 1))  # run length, rank
    state[1] = np.exp(-costs.at(0, ranks)) * widths * inside[0]
    for j in range(1, m):
        step = np.exp(-costs.at(j, ranks[:, None] - ranks[None, :])) * (ranks[:, None] > ranks[None, :])
        longer = np.zeros_like(state)
        longer[1] = (step @ state.sum(axis=0)) * widths
        zero = np.exp(-costs.at(j, np.zeros(1, np.int64)))[0]
        for k in range(2, m + 1):
            longer[k] = state[k - 1] * widths * zero / k
        state = longer * inside[j]
    return log((state.sum(axis=0) * np.exp(-costs.at(m, n - ranks))).sum())


@pytest.mark.parametrize("of_excess", [False, True])
@pytest.mark.parametrize("n", [1, 20, 700])
@pytest.mark.parametrize("narrow", [False, True])
def test_all_weights_together(of_excess, n, narrow):
    """Ties, uneven shares, windows that overlap or do not; sums long enough for several blocks."""
    gaps = (
        Fraction(1, 7),
        Fraction(1, 50),
        Fraction(1, 3),
        Fraction(1, 2) - Fraction(1, 7) - Fraction(1, 50),
        Fraction(1, 6),
    )
    ordered = np.sort(RNG.integers(0, 3 * n, n))
    costs = Costs(tuple(n * gap for gap in gaps), 0.05, 1000.0, of_excess)
    lows, highs = (0,) * 4, (n,) * 4
    if narrow:
        centers = np.cumsum([int(n * gap) for gap in gaps[:-1]])
        lows, highs = tuple(max(0, c - n // 5) for c in centers), tuple(min(n, c + n // 4 + 1) for c in centers)
    found = log_sum(chain(ordered, 3 * n, costs, lows, highs).ends)
    assert found == pytest.approx(slow_total(ordered, 3 * n, costs, lows, highs), abs=1e-9)


def test_widths_are_the_places_of_each_rank():
    """Rank r holds the places with exactly r rows below."""
    ordered = np.array([1, 1, 4])
    assert rank_edges(ordered, 7, 0, 3).tolist() == [-1, 1, 1, 4, 6]
    assert np.exp(log_widths(ordered, 7, 0, 3)).round(9).tolist() == [2, 0, 3, 2]
    assert np.exp(log_widths(ordered, 7, 2, 3)).round(9).tolist() == [3, 2]


def test_costs_of_a_cell():
    """Short of 5/2: only what lacks; beyond it: only what is too much."""
    targets, counts = (Fraction(5, 2),), np.array([0, 1, 2, 3, 5])
    assert Costs(targets, 2.0, 9.0, of_excess=False).at(0, counts).tolist() == [5, 3, 1, 0, 0]
    assert Costs(targets, 2.0, 9.0, of_excess=True).at(0, counts).tolist() == [0, 0, 0, 1, 5]
    assert np.isinf(Costs(targets, 2.0, 9.0, of_excess=True).between(0, np.array([0, 99]))).all()
