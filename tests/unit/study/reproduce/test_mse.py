import math

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.several.adaptive import OracleName
from sfumato.mechanism.local.several.spl import SPL
from sfumato.study.reproduce.mse import EPSILONS, mse_cell

SCHEME = SPL(2.0, (2, 3), OracleName.OUE)
HELD = [np.array([700, 300]), np.array([500, 300, 200])]


def test_the_papers_budgets_are_ln_2_to_ln_7():
    assert [round(math.exp(epsilon), 9) for epsilon in EPSILONS] == [2, 3, 4, 5, 6, 7]


def test_projected_estimates_err_less_than_unbiased_ones():
    cell = mse_cell(SCHEME, HELD, 100, rng=np.random.default_rng(1))
    assert cell.simplex.value <= cell.unbiased.value
    assert abs(cell.unbiased.value - cell.expected) < 6 * cell.unbiased.error


def test_one_run_has_no_standard_error():
    assert math.isnan(mse_cell(SCHEME, HELD, 1, rng=np.random.default_rng(1)).clipped.error)


@pytest.mark.parametrize(("held", "runs"), [([HELD[0], HELD[1] * 2], 1), ([HELD[0] * 0, HELD[1] * 0], 1), (HELD, 0)])
def test_histograms_of_different_persons_are_refused(held, runs):
    with pytest.raises(ParameterError):
        mse_cell(SCHEME, held, runs, rng=np.random.default_rng(1))
