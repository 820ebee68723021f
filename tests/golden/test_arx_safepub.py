"""SafePub against ARX on Adult: its sample drawn again, the classes it published, its scores, and its k, one too large."""

from fractions import Fraction
from itertools import islice

import numpy as np
import pytest
from tests.golden import adult

from sfumato.guarantee.safepub_delta import SampledClasses
from sfumato.mechanism.recode.full_domain.table import Table
from sfumato.mechanism.recode.safepub.method import large_classes
from sfumato.mechanism.recode.safepub.scores import PreparedScore, Score
from sfumato.numbers.exact import as_fraction

SEED = 0xDEADBEEF - 2**32
ROWS = 30_162
NAMES = {"loss": "loss", "precision": "precision", "aecs": "classes", "dm": "discernibility"}


def java_doubles(seed):
    """java.util.Random.nextDouble, by its documentation."""
    state, mask = (seed ^ 0x5DEECE66D) & (2**48 - 1), 2**48 - 1
    while True:
        state = (state * 0x5DEECE66D + 0xB) & mask
        high = state >> 22
        state = (state * 0x5DEECE66D + 0xB) & mask
        yield ((high << 27) + (state >> 21)) * 2.0**-53


@pytest.fixture(scope="module")
def doubles():
    return np.array(list(islice(java_doubles(SEED), ROWS)))


def sampled(shared, doubles, beta):
    """The whole table, and the sampled rows of each of its tuples."""
    found = adult.classes(shared, adult.NINE, subset=doubles < beta)
    whole = adult.classes(shared, adult.NINE)
    assert np.array_equal(found.codes, whole.codes)
    return whole, found.rows


def test_the_published_classes_are_those_of_arx(shared, doubles):
    runs = adult.reference(shared)["differential_privacy_data_independent"]
    for run in runs:
        whole, rows = sampled(shared, doubles, run["post"]["beta"])
        levels = tuple(run["levels"][name] for name in adult.NINE)
        published, _ = large_classes(whole, adult.attributes(shared), levels, rows, run["post"]["k"])
        assert int(rows.sum()) == run["post"]["subsetSize"]
        if (len(set(levels)) == 1 and levels[0] == 0) or run["loss"] < 1 - 1e-9:
            assert published.n_classes == run["classes"]
            assert ROWS - published.n_rows == run["suppressedRecords"]
            assert (published.rows.min(initial=10**9), published.rows.max(initial=0)) == (
                run["minClass"] or 10**9,
                run["maxClass"],
            )
    assert len(runs) >= 10


def test_the_scores_of_searched_levels_are_those_of_arx(shared, doubles):
    """ARX counts rows that were not sampled as suppressed, and divides by its sensitivity.

    Its score by entropy is another function than ours.
    """
    runs = adult.reference(shared)["differential_privacy_data_dependent"]
    compared = [run for run in runs if "_entropy_" not in run["name"]]
    assert len(compared) >= 4
    for run in compared:
        whole, rows = sampled(shared, doubles, run["post"]["beta"])
        k, levels = run["post"]["k"], tuple(run["levels"][name] for name in adult.NINE)
        name = NAMES[run["name"].split("_")[1]]
        attributes, m = adult.attributes(shared), len(adult.NINE)
        kept = type(whole)(whole.codes, rows, rows)
        prepared = PreparedScore(Score(name, k, None), attributes, ROWS)
        value = prepared.value(levels, Table(kept, (0,) * m, attributes).at(levels))
        found = Fraction(value, prepared.denominator)
        absent = ROWS - int(rows.sum())
        squares = Fraction(k * k, k - 1) + 1
        expected = {
            "loss": (found - m * absent) / (m * (k - 1)),
            "precision": (found - m * absent) / (m * (k - 1)),
            "discernibility": (found - absent) / squares,
            "classes": found,
        }[name]
        assert float(expected) == pytest.approx(float(run["loss"]), rel=1e-6 if name == "loss" else 1e-12)


def test_arx_asks_for_one_row_more_than_its_formula(shared):
    runs = adult.reference(shared)["dp_k_beta_parameters"]
    for run in runs:
        epsilon, delta = (as_fraction("x", part[1:], low=0) for part in run["name"].split("_")[1:])
        if Fraction(1, 2) <= epsilon <= 2:  # the others only take longer
            own = SampledClasses(epsilon)
            assert own.smallest_k(delta) == run["k"] - 1
            assert float(own.beta) == pytest.approx(run["beta"], abs=1e-11)
