"""Unicity: how often a few random points of a trace are those of one person only; and who that is in a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import as_whole
from sfumato.numbers.distinct import distinct
from sfumato.summary.interval import wilson

if TYPE_CHECKING:
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class Unicity:
    """What was found.

    Args:
        points: known of each person.
        share: of trials in which one person only has the points.
        low: lower end of Wilson's 95 % interval over trials.
        high: upper end.
        trials: persons tried, drawn with replacement.
    """

    points: int
    share: float
    low: float
    high: float
    trials: int


def unicity(person: IntArray, point: IntArray, points: int, *, trials: int, rng: np.random.Generator) -> Unicity:
    """The share of persons whom p random points of their own trace single out.

    For each trial a person with at least p different points is drawn, and p of them. Who else has the rarest is looked
    up, and then asked for the others.

    Args:
        person: (n,) int64 codes from 0, in any order.
        point: (n,) int64 codes of a cell and a time together.
        points: p, >= 1.
        trials: >= 1.
        rng: chance of the trials.

    Raises:
        ParameterError: nobody has that many points, or a number below 1.

    Source:
        Y.-A. de Montjoye, C. Hidalgo, M. Verleysen, V. Blondel, "Unique in the Crowd: the privacy bounds of human
        mobility", Scientific Reports 3, 2013.

    Example:
        >>> who, what = np.array([0, 0, 1, 1]), np.array([3, 4, 4, 5])
        >>> unicity(who, what, 2, trials=10, rng=np.random.default_rng(1)).share
        1.0
    """
    p, n_trials = as_whole("points", points, low=1), as_whole("trials", trials, low=1)
    pairs = np.unique(np.stack([person, point]), axis=1)
    keys, key = np.unique(pairs[1], return_inverse=True)
    who = pairs[0]
    starts = np.searchsorted(who, np.arange(int(who.max(initial=-1)) + 2))
    able = np.flatnonzero(np.diff(starts) >= p)
    if not len(able):
        raise ParameterError("Nobody has {points} different points.", "know fewer.", points=p)
    drawn = rng.choice(able, n_trials)
    known = key.ravel()[starts[drawn][:, None] + _chosen(np.diff(starts)[drawn], p, rng)]
    have = np.bincount(_who_has_all(known, who, key.ravel(), len(keys))[0], minlength=n_trials)
    alone = int((have == 1).sum())
    bounds = wilson(alone, n_trials, 0.95)
    return Unicity(p, alone / n_trials, bounds.low, bounds.high, n_trials)


def _chosen(sizes: IntArray, p: int, rng: np.random.Generator) -> IntArray:
    """(trials, p) int64: p different places below each size, every choice equally likely (Floyd)."""
    out = np.empty((len(sizes), p), np.int64)
    for j in range(p):
        top = sizes - p + j
        one = rng.integers(0, top + 1)
        taken = (out[:, :j] == one[:, None]).any(axis=1)
        out[:, j] = np.where(taken, top, one)
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Different points of persons: where, and when.

    Args:
        person: (n,) int64 codes, rising.
        cell: (n,) int64.
        hour: (n,) int64, or another time.
    """

    person: IntArray
    cell: IntArray
    hour: IntArray


def points_of(person: IntArray, cell: IntArray, hour: IntArray) -> Points:
    """The different points among fixes of persons in order.

    Example:
        >>> points_of(np.array([0, 0, 1]), np.array([7, 7, 7]), np.array([3, 3, 3])).person.tolist()
        [0, 1]
    """
    cells, at = np.unique(cell, return_inverse=True)
    hours, when = np.unique(hour, return_inverse=True)
    width = max(len(cells) * len(hours), 1)
    key = distinct(person * width + at.ravel() * max(len(hours), 1) + when.ravel())
    rest = key % width
    return Points(key // width, cells[rest // max(len(hours), 1)], hours[rest % max(len(hours), 1)])


@dataclass(frozen=True, slots=True)
class KnownPoints:
    """For each person of whom some points are known, one of those who have them all in a release."""

    attack: ClassVar[str] = "known points"

    def guess(self, view: Points, knowledge: IntArray, rng: np.random.Generator, /) -> IntArray:
        """(n,) int64 codes, drawn among those who have all points; -1: nobody has. `knowledge` is (n, p, 2): cell, hour."""
        out = np.full(len(knowledge), -1, np.int64)
        if not len(view.person) or not knowledge.size:
            return out
        cell, hour = (
            np.unique(np.concatenate([one, knowledge[..., i].ravel()]), return_inverse=True)[1].ravel()
            for i, one in enumerate((view.cell, view.hour))
        )
        keys, key = np.unique(cell * (hour.max() + 1) + hour, return_inverse=True)
        seen, known = np.split(key.ravel(), [len(view.person)])
        trial, person = _who_has_all(known.reshape(knowledge.shape[:2]), view.person, seen, len(keys))
        order = np.lexsort((rng.random(len(trial)), trial))
        first = order[np.flatnonzero(np.diff(trial[order], prepend=-1))]
        out[trial[first]] = person[first]
        return out


def _who_has_all(known: IntArray, who: IntArray, key: IntArray, n_keys: int) -> tuple[IntArray, IntArray]:
    """Trial and person of everybody who has all the points of a trial."""
    by_key = np.argsort(key, kind="stable")
    begin = np.searchsorted(key[by_key], np.arange(n_keys + 1))
    often = np.diff(begin)
    known = np.take_along_axis(known, np.argsort(often[known], axis=1), axis=1)
    n = often[known[:, 0]]
    trial = np.repeat(np.arange(len(known)), n)
    within = np.arange(len(trial)) - np.repeat(np.cumsum(n) - n, n)
    persons = who[by_key[np.repeat(begin[known[:, 0]], n) + within]]
    pairs = np.sort(who * n_keys + key)
    for j in range(1, known.shape[1]):
        asked = persons * n_keys + known[trial, j]
        has = pairs[np.minimum(np.searchsorted(pairs, asked), len(pairs) - 1)] == asked
        trial, persons = trial[has], persons[has]
    return trial.astype(np.int64), persons
