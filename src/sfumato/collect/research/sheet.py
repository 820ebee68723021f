"""The estimates of a survey as one CSV table: a line for each number, in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.report.columns import csv_text
from sfumato.table.formulas import is_formula

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.document.result.survey import RegressionResult, SurveyEstimatesResult

HEAD = (
    "what", "question", "time", "group", "answer", "other question", "other answer", "reports",
    "estimate", "low", "high", "error", "p", "adjusted p", "coefficient",
)  # fmt: skip
"""Names of the columns."""


def sheet(found: SurveyEstimatesResult, fitted: Sequence[RegressionResult]) -> str:
    """A line for each share, mean, difference, pair and coefficient of a regression.

    Texts that a spreadsheet would run begin with an apostrophe.
    """
    lines = [(*line, None) for line in (*_of_questions(found), *_of_differences(found), *_of_pairs(found))]
    lines += [line for one in fitted for line in _of_regression(one)]
    return csv_text([HEAD, *(tuple(map(_still, line)) for line in lines)])


def _still(cell: object) -> object:
    """A cell that no spreadsheet runs.

    Example:
        >>> _still("=1+1"), _still("a"), _still(-0.5)
        ("'=1+1", 'a', -0.5)
    """
    return f"'{cell}" if isinstance(cell, str) and is_formula(cell) else cell


def _of_regression(found: RegressionResult) -> Iterator[tuple[object, ...]]:
    for c in found.coefficients:
        yield (
            "regression", found.question, None, None, None, None, None, found.reports,
            c.estimate, c.low, c.high, c.error, c.p_value, None, c.name,
        )  # fmt: skip


def _of_questions(found: SurveyEstimatesResult) -> Iterator[tuple[object, ...]]:
    for question in found.questions:
        for part in question.parts:
            at = (question.name, part.time, part.group)
            if part.mean:
                m = part.mean
                yield ("mean", *at, None, None, None, part.reports, m.estimate, m.low, m.high, m.error, None, None)
            for a in part.answers:
                yield (
                    "share", *at, a.value, None, None, part.reports,
                    a.estimate, a.low, a.high, a.deviation, None, None,
                )  # fmt: skip


def _of_differences(found: SurveyEstimatesResult) -> Iterator[tuple[object, ...]]:
    for d in found.differences:
        yield (
            "difference", d.question, d.time, d.group, d.value, None, None, None,
            d.estimate, d.low, d.high, None, d.p_value, d.adjusted,
        )  # fmt: skip


def _of_pairs(found: SurveyEstimatesResult) -> Iterator[tuple[object, ...]]:
    for cross in found.crosses:
        first, second = cross.questions
        for p in cross.pairs:
            yield (
                "pair", first, None, None, p.first, second, p.second, cross.persons,
                p.estimate, p.low, p.high, p.deviation, None, None,
            )  # fmt: skip
