"""Hours of the week, as local clocks show them: night, work, the evening of a Friday."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.table.clock import DAY

if TYPE_CHECKING:
    from sfumato.types import BoolArray, FloatArray, IntArray

_HOUR = 3_600_000
_MONDAY = 3 * DAY
"""1970-01-01 was a Thursday."""


@dataclass(frozen=True, slots=True)
class Hours:
    """Hours of some days of the week.

    Args:
        first: hour at which they begin, 0 to 23.
        until: hour at which they end, 1 to 24; at most `first`: on the next day.
        days: on which they begin, 0 for Monday to 6 for Sunday.

    Raises:
        ParameterError: hours or days that are none.

    Example:
        >>> NIGHT.inside(np.array([0, 12, 23]) * 3_600_000).tolist()
        [True, False, True]
    """

    first: int
    until: int
    days: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)

    def __post_init__(self) -> None:
        if not (0 <= self.first <= 23 and 1 <= self.until <= 24 and self.days and set(self.days) <= set(range(7))):
            raise ParameterError(
                "Hours must begin at 0 to 23, end at 1 to 24, on days 0 (Monday) to 6; got {first}, {until}, {days}.",
                "such as 22 to 6 on all days.",
                first=self.first,
                until=self.until,
                days=self.days,
            )

    def inside(self, clock: IntArray) -> BoolArray:
        """(n,) bool: whether moments of a local clock are within."""
        return np.asarray(self.within(clock, clock + 1) > 0)

    def within(self, begin: IntArray, end: IntArray) -> FloatArray:
        """(n,) float64 seconds from `begin` to `end`, in milliseconds of a local clock, that are within.

        Example:
            >>> evening, noon = np.array([21 * 3_600_000]), np.array([36 * 3_600_000])
            >>> (NIGHT.within(evening, noon) / 3600).tolist()
            [8.0]
        """
        return (self._before(end) - self._before(begin)) / 1000

    def _before(self, clock: IntArray) -> FloatArray:
        """Milliseconds within, from the Monday before 1970 until moments of a clock."""
        length = (self.until - self.first) % 24 or 24
        starts = np.sort([(day * 24 + self.first) % 168 for day in self.days])
        ends = starts + length
        line = np.concatenate([starts - 168, starts, starts + 168])  # hours of the week before and after reach in
        over = np.clip(np.concatenate([ends - 168, ends, ends + 168]), 0, 168)
        line = np.clip(line, 0, 168)
        marks = np.unique(np.concatenate([[0, 168], line, over]))
        middle = (marks[1:] + marks[:-1]) / 2
        covered = ((line[:, None] <= middle) & (middle < over[:, None])).any(axis=0)
        total = np.concatenate([[0], np.cumsum(np.diff(marks) * covered)]) * _HOUR
        week, rest = np.divmod(np.asarray(clock, np.int64) + _MONDAY, 7 * DAY)
        return np.asarray(week * total[-1] + np.interp(rest, marks * _HOUR, total), np.float64)


NIGHT = Hours(22, 6)
WORK = Hours(9, 17, (0, 1, 2, 3, 4))
