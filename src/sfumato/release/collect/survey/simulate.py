"""A survey played on people whose answers are known: estimates beside the truth, over many runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.document.result.survey import SimulatedAnswer, SurveySimulatedResult
from sfumato.document.survey import SomeOfTable
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.survey.randomizer import Number
from sfumato.release.collect.base import counts_of, size_of
from sfumato.release.collect.survey.estimates import estimates
from sfumato.release.collect.survey.mechanisms import values_of
from sfumato.release.collect.survey.people import answers_of, filled_by

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from sfumato.document.result.survey import SurveyEstimatesResult
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.noise.bits import Bits
    from sfumato.release.collect.survey.survey import Asked, Survey
    from sfumato.table.source import Source

_MEAN = ""
"""Stands for the mean among the answers to a question."""
Key = tuple[str, int, str]
"""Question, time, answer."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One estimate.

    Args:
        value: the estimate.
        low: lower end of its interval.
        high: upper end.
    """

    value: float
    low: float
    high: float


def simulate(survey: Survey, source: Source, *, runs: int, bits: Bits, progress: Progress) -> SurveySimulatedResult:
    """Estimates beside the truth.

    Args:
        survey: what is asked.
        source: one row for each person.
        runs: how often all of them answer, each time with new chance, >= 1.
        bits: source of chance.
        progress: told of runs.

    Raises:
        SchemaError: answers that cannot be given.
        ParameterError: nobody.
    """
    answers = answers_of(survey, source)
    n = len(answers[0][0])
    if not n:
        raise ParameterError("A simulation needs at least one person; the table has none.", "give a table with rows.")
    true = truth(survey, answers)
    found = []
    for run in range(runs):
        found.append(estimates_by_key(play_once(survey, answers, bits=bits)))
        progress(run + 1, runs, "answering")
    return SurveySimulatedResult(
        survey=survey.document.name,
        epsilon=survey.spent,
        persons=n,
        runs=runs,
        answers=tuple(_beside(key, value, [one[key] for one in found if key in one]) for key, value in true.items()),
    )


def play_once(survey: Survey, answers: list[list[npt.NDArray[Any]]], *, bits: Bits) -> SurveyEstimatesResult:
    """All persons answer once; what their counts tell."""
    total = np.zeros(size_of(survey), np.int64)
    for filled in filled_by(survey, answers, bits=bits):
        total += survey.count(filled)
    return estimates(survey, counts_of(survey, total))


def truth(survey: Survey, answers: list[list[npt.NDArray[Any]]]) -> dict[Key, float]:
    """The share of each answer, and the mean of each number, of these persons."""
    return {
        (one.said.name, t + 1, label): value
        for one, times in zip(survey.asked, answers, strict=True)
        for t, given in enumerate(times)
        for label, value in _true(one, given).items()
    }


def estimates_by_key(found: SurveyEstimatesResult) -> dict[Key, Seen]:
    """The estimates of all groups together."""
    out: dict[Key, Seen] = {}
    for question in found.questions:
        for part in question.parts:
            if part.group is not None:
                continue
            for a in part.answers:
                out[question.name, part.time, a.value] = Seen(a.estimate, a.low, a.high)
            if part.mean is not None:
                out[question.name, part.time, _MEAN] = Seen(part.mean.estimate, part.mean.low, part.mean.high)
    return out


def _true(one: Asked, given: npt.NDArray[Any]) -> Mapping[str, float]:
    """The truth of one question at one time."""
    if isinstance(one.reports, Number):
        grid = one.reports.mechanism.grid
        return {_MEAN: float(np.clip(given, grid.low, grid.high).mean())}
    values = values_of(one.said)
    if isinstance(one.said, SomeOfTable):
        return dict(zip(values, given.mean(axis=0).tolist(), strict=True))
    return dict(zip(values, (np.bincount(given, minlength=len(values)) / len(given)).tolist(), strict=True))


def _beside(key: Key, true: float, found: list[Seen]) -> SimulatedAnswer:
    """What the runs say of one number."""
    values = np.array([one.value for one in found])
    return SimulatedAnswer(
        question=key[0],
        time=key[1],
        value=key[2] or None,
        truth=true,
        estimate=float(values.mean()),
        error=float(np.sqrt(((values - true) ** 2).mean())),
        covered=float(np.mean([one.low <= true <= one.high for one in found])),
    )
