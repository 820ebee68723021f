"""A logistic regression of a randomized yes-no answer on what the server knows of a phone: its group and the time."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from sfumato.document.result.survey import CoefficientTold, RegressionResult
from sfumato.document.survey import YesNoTable
from sfumato.errors import ParameterError, PlanError, SfumatoError
from sfumato.mechanism.local.survey.randomizer import Choice, Coins
from sfumato.release.collect.batch import count_batches
from sfumato.release.collect.survey.estimates import p_value
from sfumato.utility.randomized_regression import AnswerLaw, fit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sfumato.release.collect.base import Counts
    from sfumato.release.collect.survey.survey import Asked, Survey
    from sfumato.types import BoolArray, FloatArray, IntArray


def regress(
    survey: Survey, question: str, lines: Iterable[tuple[str, bytes]], *, confidence: float = 0.95
) -> RegressionResult:
    """The log-odds of a true yes: of the control at the first time, and what each group and each further time add.

    A person's answers at several times are not independent, so standard errors are for questions that are asked once; of
    others they are too small where answers hardly change, which the result says.

    Args:
        survey: what was asked.
        question: name of a yes-no question whose report is a yes or a no.
        lines: (where it stands, a batch), as a server keeps them; each batch counts once.
        confidence: of each interval.

    Raises:
        PlanError: no such question. Remedy: a yes-no question by GRR or a classical design.
        ReportError: a batch of another survey.
        NoSolution: answers that do not determine the coefficients.
    """
    counts, _, _ = count_batches(survey, lines)
    return regress_counts(survey, question, counts, confidence=confidence)


def able(survey: Survey) -> tuple[str, ...]:
    """Names of the questions on which a regression can be made: yes or no, by GRR or a classical design."""
    return tuple(one.said.name for one in survey.asked if _law(one))


def regressions(survey: Survey, counts: Counts) -> Iterator[tuple[str, int, RegressionResult | SfumatoError]]:
    """A regression of each question that can have one, where there are groups or times to tell apart.

    Args:
        survey: what was asked.
        counts: of its reports.

    Returns:
        Name of the question, how often it is asked, and the regression, or why there is none.
    """
    for name in able(survey):
        times = next(len(one.days) for one in survey.asked if one.said.name == name)
        if len(survey.groups) > 1 or times > 1:
            try:
                yield name, times, regress_counts(survey, name, counts)
            except SfumatoError as error:
                yield name, times, error


def regress_counts(survey: Survey, question: str, counts: Counts, *, confidence: float = 0.95) -> RegressionResult:
    """The same from counts, which say all that the regression needs: how many of each group said yes at each time.

    Args:
        survey: what was asked.
        question: name of one of those that are `able`.
        counts: of its reports.
        confidence: of each interval.

    Raises:
        PlanError, ParameterError, NoSolution: see `regress`.
    """
    place = next((i for i, one in enumerate(survey.asked) if one.said.name == question), None)
    law = None if place is None else _law(survey.asked[place])
    if place is None or law is None:
        raise PlanError(
            "`question` must name a yes-no question by GRR or a classical design; {name!r} is none.",
            "name another one.",
            name=question,
        )
    times = len(survey.asked[place].days)
    said, rows, persons = _cells(survey, place, counts)
    if not len(said):
        raise ParameterError("A regression needs at least one report; there is none.", "collect reports first.")
    names, design = _design(survey, rows, times)
    found = fit(said, design, law, persons)
    reach = NormalDist().inv_cdf((1 + confidence) / 2)
    return RegressionResult(
        survey=survey.document.name, question=question, reports=int(persons.sum()), confidence=confidence,
        repeated=times > 1,
        coefficients=tuple(
            CoefficientTold(name=name, estimate=b, low=b - reach * e, high=b + reach * e, error=e,
                            p_value=p_value(b, e))
            for name, b, e in zip(names, found.coefficients.tolist(), found.standard_errors.tolist(), strict=True)
        ),
    )  # fmt: skip


def _cells(survey: Survey, place: int, counts: Counts) -> tuple[BoolArray, FloatArray, IntArray]:
    """What was said (yes or not) in which group at which time of the question, and by how many; nobody is left out."""
    said, rows, persons = list[bool](), list[tuple[int, int]](), list[int]()
    reports = survey.asked[place].reports
    is_turned = isinstance(reports, Coins) and reports.design.c < 0
    for part, (i, t, g) in enumerate(survey.parts, 1):
        if i == place:
            for answer in (False, True):
                n = int(counts.support[part][int(answer != is_turned)])
                if n:
                    said.append(answer)
                    rows.append((g, t))
                    persons.append(n)
    return np.array(said, bool), np.array(rows, np.float64).reshape(-1, 2), np.array(persons, np.int64)


def _law(asked: Asked) -> AnswerLaw | None:
    """How often a yes is reported; None: reports are no yes or no."""
    reports = asked.reports
    if not isinstance(asked.said, YesNoTable):
        return None
    if isinstance(reports, Coins):
        return AnswerLaw(float(reports.design.c), float(reports.design.d))
    if isinstance(reports, Choice) and reports.name == "GRR":
        support = reports.oracle.support
        return AnswerLaw(support.p - support.q, support.q)
    return None


def _design(survey: Survey, rows: FloatArray, times: int) -> tuple[list[str], FloatArray]:
    """Intercept, a column for each group but the first, and the time where there are several."""
    names, columns = ["control at the first time"], [np.ones(len(rows))]
    for g, name in enumerate(survey.groups[1:], 1):
        names.append(name)
        columns.append((rows[:, 0] == g).astype(np.float64))
    if times > 1:
        names.append("each further time")
        columns.append(rows[:, 1].astype(np.float64))
    return names, np.column_stack(columns)
