"""The week, month or year of a day. Pseudonyms of different periods cannot be linked."""

from __future__ import annotations

from datetime import date, timedelta
from enum import Enum

_FIRST_DAY = date(1970, 1, 1)


class Period(Enum):
    """How long a person keeps a pseudonym."""

    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


def period_of(day: int, period: Period) -> str:
    """The name of the period of a day.

    Args:
        day: days since 1970-01-01.
        period: ISO week, calendar month or year.

    Source:
        ISO 8601-1:2019 (weeks begin on Monday; the first one holds the first Thursday of the year).

    Example:
        >>> period_of(0, Period.WEEK), period_of(0, Period.MONTH), period_of(1096, Period.WEEK)
        ('1970-W01', '1970-01', '1973-W01')
    """
    at = _FIRST_DAY + timedelta(days=day)
    if period is Period.WEEK:
        year, week, _ = at.isocalendar()
        return f"{year:04d}-W{week:02d}"
    return f"{at.year:04d}" if period is Period.YEAR else f"{at.year:04d}-{at.month:02d}"
