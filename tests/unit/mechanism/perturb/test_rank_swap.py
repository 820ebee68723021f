"""Rank swapping: exact marginals, bounded distance, a known law."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.perturb.rank_swap import RankSwapping, permuted_runs
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.seeded_bits import SeededBits

PAY = bind(Column("pay", Role.SENSITIVE, Kind.INTEGER), [*map(str, range(40)), None])
COUNTS = np.array([3] * 40 + [7])


def test_the_values_stay_and_none_moves_farther_than_the_share():
    splits = RankSwapping(Fraction(1, 10)).decide(PAY, COUNTS, bits=SeededBits(1)).step.splits
    leaf, value = np.repeat(splits.tuple_, splits.rows), np.repeat(splits.member, splits.rows)
    assert np.array_equal(np.bincount(leaf), COUNTS)
    assert np.array_equal(np.bincount(value), COUNTS)
    assert np.abs(leaf - value).max() <= 12 / 3 + 1
    assert (leaf != value).mean() > 0.4
    assert set(value[leaf == 40]) == {40}


def test_rows_of_one_value_get_their_values_in_random_order():
    """Twenty runs: the first row of a value does not always get the least one."""
    firsts = []
    for seed in range(20):
        splits = RankSwapping(Fraction(1, 2)).decide(PAY, COUNTS, bits=SeededBits(seed)).step.splits
        of_ten = splits.member[splits.tuple_ == 10]
        firsts.append(int(np.argsort(of_ten, kind="stable")[0]))
    assert len(set(firsts)) == 3


def test_every_order_of_a_run_is_equally_likely_and_so_is_every_cut():
    """n = 3, runs of 2: cuts 0 and 1, each with two orders. 1,500 draws; Hoeffding, false alarm below 1e-6."""
    n = 1500
    seen = Counter(tuple(permuted_runs(3, 2, bits=SeededBits(seed)).tolist()) for seed in range(n))
    expected = {(0, 1, 2): 0.5, (1, 0, 2): 0.25, (0, 2, 1): 0.25}
    assert seen.keys() == expected.keys()
    for order, chance in expected.items():
        assert seen[order] / n == pytest.approx(chance, abs=math.sqrt(math.log(6e6) / (2 * n)))


@pytest.mark.parametrize("length", [1, 2, 5, 9, 50])
def test_runs_are_permutations(length):
    order = permuted_runs(9, length, bits=SeededBits(length))
    assert sorted(order.tolist()) == list(range(9))
    assert np.abs(order - np.arange(9)).max() < length


def test_text_and_shares_that_move_nothing_are_refused():
    with pytest.raises(ParameterError, match="is text"):
        RankSwapping(Fraction(1, 2)).decide(
            bind(Column("a", Role.SENSITIVE), ["x"]), np.ones(1, int), bits=SeededBits(1)
        )
    with pytest.raises(ParameterError, match="larger share"):
        RankSwapping(Fraction(1, 1000)).decide(PAY, COUNTS, bits=SeededBits(1))
    for share in (0, 2, -1):
        with pytest.raises(ParameterError, match="share"):
            RankSwapping(Fraction(share))
