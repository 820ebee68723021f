import math
from fractions import Fraction

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.mechanism.local.several.faked import (
    Variant,
    estimate_faked,
    faked_attribute,
    prior,
    randomize_marked,
    uniform,
    variance_faked,
    view,
)
from sfumato.mechanism.local.several.rs_fd import RSFD
from sfumato.mechanism.local.several.rs_rfd import RSRFD
from sfumato.testing.seeded_bits import SeededBits

K, D, N = 4, 3, 1000
COUNTS = np.array([400, 300, 200, 150])
F = np.array([0.4, 0.3, 0.2, 0.1])


def papers_estimate(variant, p, q):
    """Estimators as the papers write them (CIKM 2021, equations 4, 6 and 8 with their misprints resolved)."""
    if variant is Variant.GRR:
        return (COUNTS * D * K - N * (D - 1 + q * K)) / (N * K * (p - q))
    if variant.has_zeros:
        return D * (COUNTS - N * q) / (N * (p - q))
    return (COUNTS * D * K - N * (q * K + (p - q) * (D - 1) + q * K * (D - 1))) / (N * K * (p - q))


def papers_delta(variant, p, q):
    if variant is Variant.GRR:
        return (q + F * (p - q) + (D - 1) / K) / D
    if variant.has_zeros:
        return (D * q + F * (p - q)) / D
    return (F * (p - q) + q + (D - 1) / K * (p + (K - 1) * q)) / D


@pytest.mark.parametrize("variant", list(Variant))
def test_one_estimator_and_variance_are_all_of_the_papers(variant):
    attribute = faked_attribute(variant, 2.0, uniform(K))
    p, q = attribute.oracle.support.p, attribute.oracle.support.q
    delta = papers_delta(variant, p, q)
    published = D**2 * delta * (1 - delta) / (N * (p - q) ** 2)
    assert estimate_faked(COUNTS, N, D, attribute) == pytest.approx(papers_estimate(variant, p, q), rel=1e-9)
    assert variance_faked(F, N, D, attribute) == pytest.approx(published - F * (1 - F) / N, rel=1e-9)


@pytest.mark.parametrize("variant", [Variant.GRR, Variant.OUE_R])
def test_estimator_with_a_prior_is_the_papers(variant):
    law = prior(F.tolist())
    attribute = faked_attribute(variant, 2.0, law)
    p, q = attribute.oracle.support.p, attribute.oracle.support.q
    if variant is Variant.GRR:
        expected = (D * COUNTS - N * (q + (D - 1) * F)) / (N * (p - q))
    else:
        expected = (D * COUNTS - N * (q + (p - q) * (D - 1) * F + q * (D - 1))) / (N * (p - q))
    assert estimate_faked(COUNTS, N, D, attribute) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("variant", list(Variant))
def test_every_place_has_every_person_in_order_whatever_was_sampled(variant):
    scheme = RSFD(1.0, (2, 9, 3), variant, Calibration.TUPLE_LEVEL)
    values = np.tile([[1, 8, 2]], (40, 1))
    reports, sampled = randomize_marked(scheme.attributes, values, bits=SeededBits(1))
    assert len(np.unique(sampled)) == 3
    assert [len(column) for column in reports] == [40, 40, 40]
    assert len({column.dtype for column in reports}) == 1


@pytest.mark.parametrize("variant", [Variant.GRR, Variant.SUE_R, Variant.SUE_Z])
def test_at_a_huge_epsilon_the_sampled_place_holds_the_value(variant):
    scheme = RSFD(700.0, (2, 9, 3), variant, Calibration.TUPLE_LEVEL)
    values = np.column_stack([np.arange(60) % k for k in (2, 9, 3)])
    reports, sampled = randomize_marked(scheme.attributes, values, bits=SeededBits(2))
    seen = view(scheme.attributes, reports)
    for at, column in enumerate(seen):
        asked = np.flatnonzero(sampled == at)
        found = column[asked] if variant is Variant.GRR else column[asked].argmax(axis=1)
        assert found.tolist() == values[asked, at].tolist()


def test_fakes_follow_the_prior():
    law = (0.7, 0.2, 0.1, 0.0)
    scheme = RSRFD(700.0, (law, law), Variant.GRR, Calibration.TUPLE_LEVEL)
    reports, sampled = randomize_marked(scheme.attributes, np.full((20_000, 2), 3), bits=SeededBits(3))
    fakes = reports[0][sampled != 0]
    shares = np.bincount(fakes, minlength=4) / len(fakes)
    assert shares[3] == 0
    assert np.all(np.abs(shares - law) < 6 * np.sqrt(0.25 / len(fakes)))


@pytest.mark.parametrize("shares", [[0.5, -0.5, 1.0], [0.0, 0.0], [math.nan, 1.0], [math.inf, 1.0]])
def test_a_prior_that_is_no_law_is_refused(shares):
    with pytest.raises(ParameterError):
        prior(shares)


def test_a_prior_is_divided_by_its_exact_sum():
    assert prior([0.1, 0.3]) == (
        Fraction(0.1) / (Fraction(0.1) + Fraction(0.3)),
        Fraction(0.3) / (Fraction(0.1) + Fraction(0.3)),
    )


def test_fakes_of_zeros_do_not_follow_a_prior():
    with pytest.raises(ParameterError):
        RSRFD(1.0, ((0.5, 0.5),), Variant.OUE_Z, Calibration.TUPLE_LEVEL)


def test_a_true_prior_takes_nearly_all_amplification_away():
    priors = tuple((0.97, *([0.03 / (k - 1)] * (k - 1))) for k in (7, 16, 7, 14, 6, 5, 2, 41, 2))
    found = RSRFD(math.log(2), priors, Variant.GRR, Calibration.AS_PUBLISHED).epsilons
    assert found.one_attribute > 0.98 * found.tuple_level
