"""A survey attacked: what all reports of a phone tell of its person's answers, and which person of a table it is.

The intruder holds every report of every phone, the public parameters, the shares of the answers and, to say who it is, a table
of all persons with their true answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.attack.averaging import Averaging, score
from sfumato.attack.likelihood import of_bits, of_remembered_bits, of_remembered_symbols, of_supports
from sfumato.attack.reidentification import reidentify
from sfumato.document.result.survey import GuessedQuestion, SurveyAttackResult
from sfumato.errors import PlanError
from sfumato.mechanism.local.longitudinal.l_grr import LGRR
from sfumato.mechanism.local.longitudinal.l_unary import LUnary
from sfumato.mechanism.local.survey.cross import ABLE, is_able, supported
from sfumato.mechanism.local.survey.randomizer import Choice, Coins
from sfumato.mechanism.local.survey.remembered import Remembered
from sfumato.release.collect.survey.people import answers_of, filled_by

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.mechanism.local.survey.wire import Filled
    from sfumato.noise.bits import Bits
    from sfumato.release.collect.survey.survey import Asked, Survey
    from sfumato.table.source import Source
    from sfumato.types import FloatArray, IntArray

_TOPS = (1, 10)
"""Persons that the intruder may name."""


def attack(
    survey: Survey, source: Source, *, confidence: float, bits: Bits, rng: np.random.Generator
) -> SurveyAttackResult:
    """Guess the answers of every person, and who sent which reports.

    Questions whose reports say of each value whether they support it are attacked: GRR, SUE, OUE, classical designs, L-GRR,
    L-SUE, L-OSUE. Of a question that is asked again, persons are taken to keep the answer of the first time.

    Args:
        survey: what is asked.
        source: one row for each person.
        confidence: of each interval.
        bits: chance of the phones.
        rng: breaks ties of the intruder.

    Raises:
        PlanError: no question can be attacked in this way.
        SchemaError: answers that cannot be given.

    Source:
        H. H. Arcolezi, S. Gambs, J.-F. Couchot and C. Palamidessi, "On the Risks of Collecting Multidimensional Data Under
        Local Differential Privacy", PVLDB 16(5), 2023.
    """
    places = [i for i, one in enumerate(survey.asked) if _is_able(one)]
    if not places:
        raise PlanError(
            "An attack needs a question by {able}; this survey has none.",
            "attack one that has.",
            able=", ".join((*ABLE, "L-GRR", "L-SUE", "L-OSUE")),
        )
    answers = [[times[0]] * len(times) for times in answers_of(survey, source)]
    sent = list(filled_by(survey, answers, bits=bits))
    truth = np.column_stack([answers[i][0] for i in places])
    evidence = [_evidence(survey, i, sent, len(truth)) for i in places]
    guessed = tuple(_guessed(survey.asked[i], evidence[j], truth[:, j], confidence, rng) for j, i in enumerate(places))
    found = {top: reidentify(evidence, truth, np.arange(len(truth)), top=min(top, len(truth)), confidence=confidence, rng=rng)
             for top in _TOPS}  # fmt: skip
    return SurveyAttackResult(
        survey=survey.document.name,
        persons=len(truth),
        confidence=confidence,
        questions=guessed,
        left_out=tuple(one.said.name for i, one in enumerate(survey.asked) if i not in places),
        named={str(top): one.expected for top, one in found.items()},
        by_chance={str(top): one.baseline for top, one in found.items()},
    )


def _is_able(one: Asked) -> bool:
    """Whether the likelihood of an answer can be read off its reports."""
    if isinstance(one.reports, Remembered):
        return isinstance(one.reports.protocol, LGRR | LUnary)
    return is_able(one.reports)


def _evidence(survey: Survey, place: int, sent: list[Filled], n: int) -> FloatArray:
    """(n, k) log-likelihood of each answer of each person, from all reports on a question; 0 for who never sent one."""
    one = survey.asked[place]
    counts, times = np.zeros((n, one.reports.size), np.int64), np.zeros(n, np.int64)
    for filled in sent:
        senders = filled.senders(survey.shape, place)
        if senders.any():
            counts[senders] += _shown(one, filled.reports[place])
            times[senders] += 1
    out, asked = np.zeros(counts.shape), times > 0
    if asked.any():
        out[asked] = _likelihood(one, counts[asked], int(times.max()))
    return out


def _shown(one: Asked, rows: npt.NDArray[Any]) -> IntArray:
    """(n, k): what each report shows."""
    if isinstance(one.reports, Remembered):
        return rows if rows.shape[1] > 1 else (rows == np.arange(one.reports.size)).astype(np.int64)
    if isinstance(one.reports, Choice | Coins):
        return supported(one.reports, rows).astype(np.int64)
    return rows


def _likelihood(one: Asked, counts: IntArray, times: int) -> FloatArray:
    """(n, k) log-likelihoods."""
    reports = one.reports
    if isinstance(reports, Remembered) and isinstance(reports.protocol, LGRR | LUnary):
        chain = reports.protocol.chain
        p1, q1, p2, q2 = (float(x) for x in (chain.p1, chain.q1, chain.p2, chain.q2))
        if isinstance(reports.protocol, LUnary):
            return of_remembered_bits(counts, times, (p1, q1), (p2, q2))
        eye = np.eye(reports.size, dtype=bool)
        return of_remembered_symbols(counts, np.where(eye, p1, q1), np.where(eye, p2, q2))
    if isinstance(reports, Coins):
        yes, said = reports.supports[1], counts[:, 1]
        if_no = said * np.log(yes.q) + (times - said) * np.log(1 - yes.q)
        if_yes = said * np.log(yes.p) + (times - said) * np.log(1 - yes.p)
        return np.column_stack([if_no, if_yes])
    if isinstance(reports, Choice) and reports.name != "GRR":
        return of_bits(counts, times, reports.oracle.support.p, reports.oracle.support.q)
    return of_supports(counts, reports.epsilon)


def _guessed(
    one: Asked, evidence: FloatArray, truth: IntArray, confidence: float, rng: np.random.Generator
) -> GuessedQuestion:
    """How often the most probable answer is the true one."""
    prior = np.bincount(truth, minlength=evidence.shape[1]) / len(truth)
    found = score(Averaging().guess(evidence, prior, rng), truth, prior, confidence=confidence)
    return GuessedQuestion(
        question=one.said.name, mechanism=one.reports.name, reports=len(one.days), right=found.rate,
        low=found.interval.low, high=found.interval.high, baseline=found.baseline,
    )  # fmt: skip
