import numpy as np
import pytest

from sfumato.errors import ReportError
from sfumato.mechanism.local.several.scheme import BLOCK, TupleCounts, by_blocks, check_tuples


@pytest.mark.parametrize("n", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3])
def test_blocks_make_every_person_once_and_in_order(n):
    made = by_blocks(n, lambda part: [np.arange(n)[part], np.arange(2 * n).reshape(n, 2)[part]])
    assert made[0].tolist() == list(range(n))
    assert made[1].shape == (n, 2)


def test_columns_of_a_long_table_are_its_columns():
    table = np.random.default_rng(1).integers(0, 3, (BLOCK + 7, 2))
    first, second = check_tuples(table, (3, 3))
    assert np.array_equal(first, table[:, 0])
    assert np.array_equal(second, table[:, 1])


def test_counts_of_different_domains_do_not_add_up():
    with pytest.raises(ReportError):
        TupleCounts((np.zeros(2, np.int64),), (1,)) + TupleCounts((np.zeros(3, np.int64),), (1,))
