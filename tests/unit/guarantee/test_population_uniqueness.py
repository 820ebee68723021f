import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.guarantee.population_uniqueness import PopulationUniqueness
from sfumato.summary.classes import Classes


def sized(*sizes):
    size = np.array(sizes)
    return Classes(np.arange(len(size))[:, None], size, size)


def test_a_whole_population_has_the_uniques_of_the_table():
    criterion = PopulationUniqueness(0.25, 8, "zayatz")
    assert criterion.measure(sized(1, 1, 2, 4)) == 0.25
    assert criterion.holds_together(sized(1, 1, 2, 4))


def test_an_estimator_without_a_solution_satisfies_nothing_below_one():
    """No pair: the moments of the shifted negative binomial model have no solution."""
    criterion = PopulationUniqueness(0.99, 1000, "snb")
    assert criterion.measure(sized(1, 1, 5)) == 1
    assert not criterion.holds_together(sized(1, 1, 5))


def test_a_table_without_uniques_has_none_in_the_population_by_every_estimate():
    for estimator in ("pitman", "zayatz", "snb", "dankar"):
        assert PopulationUniqueness(0, 1000, estimator).holds_together(sized(2, 3, 5))


def test_it_is_an_estimate_and_says_so():
    promise = PopulationUniqueness(0.01, 1000, "dankar").guarantee()
    assert promise.kind == "idealized"
    assert "estimate" in promise.statement


@pytest.mark.parametrize("arguments", [(2, 10, "pitman"), (0.1, 0, "pitman"), (0.1, 10, "guess")])
def test_parameters_outside_their_range_are_refused(arguments):
    with pytest.raises(ParameterError):
        PopulationUniqueness(*arguments)


def test_a_population_smaller_than_the_table_is_refused():
    with pytest.raises(ParameterError, match="`population` must be at least"):
        PopulationUniqueness(0.1, 5, "zayatz").holds_together(sized(1, 5))
