import math

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.guarantee.k_map import KMap, KMapEstimated
from sfumato.summary.classes import Classes


def sized(sizes, population=None):
    size = np.array(sizes)
    people = None if population is None else np.array(population)
    return Classes(np.arange(len(size))[:, None], size, size, population=people)


def test_a_unique_person_of_the_table_hides_in_the_population():
    assert KMap(5).holds(sized([1, 1], [5, 4])).tolist() == [True, False]


def poisson(x, mean):
    return math.exp(-mean) * mean**x / math.factorial(x)


@pytest.mark.parametrize(("k", "population", "sample"), [(5, 1000, 300), (20, 1000, 100), (3, 10, 9), (50, 10**6, 10)])
def test_the_zero_truncated_size_is_one_more_than_the_quantile(k, population, sample):
    mean = k * sample / population
    x, below = 0, 0.0
    while below < 0.99:
        x += 1
        below += poisson(x, mean) / (1 - poisson(0, mean))
    estimated = KMapEstimated(k, population, sample, 0.01, "zero-truncated-poisson")
    assert estimated.least_size == min(k, x + 1)
    assert estimated.error == pytest.approx(1 - below, abs=1e-12)


@pytest.mark.parametrize(("k", "population", "sample"), [(5, 1000, 300), (20, 1000, 100), (3, 10, 9), (50, 10**6, 10)])
def test_the_poisson_size_is_two_more_than_the_quantile(k, population, sample):
    mean = k * sample / population
    x, below = 0, poisson(0, mean)
    while below < 0.99:
        x += 1
        below += poisson(x, mean)
    estimated = KMapEstimated(k, population, sample, 0.01, "poisson")
    assert estimated.least_size == min(k, x + 2)
    assert estimated.error == pytest.approx(1 - below, abs=1e-12)


def test_a_whole_population_leaves_nothing_to_estimate():
    assert KMapEstimated(1000, 10_000, 10_000, 0.01, "poisson").least_size == 1000


def test_large_means_do_not_underflow():
    estimated = KMapEstimated(10**5, 2 * 10**6, 10**6, 0.01, "poisson")
    assert estimated.least_size == pytest.approx(50_000 + 2.326 * math.sqrt(50_000), rel=1e-3)


def test_the_error_never_exceeds_the_significance():
    for k in range(1, 60):
        assert KMapEstimated(k, 900, 100, 0.05, "poisson").error <= 0.05


def test_more_persons_than_the_stated_sample_are_refused():
    with pytest.raises(ParameterError, match="`sample` must be the number of persons"):
        KMapEstimated(2, 10, 3, 0.01, "poisson").holds(sized([2, 2]))


@pytest.mark.parametrize(
    "arguments",
    [
        (0, 10, 5, 0.01, "poisson"),
        (2, 4, 5, 0.01, "poisson"),
        (2, 10, 5, 0, "poisson"),
        (2, 10, 5, 1, "poisson"),
        (2, 10, 5, 0.01, "binomial"),
    ],
)
def test_parameters_outside_their_range_are_refused(arguments):
    with pytest.raises(ParameterError):
        KMapEstimated(*arguments)
