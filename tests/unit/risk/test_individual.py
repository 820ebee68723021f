"""Individual risk with sampling weights."""

import csv
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from sfumato.errors import ParameterError
from sfumato.risk.individual import expected_reidentifications, individual_risk


@given(st.integers(1, 400), st.floats(0.0, 16.0))
def test_it_is_the_integral_of_its_definition(size, log_ratio):
    p = 2.0**-log_ratio
    points = [p / (1 - p)] if p < 0.5 else None
    integral, _ = quad(
        lambda x: x ** (size - 1) * p / (p + (1 - p) * x), 0, 1, points=points, epsabs=0, epsrel=1e-12, limit=200
    )
    assert individual_risk(np.array([size]), np.array([size / p]))[0] == pytest.approx(integral, rel=1e-9)


def test_francdat_the_table_of_the_franconi_and_polettini_papers(shared):
    """Keys 1 to 4 and weights of sdcMicro's copy; closed forms of classes of one and of two."""
    with (shared / "data" / "sdcmicro" / "francdat.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    weights = defaultdict(list)
    keys = [tuple(row[f"Key{i}"] for i in range(1, 5)) for row in rows]
    for key, row in zip(keys, rows, strict=True):
        weights[key].append(float(row["w"]))
    sizes = np.array([len(weights[key]) for key in keys])
    population = np.array([sum(weights[key]) for key in keys])
    assert sizes.tolist() == [2, 2, 2, 1, 1, 1, 1, 2]
    assert population.tolist() == [110.0, 84.5, 84.5, 17.0, 541.0, 8.0, 5.0, 110.0]
    p = sizes / population
    odds = p / (1 - p)
    closed = np.where(sizes == 1, -odds * np.log(p), odds + odds**2 * np.log(p))
    assert individual_risk(sizes, population) == pytest.approx(closed, rel=1e-12)


def test_a_class_wholly_in_the_sample_has_the_prosecutor_risk():
    sizes = np.array([1, 2, 40, 41, 1000])
    assert individual_risk(sizes, sizes.astype(float)) == pytest.approx(1 / sizes, rel=1e-13)


def test_a_larger_population_lowers_the_risk():
    population = np.geomspace(3, 1e7, 50)
    risk = individual_risk(np.full(50, 3), population)
    assert (np.diff(risk) < 0).all()


def test_expected_reidentifications_add_the_risks_of_persons():
    sizes, population = np.array([1, 2]), np.array([17.0, 110.0])
    assert expected_reidentifications(sizes, population) == pytest.approx(0.17707583 + 2 * 0.01714426, abs=1e-7)


def test_weights_below_one_are_refused():
    with pytest.raises(ParameterError, match="at least 1; in 1 classes"):
        individual_risk(np.array([2, 2]), np.array([1.5, 4.0]))
