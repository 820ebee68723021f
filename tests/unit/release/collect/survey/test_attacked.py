"""Every question of a survey is attacked: likelihoods are those of the laws, and guesses are right as often as expected."""

import numpy as np
import pytest
from tests.app.survey_cases import EVERY, survey_of_text

from sfumato.document.survey import NumberTable, ScaleTable, SomeOfTable
from sfumato.mechanism.local.survey.randomizer import Choice
from sfumato.mechanism.local.survey.remembered import Remembered
from sfumato.release.collect.survey.attacked import attack
from sfumato.release.collect.survey.evidence import expected, fresh, known_of, shown
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
    """Of nineteen questions, intervals at 1 - 1e-8: a false alarm with less than 1e-6."""
    found = attack(SURVEY, source, confidence=1 - 1e-8, bits=SeededBits(4), rng=np.random.default_rng(4))
    assert found.left_out == ()
    once = [one for one in found.questions if one.expected is not None]
    assert len(once) == sum(not isinstance(one.reports, Remembered) and len(one.days) == 1 for one in SURVEY.asked)
    for one in once:
        assert one.low <= one.expected <= one.high, one
        assert one.expected >= one.baseline - 1e-9
    gains = {one.mechanism: one.right - one.baseline for one in found.questions if one.reports > 1}
    assert set(gains) == {"L-GRR", "L-SUE", "L-OSUE", "LOLOHA", "dBitFlipPM", "GRR"}
    assert sum(one.expected > one.baseline + 0.01 for one in once) >= 8


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
    assert abs(best - expected(reports, known, rows)) < error
    assert blunt < expected(reports, known, rows) - error
