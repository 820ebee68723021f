"""Attacks as answers to the three questions."""

from dataclasses import replace

import numpy as np
from tests.unit.attack.tables import attributes, counted, persons, release

from sfumato.release.trials.case import Case
from sfumato.release.trials.questions import answers_by_attack, in_turn
from sfumato.risk.wp216 import Tolerance, wp216
from sfumato.summary.published import published_at_levels


def case_of(published, original):
    """A hundred guesses."""
    return Case(published, original, None, 100, 0.95, np.random.default_rng(0))


def table(seed=0, n=300):
    rng = np.random.default_rng(seed)
    return counted(persons(rng, n), rng.integers(0, 3, n))


def test_every_question_is_asked_and_every_answer_has_its_interval():
    raw = table()
    found = answers_by_attack(case_of(published_at_levels(attributes(), raw, [0, 0]), raw), tolerance=0.2)
    assert {a.criterion for a in found} == {"singling out", "linkability", "inference"}
    for answer in found:
        assert answer.by == "attack"
        assert answer.low <= answer.value <= answer.high
        assert "Right: " in answer.definition


def test_nothing_sensitive_is_inconclusive():
    raw = replace(table(), histograms=())
    found = answers_by_attack(case_of(published_at_levels(attributes(), raw, [0, 0]), raw), tolerance=0.2)
    assert [a.verdict for a in found if a.criterion == "inference"] == ["inconclusive"]


def test_a_release_that_cannot_be_read_is_never_low():
    found = answers_by_attack(case_of(release(np.random.default_rng(1), 200), table()), tolerance=1.0)
    assert {a.verdict for a in found} == {"inconclusive"}
    assert all("not called low" in a.definition for a in found if a.value is not None)


def test_attacks_stand_before_formulas_in_each_question():
    raw = table()
    formulas = wp216(raw, tolerance=Tolerance(2, 0.2, 0.9, 0.5), population_size=None)
    attacks = answers_by_attack(case_of(published_at_levels(attributes(), raw, [0, 0]), raw), tolerance=0.2)
    both = in_turn(attacks, formulas)
    assert len(both) == len(attacks) + len(formulas)
    asked = [(a.criterion, a.by) for a in both]
    assert list(dict.fromkeys(asked)) == [
        (question, how) for question in ("singling out", "linkability", "inference") for how in ("attack", "formula")
    ]
