import numpy as np

from sfumato.summary.distribution import add_by_owner, distribution_of
from sfumato.testing.examples import classes_with_illness


def test_python_integers_are_added_without_overflow():
    amounts = np.array([2**70, 2**70, 1], object)
    assert add_by_owner(amounts, np.array([0, 0, 2]), 3).tolist() == [2**71, 0, 1]


def test_the_released_totals_are_the_sums_over_the_classes():
    table = classes_with_illness([[1, 2], [3, 0]])
    d = distribution_of(table.select(np.array([True, False])), "illness")
    assert d.released.tolist() == [1, 2]
    assert d.total.tolist() == [4, 2]
