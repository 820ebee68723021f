"""What the counts of a survey tell: every question at every time and in every group, differences, pairs."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from sfumato.document.result.collected import AnswerShare
from sfumato.document.result.survey import (
    CrossTold,
    DifferenceTold,
    MeanTold,
    PairTold,
    PartTold,
    QuestionTold,
    SpentTold,
    SurveyEstimatesResult,
)
from sfumato.document.survey import ScaleTable
from sfumato.errors import ParameterError
from sfumato.mechanism.local.rappor.decode.correction import Correction, adjusted
from sfumato.mechanism.local.survey import cross
from sfumato.mechanism.local.survey.told import Told, tell
from sfumato.release.collect.survey.mechanisms import values_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.mechanism.local.survey.spent import Spent
    from sfumato.release.collect.base import Counts
    from sfumato.release.collect.survey.survey import Asked, Survey

CONFIDENCE = 0.95
"""Of the intervals of a server."""


def estimates(survey: Survey, counts: Counts, *, confidence: float = CONFIDENCE) -> SurveyEstimatesResult:
    """What the counts of a survey tell.

    Args:
        survey: what was asked.
        counts: of its reports; there may be none yet.
        confidence: of each interval, in [0.5, 1).

    Raises:
        ParameterError: a confidence outside its range.
    """
    if not 0.5 <= confidence < 1:
        raise ParameterError(
            "`confidence` must lie in [0.5, 1); got {confidence}.", "choose such as 0.95.", confidence=confidence
        )
    here = counts.support[0].reshape(len(survey.days), len(survey.groups))
    fullest = int(here.sum(axis=1).argmax())
    told = _by_part(survey, counts, confidence)
    return SurveyEstimatesResult(
        collection=counts.collection,
        survey=survey.document.name,
        epsilon=survey.spent,
        persons=survey.persons(counts.vector),
        reports=counts.reports[0],
        stop=survey.enough,
        confidence=confidence,
        groups={name: int(here[fullest, g]) for g, name in enumerate(survey.groups) if name},
        questions=tuple(_question(survey, i, one, told) for i, one in enumerate(survey.asked)),
        differences=_corrected(list(_differences(survey, told, confidence))),
        crosses=tuple(_crosses(survey, counts, confidence)),
    )


def told_spent(spent: Spent) -> SpentTold:
    """What is spent, as a result has it."""
    bound = spent.any_history if math.isfinite(spent.any_history) else None
    return SpentTold(report=spent.report, steady=spent.steady, lifetime=spent.lifetime, any_history=bound)


def _by_part(survey: Survey, counts: Counts, confidence: float) -> dict[tuple[int, int, int | None], Told]:
    """What is known by question, time and group; group None: all of them together."""
    found: dict[tuple[int, int, int | None], Told] = {}
    for place, (i, t, g) in enumerate(survey.parts, 1):
        one = survey.asked[i]
        scale = isinstance(one.said, ScaleTable)
        found[i, t, g] = tell(
            one.reports, counts.support[place], counts.reports[place], with_shares=scale, confidence=confidence
        )
        if len(survey.groups) == 1:
            found[i, t, None] = found[i, t, g]
        elif g == len(survey.groups) - 1:
            first = place - g
            together = np.sum(counts.support[first : place + 1], axis=0)
            n = sum(counts.reports[first : place + 1])
            found[i, t, None] = tell(one.reports, together, n, with_shares=scale, confidence=confidence)
    return found


def _question(survey: Survey, place: int, one: Asked, told: dict[tuple[int, int, int | None], Told]) -> QuestionTold:
    """One question."""
    groups: list[int | None] = [None, *(range(len(survey.groups)) if len(survey.groups) > 1 else ())]
    parts = [_part(survey, one, t, g, told[place, t, g]) for t in range(len(one.days)) for g in groups]
    return QuestionTold(
        name=one.said.name,
        kind=one.said.tag[1],
        mechanism=one.reports.name,
        spent=told_spent(one.spent),
        parts=tuple(parts),
    )


def _part(survey: Survey, one: Asked, time: int, group: int | None, told: Told) -> PartTold:
    """A question at one time."""
    answers: tuple[AnswerShare, ...] = ()
    if told.shares is not None:
        found = told.shares
        rows = (found.raw, found.low, found.high, found.deviation, found.projected)
        cells = zip(values_of(one.said), *(row.tolist() for row in rows), strict=True)
        answers = tuple(AnswerShare(*cell) for cell in cells)
    mean = told.mean
    return PartTold(
        time=time + 1,
        group=None if group is None else survey.groups[group],
        reports=told.reports,
        answers=answers,
        mean=None
        if mean is None
        else MeanTold(estimate=mean.value, low=mean.low, high=mean.high, error=mean.standard_error),
    )


def _differences(
    survey: Survey, told: dict[tuple[int, int, int | None], Told], confidence: float
) -> Iterator[DifferenceTold]:
    """Each group beside the first."""
    for i, one in enumerate(survey.asked):
        for t in range(len(one.days)):
            for g in range(1, len(survey.groups)):
                control, group = told[i, t, 0], told[i, t, g]
                for value, estimate, error in _gaps(values_of(one.said), control, group):
                    reach = NormalDist().inv_cdf((1 + confidence) / 2) * error
                    p = p_value(estimate, error)
                    yield DifferenceTold(
                        question=one.said.name, time=t + 1, group=survey.groups[g], value=value, estimate=estimate,
                        low=estimate - reach, high=estimate + reach, p_value=p, adjusted=p,
                    )  # fmt: skip


def p_value(estimate: float, error: float) -> float:
    """Two-sided, of "nothing", by a normal law."""
    return math.erfc(abs(estimate) / error / math.sqrt(2)) if error else 1.0


def _gaps(values: tuple[str, ...], control: Told, group: Told) -> Iterator[tuple[str | None, float, float]]:
    """Differences between two groups, which are other persons: their variances add up."""
    if control.mean is not None and group.mean is not None:
        error = math.hypot(control.mean.standard_error, group.mean.standard_error)
        yield None, group.mean.value - control.mean.value, error
    if control.shares is None or group.shares is None or control.errors is None or group.errors is None:
        return
    gaps = group.shares.raw - control.shares.raw
    yield from zip(values, gaps.tolist(), np.hypot(control.errors, group.errors).tolist(), strict=True)


def _corrected(found: list[DifferenceTold]) -> tuple[DifferenceTold, ...]:
    """The same, with p-values corrected for their number."""
    p = adjusted(np.array([one.p_value for one in found]), Correction.HOLM)
    return tuple(replace(one, adjusted=float(value)) for one, value in zip(found, p, strict=True))


def _crosses(survey: Survey, counts: Counts, confidence: float) -> Iterator[CrossTold]:
    """Questions that were counted together."""
    for place, (i, j) in enumerate(survey.pairs, 1 + len(survey.parts)):
        left, right = survey.asked[i], survey.asked[j]
        n, pairs = counts.reports[place], []
        if n:
            first, second = cross.check_able(left.reports), cross.check_able(right.reports)
            found = cross.joint(first, second, counts.support[place], n, confidence=confidence)
            for a, one in enumerate(values_of(left.said)):
                for b, other in enumerate(values_of(right.said)):
                    cell = (float(grid[a, b]) for grid in (found.shares, found.low, found.high, found.deviations))
                    pairs.append(PairTold(first=one, second=other, **dict(zip(_CELL, cell, strict=True))))
        yield CrossTold(questions=(left.said.name, right.said.name), persons=n, pairs=tuple(pairs))


_CELL = ("estimate", "low", "high", "deviation")
"""The numbers of a pair."""
