"""How far published fixes are from the truth: from the nearest original fix, from the path, from where the person was then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.extras import Needs
from sfumato.frozen import dataclass
from sfumato.table.cells import EARTH
from sfumato.table.plane import distance, on_sphere
from sfumato.table.traces import positions_at

if TYPE_CHECKING:
    from typing import Any

    from sfumato.table.traces import Traces
    from sfumato.types import FloatArray, IntArray

SOURCE = "V. Primault, Accio, 2018: SpatialDistortion and SpatioTemporalDistortion"
PERCENTILES = (25, 50, 75, 90, 95, 99)

_ELSEWHERE = 4 * EARTH
"""Metres that put each person on an Earth of their own, farther off than any place of it."""
_PARTS = 3
"""Parts of a path for each of its fixes, on average: so that parts are short."""
_FIRST = 4
"""Parts that are looked at first for each published fix."""
_AT_ONCE = 4096
"""Published fixes that are looked up together: it bounds memory."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How distances are spread.

    Args:
        n: how many.
        least: metres; like all that follow, None if there is none.
        mean: metres.
        most: metres.
        percentiles: the 25th, 50th, 75th, 90th, 95th and 99th, interpolated.
    """

    n: int
    least: float | None
    mean: float | None
    most: float | None
    percentiles: tuple[float | None, ...]

    @property
    def median(self) -> float | None:
        """The 50th percentile."""
        return self.percentiles[PERCENTILES.index(50)]


def spread(metres: FloatArray) -> Spread:
    """How distances are spread.

    Example:
        >>> spread(np.array([1.0, 2.0, 6.0])).median, spread(np.array([])).mean
        (2.0, None)
    """
    if not len(metres):
        return Spread(0, None, None, None, (None,) * len(PERCENTILES))
    at = tuple(np.percentile(metres, PERCENTILES).tolist())
    return Spread(len(metres), float(metres.min()), float(metres.mean()), float(metres.max()), at)


def check_pair(published: Traces, original: Traces) -> None:
    """Refuse traces that cannot be set side by side.

    Raises:
        ParameterError: persons of the release are not those of the original, or have no original fix. Remedy: measure
            before names become pseudonyms.
    """
    known = np.zeros(len(original.persons), bool)
    known[original.person] = True
    if published.persons != original.persons or not known[published.person].all():
        raise ParameterError(
            "Published traces must have the persons of the original, with the same codes.",
            "measure before names become pseudonyms.",
        )


def from_fixes(published: Traces, original: Traces) -> FloatArray:
    """(n,) float64: metres from each published fix to the nearest original fix of the same person.

    Args:
        published: fixes that are measured.
        original: of the same persons.

    Raises:
        ParameterError: other persons; or SciPy is missing.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> way = Traces("UTC", ("a",), np.zeros(2, int), np.array([0, 1000]), np.array([45.0, 45.01]), np.zeros(2))
        >>> aside = Traces("UTC", ("a",), np.zeros(1, int), np.array([500]), np.array([45.005]), np.array([0.001]))
        >>> from_fixes(aside, way).round(1).tolist()
        [561.5]
    """
    check_pair(published, original)
    if not len(published):
        return np.zeros(0)
    _, nearest = _tree(_apart_by_person(original)).query(_apart_by_person(published))
    return distance(
        published.latitude, published.longitude, original.latitude[nearest], original.longitude[nearest]
    )  # fmt: skip


def from_path(published: Traces, original: Traces, *, gap: float = np.inf) -> FloatArray:
    """(n,) float64: metres from each published fix to the nearest point of the same person's path.

    The path goes from fix to fix on lines that are straight in degrees, of which parts are taken as straight in space; it
    has a hole where no fix came for longer than `gap`.

    Every part of the path is in a search tree by its middle, one tree for each order of length. Whatever a tree has not
    yet shown is at least its last middle's distance less half of its longest part away, so a fix is done once that is
    farther than what was found.

    Args:
        published: fixes that are measured.
        original: of the same persons.
        gap: seconds.

    Raises:
        ParameterError: other persons; or SciPy is missing.

    Source:
        V. Primault, Accio, SpatialDistortion with interpolation, which looks only beside the nearest fix; here the
        nearest point of the whole path is found.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> way = Traces("UTC", ("a",), np.zeros(2, int), np.array([0, 1000]), np.array([45.0, 45.01]), np.zeros(2))
        >>> aside = Traces("UTC", ("a",), np.zeros(1, int), np.array([500]), np.array([45.005]), np.array([0.001]))
        >>> from_path(aside, way).round(1).tolist()
        [78.6]
    """
    check_pair(published, original)
    found = np.full(len(published), np.inf)
    if not len(published):
        return found
    spot = _apart_by_person(published)
    begin, end = _path(original, gap)
    length = np.linalg.norm(end - begin, axis=1)
    order = np.ceil(np.log(np.maximum(length, 1.0)) / np.log(4.0)).astype(np.int64)
    for one in np.unique(order).tolist():
        parts = begin[order == one], end[order == one]
        tree, half = _tree((parts[0] + parts[1]) / 2), float(length[order == one].max()) / 2
        for first in range(0, len(spot), _AT_ONCE):
            _nearer(found[first : first + _AT_ONCE], spot[first : first + _AT_ONCE], parts, tree, half)
    return np.asarray(2 * EARTH * np.arcsin(np.minimum(found / (2 * EARTH), 1.0)))


def from_then(published: Traces, original: Traces) -> FloatArray:
    """(n,) float64: metres from each published fix to where the same person was at that time, by the original.

    Between two fixes the person is on the line between them, in degrees, at constant speed; before the first and after
    the last, there.

    Args:
        published: fixes that are measured.
        original: of the same persons.

    Raises:
        ParameterError: other persons.

    Source:
        V. Primault, Accio, SpatioTemporalDistortion.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> way = Traces("UTC", ("a",), np.zeros(2, int), np.array([0, 1000]), np.array([45.0, 45.01]), np.zeros(2))
        >>> early = Traces("UTC", ("a",), np.zeros(1, int), np.array([500]), np.array([45.01]), np.zeros(1))
        >>> from_then(early, way).round(1).tolist()
        [556.0]
    """
    check_pair(published, original)
    latitude, longitude = positions_at(original, published.person, published.time)
    return distance(published.latitude, published.longitude, latitude, longitude)


def _apart_by_person(traces: Traces) -> FloatArray:
    """(n, 4) float64: places in space, and the person as a fourth direction."""
    spot = on_sphere(traces.latitude, traces.longitude)
    return np.column_stack((spot, traces.person * _ELSEWHERE))


def _tree(spots: FloatArray) -> Any:
    """A search tree of points."""
    with Needs("learn", "Distances of traces need SciPy."):
        from scipy.spatial import cKDTree
    return cKDTree(spots, balanced_tree=False, compact_nodes=False)


def _path(original: Traces, gap: float) -> tuple[FloatArray, FloatArray]:
    """Begin and end of short parts of all paths; a fix without a step before or after it is a part of no length."""
    n = len(original)
    at = np.flatnonzero(original.same & (np.diff(original.time) <= gap * 1000))
    alone = np.ones(n, bool)
    alone[at] = alone[at + 1] = False
    lat, lon = original.latitude, original.longitude
    turn = (lon[at + 1] - lon[at] + 180) % 360 - 180
    length = distance(lat[at], lon[at], lat[at + 1], lon[at + 1])
    longest = max(float(length.sum()) / (_PARTS * n), 1.0)
    parts = np.maximum(np.ceil(length / longest).astype(np.int64), 1)
    of = np.repeat(np.arange(len(at)), parts)
    place = np.arange(len(of)) - np.repeat(np.cumsum(parts) - parts, parts)

    def points(step: IntArray) -> FloatArray:
        share = step / parts[of]
        spot = on_sphere(lat[at][of] + share * (lat[at + 1] - lat[at])[of], lon[at][of] + share * turn[of])
        return np.column_stack((spot, original.person[at][of] * _ELSEWHERE))

    single = _apart_by_person(original)[alone]
    return np.concatenate((points(place), single)), np.concatenate((points(place + 1), single))


def _nearer(found: FloatArray, spot: FloatArray, parts: tuple[FloatArray, FloatArray], tree: Any, half: float) -> None:
    """Lower the distances that were found to those of the nearest of some parts, where these are nearer.

    Args:
        found: (n,) metres; changed.
        spot: (n, 4) published fixes.
        parts: begins and ends.
        tree: of their middles.
        half: of the longest of them.
    """
    begin, end = parts
    left, k = np.arange(len(spot)), min(_FIRST, len(begin))
    while len(left):
        far, which = (np.reshape(one, (len(left), k)) for one in tree.query(spot[left], k=k))
        apart = _to_line(spot[left][:, None, :], begin[which], end[which])
        found[left] = np.minimum(found[left], apart.min(axis=1))
        if k == len(begin):
            return
        left = left[far[:, -1] - half < found[left]]
        k = min(2 * k, len(begin))


def _to_line(spot: FloatArray, begin: FloatArray, end: FloatArray) -> FloatArray:
    """Distances from points to lines between two points, over the last axis."""
    along, off = end - begin, spot - begin
    length = (along * along).sum(axis=-1)
    share = np.clip((off * along).sum(axis=-1) / np.where(length > 0, length, 1.0), 0.0, 1.0)
    return np.asarray(np.linalg.norm(off - share[..., None] * along, axis=-1))
