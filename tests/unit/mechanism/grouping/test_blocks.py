"""Blocks: all rows once, sizes within bounds, cut along what varies most."""

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.grouping.blocks import blocks_of
from sfumato.mechanism.grouping.points import Points


@pytest.mark.parametrize("n", [12, 99, 1000])
def test_blocks_hold_every_row_once_and_enough_of_them(n):
    rng = np.random.default_rng(n)
    points = Points(rng.normal(size=(n, 2)), rng.integers(0, 4, size=(n, 1)), np.ones(1))
    blocks = blocks_of(points, 12, 3)
    assert sorted(np.concatenate(blocks).tolist()) == list(range(n))
    assert 3 <= min(map(len, blocks)) <= max(map(len, blocks)) <= 12
    assert all((np.diff(block) > 0).all() for block in blocks)


def test_the_column_that_varies_most_is_cut():
    points = Points(
        np.stack([np.arange(8.0), 10 * np.arange(8.0)[::-1] ** 2], axis=1), np.zeros((8, 0), np.int64), np.zeros(0)
    )
    assert [b.tolist() for b in blocks_of(points, 4, 1)] == [[4, 5, 6, 7], [0, 1, 2, 3]]


def test_tables_of_categories_and_of_equal_rows_are_cut_too():
    towns = Points(np.zeros((8, 0)), np.arange(8)[::-1, None].copy(), np.ones(1))
    assert [b.tolist() for b in blocks_of(towns, 4, 1)] == [[4, 5, 6, 7], [0, 1, 2, 3]]
    alike = Points(np.zeros((8, 1)), np.zeros((8, 0), np.int64), np.zeros(0))
    assert [b.tolist() for b in blocks_of(alike, 4, 1)] == [[0, 1, 2, 3], [4, 5, 6, 7]]


def test_blocks_below_four_groups_are_refused():
    points = Points(np.arange(40.0)[:, None], np.zeros((40, 0), np.int64), np.zeros(0))
    with pytest.raises(ParameterError, match="larger blocks"):
        blocks_of(points, 11, 3)
