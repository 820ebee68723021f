"""What every quantile method checks, the definition of a quantile, and steps between neighbors."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from sfumato.account.event import PureDP
from sfumato.errors import ParameterError
from sfumato.mechanism.central.quantiles.histogram_method import HistogramMethod
from sfumato.mechanism.central.quantiles.inverse_sensitivity import InverseSensitivity
from sfumato.mechanism.central.quantiles.method import adding_epsilon, checked, ratio, row_epsilon, true_quantiles
from sfumato.mechanism.central.quantiles.recursive import Recursive
from sfumato.mechanism.central.quantiles.small_histogram import SmallHistogram
from sfumato.mechanism.central.quantiles.tree import Tree
from sfumato.table.unit import OF_TABLES, Neighbors
from sfumato.testing.seeded_bits import SeededBits


@dataclass
class Asked:
    """The parameters that all methods share."""

    quantiles: tuple = (Fraction(1, 4), Fraction(1, 2))
    epsilon: Fraction = Fraction(1)
    size: int = 10
    neighbors: Neighbors = Neighbors.ADD_REMOVE
    rows: int = 4


def test_good_parameters_pass():
    """And a row has its share of ε."""
    checked(Asked())
    assert row_epsilon(Asked()) == Fraction(1, 4)


@pytest.mark.parametrize(
    "change",
    [
        {"quantiles": ()},
        {"quantiles": (Fraction(1, 2), Fraction(1, 2))},
        {"quantiles": (Fraction(1, 2), Fraction(1, 4))},
        {"quantiles": (Fraction(0),)},
        {"quantiles": (Fraction(1),)},
        {"quantiles": (0.5,)},
        {"quantiles": tuple(Fraction(i, 1002) for i in range(1, 1002))},
        {"epsilon": 1.0},
        {"epsilon": Fraction(0)},
        {"epsilon": Fraction(1, 2**29)},
        {"size": 1},
        {"size": 2**52 + 2},
        {"rows": 0},
        {"neighbors": "replace"},
    ],
)
def test_bad_parameters_are_refused(change):
    """Each with a remedy."""
    with pytest.raises(ParameterError):
        checked(Asked(**change))


def test_quantile_is_the_inverted_distribution_function():
    """The least place with enough places at or below it, and NumPy's `inverted_cdf`."""
    places = np.random.default_rng(1).integers(0, 9, 23)
    for q in (Fraction(i, 23) for i in range(1, 23)):
        slow = next(g for g in range(9) if sum(p <= g for p in places.tolist()) >= q * 23)
        assert true_quantiles(places, (q,)).tolist() == [slow]
    half = (Fraction(1, 2),)
    assert true_quantiles(places, half)[0] == np.quantile(places, 0.5, method="inverted_cdf")
    assert true_quantiles(np.empty(0, np.int64), half).tolist() == [0]


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
