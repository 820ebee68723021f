"""Nine deciles at equal epsilon: each method errs no more than the implementations of the same name elsewhere."""

import gzip
import json
from fractions import Fraction

import numpy as np
import pytest

from sfumato.mechanism.central.quantiles.histogram_method import HistogramMethod
from sfumato.mechanism.central.quantiles.inverse_sensitivity import InverseSensitivity
from sfumato.mechanism.central.quantiles.method import true_quantiles
from sfumato.mechanism.central.quantiles.recursive import Recursive
from sfumato.mechanism.central.quantiles.small_histogram import SmallHistogram
from sfumato.mechanism.central.quantiles.tree import Tree
from sfumato.table.unit import Neighbors
from sfumato.testing.seeded_bits import SeededBits

DECILES = tuple(Fraction(i, 10) for i in range(1, 10))
SIZE = 2**20 + 1
RUNS = 15
MARGIN = 4.9
"""Standard errors of ours and theirs together: one-sided 5e-7, if they are normal; they are nearly."""

METHODS = {
    "hist_at_1000": (HistogramMethod, Neighbors.REPLACE, {"monotone": False}),
    "hist_at_1000_monotone": (HistogramMethod, Neighbors.REPLACE, {}),
    "inv_sens_rho0": (InverseSensitivity, Neighbors.REPLACE, {}),
    "inv_sens_rho1e-4range": (InverseSensitivity, Neighbors.REPLACE, {"smoothing": 105}),
    "gq_ind_exp": (InverseSensitivity, Neighbors.ADD_REMOVE, {}),
    "kaplan_aq_nojitter": (Recursive, Neighbors.ADD_REMOVE, {}),
    "gq_lap_tree_h4b16": (Tree, Neighbors.ADD_REMOVE, {}),
    "noisy_hist_100": (SmallHistogram, Neighbors.ADD_REMOVE, {"bins": 100}),
}


@pytest.fixture(scope="module")
def reference(shared):
    rows = json.loads((shared / "reference" / "dp_reference.json").read_text("utf-8"))["rows"]
    return {(row["data"], row["eps"], row["method"]): row for row in rows}


def deciles_error(method, places, step):
    """The mean error of nine deciles in each run."""
    wanted = true_quantiles(places, DECILES)
    found = np.array([method.decide(places, bits=SeededBits(seed)) for seed in range(RUNS)])
    return np.abs(found - wanted).mean(1) * step


def places_of(name):
    """The same values as the reference's, on our grid."""
    law, n = name.split("_n")
    if law == "uniform":
        values, low, width = np.random.default_rng(20261127 + int(n)).uniform(0, 1, int(n)), 0, 1
    else:
        values, low, width = np.clip(np.random.default_rng(777 + int(n)).normal(0, 1, int(n)), -10, 10), -10, 20
    step = width / (SIZE - 1)
    return np.rint((values - low) / step).astype(np.int64), step


@pytest.mark.parametrize("peer", METHODS)
@pytest.mark.parametrize("name", ["uniform_n1000", "normal_n10000"])
def test_errors_are_no_larger_than_those_of_the_namesake(reference, name, peer):
    """10 % and a Monte Carlo margin."""
    kind, neighbors, options = METHODS[peer]
    places, step = places_of(name)
    seen = deciles_error(kind(DECILES, Fraction(1), SIZE, neighbors, rows=1, **options), places, step)
    theirs = reference[name, 1.0, peer]
    spread = np.hypot(seen.std(ddof=1) / RUNS**0.5, theirs["mae_sd"] / theirs["reps"] ** 0.5)
    assert seen.mean() <= 1.1 * theirs["mae"] + MARGIN * spread


@pytest.mark.parametrize("name", ["uniform_n1000", "normal_n1000"])
def test_the_small_histogram_is_the_best_where_rows_times_epsilon_is_small(reference, name):
    """Below every library; half of the best and below 0.2 for the normal law. The number of rows is private."""
    places, step = places_of(name)
    method = SmallHistogram(DECILES, Fraction(1, 10), SIZE, Neighbors.ADD_REMOVE, rows=1)
    seen = deciles_error(method, places, step)
    libraries = [
        row["mae"]
        for (data, epsilon, peer), row in reference.items()
        if (data, epsilon) == (name, 0.1) and peer.startswith(("diffprivlib", "opendp", "pydp", "tmlt", "gq"))
        if row.get("mae") is not None
    ]
    assert seen.mean() < (min(libraries) if name == "uniform_n1000" else min(min(libraries) / 2, 0.2))


@pytest.mark.parametrize("column", ["age", "hours-per-week"])
def test_shared_values_are_found_by_recursion_at_epsilon_one(shared, column):
    """Ages and hours of 48,842 persons: with the dither nearly every decile is exact."""
    path = shared / "data" / "adult_uci" / "adult_48842.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        head = file.readline().strip().split(",")
        at = head.index(column)
        places = np.array([int(line.split(",")[at]) for line in file if line.strip()])
    method = Recursive(DECILES, Fraction(1), 121, Neighbors.ADD_REMOVE, rows=1)
    assert deciles_error(method, places, 1.0).mean() < 0.01
