"""Choice of an interval: the exact law, also where the proposals are crude."""

import math
from fractions import Fraction

import numpy as np
import pytest
from tests.distribution.laws import follows

from sfumato.mechanism.central.quantiles import choice
from sfumato.mechanism.central.quantiles.choice import choose_interval, choose_place
from sfumato.testing.seeded_bits import SeededBits

CASES = [
    ([1, 1, 1], [0, 1, 2], Fraction(1)),
    ([1000, 0, 1, 30], [9, 0, 2, 5], Fraction(1)),
    ([2**50, 1], [30, -4], Fraction(1)),
    ([7, 2, 5], [10**9, 10**9 + 1, 10**9 - 1], Fraction(2, 3)),
]


def law_of(widths, scores, rate):
    least = min(s for w, s in zip(widths, scores, strict=True) if w)
    weights = [w * math.exp(-float(rate) * (s - least)) if w else 0.0 for w, s in zip(widths, scores, strict=True)]
    return {i: weight / sum(weights) for i, weight in enumerate(weights)}


def draws(case, n, seed):
    widths, scores, rate = case
    bits, w, s = SeededBits(seed), np.array(widths), np.array(scores)
    return [choose_interval(w, s, rate, bits=bits) for _ in range(n)]


@pytest.mark.parametrize("case", CASES)
def test_intervals_come_by_their_weights(case):
    """False alarm: 1e-6."""
    assert follows(draws(case, 2500, 1), law_of(*case))


def test_crude_proposals_do_not_matter(monkeypatch):
    """False alarm: 1e-6. With 3 bits the weights of proposals are far from the law."""
    monkeypatch.setattr(choice, "_TOTAL_BITS", 3)
    assert follows(draws(CASES[0], 2500, 2), law_of(*CASES[0]))


def test_crude_proposals_without_the_coin_are_caught(monkeypatch):
    monkeypatch.setattr(choice, "_TOTAL_BITS", 3)
    monkeypatch.setattr(choice, "_coin", lambda factor, x, bits: True)
    assert not follows(draws(CASES[0], 2500, 2), law_of(*CASES[0]))


def test_no_coin_is_asked_for_more_than_one(monkeypatch):
    """The height of a proposal is never below the weight, over many magnitudes."""
    rng, seen, coin = np.random.default_rng(3), [], choice._coin

    def watched(factor, x, bits):
        seen.append(math.log(factor) - float(x))
        return coin(factor, x, bits)

    monkeypatch.setattr(choice, "_coin", watched)
    for seed in range(100):
        k = int(rng.integers(1, 2000))
        widths = np.exp2(rng.uniform(0, 50, k)).astype(np.int64)
        scores = rng.integers(-(10**6), 10**6, k)
        choose_interval(widths, scores, Fraction(1, int(rng.integers(1, 10**6))), bits=SeededBits(seed))
    assert max(seen) <= 0
    assert len(seen) < 103


def test_places_are_even_within_an_interval():
    """False alarm: 1e-6."""
    bits = SeededBits(4)
    one = np.array([10, 20]), np.array([3, 2]), np.array([0, 10**6])
    found = [choose_place(*one, Fraction(1), bits=bits) for _ in range(3000)]
    assert {interval for _, interval in found} == {0}
    assert follows([place for place, _ in found], {10: 1 / 3, 11: 1 / 3, 12: 1 / 3})


@pytest.mark.parametrize(("factor", "x"), [(Fraction(1, 3), Fraction(1, 2)), (Fraction(50), Fraction(5))])
def test_bounds_enclose_the_coin(factor, x):
    exact = float(factor) * math.exp(-x)
    for w in (8, 20, 40):
        low, high = choice._scaled_bound(factor, x, w)
        assert low <= exact * 2**w < high <= low + 2
