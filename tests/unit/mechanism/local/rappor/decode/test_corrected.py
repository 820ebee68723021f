"""The correction of the noise's mean is the paper's, and the weights are the variance's."""

import numpy as np
import pytest

from sfumato.mechanism.local.rappor.counts import BitCounts, no_counts
from sfumato.mechanism.local.rappor.decode.corrected import corrected
from sfumato.mechanism.local.rappor.params import RapporParams

PARAMS = RapporParams("home", bits=4, hashes=1, cohorts=2, f="1/3", p="2/5", q="7/10")


def test_the_share_is_the_papers_estimate():
    """t = (c - (p + fq/2 - fp/2) N) / ((1-f)(q-p)), over N."""
    counts = BitCounts(np.array([300, 70]), np.array([[100, 150, 200, 120], [40, 30, 35, 70]]))
    f, p, q = (float(one) for one in (PARAMS.f, PARAMS.p, PARAMS.q))
    found = corrected(PARAMS, counts).share.reshape(2, 4)
    for j, n in enumerate(counts.n):
        for i, ones in enumerate(counts.ones[j]):
            assert found[j, i] == pytest.approx((ones - (p + f * q / 2 - f * p / 2) * n) / ((1 - f) * (q - p)) / n)


def test_the_share_is_unbiased_and_the_weight_its_inverse_variance():
    """20 000 binomial counts of 2000 reports; means within 5.2 deviations (2e-7), variances within 6 %."""
    rng, n, share = np.random.default_rng(6), 2000, 0.3
    span = float(PARAMS.q_star - PARAMS.p_star)
    rate = float(PARAMS.p_star) + span * share
    ones = rng.binomial(n, rate, (10_000, 2))
    params = RapporParams("many", bits=2, hashes=1, cohorts=10_000, f=PARAMS.f, p=PARAMS.p, q=PARAMS.q)
    found = corrected(params, BitCounts(np.full(10_000, n), ones))
    variance = rate * (1 - rate) / n / span**2
    assert abs(found.share.mean() - share) < 5.2 * np.sqrt(variance / 20_000)
    assert found.share.var() == pytest.approx(variance, rel=0.06)
    assert np.median(1 / found.weight) == pytest.approx(variance, rel=0.01)


def test_silent_cohorts_and_extreme_counts_have_finite_numbers():
    counts = BitCounts(np.array([0, 5]), np.array([[0, 0, 0, 0], [0, 5, 2, 3]]))
    found = corrected(PARAMS, counts)
    assert found.share[:4].tolist() == found.weight[:4].tolist() == [0, 0, 0, 0]
    assert np.isfinite(found.weight).all()
    assert (found.weight[4:] > 0).all()
    assert not corrected(PARAMS, no_counts(PARAMS)).weight.any()
