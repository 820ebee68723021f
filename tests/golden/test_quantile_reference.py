"""Nine deciles beside every figure of the reference file: never more than 1.1 times the best error of all.

Repetitions are few, so a mean is compared less 6 of its own standard errors: a method that is as good as the best one
fails with a chance below 1e-6 a setting, and one that is twice as bad as allowed does not pass. The bench has many.
"""

import csv
import gzip
import json
from fractions import Fraction

import numpy as np
import pytest

from sfumato.mechanism.central.quantiles.choose import choose
from sfumato.mechanism.central.quantiles.joint_exponential import JointExponential
from sfumato.table.unit import Neighbors
from sfumato.testing.seeded_bits import SeededBits

DECILES = tuple(Fraction(i, 10) for i in range(1, 10))
STEPS = 10**7
ADULT = {"adult_age": ("age", 120), "adult_hours": ("hours-per-week", 100), "adult_capgain": ("capital-gain", 10**5)}
SETS = ["uniform_n1000", "normal_n10000", "uniform_n100000", "normal_n1000000", *ADULT]
"""Each size once, and each law at a small and a large one."""


@pytest.fixture(scope="module")
def best(shared):
    """(data, eps) -> least error in the reference file."""
    rows = json.loads((shared / "reference" / "dp_reference.json").read_text())["rows"]
    found = {}
    for row in rows:
        if isinstance(row.get("mae"), int | float):
            key = row["data"], row["eps"]
            found[key] = min(row["mae"], found.get(key, np.inf))
    return found


def values_of(shared, name):
    """(values, low, high, steps), made as the reference says."""
    if name in ADULT:
        column, high = ADULT[name]
        with gzip.open(shared / "data" / "adult_uci" / "adult_48842.csv.gz", "rt", newline="") as file:
            return np.array([float(row[column]) for row in csv.DictReader(file)]), 0.0, float(high), high
    n = int(name.rsplit("n", 1)[1])
    if name.startswith("uniform"):
        return np.random.default_rng(20261127 + n).uniform(0, 1, n), 0.0, 1.0, STEPS
    return np.clip(np.random.default_rng(777 + n).normal(0, 1, n), -10, 10), -10.0, 10.0, STEPS


def errors(method, values, low, high, steps, seed, times):
    """Mean absolute error of each repetition."""
    truth = np.quantile(values, [float(q) for q in DECILES], method="inverted_cdf")
    places = np.rint((np.clip(values, low, high) - low) * (steps / (high - low))).astype(np.int64)
    bits = SeededBits(seed)
    answers = (method.decide(places, bits=bits) * (high - low) / steps + low for _ in range(times))
    return np.array([np.abs(answer - truth).mean() for answer in answers])


@pytest.mark.parametrize("name", SETS)
def test_no_peer_is_nearer(name, shared, best):
    """Both ε, the default method, the number of rows as the public guess."""
    values, low, high, steps = values_of(shared, name)
    for eps in (1.0, 0.1):
        method = choose(DECILES, Fraction(str(eps)), steps + 1, Neighbors.ADD_REMOVE, 1, len(values))
        found = errors(method, values, low, high, steps, 7, 20 if len(values) < 500_000 else 6)
        spread = 6 * found.std(ddof=1) / np.sqrt(len(found))
        assert found.mean() - spread <= 1.1 * best[name, eps]
        assert found.mean() <= 1.6 * best[name, eps]


@pytest.mark.parametrize("name", ADULT)
def test_adult_is_exact(name, shared):
    """At ε = 1 all nine deciles of age, hours and capital gain, in each of 20 repetitions."""
    values, low, high, steps = values_of(shared, name)
    method = JointExponential(DECILES, Fraction(1), steps + 1, Neighbors.ADD_REMOVE, 1)
    assert errors(method, values, low, high, steps, 9, 20).max() == 0


def test_few_normal_rows(shared):
    """A thousand standard normal rows on [-10, 10] at ε = 0.1: at most 0.2 (libraries 0.58 and more)."""
    values, low, high, steps = values_of(shared, "normal_n1000")
    method = choose(DECILES, Fraction(1, 10), steps + 1, Neighbors.ADD_REMOVE, 1, len(values))
    assert errors(method, values, low, high, steps, 5, 200).mean() <= 0.2


def test_the_published_form_is_worse(shared, best):
    """Broken twin of the comparison: without the noisy count, and half of ε, the margin is missed."""
    values, low, high, steps = values_of(shared, "normal_n10000")
    method = JointExponential(DECILES, Fraction(1, 2), steps + 1, Neighbors.ADD_REMOVE, 1, Fraction(0))
    found = errors(method, values, low, high, steps, 7, 20)
    assert found.mean() > 1.6 * best["normal_n10000", 1.0]
