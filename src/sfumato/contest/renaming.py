"""Rules of contests whose submissions hold the pseudonyms themselves: nobody has two in a period, and few lines go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.contest.game import wrong_lines
from sfumato.table.formulas import is_formula
from sfumato.table.lines import LineFault

if TYPE_CHECKING:
    from sfumato.contest.game import Case
    from sfumato.contest.periods import Period
    from sfumato.table.lines import Lines
    from sfumato.types import BoolArray, IntArray

DELETED = "DEL"
"""The pseudonym of deleted lines."""
_STAY: dict[Period, str] = {"all": "", "week": "must stay in its ISO week.", "month": "must stay in its month."}


def without_deleted(lines: Lines, who: str) -> tuple[LineFault, ...]:
    """An original has no deleted lines."""
    return () if DELETED not in lines.labels(who).names else (LineFault(0, who, "must not be DEL."),)


def kept(case: Case, who: str) -> BoolArray:
    """(n,) which lines of the submission are not deleted."""
    return ~case.submission.labels(who).is_named(DELETED)


def stays(
    case: Case, days: tuple[IntArray, IntArray], those: BoolArray, *, years: bool = True
) -> tuple[LineFault, ...]:
    """Dates that left the period of their line.

    Args:
        case: original and submission.
        days: of both, since 1970.
        those: (n,) lines that count.
        years: whether the same month of another year is another month.
    """
    before, after = (_period(one, case.rules.period) for one in days)
    if not years:
        before, after = before % 12, after % 12
    return wrong_lines(case, those & (before != after), "date", _STAY[case.rules.period])


def one_name(case: Case, who: str, others: IntArray) -> tuple[LineFault, ...]:
    """Lines with a second pseudonym of a person in a period.

    Args:
        case: original and submission.
        who: column of persons.
        others: rows that have one.
    """
    second = np.zeros(case.original.rows, bool)
    second[others] = True
    return wrong_lines(case, second, who, "must be the pseudonym that this person has on earlier lines of the period.")


def no_formulas(case: Case, who: str, those: BoolArray) -> tuple[LineFault, ...]:
    """Lines whose pseudonym a spreadsheet of an attacker would run.

    Args:
        case: original and submission.
        who: column of persons.
        those: (n,) lines that count.
    """
    runs = case.submission.labels(who).are(is_formula)
    return wrong_lines(case, those & runs, who, "must not begin as a formula of a spreadsheet does, with = + - or @.")


def few_deleted(case: Case, who: str) -> tuple[LineFault, ...]:
    """More deleted lines than the contest allows."""
    most = case.rules.most_deleted
    if (~kept(case, who)).sum() <= most * case.original.rows:
        return ()
    return (LineFault(0, who, f"must not delete more than a share of {most:g} of the lines."),)


def _period(days: IntArray, kind: Period) -> IntArray:
    """Numbers of weeks, or of months, since 1970."""
    if kind == "all":
        return days * 0
    return (days + 3) // 7 if kind == "week" else days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
