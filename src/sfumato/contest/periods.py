"""Periods within which a person keeps one pseudonym: all of time, local ISO weeks, or months."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from sfumato.frozen import dataclass
from sfumato.table.lines import NO_TIME

if TYPE_CHECKING:
    from sfumato.types import IntArray

Period: TypeAlias = Literal["all", "week", "month"]
DAY = 86_400


@dataclass(frozen=True, slots=True, eq=False)
class Periods:
    """The period of each line.

    Args:
        names: distinct periods in the order of time, such as "2008-43" (year and ISO week) or "2010-12".
        codes: (n,) int64 place in `names`; -1: the line says no time.
    """

    names: tuple[str, ...]
    codes: IntArray


def iso_week(days: IntArray) -> tuple[IntArray, IntArray]:
    """Year and number of the ISO week of days since 1970.

    Example:
        >>> [part.tolist() for part in iso_week(np.array([0, 14241, 14242]))]  # 1970-01-01, 2008-12-28, 2008-12-29
        [[1970, 2008, 2009], [1, 52, 1]]
    """
    thursday = (days + 3) // 7 * 7  # of the same week: its year is the year of the week
    year = thursday.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64)
    first = year.astype("datetime64[Y]").astype("datetime64[D]").astype(np.int64)
    return year + 1970, (thursday - first) // 7 + 1


def periods_of(days: IntArray, kind: Period, *, calendar_years: bool = False) -> Periods:
    """The period of each day.

    Args:
        days: (n,) days since 1970; below `NO_TIME` // `DAY` + 1: none.
        kind: which periods.
        calendar_years: whether a week is named by the year of the day, as INSAnonym's platform did: the last days of 2008
            are then in week 1 of 2008.

    Example:
        >>> periods_of(np.array([14241, 14242]), "week").names
        ('2008-52', '2009-1')
        >>> periods_of(np.array([14241, 14242]), "week", calendar_years=True).names
        ('2008-1', '2008-52')
    """
    known = days > NO_TIME // DAY + 1
    if kind == "all":
        return Periods(("all",), np.where(known, 0, -1))
    year, within = iso_week(days[known]) if kind == "week" else _months(days[known])
    if calendar_years and kind == "week":
        year = days[known].astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970
    found, places = np.unique(year * 64 + within, return_inverse=True)
    codes = np.full(len(days), -1, np.int64)
    codes[known] = places
    return Periods(tuple(f"{one // 64}-{one % 64}" for one in found.tolist()), codes)


def _months(days: IntArray) -> tuple[IntArray, IntArray]:
    """Year and month of days since 1970."""
    months = days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    return months // 12 + 1970, months % 12 + 1
