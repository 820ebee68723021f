"""(k, δ)-anonymity: k persons move together, never more than δ apart.

Persons whose ways are near each other are grouped; one of each group leads, and the others are moved towards the leader
until they are within δ/2 at every time of the leader's fixes. **Only δ = 0 gives k-anonymity**: then all k records are the
same. With δ > 0 each record keeps a part of its person's own way, and whoever knows where that person was finds the
nearest one (R. Trujillo-Rasua, J. Domingo-Ferrer, "On the privacy offered by (k, δ)-anonymity", Information Systems 38,
2013).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.grouping.blocks import in_blocks
from sfumato.mechanism.location.crowds.ways import ways
from sfumato.numbers.distinct import distinct
from sfumato.table.traces import Traces, positions_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.table.plane import Plane
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Edited:
    """What was decided.

    Args:
        traces: of the persons who are published, under their old codes.
        group: (persons,) int64 group of each; -1: not published.
        dropped_persons: persons too far from every group.
        moved: (fixes,) float64 metres by which each published position was moved from where the person then was.
    """

    traces: Traces
    group: IntArray
    dropped_persons: int
    moved: FloatArray


@dataclass(frozen=True, slots=True)
class NearPaths:
    """Persons who move together.

    Args:
        k: persons of a group at least, >= 2.
        delta: metres that two persons of a group are ever apart at most, >= 0.
        radius: metres that a person may be from the leader on average; who is farther is dropped, and a group of fewer
            than k with them. > 0; infinite: nobody is.
        seconds: by which two persons may begin or end apart as lightly as they may be `radius` metres (or 1000) apart.
        rows_at_once: persons compared with each other at most, >= 4k.

    Raises:
        ParameterError: other numbers.

    Source:
        O. Abul, F. Bonchi, M. Nanni, "Never walk alone", ICDE 2008 (the aim); "Anonymization of moving objects databases by
        clustering and perturbation", Information Systems 35, 2010 (W4M, with time as of the leader). Groups here are those
        of microaggregation, and a person is compared at the same time (linear, not edit distance).

    Example:
        >>> from sfumato.table.plane import Plane
        >>> lat = np.array([45.0, 45.02, 45.0, 45.02])
        >>> two = Traces("UTC", ("a", "b"), np.repeat([0, 1], 2), np.tile([0, 60_000], 2), lat, np.array([4.8, 4.8, 4.801, 4.801]))
        >>> edited = NearPaths(k=2, delta=0, radius=500, seconds=3600).edit(two, Plane(45.0, 4.8), lambda done: None)
        >>> edited.traces.longitude.round(4).tolist(), float(edited.moved.round().max())
        ([4.8, 4.8, 4.8, 4.8], 79.0)
    """

    k: int
    delta: float
    radius: float
    seconds: float
    rows_at_once: int = 2000

    def __post_init__(self) -> None:
        sizes = self.radius > 0 and 0 < self.seconds < np.inf and 0 <= self.delta < np.inf
        if self.k < 2 or not sizes or self.rows_at_once < 4 * self.k:
            raise ParameterError(
                "A group must have at least 2 persons, `delta` be 0 or more, `radius` and `seconds` above 0, and 4k persons "
                "must be compared at once; got k = {k}, {delta} and {radius} metres, {seconds} seconds, {rows} persons.",
                "such as k = 5, 0 and 2000 metres, 3600 seconds and 2000 persons.",
                k=self.k,
                delta=self.delta,
                radius=self.radius,
                seconds=self.seconds,
                rows=self.rows_at_once,
            )

    def edit(self, traces: Traces, plane: Plane, tick: Callable[[int], None]) -> Edited:
        """Group persons and move them together.

        Args:
            traces: every person has a fix.
            plane: in whose metres persons are moved.
            tick: told how many persons have a group; it may raise to stop the work.

        Raises:
            ParameterError: fewer than k persons. Remedy: a smaller k.
        """
        n = len(traces.persons)
        if n < self.k:
            raise ParameterError(
                "A group of {k} needs as many persons; the traces have too few.", "choose a smaller k.", k=self.k
            )
        near = ways(traces, plane, self.radius if np.isfinite(self.radius) else 1000.0, self.seconds)
        group = in_blocks(near, self.k, self.rows_at_once, tick)[0]
        leader = _leaders(near.numbers, group)[group]
        person, time, own, lead = _beside(traces, plane, leader)
        apart = np.hypot(*(own - lead))
        mean = np.bincount(person, weights=apart, minlength=n) / np.maximum(np.bincount(person, minlength=n), 1)
        is_near = mean <= self.radius
        is_near &= (np.bincount(group, weights=is_near) >= self.k)[group]
        kept = is_near[person]
        person, time, own, lead, apart = person[kept], time[kept], own[:, kept], lead[:, kept], apart[kept]
        share = np.ones(len(apart))
        np.divide(self.delta / 2, apart, out=share, where=apart > self.delta / 2)
        spot = lead + share * (own - lead)
        latitude, longitude = plane.degrees_of(spot[0], spot[1])
        published = Traces(traces.zone, traces.persons, person, time, latitude, longitude)
        return Edited(published, np.where(is_near, group, -1), int((~is_near).sum()), np.hypot(*(spot - own)))


def _leaders(numbers: FloatArray, group: IntArray) -> IntArray:
    """(groups,) int64: the person of each group who is nearest to its mean."""
    size = np.bincount(group)
    mean = np.stack([np.bincount(group, weights=column) for column in numbers.T], axis=1) / size[:, None]
    far = ((numbers - mean[group]) ** 2).sum(axis=1)
    order = np.lexsort((far, group))
    return np.asarray(order[np.cumsum(size) - size])


def _beside(
    traces: Traces, plane: Plane, leader: IntArray
) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:  # fmt: skip
    """Person and time of each line of the records, where the person then was, and where the leader was: metres."""
    starts = traces.starts
    length = np.diff(starts)[leader]
    person = np.repeat(np.arange(len(leader)), length)
    within = np.arange(len(person)) - np.repeat(np.cumsum(length) - length, length)
    fix = starts[leader][person] + within
    time = traces.time[fix]
    own = np.stack(plane.metres_of(*positions_at(traces, person, time)))
    lead = np.stack(plane.metres_of(traces.latitude[fix], traces.longitude[fix]))
    return person, time, own, lead


def nearest_record(published: Traces, truth: Traces, plane: Plane) -> BoolArray:
    """(persons,) bool: whether of all published records the nearest to where a person truly was is their own.

    A record is compared at its own times. Equal distances count as found only for the first of them, so k equal records
    are found at most once.

    Args:
        published: records, of the persons who have one.
        truth: where all persons were, with the same codes.
        plane: in whose metres distances are.
    """
    persons = distinct(published.person)
    starts = np.searchsorted(published.person, persons)
    east, north = plane.metres_of(published.latitude, published.longitude)
    found = np.zeros(len(persons), bool)
    counts = np.diff(np.append(starts, len(published)))
    for i, one in enumerate(persons.tolist()):
        own = plane.metres_of(*positions_at(truth, np.full(len(published), one), published.time))
        far = np.add.reduceat(np.hypot(east - own[0], north - own[1]), starts) / counts
        found[i] = int(np.argmin(far)) == i
    return found
