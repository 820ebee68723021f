"""Worth line by line: how near a line is to its original in days, hours and degrees. A deleted line has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.contest import renaming
from sfumato.contest.periods import DAY

if TYPE_CHECKING:
    from sfumato.contest.game import Case
    from sfumato.types import BoolArray, FloatArray, IntArray

HOUR = 3600
HOURS = np.array([10, 9, 8, 6, 4, 2, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 0, 2, 4, 6, 8, 9]) / 10
"""What a line is worth by the hours between its clock and that of the original: 0 … 23."""
REACH = 0.1
"""Degrees, latitude and longitude added, at which a line is worth nothing."""


def kept(case: Case) -> BoolArray:
    """(n,) which lines of the submission are not deleted."""
    return renaming.kept(case, "id")


def weekdays(seconds: IntArray) -> IntArray:
    """(n,) days of the week, Monday 0.

    Example:
        >>> weekdays(np.array([0, 4 * DAY])).tolist()  # a Thursday and a Monday
        [3, 0]
    """
    return (seconds // DAY + 3) % 7


def date(case: Case) -> float:
    """1 - |difference of days of the week| / 3, at least 0; Sunday is next to Monday in `fixed`."""
    those = kept(case)
    given, made = case.original.whole("date")[those], case.submission.whole("date")[those]
    apart = np.abs(weekdays(given) - weekdays(made))
    if case.rules.is_fixed:
        apart = np.minimum(apart, 7 - apart)
    return _mean(case, np.maximum(0, 1 - apart / 3))


def hour(case: Case) -> float:
    """What `HOURS` says of the difference of clock hours; `compat` takes it from 1 unless the hours are equal."""
    those = kept(case)
    given, made = case.original.whole("date")[those], case.submission.whole("date")[those]
    apart = np.abs(given // HOUR % 24 - made // HOUR % 24)
    worth = HOURS[apart]
    if not case.rules.is_fixed:
        worth = np.where(apart == 0, 1.0, 1 - worth)
    return _mean(case, worth)


def distance(case: Case) -> float:
    """1 - (|difference of latitudes| + |difference of longitudes|) / `REACH`, at least 0."""
    those, apart = kept(case), np.zeros(case.original.rows)
    for name in ("latitude", "longitude"):
        apart += np.abs(case.original.numbers(name) - case.submission.numbers(name))
    return _mean(case, np.maximum(0, 1 - apart[those] / REACH))


def _mean(case: Case, worth: FloatArray) -> float:
    """Over all lines: those that are deleted are worth 0."""
    return float(worth.sum() / case.original.rows) if case.original.rows else 1.0
