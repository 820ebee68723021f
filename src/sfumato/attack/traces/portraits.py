"""All that tells who somebody is, together: places, Markov chain and heat map of the same person.

A defender must fear whichever attack finds a person: the worst case is that any of them does. An intruder cannot know
which of three guesses is right and has to say one name: the ranks that each attack gives to a name are added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np

from sfumato.attack.traces.background import Visits
from sfumato.attack.traces.chain import apart_by_chains, chains_of
from sfumato.attack.traces.clusters import Search, places_found
from sfumato.attack.traces.heat import CELL, heat_maps, topsoe
from sfumato.attack.traces.places import apart_by_places, nearest_person
from sfumato.frozen import dataclass
from sfumato.table.traces import pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.attack.traces.chain import Chains
    from sfumato.attack.traces.heat import HeatMaps
    from sfumato.table.traces import Traces
    from sfumato.types import FloatArray, IntArray


By = Literal["places", "Markov chain", "heat map"]


@dataclass(frozen=True, slots=True, eq=False)
class Portraits:
    """What is known of persons from their traces.

    Args:
        placed: (m,) int64 rising: codes of the persons who have places; 0 … m - 1 in `chains`.
        chains: their places with the shares of visits.
        heat: the heat maps of all persons.
    """

    placed: IntArray
    chains: Chains
    heat: HeatMaps


@dataclass(frozen=True, slots=True)
class Sight:
    """How a portrait is made of a trace.

    Args:
        search: what a place is; None: every cell of `metres` with a fix is one, for check-ins, which do not last.
        metres: side of such a cell.
        gap: seconds without a fix after which a stay is over.
        cell: side of the cells of heat maps in metres.
    """

    search: Search | None = Search()
    metres: float = 200.0
    gap: float = 3600.0
    cell: float = CELL


def portraits_of(traces: Traces, sight: Sight) -> Portraits:
    """Places, chains and heat maps of all persons.

    Args:
        traces: of all persons.
        sight: what a place is.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> lat = np.repeat([45.0, 45.1, 45.0003], 3)
        >>> there = Traces("UTC", ("a", "b"), np.zeros(9, int), np.arange(9) * 600_000, lat, np.zeros(9))
        >>> seen = portraits_of(there, Sight())
        >>> seen.placed.tolist(), seen.chains.stationary.round(2).tolist(), seen.heat.persons
        ([0], [0.67, 0.33], 2)
    """
    visits, point = visited(traces, sight)
    placed, who = np.unique(visits.person, return_inverse=True)
    numbered = Visits(who.ravel().astype(np.int64), visits.place, visits.time)
    return Portraits(placed.astype(np.int64), chains_of(numbered, point), heat_maps(traces, sight.cell))


def visited(traces: Traces, sight: Sight) -> tuple[Visits, FloatArray]:
    """Visits to places in order, and where in metres each place is; a place is one person's.

    Where every cell with a fix is a place, it lies at the mean of its person's fixes.
    """
    from sfumato.attack.traces.heat import cells_of_earth
    from sfumato.table.plane import on_sphere

    if sight.search is not None:
        found = places_found(traces, sight.search, pieces(traces, sight.gap, by_day=False))
        at = np.flatnonzero(found.place >= 0)
        stays = found.stays
        return Visits(stays.person[at], found.place[at], traces.time[stays.first[at]]), found.point
    cell = cells_of_earth(traces.latitude, traces.longitude, sight.metres)
    pairs, place, n = np.unique(np.stack([traces.person, cell]), axis=1, return_inverse=True, return_counts=True)
    place = place.ravel().astype(np.int64)
    mean = [np.bincount(place, x, pairs.shape[1]) / n for x in (traces.latitude, traces.longitude)]
    return Visits(traces.person, place, traces.time), on_sphere(mean[0], mean[1])


def apart(view: Portraits, knowledge: Portraits, names: Sequence[By] = get_args(By)) -> dict[str, FloatArray]:
    """How far apart persons are by each attack: (persons, persons) float64, infinite where one has no places or fixes."""
    return {name: _whole(name, view, knowledge) for name in names}


def _whole(name: By, view: Portraits, knowledge: Portraits) -> FloatArray:
    """Distances by one attack, with all persons."""
    if name == "heat map":
        return topsoe(view.heat, knowledge.heat)
    out = np.full((view.heat.persons, knowledge.heat.persons), np.inf)
    one, other = view.chains, knowledge.chains
    found = apart_by_places(one.places, other.places) if name == "places" else apart_by_chains(one, other)
    out[np.ix_(view.placed, knowledge.placed)] = found
    return out


def added_ranks(distances: dict[str, FloatArray]) -> FloatArray:
    """(n, named) float64: over the attacks, the sum of the rank of each name; equal ones share the mean of their ranks.

    An attack that compares nobody with a person has no say; infinite where none has.

    Example:
        >>> one, other = np.array([[1.0, 2.0, 3.0]]), np.array([[2.0, 1.0, 1.0]])
        >>> added_ranks({"one": one, "other": other}).tolist()
        [[4.0, 3.5, 4.5]]
    """
    total, said = np.zeros(next(iter(distances.values())).shape), np.zeros(len(next(iter(distances.values()))), bool)
    for found in distances.values():
        some = np.isfinite(found).any(axis=1)
        total[some] += _ranks(found[some])
        said |= some
    return np.where(said[:, None], total, np.inf)


def _ranks(values: FloatArray) -> FloatArray:
    """Ranks from 1 within each row, means among equal ones."""
    n, width = values.shape
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    begins = np.ones((n, width), bool)
    begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    run = (np.cumsum(begins.ravel()) - 1).astype(np.int64)  # each row begins a run
    first = np.flatnonzero(begins.ravel())
    last = np.append(first[1:], n * width) - 1
    mean = ((first % max(width, 1)) + (last % max(width, 1))) / 2 + 1
    out = np.empty((n, width))
    np.put_along_axis(out, order, mean[run].reshape(n, width), axis=1)
    return out


@dataclass(frozen=True, slots=True)
class PortraitLink:
    """One name for each person: the one whose ranks by places, chain and heat map add up to least."""

    attack: ClassVar[str] = "portrait"

    def guess(self, view: Portraits, knowledge: Portraits, rng: np.random.Generator, /) -> IntArray:
        """(persons of the view,) int64 codes of the knowledge; equal ones are drawn; -1: nothing to go by."""
        return nearest_person(added_ranks(apart(view, knowledge)), rng)


@dataclass(frozen=True, slots=True, eq=False)
class KnownTwice:
    """What an intruder knows, and an earlier and a later part of it: how well each attack works is learned from the two.

    Args:
        whole: portraits of all that is known.
        earlier: of its first part.
        later: of the rest.
    """

    whole: Portraits
    earlier: Portraits
    later: Portraits


def learned_odds(distances: dict[str, FloatArray]) -> dict[str, FloatArray]:
    """How much likelier each rank of a name is if it is the right one, by attack, from persons who are known.

    Args:
        distances: by attack, (n, n) float64 between two parts of what is known; the right name of row i is i.

    Returns:
        (n + 1,) float64 log-odds of the ranks 1, 2, …, n; the last one for a name that cannot be compared. Ranks are
        counted in classes 1, 2 to 3, 4 to 7, …, each with one more person spread evenly, so that no odds are infinite.
    """
    out = {}
    for name, found in distances.items():
        n = len(found)
        kind = _classes(n)
        own = _ranks(found)[np.arange(n), np.arange(n)]
        fair = np.isfinite(found[np.arange(n), np.arange(n)])
        seen = np.bincount(kind[np.floor(own[fair]).astype(np.int64) - 1], minlength=kind.max(initial=0) + 1)
        width = np.bincount(kind)
        share = (seen + width / n) / (fair.sum() + 1)
        out[name] = np.append(np.log(share / (width / n))[kind], 0.0)
    return out


def added_odds(distances: dict[str, FloatArray], learned: dict[str, FloatArray]) -> FloatArray:
    """(n, named) float64: minus the sum of the log-odds of each name's ranks, the less the likelier; see `learned_odds`.

    Example:
        >>> apart = {"one": np.array([[1.0, 2.0]]), "other": np.array([[2.0, 1.0]])}
        >>> odds = {"one": np.array([0.0, 0.0, 0.0]), "other": np.array([1.0, -1.0, 0.0])}
        >>> added_odds(apart, odds).tolist()
        [[1.0, -1.0]]
    """
    total = np.zeros(next(iter(distances.values())).shape)
    said = np.zeros(len(total), bool)
    for name, found in distances.items():
        odds = learned[name]
        rank = np.floor(_ranks(found)).astype(np.int64) - 1
        total -= np.where(np.isfinite(found), odds[np.minimum(rank, len(odds) - 2)], odds[-1])
        said |= np.isfinite(found).any(axis=1)
    return np.where(said[:, None], total, np.inf)


def _classes(n: int) -> IntArray:
    """(n,) int64: the class of each rank: 1, 2 to 3, 4 to 7, …."""
    return np.floor(np.log2(np.arange(1, n + 1))).astype(np.int64)


@dataclass(frozen=True, slots=True)
class CalibratedLink:
    """One name for each person: the likeliest one, where each attack counts as much as it tells of known persons."""

    attack: ClassVar[str] = "calibrated portrait"

    def guess(self, view: Portraits, knowledge: KnownTwice, rng: np.random.Generator, /) -> IntArray:
        """(persons of the view,) int64 codes of the knowledge; equally likely ones are drawn; -1: nothing to go by."""
        learned = learned_odds(apart(knowledge.later, knowledge.earlier))
        return nearest_person(added_odds(apart(view, knowledge.whole), learned), rng)
