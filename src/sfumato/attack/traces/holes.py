"""The middle of a hole: where somebody's rule hides a circle, and what is in it.

A trace that is hidden within a circle vanishes and comes back on its border. Whoever knows the radius (rules of an app are
public) lays a circle of it through every two such points and takes the middle on whose circle most of the points lie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct
from sfumato.table.plane import Plane

if TYPE_CHECKING:
    from sfumato.table.traces import Traces
    from sfumato.types import FloatArray, IntArray

_MOST = 80
"""Borders of a person that are looked at: all pairs are."""


@dataclass(frozen=True, slots=True)
class Hole:
    """Finds the middle of the circle that a person hides.

    Args:
        metres: radius of the circle, known.
        gap: seconds without a fix after which the person was hidden.
        tolerance: metres by which a border may be off: what a person moves between two fixes.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> angle = np.linspace(0, 6, 12)
        >>> lat, lon = 45.75 + np.sin(angle) * 300 / 111_195, 4.85 + np.cos(angle) * 300 / 77_590
        >>> seen = Traces("UTC", ("ann",), np.zeros(12, int), np.arange(12) * 3_600_000, lat, lon)
        >>> Hole(metres=300, gap=600, tolerance=20).guess(seen, None, np.random.default_rng(0)).round(4).tolist()
        [[45.75, 4.85]]
    """

    attack: ClassVar[str] = "hole"
    metres: float
    gap: float
    tolerance: float

    def guess(self, view: Traces, _knowledge: None, rng: np.random.Generator, /) -> FloatArray:
        """(persons, 2) float64 degrees of the guessed middles; NaN for persons who were hidden less than twice.

        Args:
            view: what is shown of their traces.
            rng: which borders are looked at where there are very many.
        """
        out = np.full((len(view.persons), 2), np.nan)
        borders = borders_of(view, self.gap)
        for person in distinct(view.person[borders]).tolist():
            own = borders[view.person[borders] == person]
            if len(own) >= 3:
                out[person] = self._middle(view, own if len(own) <= _MOST else rng.choice(own, _MOST, replace=False))
        return out

    def _middle(self, view: Traces, at: IntArray) -> tuple[float, float]:
        """Of the middles of circles through two borders, the mean of those near the one with most borders on its circle."""
        plane = Plane(float(np.median(view.latitude[at])), float(np.median(view.longitude[at])))
        point = np.stack(plane.metres_of(view.latitude[at], view.longitude[at]), axis=1)
        middles = _through_two(point, self.metres)
        if not len(middles):
            return float("nan"), float("nan")
        off = np.abs(np.linalg.norm(middles[:, None, :] - point[None, :, :], axis=2) - self.metres)
        votes = (off <= self.tolerance).sum(axis=1)
        best = middles[np.lexsort((off.clip(max=self.tolerance).sum(axis=1), -votes))[0]]
        near = np.linalg.norm(middles - best, axis=1) <= self.tolerance
        mean = np.average(middles[near], axis=0, weights=votes[near])
        latitude, longitude = plane.degrees_of(mean[:1], mean[1:])
        return float(latitude[0]), float(longitude[0])


def borders_of(view: Traces, gap: float) -> IntArray:
    """Fixes next to a gap of at least so many seconds, on both of its sides.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> seen = Traces("UTC", ("a",), np.zeros(4, int), np.array([0, 1, 900, 901]) * 1000, np.zeros(4), np.zeros(4))
        >>> borders_of(seen, 600).tolist()
        [1, 2]
    """
    before = np.flatnonzero(view.same & (np.diff(view.time) >= gap * 1000))
    return np.unique(np.concatenate([before, before + 1]))


def _through_two(point: FloatArray, radius: float) -> FloatArray:
    """(m, 2) middles of the circles of a radius through two of the points."""
    i, j = np.triu_indices(len(point), 1)
    way = point[j] - point[i]
    far = np.linalg.norm(way, axis=1)
    fits = (far > 0) & (far <= 2 * radius)
    i, way, far = i[fits], way[fits], far[fits]
    up = np.sqrt(radius**2 - (far / 2) ** 2)[:, None] * np.stack([-way[:, 1], way[:, 0]], axis=1) / far[:, None]
    middle = point[i] + way / 2
    return np.concatenate([middle + up, middle - up])
