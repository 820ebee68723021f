"""Links between a table and a register, against a loop over both."""

import numpy as np
import pytest

from sfumato.attack.register import box_links, link_rates, unique_links
from sfumato.errors import ParameterError


def slow_links(table, register):
    """The one equal row, row by row."""
    out = []
    for row in table.tolist():
        equal = [i for i, other in enumerate(register.tolist()) if other == row]
        out.append(equal[0] if len(equal) == 1 else -1)
    return out


@pytest.mark.parametrize("seed", range(6))
def test_links_are_the_only_equal_rows(seed):
    rng = np.random.default_rng(seed)
    table, register = rng.integers(0, 4, (30, 2)), rng.integers(0, 4, (12, 2))
    found = unique_links(table, register)
    assert found.tolist() == slow_links(table, register)
    assert (found == -1).any()
    assert (found >= 0).any()
    assert box_links(table, table, register).tolist() == found.tolist()


def test_a_register_of_nobody_links_nobody():
    assert unique_links(np.zeros((2, 1), int), np.zeros((0, 1), int)).tolist() == [-1, -1]
    rates = link_rates(np.array([-1, -1]), np.arange(2), np.zeros(0, int))
    assert (rates.found, rates.false, rates.right, rates.targets) == (0.0, 0.0, None, 0)


def test_rates_are_judged_against_the_truth_and_a_control_group():
    links = np.array([0, 0, 1, -1, 2])
    rates = link_rates(links, person=np.array([10, 11, 12, 13, 14]), in_register=np.array([10, 13, 12]))
    assert (rates.targets, rates.controls, rates.claimed) == (3, 2, 4)
    assert rates.found == pytest.approx(1 / 3)  # 10 is found; 12 is linked to 13; 13 is not linked
    assert rates.false == 1.0
    assert rates.right == 0.25


def test_other_columns_are_refused():
    with pytest.raises(ParameterError, match="same columns"):
        unique_links(np.zeros((2, 1), int), np.zeros((2, 2), int))
