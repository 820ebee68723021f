"""Worth of a changed column, against a mean over every cell."""

import numpy as np
import pytest

from sfumato.summary.blur import Pairs
from sfumato.utility.perturbed import value_worth


def test_errors_are_means_over_cells_and_missing_ones_do_not_count():
    numbers, counts = np.array([1.0, 4.0, np.nan]), np.array([3, 1, 5])
    pairs = Pairs(np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([1.0, 2.0, 1.0]), numbers, np.array([1.0, 6.0]),
                  np.array([0, -1]))  # fmt: skip
    away = np.array([0, 5, 5, 2])
    absolute, root, relative = (figure.value for figure in value_worth(numbers, counts, pairs))
    assert absolute == pytest.approx(away.mean())
    assert root == pytest.approx(np.sqrt((away**2).mean()))
    assert relative == pytest.approx(root / np.std([1, 1, 1, 4]))


def test_a_column_of_one_value_has_no_relative_error_and_an_empty_one_no_figures():
    pairs = Pairs(np.array([0]), np.array([0]), np.ones(1), np.array([1.0]), np.array([2.0]), np.array([-1]))
    assert value_worth(np.array([1.0]), np.array([1]), pairs)[2].value is None
    assert value_worth(np.array([np.nan]), np.array([1]), pairs) == ()
