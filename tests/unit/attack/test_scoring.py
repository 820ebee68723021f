"""Rates, their excess over a control group, and verdicts."""

from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from tests.unit.attack.tables import attributes, counted, persons

from sfumato.attack.scoring import Rate, Trial, excess, likely_places, present
from sfumato.attack.singling_out import Persons, of_classes, of_values
from sfumato.release.trials.case import persons_of
from sfumato.summary.histogram import distribution_of
from sfumato.summary.published import published_at_levels, read_published


def by_hand(s, n, c, m):
    """The published formulas, written out: middles and half-widths of both rates, then their propagation."""
    z = NormalDist().inv_cdf(0.975)
    p, e = (s + z * z / 2) / (n + z * z), z / (n + z * z) * sqrt(s * (n - s) / n + z * z / 4)
    q, f = (c + z * z / 2) / (m + z * z), z / (m + z * z) * sqrt(c * (m - c) / m + z * z / 4)
    return (p - q) / (1 - q), sqrt((e / (1 - q)) ** 2 + (f * (p - 1) / (1 - q) ** 2) ** 2)


@pytest.mark.parametrize(("s", "n", "c", "m"), [(300, 1000, 200, 1000), (90, 100, 20, 50), (7, 9, 1, 9)])
def test_the_excess_is_the_published_formula(s, n, c, m):
    value, half = by_hand(s, n, c, m)
    found = excess(Rate(s, n, 0.95), Rate(c, m, 0.95))
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.high == pytest.approx(min(1, value + half), abs=1e-12)
    assert found.low == pytest.approx(max(0, value - half), abs=1e-12)


def test_a_known_value_of_another_program():
    """1,000 guesses, 300 right, 200 by the control: .124701 ± .044686."""
    found = excess(Rate(300, 1000, 0.95), Rate(200, 1000, 0.95))
    assert (round(found.value, 6), round(found.high - found.value, 6)) == (0.124701, 0.044686)


def test_no_better_than_the_control_is_no_risk():
    found = excess(Rate(10, 100, 0.95), Rate(30, 100, 0.95))
    assert (found.value, found.low) == (0, 0)
    assert Trial("", "", None, "", Rate(0, 1000, 0.95), Rate(0, 1000, 0.95)).verdict(0.01) == "low"


def test_what_was_not_tried_is_inconclusive_and_never_low():
    assert Trial("", "", None, "", None).verdict(1.0) == "inconclusive"
    assert Trial("", "", None, "", Rate(0, 10, 0.95)).verdict(1.0) == "inconclusive"


def test_what_could_not_be_read_is_never_low():
    for hits, verdict in ((0, "inconclusive"), (90, "elevated")):
        partly = Trial("", "", None, "", Rate(hits, 100, 0.95), Rate(0, 100, 0.95), complete=False)
        assert partly.verdict(0.2) == verdict


def test_few_guesses_are_inconclusive():
    """One person about whom nothing was guessed is no evidence of safety."""
    assert Trial("", "", None, "", Rate(0, 1, 0.95), Rate(0, 1, 0.95)).verdict(0.2) == "inconclusive"


def test_a_rate_is_judged_by_itself_where_certainty_harms():
    certain = Trial("homogeneity", "", None, "", Rate(50, 100, 0.95), Rate(50, 100, 0.95), None, "rate")
    assert certain.risk.value == 0.5
    assert certain.verdict(0.2) == "elevated"


def sampled(rng, n=200, share=0.2):
    """A table, and which of its rows are published."""
    return persons(rng, n), rng.integers(0, 3, n), rng.random(n) < share


@pytest.mark.parametrize("seed", range(20))
def test_of_a_clear_text_sample_exactly_the_sampled_are_present(seed):
    codes, values, inside = sampled(np.random.default_rng(seed))
    whole, part = counted(codes, values), counted(codes[inside], values[inside])
    table = published_at_levels(attributes(), part, [0, 0])
    found = present(table, persons_of(whole, "illness"), of_values(table, distribution_of(table.classes, "illness")))
    true = {(*row, v): 0 for row, v in zip(map(tuple, codes.tolist()), values.tolist(), strict=True)}
    for row, v in zip(codes[inside].tolist(), values[inside].tolist(), strict=True):
        true[*row, v] += 1
    told = zip(found.codes.tolist(), found.value.tolist(), found.count.tolist(), strict=True)
    assert {(*row, v): n for row, v, n in told} == true


@pytest.mark.parametrize("seed", range(20))
def test_of_a_generalized_sample_every_row_is_laid_on_one_person_who_could_be_it(seed):
    rng = np.random.default_rng(seed)
    codes, values, inside = sampled(rng)
    whole = counted(codes, values)
    labels = [["[17, 25]", "[37, 61]"], ["{Blois, Tours}", "{Bourges, Lyon}"]]
    coarse = np.stack((codes[:, 0] >= 3, (codes[:, 1] == 1) | (codes[:, 1] == 2)), axis=1).astype(np.int64)
    table = read_published(attributes(), labels, counted(coarse[inside], values[inside]))
    people, groups = persons_of(whole), of_classes(table)
    found = present(table, people, groups)
    assert found.count.sum() == np.count_nonzero(inside)
    assert (found.count <= people.count).all()
    person, group, rows = likely_places(table, people, groups)
    assert np.bincount(group, weights=rows, minlength=len(groups.count)) == pytest.approx(groups.count)
    assert (np.bincount(person, weights=rows, minlength=len(people.count)) <= people.count + 1e-6).all()


def test_where_every_person_has_a_row_everybody_is_present_suppressed_or_not():
    rng = np.random.default_rng(3)
    codes, values, inside = sampled(rng)
    whole = counted(codes, values)
    labels = [["17", "20", "25", "37", "40", "61", "*"], ["Blois", "Bourges", "Lyon", "Tours", "*"]]
    starred = np.where(inside[:, None], codes, [6, 4])
    table = read_published(attributes(), labels, counted(starred, values))
    assert table.suppressed_rows == np.count_nonzero(~inside)
    assert present(table, persons_of(whole), of_classes(table)).count.tolist() == whole.persons.tolist()


def test_a_release_that_cannot_be_read_leaves_nobody_out():
    codes = np.array([[0, 0], [1, 1]])
    table = read_published(attributes(), [["nonsense"], ["Blois"]], counted([[0, 0]], [0]))
    two = Persons(codes, np.full(2, -1), np.ones(2, np.int64))
    assert present(table, two, of_classes(table)).count.tolist() == [1, 1]
