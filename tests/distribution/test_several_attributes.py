"""Do the devices' reports lead to unbiased estimates with the exact variance, for every scheme?

One thousand collections of 200 persons are made of 200,000 independent persons' reports. With 10 values for each of
14 schemes there are 140 means, each within six standard errors (normal false alarm 2e-9 each, 3e-7 in all), and
140 variances, each within six standard errors of a sample variance, (2/999)^½ relative (the same rate, for estimates that are
near normal, as sums of 200 reports are; 0.05 is added for their kurtosis). The seed is fixed.
"""

import math

import numpy as np
import pytest

from sfumato.mechanism.local.several.catalog import scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.mechanism.local.several.scheme import TupleCounts
from sfumato.mechanism.local.several.smp import SampledReports
from sfumato.summary.interval import lower_bound, upper_bound
from sfumato.testing.seeded_bits import SeededBits

RUNS, N, SIZES = 1000, 200, (2, 3, 5)
SHARES = (np.array([0.8, 0.2]), np.array([0.5, 0.3, 0.2]), np.array([0.5, 0.25, 0.15, 0.1, 0.0]))
PRIORS = ((0.6, 0.4), (0.2, 0.3, 0.5), (0.4, 0.3, 0.2, 0.1, 0.0))
LABELS = [
    "SPL[GRR]",
    "SPL[OUE]",
    "SMP[GRR]",
    "SMP[SUE]",
    "every attribute[ADP]",
    "RS+FD[GRR]",
    "RS+FD[SUE-z]",
    "RS+FD[OUE-z]",
    "RS+FD[SUE-r]",
    "RS+FD[OUE-r]",
    "RS+FD[ADP]",
    "RS+RFD[GRR]",
    "RS+RFD[SUE-r]",
    "RS+RFD[OUE-r]",
]


def persons():
    """(N, 3) codes with exactly the shares, in an order that ties the attributes to each other."""
    return np.column_stack([np.repeat(np.arange(len(f)), np.round(f * N).astype(int)) for f in SHARES])


def collections(scheme):
    """The counts of each collection."""
    reports = scheme.randomize(np.tile(persons(), (RUNS, 1)), bits=SeededBits(20))
    for run in range(RUNS):
        part = slice(run * N, (run + 1) * N)
        if isinstance(reports, SampledReports):
            asked = [np.flatnonzero(reports.sampled == at) // N == run for at in range(len(SIZES))]
            chosen = tuple(column[keep] for column, keep in zip(reports.columns, asked, strict=True))
            yield scheme.count_support(SampledReports(reports.sampled[part], chosen))
        else:
            yield scheme.count_support(tuple(column[part] for column in reports))


@pytest.mark.parametrize("label", LABELS)
def test_estimates_are_unbiased_with_the_exact_variance(label):
    scheme = scheme_by_label(label, 2.0, SIZES, calibration=Calibration.AS_PUBLISHED, priors=PRIORS)
    estimates = np.array([np.concatenate(scheme.estimate(counts)) for counts in collections(scheme)])
    exact = np.concatenate(scheme.variance(SHARES, N))
    off = (estimates.mean(axis=0) - np.concatenate(SHARES)) / np.sqrt(exact / RUNS)
    assert np.abs(off).max() < 6
    ratios = estimates.var(axis=0, ddof=1) / exact
    assert np.abs(ratios - 1).max() < 6 * np.sqrt(2 / (RUNS - 1)) + 0.05


def test_a_broken_twin_is_caught():
    honest = scheme_by_label("RS+FD[GRR]", 2.0, SIZES, calibration=Calibration.AS_PUBLISHED)
    twin = scheme_by_label("RS+FD[GRR]", 2.4, SIZES, calibration=Calibration.AS_PUBLISHED)
    estimates = np.array([np.concatenate(honest.estimate(counts)) for counts in collections(twin)])
    exact = np.concatenate(honest.variance(SHARES, N))
    off = (estimates.mean(axis=0) - np.concatenate(SHARES)) / np.sqrt(exact / RUNS)
    assert np.abs(off).max() > 6


def test_counts_of_collections_add_up():
    scheme = scheme_by_label("SMP[GRR]", 2.0, SIZES, calibration=Calibration.AS_PUBLISHED)
    total = TupleCounts(tuple(np.zeros(k, np.int64) for k in SIZES), (0, 0, 0))
    for counts in collections(scheme):
        total += counts
    assert sum(total.reports) == RUNS * N


@pytest.mark.parametrize("variant", ["GRR", "OUE-z", "SUE-r"])
def test_the_law_of_a_whole_report_is_the_one_that_epsilon_was_computed_from(variant):
    """The most telling report of 400,000 persons is as frequent as the formula says, within six standard errors."""
    n = 400_000
    scheme = scheme_by_label(f"RS+FD[{variant}]", 1.0, (2, 3), calibration=Calibration.AS_PUBLISHED)
    law = [attribute.coordinate for attribute in scheme.attributes]
    reports = scheme.randomize(np.tile([[0, 0]], (n, 1)), bits=SeededBits(21))
    own, fakes = [], []
    for at, coordinate in enumerate(law):
        p, q = float(coordinate.p), float(coordinate.q)
        if variant == "GRR":
            own.append(p)
            fakes.append(float(coordinate.fakes[0]))
        else:
            rest = (1 - q) ** (SIZES[at] - 1)
            one, none = p * rest, q * rest
            other = (q * (1 - p) * (1 - q) ** (SIZES[at] - 2)) if variant == "SUE-r" else none
            own.append(one)
            fakes.append(none if variant == "OUE-z" else (one + (SIZES[at] - 1) * other) / SIZES[at])
    expected = (own[0] * fakes[1] + fakes[0] * own[1]) / 2
    value = 0 if variant == "GRR" else 1
    seen = np.mean([column.reshape(n) == value for column in reports], axis=0) == 1
    assert abs(seen.mean() - expected) < 6 * np.sqrt(expected / n)


@pytest.mark.parametrize("variant", ["GRR", "OUE-z", "SUE-r"])
def test_reports_alone_refute_the_published_epsilon_and_not_the_true_one(variant):
    """One event, both tuples, 300,000 persons each; both bounds hold with probability 1 - 1e-6 (Clopper and Pearson)."""
    n, sizes = 300_000, (2, 2, 2)
    scheme = scheme_by_label(f"RS+FD[{variant}]", 1.0, sizes, calibration=Calibration.AS_PUBLISHED)
    seen = []
    for value, seed in ((0, 31), (1, 32)):
        reports = scheme.randomize(np.full((n, 3), value), bits=SeededBits(seed))
        telling = 0 if variant == "GRR" else 1
        seen.append(int(np.sum(np.all([column.reshape(n) == telling for column in reports], axis=0))))
    refuted = math.log(lower_bound(seen[0], n, 5e-7) / upper_bound(seen[1], n, 5e-7))
    kept = math.log(upper_bound(seen[0], n, 5e-7) / lower_bound(seen[1], n, 5e-7))
    assert refuted > scheme.epsilons.published
    assert refuted <= scheme.epsilons.tuple_level <= kept
