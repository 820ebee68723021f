"""Persons found again by the places where they stay: traces without names, beside older ones with names."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Places of persons.

    Args:
        person: (n,) int64 codes 0 … persons - 1, rising, each at least once.
        point: (n, d) float64 coordinates in metres (`plane.on_sphere`, or a plane).

    Raises:
        ParameterError: codes out of order or with holes. Remedy: leave persons without places out.
    """

    person: IntArray
    point: FloatArray

    def __post_init__(self) -> None:
        steps = np.diff(self.person, prepend=-1)
        if self.point.ndim != 2 or len(self.point) != len(self.person) or not np.isin(steps, (0, 1)).all():
            raise ParameterError(
                "Places must be sorted by person, and each person from 0 on must have one.",
                "leave persons without places out and number the others.",
            )

    @property
    def starts(self) -> IntArray:
        """(persons,) int64: where the places of each begin."""
        return np.flatnonzero(np.diff(self.person, prepend=-1)).astype(np.int64)


@dataclass(frozen=True, slots=True)
class PlacesLink:
    """For each person without a name, the named one whose places are nearest."""

    attack: ClassVar[str] = "places"

    def guess(self, view: Places, knowledge: Places, rng: np.random.Generator, /) -> IntArray:
        """(persons of the view,) int64 codes of the knowledge; equally near ones are drawn."""
        return nearest_person(apart_by_places(view, knowledge), rng)


def nearest_person(apart: FloatArray, rng: np.random.Generator) -> IntArray:
    """(n,) int64: the named person who is nearest to each; equally near ones are drawn; -1: nobody is at any distance.

    Args:
        apart: (n, named) float64; infinite: not comparable.
        rng: the intruder's own chance.

    Example:
        >>> nearest_person(np.array([[3.0, 1.0], [np.inf, np.inf]]), np.random.default_rng(1)).tolist()
        [1, -1]
    """
    low = apart.min(axis=1, keepdims=True, initial=np.inf)
    if not apart.shape[1]:
        return np.full(len(apart), -1, np.int64)
    drawn = np.where(apart <= low, rng.random(apart.shape), -1.0).argmax(axis=1)
    return np.where(np.isfinite(low[:, 0]), drawn, -1).astype(np.int64)


def apart_by_places(one: Places, other: Places) -> FloatArray:
    """(persons, persons) float64: how far apart the places of two persons are.

    The median over the places of both persons of the distance to the nearest place of the other person.

    Source:
        V. Primault, S. Ben Mokhtar, C. Lauradoux, L. Brunie, "Differentially private location privacy in practice", MOST
        2014, as in Accio's `PoisReident`.

    Example:
        >>> here = Places(np.array([0, 1]), np.array([[0.0, 0.0], [9.0, 9.0]]))
        >>> apart_by_places(here, here).round(1).tolist()
        [[0.0, 12.7], [12.7, 0.0]]
    """
    theirs = other.starts
    out = np.empty((len(one.starts), len(theirs)))
    for a, (mine, yours) in enumerate(nearest_places(one, other)):
        near = np.concatenate([mine.ravel(), yours])
        of = np.concatenate([np.tile(np.arange(len(theirs)), len(mine)), other.person])
        out[a] = _medians(near, of)
    return out


def nearest_places(one: Places, other: Places) -> Iterator[tuple[FloatArray, FloatArray]]:
    """For each person of `one`: how far each own place is from the nearest of each other person, and the reverse.

    Yields:
        (own places, persons) float64 metres, and (all places of the others,) float64 to the nearest own place.
    """
    theirs, ends = other.starts, np.append(one.starts, len(one.person))
    for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        square = np.zeros((end - begin, len(other.person)))
        for x, y in zip(one.point[begin:end].T, other.point.T, strict=True):
            gap = x[:, None] - y
            square += gap * gap
        yield np.sqrt(np.minimum.reduceat(square, theirs, axis=1)), np.sqrt(square.min(axis=0))


def _medians(values: FloatArray, of: IntArray) -> FloatArray:
    """The median of the values of each group 0, 1, …."""
    order = np.lexsort((values, of))
    first = np.flatnonzero(np.diff(of[order], prepend=-1))
    n = np.diff(np.append(first, len(of)))
    found = values[order]
    return np.asarray((found[first + (n - 1) // 2] + found[first + n // 2]) / 2)
