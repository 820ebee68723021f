"""Attacks scored by the judge: known answers, controls that agree, and releases that say nothing."""

from fractions import Fraction

import numpy as np
import pytest
from tests.unit.attack.tables import AGES, attributes, counted, persons

from sfumato.attack.registry import known_attacks
from sfumato.release.trials.beyond import MembershipJudge, MinimalityJudge, known_matches
from sfumato.release.trials.case import Case, all_trials, judges, persons_of, trials_by_question
from sfumato.release.trials.questions import InferenceJudge, LinkabilityJudge
from sfumato.summary.published import published_at_levels, read_published
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Role

SURE = 1 - 1e-7
"""Confidence at which a false alarm is as rare as the tests want it."""


def wide(rng, n, n_values=12):
    """Columns of many values, so that persons are alone; the sensitive value follows the first in half of the cases."""
    codes = np.stack([rng.integers(0, n_values, n) for _ in range(4)], axis=1)
    names = [[chr(ord("0") + v) for v in range(n_values)]] * 4
    columns = [bind(Column(f"c{j}", Role.QUASI_IDENTIFYING), texts) for j, texts in enumerate(names)]
    values = np.where(rng.random(n) < 0.5, codes[:, 0] % 3, rng.integers(0, 3, n))
    return columns, codes, values


def every_trial(case):
    """All attacks with a control."""
    return [trial for trial in all_trials(case, readable=True) if trial.attack != "minimality"]


def named(trials):
    """Trials by attack and target."""
    return {(t.attack, t.target): t for t in trials}


def test_a_release_of_the_table_itself_is_broken_by_every_attack():
    rng = np.random.default_rng(0)
    columns, codes, values = wide(rng, 400, 60)
    others = wide(rng, 400, 60)[1:]
    raw = counted(codes, values)
    case = Case(published_at_levels(columns, raw, [0] * 4), raw, counted(*others), 300, SURE, rng)
    found = named(every_trial(case))
    for key in (
        ("singling out", "all quasi-identifiers"),
        ("linkability", "c0, c2 with c1, c3"),
        ("inference", "illness"),
        ("membership", "whether a person is in the table"),
    ):
        assert found[key].main.value > 0.9, key
        assert found[key].verdict(0.2) == "elevated", key
    assert found["downcoding", "finer values of generalized cells"].main is None


def test_a_release_of_other_persons_is_no_better_than_the_control():
    """The broken twin of every attack: what it reads has nothing to do with its targets."""
    rng = np.random.default_rng(1)
    columns, codes, values = wide(rng, 600)
    other, control = wide(rng, 600)[1:], wide(rng, 600)[1:]
    published = published_at_levels(columns, counted(*other), [0] * 4)
    case = Case(published, counted(codes, values), counted(*control), 600, SURE, rng)
    assert all(trial.risk is None or trial.risk.low == 0 for trial in every_trial(case) if trial.score == "excess")


def test_nothing_but_stars_tells_nothing():
    rng = np.random.default_rng(2)
    columns, codes, values = wide(rng, 300)
    raw = counted(codes, values)
    for control in (None, counted(*wide(rng, 300)[1:])):
        case = Case(published_at_levels(columns, raw, [1] * 4), raw, control, 300, SURE, rng)
        found = every_trial(case)
        assert {t.verdict(0.3) for t in found} <= {"low", "inconclusive"}
        assert named(found)["inference", "illness"].main.value == pytest.approx(
            named(found)["inference", "illness"].baseline, abs=0.1
        )
    assert [m.expected for m in known_matches(case)] == pytest.approx([1.0, 3.0])


def test_without_ones_own_row_is_a_control_group():
    """3,000 persons, of each a guess without their row, against 3,000 fresh ones: a difference of five errors is 1 in 2e6."""
    rng = np.random.default_rng(3)
    columns, codes, values = wide(rng, 3000, 6)
    fresh = wide(rng, 3000, 6)[1:]
    raw = counted(codes, values)
    published = published_at_levels(columns, raw, [0, 0, 0, 1])
    rates = [
        named(InferenceJudge().trials(Case(published, raw, control, 3000, SURE, rng), brief=False))[
            "inference", "illness"
        ]
        for control in (None, counted(*fresh))
    ]
    assert abs(rates[0].control.value - rates[1].control.value) < 5 * np.sqrt(2 * 0.25 / 3000)
    assert rates[0].main.value > rates[0].control.value


def test_homogeneous_classes_are_certain_whoever_is_in_them():
    columns, codes = attributes(), np.repeat([[0, 0], [1, 1]], 5, axis=0)
    raw = counted(codes, [0] * 5 + [1] * 4 + [2])
    case = Case(published_at_levels(columns, raw, [0, 0]), raw, None, 100, 0.95, np.random.default_rng(4))
    found = named(InferenceJudge().trials(case, brief=False))
    assert found["homogeneity", "illness"].main.successes == 5
    assert found["background knowledge", "illness, 1 excluded"].main.successes == 10
    assert ("background knowledge", "illness, 2 excluded") not in found  # three values: to exclude two is to know


def test_one_column_cannot_be_linked_and_a_row_cannot_be_compared():
    raw = counted(persons(np.random.default_rng(5), 1), [0])
    for columns, levels in ((attributes(), [0, 0]), (attributes()[:1], [0])):
        table = counted(raw.codes[:, : len(levels)], [0])
        case = Case(published_at_levels(columns, table, levels), table, None, 9, 0.95, np.random.default_rng(0))
        assert LinkabilityJudge().trials(case, brief=False)[0].main is None
        assert MembershipJudge().trials(case, brief=False)[0].verdict(1.0) == "inconclusive"


def test_persons_are_drawn_without_replacement():
    rng = np.random.default_rng(6)
    raw = counted(persons(rng, 50), rng.integers(0, 3, 50))
    case = Case(published_at_levels(attributes(), raw, [0, 0]), raw, None, 50, 0.95, rng)
    drawn = case.targets(case.published_persons("illness"))
    again = counted(drawn.codes, drawn.value)
    assert np.array_equal(again.rows, raw.rows)
    assert np.array_equal(persons_of(again, "illness").count, persons_of(raw, "illness").count)


def test_who_knows_the_method_gains_where_it_is_minimal():
    """Of each class the two persons of Blois are all ill, the reason for which the towns were joined.

    The published share, two of six, has everybody guess that illness; who knows the method guesses it of Blois alone.
    """
    codes = np.array([[age, town] for age in range(6) for town in (0, 0, 1, 1, 1, 1)])
    values = [1, 1, 0, 2, 3, 4] * 6
    joined = counted([[age, 0] for age in range(6) for _ in range(6)], values, 5)
    table = read_published(attributes(), [AGES, ["{Blois, Bourges}"]], joined)
    original = counted(codes, values, 5)

    def tried(column, bound, *, together):
        rng = np.random.default_rng(7)
        case = Case(table, original, None, 36, 0.95, rng, bounds={column: Fraction(bound)}, together=together)
        return MinimalityJudge().trials(case, brief=False)

    harmless, betrayed = (tried("illness", b, together=False)[0] for b in (1, 2))
    assert harmless.main.successes == harmless.control.successes == 12  # more than all of a group cannot be ill
    assert betrayed.control.successes == 12
    assert betrayed.main.successes > 12
    assert tried("illness", 2, together=True)[0].main.successes >= 12
    assert tried("wage", 2, together=False) == []


def test_every_judge_is_found_by_place_and_judges_an_attack_of_the_room():
    found = judges()
    places = [judge.place for judge in found]
    assert places == sorted(set(places))
    assert [judge.attack.attack for judge in found] == [
        "singling out", "linkability", "inference", "membership", "downcoding", "minimality"
    ]  # fmt: skip
    assert all(judge.attack is known_attacks()[judge.attack.attack] for judge in found)


def test_in_brief_only_questions_are_answered():
    rng = np.random.default_rng(8)
    raw = counted(persons(rng, 60), rng.integers(0, 3, 60))
    case = Case(published_at_levels(attributes(), raw, [0, 0]), raw, None, 50, 0.95, rng)
    assert [(t.attack, t.criterion) for t in trials_by_question(case)] == [
        ("singling out", "singling out"), ("singling out", "singling out"), ("linkability", "linkability"),
        ("inference", "inference"), ("homogeneity", "inference"),
    ]  # fmt: skip
