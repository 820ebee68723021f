from math import comb

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.several.adaptive import OracleName
from sfumato.mechanism.local.several.smp import SMP, mean_inverse
from sfumato.noise.bits import SystemBits


@pytest.mark.parametrize(("n", "d"), [(1, 2), (2, 2), (7, 3), (50, 9), (400, 2)])
def test_the_mean_of_one_over_a_positive_binomial_is_its_sum(n, d):
    law = {m: comb(n, m) * (1 / d) ** m * (1 - 1 / d) ** (n - m) for m in range(1, n + 1)}
    expected = sum(p / m for m, p in law.items()) / sum(law.values())
    assert mean_inverse(n, d) == pytest.approx(expected, rel=1e-10)


def test_the_mean_of_one_over_a_large_binomial_is_near_one_over_its_mean():
    assert mean_inverse(10**6, 9) == pytest.approx(9e-6 * (1 + 8e-6), rel=1e-8)


@pytest.mark.parametrize(("n", "d"), [(10**4, 2), (10**4, 9), (10**5, 30)])
def test_the_expansion_for_many_persons_is_the_sum(n, d, monkeypatch):
    """The next term is of the order 15 over the cube of the mean."""
    summed = mean_inverse(n, d)
    monkeypatch.setattr("sfumato.mechanism.local.several.smp._EXPANDED", 1.0)
    assert mean_inverse(n, d) == pytest.approx(summed, rel=30 * (d / n) ** 3 + 1e-12)
    assert mean_inverse(10**30, d) == pytest.approx(d / 10**30, rel=1e-12)


def test_variance_is_to_first_order_the_oracles_and_the_sampling_term():
    scheme, f, n, d = SMP(1.0, (3, 3), OracleName.GRR), np.array([0.5, 0.3, 0.2]), 10**6, 2
    p, q = scheme.oracles[0].support.p, scheme.oracles[0].support.q
    first = d / n * (q * (1 - q) / (p - q) ** 2 + f * (1 - p - q) / (p - q)) + (d - 1) / n * f * (1 - f)
    assert scheme.variance([f, f], n)[0] == pytest.approx(first, rel=1e-5)


def test_an_attribute_that_nobody_reported_has_no_estimate():
    scheme = SMP(1.0, (2, 2), OracleName.GRR)
    reports = scheme.randomize(np.array([[0, 1]]), bits=SystemBits())
    with pytest.raises(ParameterError, match="at least one report"):
        scheme.estimate(scheme.count_support(reports))


def test_one_persons_report_is_small():
    scheme = SMP(1.0, (7, 16, 7, 14, 6, 5, 2, 41, 2), OracleName.GRR)
    assert len(scheme.to_bytes(scheme.randomize(np.zeros((1, 9), np.int64), bits=SystemBits()))) < 30
