"""Counts drawn at once have the law of counts of single reports."""

import numpy as np
import pytest

from sfumato.errors import ParameterError, ReportError
from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.counts import BitCounts, count_reports, no_counts
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.mechanism.local.rappor.simulate import simulate_counts, true_ones

PARAMS = RapporParams("home", bits=8, hashes=2, cohorts=3, f="1/2", p="1/4", q="3/4")


def slow_true_ones(params, by_cohort, design):
    """Person by person."""
    ones = np.zeros((params.cohorts, params.bits), np.int64)
    for value, row in enumerate(by_cohort):
        for cohort, persons in enumerate(row):
            for bit in set(design[value, cohort].tolist()):
                ones[cohort, bit] += persons
    return ones


def test_true_ones_equal_the_slow_twin_and_count_coinciding_hashes_once():
    names = [f"v{i}" for i in range(40)]
    design = design_bits(PARAMS, names)
    assert (design[:, :, 0] == design[:, :, 1]).any()
    by_cohort = np.random.default_rng(3).integers(0, 50, (40, 3))
    assert true_ones(PARAMS, by_cohort, design).tolist() == slow_true_ones(PARAMS, by_cohort, design).tolist()


def test_the_mean_of_simulated_counts_is_that_of_the_law():
    """400 runs; |z| of each of 24 bits below 6.2: false alarm below 2e-8."""
    design = design_bits(PARAMS, ["a", "b"])
    rng = np.random.default_rng(5)
    share = np.zeros((3, 8))
    runs = [simulate_counts(PARAMS, np.array([300, 100]), design, rng=rng) for _ in range(400)]
    p, q = float(PARAMS.p_star), float(PARAMS.q_star)
    for value, weight in ((0, 0.75), (1, 0.25)):
        for cohort in range(3):
            share[cohort, sorted(set(design[value, cohort].tolist()))] += weight
    rate = p + (q - p) * share
    total = sum(run.n for run in runs)
    ones = sum(run.ones for run in runs)
    z = (ones - total[:, None] * rate) / np.sqrt(total[:, None] * rate * (1 - rate))
    assert np.abs(z).max() < 6.2


def test_counts_of_parts_add_up():
    cohorts = np.array([2, 0, 2, 2])
    reports = np.random.default_rng(1).random((4, 8)) < 0.5
    whole = count_reports(PARAMS, cohorts, reports)
    parts = count_reports(PARAMS, cohorts[:1], reports[:1]) + count_reports(PARAMS, cohorts[1:], reports[1:])
    assert whole.ones.tolist() == parts.ones.tolist()
    assert whole.n.tolist() == [1, 0, 3]
    assert whole.total == 4
    assert whole.ones[2].tolist() == reports[[0, 2, 3]].sum(axis=0).tolist()
    assert (whole + no_counts(PARAMS)).ones.tolist() == whole.ones.tolist()


def test_counts_that_cannot_be_are_refused():
    with pytest.raises(ReportError, match="between 0"):
        BitCounts(np.array([1]), np.array([[2]]))
    with pytest.raises(ReportError, match="add up"):
        _ = no_counts(PARAMS) + BitCounts(np.array([1]), np.array([[1]]))
    with pytest.raises(ParameterError):
        simulate_counts(PARAMS, np.array([1, 2]), design_bits(PARAMS, ["a"]), rng=np.random.default_rng(1))
