"""How well an intruder who knows a few visits of a person finds the person among traces without names.

The intruder knows k visits. The risk of a person is 1 / (persons whose trace has these visits), for the worst choice of
k among the person's own. What a visit is to the intruder (a place, places in order, a place and an hour, a place and how
often) makes the attacks.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import as_whole

if TYPE_CHECKING:
    from sfumato.table.traces import Traces
    from sfumato.types import BoolArray, FloatArray, IntArray

Knows = Literal["places", "sequence", "times", "distinct places", "frequencies", "probabilities", "proportions"]
"""Places (with repetition), places in their order, places with times, distinct places; distinct places and how often, as
a number, as a share of all visits, or over the most frequent of the known ones."""
_MOST = 20_000_000
"""Choices of one person times persons, at most."""
_AT_A_TIME = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Visits:
    """Visits sorted by person and time.

    Args:
        person: (n,) int64 codes 0 … persons - 1, rising.
        place: (n,) int64 codes from 0.
        time: (n,) int64, as exactly as the intruder knows it; read for "times" only.
    """

    person: IntArray
    place: IntArray
    time: IntArray


def visits_of(traces: Traces, place: IntArray, precision: int) -> Visits:
    """The fixes of traces as visits.

    Args:
        traces: of all persons.
        place: (n,) int64 codes of their places, such as cells of a region.
        precision: milliseconds that are one time: 3 600 000 for an hour, 86 400 000 for a day of the local clock.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> one = Traces("UTC", ("a",), np.zeros(2, int), np.array([0, 90_000_000]), np.zeros(2), np.zeros(2))
        >>> visits_of(one, np.zeros(2, int), 86_400_000).time.tolist()
        [0, 1]
    """
    return Visits(traces.person, np.asarray(place, np.int64), traces.clock // as_whole("precision", precision, low=1))


def risks(visits: Visits, knows: Knows, k: int, *, tolerance: float = 0.0, compat: bool = False) -> FloatArray:
    """The risk of each person when an intruder knows k visits (or distinct places) of it.

    Persons with fewer are attacked with all that they have.

    Args:
        visits: of all persons.
        knows: what is known of each visit.
        k: how many, >= 1.
        tolerance: for "frequencies", "probabilities" and "proportions": share of what is known by which it may be off.
        compat: the tolerance is a share of the *other* person's number, as in the code of scikit-mobility 1.3.1.

    Returns:
        (persons,) float64 in (0, 1]; 0 for a code without visits.

    Raises:
        ParameterError: k below 1, another word, or a person with too many choices. Remedy: a smaller k, larger cells.

    Source:
        R. Pellungrini, L. Pappalardo, F. Pratesi, A. Monreale, "A data mining approach to assess privacy risk in human
        mobility data", ACM TIST 2018; definitions as in scikit-mobility's `privacy.attacks`. There, "hour" cuts times to
        the day; here an hour is an hour.

    Example:
        >>> seen = Visits(np.array([0, 0, 1, 1]), np.array([5, 6, 6, 7]), np.arange(4))
        >>> risks(seen, "places", 1).tolist(), risks(seen, "sequence", 2).tolist()
        ([1.0, 1.0], [1.0, 1.0])
    """
    size = as_whole("k", k, low=1)
    if knows not in get_args(Knows) or not 0 <= tolerance < 1:
        raise ParameterError(
            "An intruder must know one of {words}, with a tolerance in [0, 1); got {knows!r}, {tolerance}.",
            "choose one of them.",
            words=", ".join(get_args(Knows)),
            knows=knows,
            tolerance=tolerance,
        )
    n_persons = int(visits.person.max(initial=-1)) + 1
    if knows == "sequence":
        return _by_sequence(visits, n_persons, size)
    token = visits.place
    if knows == "times":
        _, token = np.unique(np.stack([visits.place, visits.time]), axis=1, return_inverse=True)
    return _by_counts(visits.person, token.ravel(), n_persons, size, (knows, tolerance, compat))


def _by_counts(person: IntArray, token: IntArray, n_persons: int, k: int, how: tuple[Knows, float, bool]) -> FloatArray:
    """Risks where only how often a person has each token matters."""
    knows = how[0]
    tokens, of = np.unique(token, return_inverse=True)
    counts = np.zeros((len(tokens), n_persons), np.int32)
    np.add.at(counts, (of.ravel(), person), 1)
    out = np.zeros(n_persons)
    for u in range(n_persons):
        own = np.flatnonzero(counts[:, u])
        times = counts[own, u]
        if knows in ("places", "times"):
            chosen = _choices(np.repeat(np.arange(len(own)), times), k, n_persons)
            need = np.cumsum(np.ones_like(chosen), axis=1) - _first_places(chosen)
            matches = counts[own][chosen] >= need[:, :, None]
        elif knows == "distinct places":
            chosen = _choices(np.arange(len(own)), k, n_persons)
            matches = counts[own][chosen] > 0
        else:
            chosen = _choices(np.arange(len(own)), k, n_persons)
            matches = _as_often(
                times[chosen].astype(np.int64),
                counts[own][chosen].astype(np.int64),
                (times.sum(), counts.sum(axis=0)),
                how,
            )
        if len(own):
            out[u] = 1 / int(matches.all(axis=1).sum(axis=1).min())
    return out


def _as_often(
    known: IntArray, theirs: IntArray, visits: tuple[IntArray, IntArray], how: tuple[Knows, float, bool]
) -> BoolArray:
    """(c, k, persons) bool: whether persons are at each known place as often; compared without division.

    Shares of n visits and of m visits are the same if the one count times m is the other times n.
    """
    knows, tolerance, compat = how
    one, other = known[:, :, None].astype(np.int64), theirs
    if knows == "probabilities":
        one, other = one * visits[1], other * visits[0]
    elif knows == "proportions":
        one, other = one * other.max(axis=1, keepdims=True), other * one.max(axis=1, keepdims=True)
    return np.asarray((np.abs(other - one) <= tolerance * (other if compat else one)) & (theirs > 0))


def _choices(visited: IntArray, k: int, n_persons: int) -> IntArray:
    """(c, k) int64: the different ways to choose k of some sorted visits; all of them where there are fewer.

    Raises:
        ParameterError: there are too many.
    """
    size = min(k, len(visited))
    if comb(len(visited), size) * n_persons > _MOST:
        raise ParameterError(
            "A person has too many choices of {k} visits to look at each.", "know fewer, or take larger cells.", k=k
        )
    chosen = np.array(list(combinations(visited.tolist(), size)), np.int64).reshape(-1, size)
    return np.unique(chosen, axis=0)


def _first_places(chosen: IntArray) -> IntArray:
    """(c, k) int64: where in its sorted row each value begins, so that the j-th of equal ones needs j of them."""
    is_new = np.diff(chosen, axis=1, prepend=-1) != 0
    return np.asarray(np.maximum.accumulate(np.where(is_new, np.arange(chosen.shape[1]), 0), axis=1))


def _by_sequence(visits: Visits, n_persons: int, k: int) -> FloatArray:
    """Risks where the order of places matters: persons whose visits have these places in this order, not in a row."""
    n, n_places = len(visits.person), int(visits.place.max(initial=0)) + 1
    start = np.searchsorted(visits.person, np.arange(n_persons + 1))
    keys = np.sort((visits.person * n_places + visits.place) * (n + 1) + np.arange(n))
    out = np.zeros(n_persons)
    for u in range(n_persons):
        own = visits.place[start[u] : start[u + 1]]
        if len(own):
            chosen = _choices(np.arange(len(own)), k, n_persons)
            known = np.unique(own[chosen], axis=0)
            out[u] = 1 / min(
                int(_have(part, keys, start[:-1], (n, n_places)).sum(axis=1).min())
                for part in np.array_split(known, 1 + len(known) * n_persons // _AT_A_TIME)
            )
    return out


def _have(known: IntArray, keys: IntArray, start: IntArray, sizes: tuple[int, int]) -> BoolArray:
    """(c, persons) bool: who has each sequence, by the next visit of each place after the last one that was used."""
    n, n_places = sizes
    at = np.broadcast_to(start, (len(known), len(start)))
    alive = np.ones(at.shape, bool)
    whose = np.arange(len(start)) * n_places
    for j in range(known.shape[1]):
        block = (whose + known[:, j : j + 1]) * (n + 1)
        place = np.minimum(np.searchsorted(keys, block + at), len(keys) - 1)
        found = keys[place] - block
        alive &= (found >= at) & (found < n)
        at = np.where(alive, found + 1, n)
    return alive


def home_and_work(visits: Visits, *, compat: bool = False) -> FloatArray:
    """The risk of each person whose two most visited places an intruder knows.

    Ties go to the lower code. A person with one place is known by it.

    Args:
        visits: of all persons.
        compat: the two *least* visited places, as scikit-mobility 1.3.1 takes them against its own definition.

    Returns:
        (persons,) float64; 1 / (persons with the same two places).

    Example:
        >>> home_and_work(Visits(np.array([0, 0, 0, 1, 1]), np.array([7, 7, 9, 9, 7]), np.arange(5))).tolist()
        [0.5, 0.5]
    """
    pairs, count = np.unique(np.stack([visits.person, visits.place]), axis=1, return_counts=True)
    order = np.lexsort((pairs[1], count if compat else -count, pairs[0]))
    person, place = pairs[0][order], pairs[1][order]
    first = np.flatnonzero(np.diff(person, prepend=-1))
    second = np.minimum(first + 1, np.append(first[1:], len(person)) - 1)
    both = np.sort(np.stack([place[first], place[second]]), axis=0)
    _, kind, alike = np.unique(both, axis=1, return_inverse=True, return_counts=True)
    out = np.zeros(int(visits.person.max(initial=-1)) + 1)
    out[person[first]] = 1 / alike[kind.ravel()]
    return out
