"""Places of interest: stays near each other are one place, found by density-joinable clustering (DJ).

A person who comes home every evening has hundreds of stays there, each a little elsewhere. Clustering makes one place of
them: stays first (`attack.traces.stays`), then DJ on their centers, as "repeated places" of the program Accio.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.traces.stays import stays
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import as_whole
from sfumato.table.cells import EARTH
from sfumato.table.plane import on_sphere

if TYPE_CHECKING:
    from sfumato.attack.traces.stays import Stays
    from sfumato.table.traces import Traces
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Search:
    """What a place of interest is.

    Args:
        seconds: a stay lasts at least so long.
        metres: diameter of a stay; positions within half of it are neighbors in a cluster.
        least: stays of a cluster's core, itself included; 1: every stay is at a place.

    Example:
        >>> Search().metres
        200.0
    """

    seconds: float = 900.0
    metres: float = 200.0
    least: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class PlacesFound:
    """Places of persons, and which stays are at them.

    Args:
        person: (p,) int64 codes, rising.
        latitude: (p,) float64 mean of the stays at the place.
        longitude: (p,) float64.
        stays: all stays, in order of persons and times.
        place: (s,) int64 place of each stay; -1: at none.
    """

    person: IntArray
    latitude: FloatArray
    longitude: FloatArray
    stays: Stays
    place: IntArray

    @property
    def point(self) -> FloatArray:
        """(p, 3) float64 metres from the center of the Earth."""
        return on_sphere(self.latitude, self.longitude)


def places_found(traces: Traces, search: Search, piece: IntArray | None = None) -> PlacesFound:
    """Stays, then clusters of their centers.

    Args:
        traces: of all persons.
        search: what a place is.
        piece: see `stays.stays`.

    Raises:
        ParameterError: a number outside its range.

    Source:
        `RepeatedPois` of Accio; V. Primault et al., MOST 2014.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> lat = np.repeat([45.0, 45.1, 45.0003], 3)
        >>> there = Traces("UTC", ("a",), np.zeros(9, int), np.arange(9) * 600_000, lat, np.zeros(9))
        >>> found = places_found(there, Search())
        >>> found.place.tolist(), found.latitude.round(5).tolist()
        ([0, 1, 0], [45.00015, 45.1])
    """
    found = stays(traces, seconds=search.seconds, metres=search.metres, piece=piece)
    place = density_joined(found.person, found.latitude, found.longitude, metres=search.metres / 2, least=search.least)
    at = np.flatnonzero(place >= 0)
    n = np.bincount(place[at])
    person = np.zeros(len(n), np.int64)
    person[place[at]] = found.person[at]
    latitude, longitude = (np.bincount(place[at], x[at]) / n for x in (found.latitude, found.longitude))
    return PlacesFound(person, latitude, longitude, found, place)


def density_joined(
    person: IntArray, latitude: FloatArray, longitude: FloatArray, *, metres: float, least: int
) -> IntArray:
    """The cluster of each position: neighborhoods with enough positions, joined where they share one.

    A position's neighborhood is all positions of its person within `metres`, itself included; it counts if it has `least`
    of them. Two that count and share a position are one cluster, unlike in DBSCAN, where a position at the border of two
    does not join them. The order of positions does not matter.

    Args:
        person: (n,) int64 codes, rising.
        latitude: (n,) float64 degrees.
        longitude: (n,) float64.
        metres: > 0 and at most 10⁷.
        least: >= 1.

    Returns:
        (n,) int64 clusters numbered by person, then by their first position; -1: in no neighborhood that counts. Work is
        quadratic in the different positions of a person on one parallel: for stays, not for all fixes.

    Raises:
        ParameterError: a number outside its range.

    Source:
        C. Zhou, D. Frankowski, P. Ludford, S. Shekhar, L. Terveen, "Discovering personal gazetteers: an interactive
        clustering approach", GIS 2004.

    Example:
        >>> lat = np.array([45.0, 45.0008, 45.0016, 46.0])
        >>> density_joined(np.zeros(4, int), lat, np.zeros(4), metres=100, least=2).tolist()
        [0, 0, 0, -1]
    """
    size = as_whole("least", least, low=1)
    if not 0 < metres <= 1e7:
        raise ParameterError("`metres` must be above 0 and at most 10^7.", "such as 100.")
    keys, of, often = _distinct(np.stack([person.astype(np.float64), latitude, longitude]))
    who = keys[0].astype(np.int64)
    one, other = _near_pairs(who, on_sphere(keys[1], keys[2]), keys[1], metres)
    around = often + np.bincount(one, often[other], len(who)) + np.bincount(other, often[one], len(who))
    counts: BoolArray = around >= size
    joins = counts[one] | counts[other]
    one, other = one[joins], other[joins]
    root = _components(one, other, len(who))
    member = counts.copy()
    member[one] = member[other] = True
    label = np.where(member, root, -1)[of]
    return _in_order(label)


def _distinct(rows: FloatArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Different columns in order, which of them each is, and how often each occurs."""
    keys, of, often = np.unique(rows, axis=1, return_inverse=True, return_counts=True)
    return keys, of.ravel().astype(np.int64), often.astype(np.int64)


def _near_pairs(who: IntArray, spot: FloatArray, latitude: FloatArray, metres: float) -> tuple[IntArray, IntArray]:
    """Pairs i < j of one person within reach; positions are sorted by person and latitude."""
    limit, band = (2 * EARTH * np.sin(metres / (2 * EARTH))) ** 2, np.degrees(metres / EARTH) * (1 + 1e-9)
    left, lag = np.arange(len(who)), 1
    found = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
    while len(left := left[left + lag < len(who)]):
        left = left[(who[left + lag] == who[left]) & (latitude[left + lag] - latitude[left] <= band)]
        gap = spot[left + lag] - spot[left]
        near = left[(gap * gap).sum(axis=1) <= limit]
        found.append((near, near + lag))
        lag += 1
    return np.concatenate([one for one, _ in found]), np.concatenate([other for _, other in found])


def _components(one: IntArray, other: IntArray, n: int) -> IntArray:
    """(n,) int64: the lowest number among all that are connected with each."""
    root = np.arange(n)
    while True:
        low = np.minimum(root[one], root[other])
        after = root.copy()
        np.minimum.at(after, root[one], low)
        np.minimum.at(after, root[other], low)
        while (after[after] != after).any():
            after = after[after]
        if np.array_equal(after, root):
            return root
        root = after


def _in_order(label: IntArray) -> IntArray:
    """Labels numbered by their first occurrence; -1 stays."""
    names, first, of = np.unique(label, return_index=True, return_inverse=True)
    rank = np.full(len(names), -1, np.int64)
    named = np.flatnonzero(names >= 0)
    rank[named[np.argsort(first[named])]] = np.arange(len(named))
    return np.asarray(rank[of.ravel()], np.int64)
