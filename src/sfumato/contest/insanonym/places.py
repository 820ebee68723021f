"""Worth of where persons stay: their homes, works and weekends, how many cells they visit, and where many meet.

A person is the one of the original on both sides, whatever its pseudonym: the judge knows whose line is whose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.contest.insanonym.lines import HOUR, kept, weekdays
from sfumato.contest.insanonym.squares import squares
from sfumato.contest.periods import DAY, periods_of
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.contest.game import Case
    from sfumato.types import BoolArray, FloatArray, IntArray

MOST_PLACES = 3
NIGHT, WORK, WEEKEND = (22, 6), (9, 16), (10, 18)
"""From when to when, in hours of the clock; both ends belong to nothing."""
OTHER = 3
BUSY = 0.1
"""Share of cells that count as those where many meet."""


@dataclass(frozen=True, slots=True, eq=False)
class _Stays:
    """Where persons were for how long, by kind of time; sorted by `group` and cell.

    Args:
        group: (m,) int64 person (and week) and kind of time.
        cell: (m,) int64.
        seconds: (m,) float64 time since the fix before, added up.
        is_top: (m,) whether it is among the longest of its group.
    """

    group: IntArray
    cell: IntArray
    seconds: FloatArray
    is_top: BoolArray


def poi(case: Case) -> float:
    """How alike the times are at the three longest places of each person by night, at work and at weekends.

    Each place of the original counts the lesser time divided by the greater one, where it is among the longest of the
    submission too. Places where a person was for no time do not count in `fixed`; in `compat` they count as lost.
    """
    return _alike(case, case.original.labels("id").codes, MOST_PLACES)


def poi_week(case: Case) -> float:
    """The same with the longest place alone, of each person and ISO week."""
    days = case.original.whole("date") // DAY
    weeks = periods_of(days, "week", calendar_years=False)
    return _alike(case, case.original.labels("id").codes * (len(weeks.names) + 1) + weeks.codes, 1)


def tuile(case: Case) -> float:
    """How alike the numbers of cells are that each person visited: the lesser divided by the greater, on average."""
    those, person = kept(case), case.original.labels("id").codes
    n = len(case.original.labels("id").names)
    given = _visited(person, _squares_of(case, submission=False), n)
    made = _visited(person[those], _squares_of(case, submission=True)[those], n)
    return float(np.mean(np.minimum(given, made) / np.maximum(given, made))) if n else 1.0


def meet(case: Case) -> float:
    """Share of the tenth of all cells with the most fixes that is the tenth of the submission too.

    Cells with as many fixes are taken in the order of their place, south-west first.
    """
    given = _squares_of(case, submission=False)
    made = _squares_of(case, submission=True)[kept(case)]
    most = max(1, int(len(np.unique(given)) * BUSY))
    return float(np.isin(_busiest(given, most), _busiest(made, most)).sum() / most) if len(given) else 1.0


def _squares_of(case: Case, *, submission: bool) -> IntArray:
    """The cell of each line."""
    given, made = case.once(_both_squares)
    return made if submission else given


def _both_squares(case: Case) -> tuple[IntArray, IntArray]:
    """Cells of the original and of the submission."""
    given, made = (
        squares(one.numbers("latitude"), one.numbers("longitude")) for one in (case.original, case.submission)
    )
    return given, made


def _visited(person: IntArray, cells: IntArray, n: int) -> IntArray:
    """(n,) how many distinct cells each person has."""
    order = np.lexsort((cells, person))
    person, cells = person[order], cells[order]
    new = np.ones(len(person), bool)
    new[1:] = (np.diff(person) != 0) | (np.diff(cells) != 0)
    return np.bincount(person[new], minlength=n)


def _busiest(cells: IntArray, most: int) -> IntArray:
    """The cells with the most fixes."""
    found, count = np.unique(cells, return_counts=True)
    return found[np.argsort(-count, kind="stable")[:most]]


def _kinds(seconds: IntArray) -> IntArray:
    """(n,) 0 night, 1 work, 2 weekend, `OTHER`: none of them."""
    clock, is_week = seconds % DAY, weekdays(seconds) < 5
    found = np.full(len(seconds), OTHER)
    found[~is_week & (clock > WEEKEND[0] * HOUR) & (clock < WEEKEND[1] * HOUR)] = 2
    found[is_week & (clock > WORK[0] * HOUR) & (clock < WORK[1] * HOUR)] = 1
    found[is_week & ((clock > NIGHT[0] * HOUR) | (clock < NIGHT[1] * HOUR))] = 0
    return found


def _alike(case: Case, person: IntArray, most: int) -> float:
    """How alike the longest places of both sides are."""
    those = kept(case)
    given = _stays(person, case.original.whole("date"), _squares_of(case, submission=False), most)
    made = _stays(person[those], case.submission.whole("date")[those], _squares_of(case, submission=True)[those], most)
    top = given.is_top & (given.seconds > 0) if case.rules.is_fixed else given.is_top
    if not top.any():
        return 1.0
    there = _times(given, made, top)
    seconds = np.maximum(given.seconds[top], 0)
    longer = np.maximum(seconds, there)
    return float(np.where(seconds > 0, np.minimum(seconds, there) / np.maximum(longer, 1), 0).sum() / top.sum())


def _times(given: _Stays, made: _Stays, top: BoolArray) -> FloatArray:
    """Seconds that the submission has at the top places of the original, 0 where they are not among its own."""
    keys = np.concatenate((np.stack((given.group, given.cell))[:, top], np.stack((made.group, made.cell))[:, made.is_top]), axis=1)  # fmt: skip
    _, places = np.unique(keys, axis=1, return_inverse=True)
    n, places = int(top.sum()), places.ravel()
    there = np.zeros(len(places))
    there[places[n:]] = np.maximum(made.seconds[made.is_top], 0)
    return there[places[:n]]


def _stays(person: IntArray, seconds: IntArray, cells: IntArray, most: int) -> _Stays:
    """Where each person was by kind of time: the time since the person's line before that has a kind, in file order."""
    kind = _kinds(seconds)
    those = np.nonzero(kind != OTHER)[0]
    those = those[np.argsort(person[those], kind="stable")]
    who, when = person[those], seconds[those]
    since = np.zeros(len(those))
    same = who[1:] == who[:-1]
    since[1:][same] = (when[1:] - when[:-1])[same]
    group, cell = who * OTHER + kind[those], cells[those]
    order = np.lexsort((cell, group))
    new = np.ones(len(order), bool)
    new[1:] = (np.diff(group[order]) != 0) | (np.diff(cell[order]) != 0)
    starts = np.nonzero(new)[0]
    if not len(starts):
        return _Stays(group, cell, since, np.zeros(0, bool))
    total, first = np.add.reduceat(since[order], starts), np.minimum.reduceat(those[order], starts)
    group, cell = group[order][starts], cell[order][starts]
    return _Stays(group, cell, total, _longest(group, total, first, most))


def _longest(group: IntArray, seconds: FloatArray, first: IntArray, most: int) -> BoolArray:
    """Which stays are among the longest of their group; of equal ones those that were met first in the file."""
    order = np.lexsort((first, -seconds, group))
    start = np.searchsorted(group[order], group[order], side="left")
    is_top = np.zeros(len(group), bool)
    is_top[order] = np.arange(len(group)) - start < most
    return is_top
