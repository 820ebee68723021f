"""Attacks on Adult: tables that ARX anonymized, and what their k and l stop."""

import numpy as np
import pytest
from tests.golden.test_anonymised_reference import ADULT, UCI, originals, read_csv, release

from sfumato.release.trials.beyond import known_matches
from sfumato.release.trials.case import Case
from sfumato.release.trials.questions import InferenceJudge, LinkabilityJudge, SinglingOutJudge
from sfumato.summary.published import published_at_levels
from sfumato.table.schema import Kind


@pytest.fixture(scope="module")
def adult(shared):
    """The original, as attributes and finest classes."""
    rows = read_csv(shared / "data" / "adult_uci" / "adult.data.gz", UCI)
    return originals(rows, ADULT, "salary-class", Kind.INTEGER)


def case_of(published, original, guesses=500):
    return Case(published, original, None, guesses, 0.95, np.random.default_rng(7))


def by_name(case, *judges, brief=False):
    trials = [trial for judge in judges for trial in judge.trials(case, brief=brief)]
    return {(t.attack, t.target): t for t in trials}


def test_the_raw_table_falls(adult):
    attributes, finest = adult
    case = case_of(published_at_levels(attributes, finest, [0] * 6), finest)
    found = by_name(case, SinglingOutJudge(), InferenceJudge())
    assert found["singling out", "all quasi-identifiers"].main.value == 1.0
    assert found["singling out", "all quasi-identifiers"].verdict(0.2) == "elevated"
    assert found["inference", "salary-class"].verdict(0.2) == "elevated"
    assert found["homogeneity", "salary-class"].verdict(0.2) == "elevated"


def test_k_of_arx_stops_singling_out_by_quasi_identifiers_and_links_but_not_by_values(shared, adult):
    """Within a class a rare salary still describes one person: k-anonymity does not prevent it."""
    _, published = release(shared, "adult_arx_k3_processed", ADULT, "salary-class", adult)
    case = case_of(published, adult[1])
    found = by_name(case, SinglingOutJudge(), LinkabilityJudge())
    assert found["singling out", "one quasi-identifier"].verdict(0.2) == "low"
    assert found["singling out", "all quasi-identifiers"].verdict(0.2) == "low"
    assert next(t for (attack, _), t in found.items() if attack == "linkability").verdict(0.2) == "low"
    values = found["singling out", "all quasi-identifiers and salary-class"]
    assert values.main.value > values.control.value


def test_l_of_arx_stops_homogeneity(shared, adult):
    """Of the k = 3 table some salaries are certain; of its l = 2 variant none."""
    certain = []
    for name in ("adult_arx_k3_processed", "adult_arx_k3_l2"):
        _, published = release(shared, name, ADULT, "salary-class", adult)
        found = by_name(case_of(published, adult[1], 2000), InferenceJudge(), brief=True)
        certain.append(found["homogeneity", "salary-class"].main.value)
    assert certain[0] > 0.01
    assert certain[1] == 0


def test_known_rows_are_matched_once_in_each_class(shared, adult):
    """The classes of ARX's full-domain table are disjoint: hits are its classes, of which there are few."""
    _, published = release(shared, "adult_arx_k10_processed", ADULT, "salary-class", adult)
    plain, with_salary = known_matches(case_of(published, adult[1]))
    assert plain.nearest
    assert plain.expected == pytest.approx(published.classes.n_classes)
    assert plain.expected < with_salary.expected < 0.03 * plain.persons
