"""Rules of a person: never near home, the town only at night, nothing on Sundays.

Rules are read in the order of their priority, and the first that fits a fix decides: the fix is hidden, shown in the center
of a coarser cell, or shown as it is. They run on a person's own device, one fix at a time, or over a table: the same.

**A hole shows what it hides.** Fixes that begin and end on a circle give its middle away; `attack.traces.holes` measures how
near. Move the circle once and for good (`moved`), so that home is somewhere in it and not in its middle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.noise.integers import uniform_integers
from sfumato.table.cells import EARTH
from sfumato.table.plane import Plane, distance
from sfumato.table.traces import Traces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.noise.bits import Bits
    from sfumato.table.hours import Hours
    from sfumato.types import BoolArray, FloatArray, IntArray

_STEPS = 1 << 20


@dataclass(frozen=True, slots=True)
class Circle:
    """A place and what is around it.

    Args:
        latitude: of the middle, in degrees.
        longitude: of the middle, in degrees.
        metres: radius, > 0.

    Raises:
        ParameterError: no place, or no radius.
    """

    latitude: float
    longitude: float
    metres: float

    def __post_init__(self) -> None:
        if not (abs(self.latitude) <= 85 and abs(self.longitude) <= 180 and 0 < self.metres < np.inf):
            raise ParameterError(
                "A circle needs a place within ±85 degrees of latitude and a radius above 0; got a radius of {metres}.",
                "such as 300 metres around home.",
                metres=self.metres,
            )

    def moved(self, *, bits: Bits) -> Circle:
        """A circle of the same size that holds the old middle, which may be anywhere in it with equal probability.

        Draw it once, keep it, and never show the old one: several circles around one home give it away.

        Example:
            >>> from sfumato.noise.bits import SystemBits
            >>> home = Circle(45.75, 4.85, 300)
            >>> there = home.moved(bits=SystemBits())
            >>> bool(distance(there.latitude, there.longitude, 45.75, 4.85) <= 300 * (1 + 1e-6))
            True
        """
        while True:
            east, north = uniform_integers(2, 2 * _STEPS + 1, bits=bits) - _STEPS
            if int(east) ** 2 + int(north) ** 2 <= _STEPS**2:
                break
        at = np.array([[east], [north]], np.float64) * (self.metres / _STEPS)
        latitude, longitude = Plane(self.latitude, self.longitude).degrees_of(at[0], at[1])
        return Circle(float(latitude[0]), float(longitude[0]), self.metres)


@dataclass(frozen=True, slots=True)
class Rule:
    """What happens to fixes in a place at some hours.

    Args:
        show: "nothing", "as it is", or the metres of the cells in whose centers fixes are shown.
        within: where; None: everywhere.
        hours: when, by local clocks; None: always.
        priority: higher ones are read first; among equal ones the earlier.
        person: whose fixes; None: everybody's.

    Raises:
        ParameterError: cells of 0 metres or less.
    """

    show: Literal["nothing", "as it is"] | float
    within: Circle | None = None
    hours: Hours | None = None
    priority: int = 0
    person: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.show, str) and not 0 < self.show < np.inf:
            raise ParameterError("Cells must have a side above 0 metres; got {show}.", "such as 2000.", show=self.show)


@dataclass(frozen=True, slots=True, eq=False)
class Ruled:
    """What rules made of fixes.

    Args:
        traces: fixes that are shown.
        decided: (rules + 1,) int64 fixes for which each rule decided, in the order in which they were given; the last: none.
        hidden: fixes that are not shown.
    """

    traces: Traces
    decided: IntArray
    hidden: int


def apply(rules: Sequence[Rule], traces: Traces) -> Ruled:
    """What is shown of fixes; a fix for which no rule decides is shown as it is.

    Args:
        rules: in any order.
        traces: sorted fixes of the persons whose rules these are.

    Example:
        >>> from sfumato.table.hours import NIGHT
        >>> never_home = Rule("nothing", within=Circle(45.75, 4.85, 300), priority=1)
        >>> town_by_night = Rule(5000, hours=NIGHT)
        >>> hours = np.array([8, 12, 23]) * 3_600_000
        >>> day = Traces("UTC", ("ann",), np.zeros(3, int), hours, np.array([45.75, 45.77, 45.77]), np.full(3, 4.85))
        >>> ruled = apply([town_by_night, never_home], day)
        >>> ruled.traces.latitude.round(3).tolist(), ruled.decided.tolist()
        ([45.77, 45.753], [1, 1, 1])
    """
    order = sorted(range(len(rules)), key=lambda i: -rules[i].priority)
    which = np.full(len(traces), len(rules))
    for i in order:
        free = np.flatnonzero(which == len(rules))
        which[free[_fits(rules[i], traces, free)]] = i
    latitude, longitude, is_shown = traces.latitude.copy(), traces.longitude.copy(), np.ones(len(traces), bool)
    for i, rule in enumerate(rules):
        of = which == i
        if rule.show == "nothing":
            is_shown &= ~of
        elif not isinstance(rule.show, str):
            latitude[of], longitude[of] = _coarse(latitude[of], longitude[of], rule.show)
    shown = Traces(traces.zone, traces.persons, traces.person, traces.time, latitude, longitude).kept(is_shown)
    return Ruled(shown, np.bincount(which, minlength=len(rules) + 1), int((~is_shown).sum()))


def _fits(rule: Rule, traces: Traces, at: IntArray) -> BoolArray:
    """Whether fixes are where and when a rule says."""
    fits = np.ones(len(at), bool)
    if rule.person is not None:
        named = np.array([name == rule.person for name in traces.persons], bool)
        fits &= named[traces.person[at]]
    if rule.within is not None:
        circle = rule.within
        middle = np.array([circle.latitude]), np.array([circle.longitude])
        far = distance(traces.latitude[at], traces.longitude[at], *middle)
        fits &= far <= circle.metres
    if rule.hours is not None:
        fits &= rule.hours.inside(traces.clock[at])
    return fits


def _coarse(latitude: FloatArray, longitude: FloatArray, metres: float) -> tuple[FloatArray, FloatArray]:
    """Centers of the cells of one grid of the Earth in bands of latitude, the same for everybody."""
    height = np.degrees(metres / EARTH)
    band = np.floor(latitude / height)
    middle = np.clip((band + 0.5) * height, -90, 90)
    width = np.minimum(height / np.maximum(np.cos(np.radians(middle)), 1e-9), 360.0)
    column = np.floor((longitude + 180) / width)
    return middle, np.minimum((column + 0.5) * width, 360.0) - 180
