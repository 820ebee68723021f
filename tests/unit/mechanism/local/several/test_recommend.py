import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.several.recommend import Neighbors, recommend

SIZES, N = (3, 7), 1000


@pytest.fixture(scope="module", params=Neighbors)
def judged(request):
    return request.param, recommend(1.0, SIZES, N, neighbors=request.param)


def test_every_candidate_keeps_the_asked_epsilon_toward_the_asked_neighbors(judged):
    neighbors, candidates = judged
    for candidate in candidates:
        whole = neighbors is Neighbors.WHOLE_RECORD
        kept = candidate.epsilons.tuple_level if whole else candidate.epsilons.one_attribute
        assert 0.999 < kept <= 1.0, candidate.label


def test_the_least_worst_variance_comes_first(judged):
    worst = [candidate.worst for candidate in judged[1]]
    assert worst == sorted(worst)


def test_the_worst_variance_is_the_greatest_of_a_fine_search(judged):
    for candidate in judged[1]:
        grid = [candidate.scheme.variance([np.full(k, f) for k in SIZES], N) for f in np.linspace(0, 1, 401)]
        greatest = max(float(values.max()) for each in grid for values in each)
        assert candidate.worst == pytest.approx(greatest, rel=1e-4)
        assert candidate.worst >= greatest * (1 - 1e-12)


def test_the_whole_record_is_best_served_by_sampling_one_attribute():
    assert recommend(1.0, (5, 5, 5), N, neighbors=Neighbors.WHOLE_RECORD)[0].label.startswith("SMP")


def test_one_attribute_is_best_served_by_reporting_all():
    assert recommend(1.0, (5, 5, 5), N, neighbors=Neighbors.ONE_ATTRIBUTE)[0].label.startswith("every attribute")


def test_expected_shares_are_judged_by_the_exact_variance():
    shares = [np.array([0.8, 0.1, 0.1]), np.full(7, 1 / 7)]
    for candidate in recommend(1.0, SIZES, N, neighbors=Neighbors.WHOLE_RECORD, frequencies=shares):
        exact = candidate.scheme.variance(shares, N)
        assert candidate.mean == pytest.approx((exact[0].mean() + exact[1].mean()) / 2)


def test_realistic_fakes_compete_when_there_are_priors():
    priors = [(0.8, 0.1, 0.1), (0.4, *([0.1] * 6))]
    labels = [c.label for c in recommend(1.0, SIZES, N, neighbors=Neighbors.WHOLE_RECORD, priors=priors)]
    assert sum("RFD" in label for label in labels) == 3


def test_a_comparison_needs_a_person():
    with pytest.raises(ParameterError):
        recommend(1.0, SIZES, 0, neighbors=Neighbors.WHOLE_RECORD)
