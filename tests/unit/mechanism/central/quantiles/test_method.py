"""What every quantile method checks, and the definition of a quantile."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.central.quantiles.method import checked, row_epsilon, true_quantiles
from sfumato.table.unit import Neighbors


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
