"""Weeks of positions: persons of a small simulated city, check-ins of Gowalla in Manhattan, taxis of Cabspotting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.study.reproduce.trace_data import CABSPOTTING, GOWALLA, traces_of
from sfumato.table.plane import Plane, Region

if TYPE_CHECKING:
    from sfumato.study.reproduce.data import Dataset
    from sfumato.study.reproduce.experiment import Order
    from sfumato.study.reproduce.trace_data import TraceSet
    from sfumato.types import IntArray

DAY, WEEK = 8, 56
"""Reports of a day and of a week in the city: one every three hours."""


@dataclass(frozen=True, slots=True)
class Weeks:
    """Where weeks of positions are from.

    Args:
        name: end of the experiment's name.
        said: what a report is, for the notes.
        region: cells of one kilometre.
        reports: of each person, after which losses and attacks are told.
        quick: of these, in a quick version, at most.
        seconds: between reports at least; where somebody was longer unseen, none is made.
        given: the public table; None: simulated.
    """

    name: str
    said: str
    region: Region
    reports: tuple[int, ...]
    quick: int
    seconds: int = 0
    given: TraceSet | None = None

    @property
    def data(self) -> Dataset | None:
        """The public table that is needed."""
        return None if self.given is None else self.given.data


CITY = Weeks(
    "city", "one every three hours for eight weeks", Region(Plane(45.72, 4.78), 1000, 8, 8),
    (1, DAY, WEEK, 2 * WEEK, 4 * WEEK, 8 * WEEK), 2 * WEEK,
)  # fmt: skip
SETS = (
    CITY,
    Weeks("gowalla", "a check-in, at most one an hour", Region(Plane(40.70, -74.02), 1000, 8, 8), (1, 3, 10, 30, 60), 30, 3600, GOWALLA),
    Weeks("cabspotting", "one an hour, for up to 24 days", Region(Plane(37.70, -122.52), 1000, 14, 14), (1, 8, 30, 100, 300), 30, 3600, CABSPOTTING),
)  # fmt: skip


def cells_of(order: Order, weeks: Weeks) -> IntArray:
    """(n, t) int64 cells of persons at their first t reports; persons with fewer are left out."""
    most = weeks.quick if order.quick else weeks.reports[-1]
    if weeks.given is None:
        return simulated(200 if order.quick else 400, most, weeks.region, order.rng())
    traces = traces_of(order, weeks.given)
    traces = traces.kept(weeks.region.holds(traces.latitude, traces.longitude))
    slot = traces.time // (weeks.seconds * 1000)
    first = ~np.concatenate([[False], traces.same & (np.diff(slot) == 0)])
    person = traces.person[first]
    code = weeks.region.codes_of(traces.latitude[first], traces.longitude[first])
    count = np.bincount(person, minlength=len(traces.persons))
    begin = np.cumsum(count) - count
    enough = np.flatnonzero(count >= most)
    return np.asarray(code[begin[enough][:, None] + np.arange(most)])


def simulated(n: int, reports: int, region: Region, rng: np.random.Generator) -> IntArray:
    """(n, reports) int64 cells of persons who sleep at home, work on working days, and go to a few places between.

    Homes are anywhere, work is near the middle, other places are near home. One report in ten is from anywhere.

    Args:
        n: persons.
        reports: one every three hours, from a Monday's midnight on.
        region: cells.
        rng: chance.
    """
    row, column = np.divmod(np.arange(region.rows * region.columns), region.columns)
    apart = np.hypot(row[:, None] - row, column[:, None] - column)
    middle = np.hypot(row - (region.rows - 1) / 2, column - (region.columns - 1) / 2)
    home = rng.integers(0, len(row), n)
    work = rng.choice(len(row), n, p=np.exp(-middle / 1.5) / np.exp(-middle / 1.5).sum())
    near = np.exp(-apart / 1.5)
    others = np.stack([rng.choice(len(row), 3, p=near[at] / near[at].sum()) for at in home.tolist()])
    out = np.empty((n, reports), np.int64)
    for t in range(reports):
        day, hour = t // DAY % 7, t % DAY
        free = np.where(rng.random(n) < 0.5, home, others[np.arange(n), rng.integers(0, 3, n)])
        at = home if hour in (0, 1, 7) else work if day < 5 and hour in (3, 4, 5) else free
        out[:, t] = np.where(rng.random(n) < 0.1, rng.integers(0, len(row), n), at)
    return out
