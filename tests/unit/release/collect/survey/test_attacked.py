"""Every question of a survey is attacked: likelihoods are those of the laws, and guesses are right as often as expected."""

import numpy as np
import pytest
from tests.app.survey_cases import EVERY, survey_of_text

from sfumato.document.survey import NumberTable, ScaleTable, SomeOfTable
from sfumato.mechanism.local.survey.randomizer import Choice
from sfumato.mechanism.local.survey.remembered import Remembered
from sfumato.release.collect.survey.attacked import attack
from sfumato.release.collect.survey.best_guess import best_guess
from sfumato.release.collect.survey.evidence import fresh, known_of, shown
from sfumato.release.collect.survey.people import answers_of
from sfumato.table.source import FileSource
from sfumato.testing.seeded_bits import SeededBits

SURVEY = survey_of_text(EVERY)
N = 3000


def people(folder):
    """Persons with uneven answers to all questions."""
    rng, columns = np.random.default_rng(2), {}
    for one in SURVEY.asked:
        said = one.said
        if isinstance(said, SomeOfTable):
            chosen = rng.random((N, len(said.values))).argsort(axis=1).argsort(axis=1) < rng.integers(0, 3, (N, 1))
            columns |= {name: np.where(chosen[:, i], *said.words[::-1]) for i, name in enumerate(said.values)}
        elif isinstance(said, NumberTable):
            columns[said.name] = np.round(10 * rng.beta(1, 3, N), 2)
        elif isinstance(said, ScaleTable):
            columns[said.name] = 1 + rng.binomial(3, 0.2, N)
        else:
            values = said.values
            columns[said.name] = np.array(values)[np.minimum(rng.geometric(0.5, N), len(values)) - 1]
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    (folder / "people.csv").write_text("\n".join(lines) + "\n", "utf-8")
    return FileSource(folder / "people.csv")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return people(tmp_path_factory.mktemp("attacked"))


def test_guesses_are_right_as_often_as_the_exact_law_says(source):
    """Of 24 questions, six of them asked again, intervals at 1 - 1e-8: a false alarm with less than 1e-6."""
    found = attack(SURVEY, source, confidence=1 - 1e-8, bits=SeededBits(4), rng=np.random.default_rng(4))
    assert found.left_out == ()
    for one in found.questions:
        assert one.unknown is None
        assert one.low <= one.expected <= one.high, one
        assert one.expected >= one.baseline - 1e-9
    again = {one.mechanism: one.expected - one.baseline for one in found.questions if one.reports > 1}
    assert set(again) == {"L-GRR", "L-SUE", "L-OSUE", "LOLOHA", "dBitFlipPM", "GRR"}
    assert sum(one.expected > one.baseline + 0.01 for one in found.questions) >= 8


@pytest.mark.parametrize("place", [i for i, one in enumerate(SURVEY.asked) if isinstance(one.reports, Choice)])
def test_what_a_report_supports_is_what_it_counts_for(place):
    reports = SURVEY.asked[place].reports
    rows = reports.randomize(np.arange(40) % reports.size, bits=SeededBits(1))
    assert shown(reports, rows).tolist() == [(reports.count(rows[i : i + 1]) > 0).tolist() for i in range(40)]


def test_a_broken_intruder_is_told_from_the_best_one(source):
    """The twin guesses by likelihood alone, without the shares: where they are uneven it is right less often than expected."""
    place = next(i for i, one in enumerate(SURVEY.asked) if one.said.name == "OLH")
    reports, answers = SURVEY.asked[place].reports, answers_of(SURVEY, source)[place][0]
    known, rows = known_of(reports, answers), reports.randomize(answers, bits=SeededBits(5))
    likelihood = fresh(reports, known, rows)
    best = ((likelihood + np.log(known.prior)).argmax(axis=1) == known.truth).mean()
    blunt = (likelihood.argmax(axis=1) == known.truth).mean()
    error = 6 * np.sqrt(0.25 / N)
    assert abs(best - best_guess(reports, known, [rows])) < error
    assert blunt < best_guess(reports, known, [rows]) - error


def test_guesses_from_several_reports_are_right_as_often_as_the_exact_law_says(source):
    """Every randomizer that draws anew, asked three times: 19 of them, each within six standard errors (1e-8 in all)."""
    n_seen = 0
    for asked, times in zip(SURVEY.asked, answers_of(SURVEY, source), strict=True):
        reports, answers = asked.reports, times[0]
        if isinstance(reports, Remembered):
            continue
        known = known_of(reports, answers)
        rows = [reports.randomize(answers, bits=SeededBits(20 + t)) for t in range(3)]
        likelihood = sum(fresh(reports, known, one) for one in rows)
        right = ((likelihood + np.log(known.prior)).argmax(axis=1) == known.truth).mean()
        found = best_guess(reports, known, rows)
        assert abs(right - found) < 6 * np.sqrt(0.25 / N), asked.said.name
        assert found >= best_guess(reports, known, rows[:1]) - 1e-9
        n_seen += 1
    assert n_seen == 19


def test_what_is_not_computed_says_why(source):
    place = next(i for i, one in enumerate(SURVEY.asked) if one.said.name == "piecewise")
    reports, answers = SURVEY.asked[place].reports, answers_of(SURVEY, source)[place][0]
    known, rows = known_of(reports, answers), reports.randomize(answers, bits=SeededBits(5))
    assert best_guess(reports, known, [rows] * 10_000) == "its reports and answers make more than 16,777,216 cases"
    assert best_guess(reports, known, []) == "nobody was asked"
