import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.guarantee.delta_presence import DeltaPresence
from sfumato.summary.classes import Classes


def shares(persons, population):
    size = np.array(persons)
    return Classes(np.arange(len(size))[:, None], size, size, population=np.array(population))


def test_both_bounds_are_inclusive():
    three = shares([1, 3, 4], [10, 10, 10])
    assert DeltaPresence(0.1, 0.3).holds(three).tolist() == [True, True, False]


def test_one_third_is_more_than_its_decimal():
    third = shares([1], [3])
    assert not DeltaPresence(0, 0.3333333333333333).holds(third).any()
    assert DeltaPresence(0, "1/3").holds(third).all()


def test_without_a_population_the_remedy_is_said():
    size = np.array([2])
    with pytest.raises(ParameterError, match=r"no population is known.*`subset`"):
        DeltaPresence(0, 1).holds(Classes(np.array([[0]]), size, size))


@pytest.mark.parametrize(("low", "high"), [(0.5, 0.2), (-0.1, 1), (0, 2)])
def test_bounds_outside_their_range_are_refused(low, high):
    with pytest.raises(ParameterError):
        DeltaPresence(low, high)
