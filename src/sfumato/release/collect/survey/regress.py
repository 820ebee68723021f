"""A logistic regression of a randomized yes-no answer on what the server knows of a phone: its group and the time."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from sfumato.document.result.survey import CoefficientTold, RegressionResult
from sfumato.document.survey import YesNoTable
from sfumato.errors import ParameterError, PlanError
from sfumato.mechanism.local.survey.randomizer import Choice, Coins
from sfumato.mechanism.local.survey.wire import from_bytes
from sfumato.release.collect.batch import wires_once
from sfumato.utility.randomized_regression import AnswerLaw, fit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.release.collect.survey.survey import Survey
    from sfumato.types import FloatArray


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
    place = next((i for i, one in enumerate(survey.asked) if one.said.name == question), None)
    one = None if place is None else survey.asked[place]
    law = None if one is None or not isinstance(one.said, YesNoTable) else _law(one.reports)
    if place is None or one is None or law is None:
        raise PlanError(
            "`question` must name a yes-no question by GRR or a classical design; {name!r} is none.",
            "name another one.",
            name=question,
        )
    answers, rows = [np.zeros(0, bool)], [np.zeros((0, 2))]
    for wire in wires_once(survey, lines):
        filled = from_bytes(survey.shape, wire)
        sent = filled.senders(survey.shape, place)
        answers.append(filled.reports[place] == 1)
        rows.append(np.column_stack([filled.group[sent], filled.time[sent]]))
    names, design = _design(survey, np.concatenate(rows), len(one.days))
    said = np.concatenate(answers)
    if not len(said):
        raise ParameterError("A regression needs at least one report; there is none.", "collect reports first.")
    found = fit(said, design, law)
    reach = NormalDist().inv_cdf((1 + confidence) / 2)
    return RegressionResult(
        survey=survey.document.name, question=question, reports=len(said), confidence=confidence,
        repeated=len(one.days) > 1,
        coefficients=tuple(
            CoefficientTold(name=name, estimate=b, low=b - reach * e, high=b + reach * e, error=e,
                            p_value=math.erfc(abs(b) / e / math.sqrt(2)) if e else 1.0)
            for name, b, e in zip(names, found.coefficients.tolist(), found.standard_errors.tolist(), strict=True)
        ),
    )  # fmt: skip


def _law(reports: object) -> AnswerLaw | None:
    """How often a yes is reported; None: reports are no yes or no."""
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
