"""Steps between neighbors: what one costs, and quantiles with long denominators."""

from fractions import Fraction

import numpy as np
import pytest

from sfumato.account.event import PureDP
from sfumato.mechanism.central.quantiles.histogram_method import HistogramMethod
from sfumato.mechanism.central.quantiles.inverse_sensitivity import InverseSensitivity
from sfumato.mechanism.central.quantiles.recursive import Recursive
from sfumato.mechanism.central.quantiles.small_histogram import SmallHistogram
from sfumato.mechanism.central.quantiles.steps import adding_epsilon, ratio
from sfumato.mechanism.central.quantiles.tree import Tree
from sfumato.table.unit import OF_TABLES, Neighbors
from sfumato.testing.seeded_bits import SeededBits

METHODS = [HistogramMethod, InverseSensitivity, Recursive, SmallHistogram, Tree]


@pytest.mark.parametrize(
    ("neighbors", "rows", "adding"),
    [
        (Neighbors.ADD_REMOVE, 1, 1),
        (Neighbors.ADD_REMOVE, 4, Fraction(1, 4)),
        (Neighbors.REPLACE, 1, Fraction(1, 2)),
        (Neighbors.REPLACE, 4, Fraction(1, 8)),
    ],
)
def test_one_added_row_of_all_units(neighbors, rows, adding):
    assert adding_epsilon(Recursive((Fraction(1, 2),), Fraction(1), 9, neighbors, rows=rows)) == adding


def test_ratios_fit_and_are_near():
    for q in (Fraction(1, 3**40), Fraction(10**30 + 1, 3 * 10**30), 1 - Fraction(1, 2**80), Fraction(9, 10)):
        top, bottom = ratio(q)
        assert bottom <= 2**20
        assert abs(Fraction(top, bottom) - q) <= Fraction(1, 2**20)
    assert ratio(Fraction(9, 10)) == (9, 10)


@pytest.mark.parametrize("kind", METHODS)
@pytest.mark.parametrize("neighbors", OF_TABLES)
def test_every_method_says_its_price_and_answers_quantiles_with_long_denominators(kind, neighbors):
    quantiles = (Fraction(1, 3**40), Fraction(10**30 + 1, 3 * 10**30), 1 - Fraction(1, 2**80))
    method = kind(quantiles, Fraction(2), 1000, neighbors, rows=1)
    assert method.event == PureDP(Fraction(2))
    assert method.name
    assert method.argument.endswith(".")
    found = method.decide(np.arange(1000), bits=SeededBits(1))
    assert found.dtype == np.int64
    assert np.all(np.diff(found) >= 0)
    assert 0 <= found[0] <= found[-1] < 1000
