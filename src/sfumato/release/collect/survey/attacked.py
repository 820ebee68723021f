"""A survey attacked: what all reports of a phone tell of its person's answers, and which person of a table it is.

The intruder holds every report of every phone, the public parameters, the shares of the answers and, to say who it is, a table
of all persons with their true answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.averaging import Averaging, score
from sfumato.attack.reidentification import reidentify
from sfumato.document.result.survey import GuessedQuestion, SurveyAttackResult
from sfumato.errors import PlanError
from sfumato.mechanism.local.survey.remembered import Remembered
from sfumato.release.collect.survey.best_guess import best_guess
from sfumato.release.collect.survey.evidence import fresh, known_of, remembered
from sfumato.release.collect.survey.people import answers_of, filled_by

if TYPE_CHECKING:
    from sfumato.mechanism.local.survey.wire import Filled
    from sfumato.noise.bits import Bits
    from sfumato.release.collect.survey.best_guess import Best
    from sfumato.release.collect.survey.evidence import Known
    from sfumato.release.collect.survey.survey import Asked, Survey
    from sfumato.table.source import Source
    from sfumato.types import FloatArray

_TOPS = (1, 10)
"""Persons that the intruder may name."""
_MOST_CELLS = 1 << 27
"""Persons times different answers of a question that is attacked."""


def attack(
    survey: Survey, source: Source, *, confidence: float, bits: Bits, rng: np.random.Generator
) -> SurveyAttackResult:
    """Guess the answers of every person, and who sent which reports.

    Each guess is the most probable answer given all reports of the person (Bayes), of a set the whole set, of a number the
    nearest point of its grid. Of a question that is asked again, persons are taken to keep the answer of the first time.

    Args:
        survey: what is asked.
        source: one row for each person.
        confidence: of each interval.
        bits: chance of the phones.
        rng: breaks ties of the intruder.

    Raises:
        PlanError: every question has too many different answers for so many persons.
        SchemaError: answers that cannot be given.

    Source:
        H. H. Arcolezi, S. Gambs, J.-F. Couchot and C. Palamidessi, "On the Risks of Collecting Multidimensional Data Under
        Local Differential Privacy", PVLDB 16(5), 2023.
    """
    answers = [[times[0]] * len(times) for times in answers_of(survey, source)]
    known = [known_of(one.reports, times[0]) for one, times in zip(survey.asked, answers, strict=True)]
    n = len(known[0].truth)
    places = [i for i, one in enumerate(known) if n * len(one.kinds) <= _MOST_CELLS]
    if not places:
        raise PlanError(
            "An attack holds at most {most} chances of answers; every question has more.",
            "attack fewer persons.",
            most=_MOST_CELLS,
        )
    sent = list(filled_by(survey, answers, bits=bits))
    evidence = [_evidence(survey, i, sent, known[i]) for i in places]
    truth = np.column_stack([known[i].truth for i in places])
    asked = survey.asks / len(survey.asked)
    guessed = tuple(
        _guessed(survey.asked[i], found, known[i], _best(survey, i, sent, known[i], asked), (confidence, rng))
        for i, found in zip(places, evidence, strict=True)
    )
    named = {top: reidentify(evidence, truth, np.arange(n), top=min(top, n), confidence=confidence, rng=rng)
             for top in _TOPS}  # fmt: skip
    return SurveyAttackResult(
        survey=survey.document.name,
        persons=n,
        confidence=confidence,
        questions=guessed,
        left_out=tuple(one.said.name for i, one in enumerate(survey.asked) if i not in places),
        named={str(top): one.expected for top, one in named.items()},
        by_chance={str(top): one.baseline for top, one in named.items()},
    )


def _evidence(survey: Survey, place: int, sent: list[Filled], known: Known) -> FloatArray:
    """(n, c) log-likelihood of each answer of each person, from all reports on a question; 0 for who never sent one."""
    reports = survey.asked[place].reports
    out, rows = np.zeros((len(known.truth), len(known.kinds))), []
    for filled in sent:
        senders = filled.senders(survey.shape, place)
        if not senders.any():
            continue
        if isinstance(reports, Remembered):
            rows.append(filled.reports[place])
            last = senders
        else:
            out[senders] += fresh(reports, known, filled.reports[place])
    if rows and isinstance(reports, Remembered):
        out[last] = remembered(reports, known, rows)
    return out


def _best(survey: Survey, place: int, sent: list[Filled], known: Known, asked: float) -> Best:
    """How often the best guess is right, exactly, or why that is not told; who is not asked is guessed by the shares alone."""
    rows = [filled.reports[place] for filled in sent if filled.senders(survey.shape, place).any()]
    found = best_guess(survey.asked[place].reports, known, rows)
    return found if isinstance(found, str) else asked * found + (1 - asked) * float(known.prior.max())


def _guessed(
    one: Asked, evidence: FloatArray, known: Known, best: Best, how: tuple[float, np.random.Generator]
) -> GuessedQuestion:
    """How often the most probable answer is the true one."""
    confidence, rng = how
    found = score(Averaging().guess(evidence, known.prior, rng), known.truth, known.prior, confidence=confidence)
    return GuessedQuestion(
        question=one.said.name, mechanism=one.reports.name, reports=len(one.days), right=found.rate,
        low=found.interval.low, high=found.interval.high, baseline=found.baseline,
        expected=None if isinstance(best, str) else best, unknown=best if isinstance(best, str) else None,
    )  # fmt: skip
