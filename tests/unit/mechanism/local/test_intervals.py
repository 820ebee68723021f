"""Confidence intervals of estimated shares."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from sfumato.errors import ParameterError
from sfumato.mechanism.local.intervals import exact_intervals, normal_intervals
from sfumato.mechanism.local.oracle import Support, estimate

SUPPORT = Support(0.75, 0.25)


def coverage(n, members, support, level, make):
    """Exact probability that the interval holds members/n: the count is a sum of two binomials."""
    law = np.convolve(
        binom.pmf(np.arange(members + 1), members, support.p),
        binom.pmf(np.arange(n - members + 1), n - members, support.q),
    )
    found = make(np.arange(n + 1), n, support, confidence=level)
    truth = members / n
    return law[(found.low <= truth) & (truth <= found.high)].sum()


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.999])
@pytest.mark.parametrize("support", [SUPPORT, Support(0.5, 0.01), Support(0.999, 1e-4), Support(1.0, 0.0)])
@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_exact_intervals_never_cover_less_than_their_level(n, support, level):
    for members in range(n + 1):
        assert coverage(n, members, support, level, exact_intervals) >= level - 1e-9


def test_exact_intervals_are_those_of_clopper_and_pearson():
    """The end is where the binomial tail equals 2.5 %."""
    found = exact_intervals(np.array([60]), 100, Support(1.0, 0.0), confidence=0.95)
    assert binom.sf(59, 100, found.low[0]) == pytest.approx(0.025, rel=1e-6)
    assert binom.cdf(60, 100, found.high[0]) == pytest.approx(0.025, rel=1e-6)


def test_normal_intervals_cover_about_their_level_when_n_is_large():
    assert coverage(2000, 600, SUPPORT, 0.95, normal_intervals) == pytest.approx(0.95, abs=0.01)


def test_the_population_asks_for_wider_intervals():
    counts = np.array([500])
    table = normal_intervals(counts, 1000, SUPPORT, confidence=0.95)
    people = normal_intervals(counts, 1000, SUPPORT, confidence=0.95, target="population")
    assert people.high[0] - people.low[0] > table.high[0] - table.low[0]


@pytest.mark.parametrize("make", [exact_intervals, normal_intervals])
def test_intervals_that_hold_together_are_wider(make):
    counts = np.array([500, 400, 300])
    alone = make(counts, 1000, SUPPORT, confidence=0.95)
    together = make(counts, 1000, SUPPORT, confidence=0.95, simultaneous=True)
    assert np.all(together.low < alone.low)
    assert np.all(together.high > alone.high)


@pytest.mark.parametrize("make", [exact_intervals, normal_intervals])
def test_intervals_hold_the_clipped_estimate(make):
    counts = np.arange(0, 51)
    found = make(counts, 50, SUPPORT, confidence=0.9)
    raw = np.clip(estimate(counts, 50, SUPPORT), 0, 1)
    assert np.all((found.low <= raw) & (raw <= found.high))


@pytest.mark.parametrize("level", [0.0, 1.0, 0.4, math.nan, 95, "0.95"])
def test_levels_outside_their_range_are_refused(level):
    with pytest.raises(ParameterError, match="confidence"):
        exact_intervals(np.array([1]), 2, SUPPORT, confidence=level)


@pytest.mark.parametrize("counts", [[-1], [3]])
def test_counts_beyond_the_reports_are_refused(counts):
    with pytest.raises(ParameterError):
        exact_intervals(np.array(counts), 2, SUPPORT, confidence=0.9)
