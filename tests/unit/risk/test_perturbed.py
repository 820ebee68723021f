"""Risk that a changed column leaves, against a count of every cell."""

import numpy as np
import pytest

from sfumato.risk.perturbed import guess_risk, unchanged, value_risk
from sfumato.summary.blur import Pairs

RNG = np.random.default_rng(11)


def random_pairs(seed):
    """Thirty cells of eight values, each published as one of nine numbers."""
    rng = np.random.default_rng(seed)
    numbers = np.sort(rng.choice(np.arange(-20, 40), 8, replace=False)).astype(float)
    published = np.sort(rng.choice(np.arange(-25, 45), 9, replace=False)).astype(float)
    leaf, value = rng.integers(0, 8, 30), rng.integers(0, 9, 30)
    kept = np.array([next((i for i, x in enumerate(numbers) if x == y), -1) for y in published])
    pairs = Pairs(leaf, value, np.ones(30), numbers, published, kept)
    return numbers, np.bincount(leaf, minlength=8), pairs, numbers[leaf], published[value]


def slow(numbers, counts, x, y):
    """The same figures, cell by cell."""
    n, spread = len(x), np.std(x)
    out = {
        f"within_{p}_percent": sum(abs(a - b) <= p / 100 * abs(b) for a, b in zip(x, y, strict=True)) / n
        for p in (1, 5, 10)
    }
    out["within_deviation"] = sum(abs(a - b) <= 0.05 * spread for a, b in zip(x, y, strict=True)) / n
    found = 0.0
    for a, b in zip(x, y, strict=True):
        held = [v for v, c in zip(numbers, counts, strict=True) if c]
        nearest = min(abs(v - b) for v in held)
        found += (abs(a - b) == nearest) / counts[list(numbers).index(a)]
    out["linked"] = found / n
    return out


@pytest.mark.parametrize("seed", range(12))
def test_shares_are_those_of_the_cells(seed):
    numbers, counts, pairs, x, y = random_pairs(seed)
    held = counts > 0
    if not held.all():  # the formula links to values that the table holds
        numbers = np.where(held, numbers, np.nan)
    figures = {figure.name: figure.value for figure in value_risk(numbers, counts, pairs)}
    for name, value in slow(numbers, counts, x, y).items():
        assert figures[name] == pytest.approx(value), name
    assert figures["within_1_percent"] <= figures["within_5_percent"] <= figures["within_10_percent"]


def test_a_twin_that_measures_relative_to_the_original_is_another_one():
    """|x - y| <= 10 % of |y| and of |x| differ: 9.5 published for 10.5 is not within 10 % of 9.5."""
    pairs = Pairs(np.array([0]), np.array([0]), np.ones(1), np.array([10.5]), np.array([9.5]), np.array([-1]))
    figures = {figure.name: figure.value for figure in value_risk(np.array([10.5]), np.array([1]), pairs)}
    assert figures["within_10_percent"] == 0
    assert abs(10.5 - 9.5) <= 0.1 * 10.5


def test_ranks_count_cells_and_ties_are_near():
    numbers = np.arange(200.0)
    leaf, away = np.arange(200), np.array([0, 1, 2, 3, 4] * 40)
    pairs = Pairs(leaf, np.minimum(leaf + away, 199), np.ones(200), numbers, numbers, np.arange(200))
    figures = {figure.name: figure.value for figure in value_risk(numbers, np.ones(200, int), pairs)}
    near = np.abs(np.minimum(leaf + away, 199) - leaf) <= 2  # 1 % of 200 cells
    assert figures["within_rank"] == pytest.approx(near.mean())


@pytest.mark.parametrize("seed", range(5))
def test_guesses_and_unchanged_cells(seed):
    _, counts, pairs, x, y = random_pairs(seed)
    before, after = guess_risk(counts, pairs)
    best = sum(max(np.sum((x == a) & (y == b)) for a in set(x)) for b in set(y)) / 30
    assert (before.value, after.value) == pytest.approx((counts.max() / 30, best))
    assert unchanged(counts, pairs).value == pytest.approx(np.mean(x == y))
    assert after.value >= before.value


def test_columns_without_cells_or_numbers_have_no_figures():
    pairs = Pairs(np.zeros(0, int), np.zeros(0, int), np.zeros(0), None, None, np.zeros(0, int))
    assert value_risk(np.full(2, np.nan), np.array([1, 1]), pairs) == ()
    assert guess_risk(np.zeros(2, int), pairs) == ()
    assert unchanged(np.zeros(2, int), pairs).value is None
