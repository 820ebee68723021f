"""Persons found again by their mobility Markov chain: places, and how likely a person is at each.

A chain's states are the places of a person, its transitions the steps from visit to visit. Two chains are compared by
where their persons are in the long run, and by whether their most visited places coincide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.traces.places import Places, nearest_person, nearest_places
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.attack.traces.background import Visits
    from sfumato.types import FloatArray, IntArray

NEAR = 100.0
"""Metres within which two states are one place."""
FAR = 2000.0
"""Metres above which the stationary distance says little, and proximity decides where it can."""
_SCORES = (10.0, 5.0, 2.0)


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """Chains of persons.

    Args:
        places: the states, of each person the most likely first.
        stationary: (n,) float64 > 0, of sum 1 for each person: shares of visits in the long run.

    Raises:
        ParameterError: shares that do not fall within a person or do not add up. Remedy: `chains_of`.
    """

    places: Places
    stationary: FloatArray

    def __post_init__(self) -> None:
        rises = (np.diff(self.stationary) > 0) & (np.diff(self.places.person) == 0)
        total = np.bincount(self.places.person, self.stationary)
        if len(self.stationary) != len(self.places.person) or rises.any() or not np.allclose(total, 1):
            raise ParameterError(
                "The states of a chain must come with falling shares of sum 1 for each person.",
                "make chains with `chains_of`.",
            )

    @property
    def rank(self) -> IntArray:
        """(n,) int64: 0 for a person's most likely state, and so on."""
        sizes = np.diff(np.append(self.places.starts, len(self.stationary)))
        return np.arange(len(self.stationary)) - np.repeat(self.places.starts, sizes)


def transitions(visits: Visits) -> tuple[IntArray, IntArray, FloatArray]:
    """The steps from visit to visit of each person, the last one back to the first, with their counts.

    The step back makes every state be left as often as it is entered, so that the share of visits is stationary and
    nobody is caught in the last place.

    Returns:
        Two (t,) int64 places, from and to (places are one person's each), and (t,) float64 counts.

    Example:
        >>> from sfumato.attack.traces.background import Visits
        >>> one, other, count = transitions(Visits(np.zeros(4, int), np.array([0, 1, 0, 1]), np.arange(4)))
        >>> list(zip(one.tolist(), other.tolist(), count.tolist()))
        [(0, 1, 2.0), (1, 0, 2.0)]
    """
    first = np.flatnonzero(np.diff(visits.person, prepend=-1))
    after = np.append(visits.place[1:], 0)
    after[np.append(first[1:], len(visits.place))[: len(first)] - 1] = visits.place[first]
    pairs, count = np.unique(np.stack([visits.place, after]), axis=1, return_counts=True)
    return pairs[0], pairs[1], count.astype(np.float64)


def chains_of(visits: Visits, point: FloatArray) -> Chains:
    """The chain of each person, by their visits in order.

    Args:
        visits: of persons 0, 1, …, each with at least one; a place is one person's.
        point: (places, d) float64 where each place is, in metres.

    Example:
        >>> from sfumato.attack.traces.background import Visits
        >>> point = np.array([[0.0, 0.0], [50.0, 0.0]])
        >>> chains_of(Visits(np.zeros(3, int), np.array([0, 1, 1]), np.arange(3)), point).stationary.round(2).tolist()
        [0.67, 0.33]
    """
    pairs, count = np.unique(np.stack([visits.person, visits.place]), axis=1, return_counts=True)
    order = np.lexsort((pairs[1], -count, pairs[0]))
    person, place = pairs[0][order], pairs[1][order]
    total = np.bincount(visits.person)
    return Chains(Places(person, point[place]), count[order] / total[person])


def stationary_distance(one: Chains, other: Chains) -> FloatArray:
    """(persons, persons) float64 metres: the mean way from where one person is to the nearest state of the other.

    (d(P, Q) + d(Q, P)) / 2 with d(P, Q) = Σ π_i · min_j |p_i - q_j|. The commented-out code of the program Accio halves the
    second term only, for want of parentheses.

    Source:
        S. Gambs, M.-O. Killijian, M. Núñez del Prado Cortez, "De-anonymization attack on geolocated data", Journal of
        Computer and System Sciences 80(8), 2014, stationary distance.

    Example:
        >>> near = Chains(Places(np.array([0, 0]), np.array([[0.0], [100.0]])), np.array([0.75, 0.25]))
        >>> far = Chains(Places(np.array([0]), np.array([[0.0]])), np.array([1.0]))
        >>> stationary_distance(near, far).tolist()
        [[12.5]]
    """
    theirs, ends = other.places.starts, np.append(one.places.starts, len(one.stationary))
    out = np.empty((len(ends) - 1, len(theirs)))
    for a, (mine, yours) in enumerate(nearest_places(one.places, other.places)):
        back = np.add.reduceat(other.stationary * yours, theirs)
        out[a] = (one.stationary[ends[a] : ends[a + 1]] @ mine + back) / 2
    return out


def proximity(one: Chains, other: Chains, near: float = NEAR) -> FloatArray:
    """(persons, persons) float64: 1 / score, infinite where the score is 0; the more alike, the smaller.

    States are compared rank by rank, the most likely with the most likely: 10 for the first pair that is near, 5 for the
    second, 2, then 1 for each.

    Source:
        Gambs et al. 2014, proximity distance; weights as halved whole numbers, at least 1.

    Example:
        >>> here = Chains(Places(np.array([0, 0]), np.array([[0.0], [900.0]])), np.array([0.75, 0.25]))
        >>> round(float(proximity(here, here)[0, 0]), 4)
        0.0667
    """
    score = np.zeros((len(one.places.starts), len(other.places.starts)))
    ranks = one.rank, other.rank
    for i in range(int(min(ranks[0].max(initial=-1), ranks[1].max(initial=-1))) + 1):
        a, b = (np.flatnonzero(rank == i) for rank in ranks)
        apart = np.linalg.norm(one.places.point[a][:, None] - other.places.point[b][None], axis=2)
        worth = _SCORES[i] if i < len(_SCORES) else 1.0
        score[np.ix_(one.places.person[a], other.places.person[b])] += worth * (apart <= near)
    return np.asarray(np.divide(1.0, score, out=np.full(score.shape, np.inf), where=score > 0))


def apart_by_chains(one: Chains, other: Chains, *, compat: bool = False) -> FloatArray:
    """(persons, persons) float64: metres up to 2 km; beyond, who has coinciding states is nearer than who has none.

    Up to 2 km the stationary distance decides. Beyond, coinciding states give 2,000 + proximity (at most 2,001), and
    all others the stationary distance and 1 more.

    Args:
        one: chains.
        other: chains.
        compat: proximity itself beyond 2 km, as Accio has it: it is at most 1, so that one coinciding place of a person
            who is far away beats a person whose places are all within 2 m. Accio's code, which is commented out, sorts
            persons by it and takes the last as well, the least alike; that is not followed.

    Source:
        Gambs et al. 2014, stats-prox distance, whose two scales are put one behind the other here.

    Example:
        >>> here = Chains(Places(np.array([0, 0]), np.array([[0.0], [900.0]])), np.array([0.75, 0.25]))
        >>> there = Chains(Places(np.array([0, 0]), np.array([[0.0], [60_000.0]])), np.array([0.75, 0.25]))
        >>> apart_by_chains(here, there).round(2).tolist(), apart_by_chains(here, there, compat=True).tolist()
        ([[2000.1]], [[0.1]])
    """
    apart, prox = stationary_distance(one, other), proximity(one, other)
    far, coincide = apart > FAR, np.isfinite(prox)
    if compat:
        return np.where(far & coincide, prox, apart)
    return np.where(far, np.where(coincide, FAR + np.where(coincide, prox, 0), apart + 1), apart)


@dataclass(frozen=True, slots=True)
class ChainLink:
    """For each person without a name, the named one whose chain is most alike."""

    attack: ClassVar[str] = "Markov chain"

    def guess(self, view: Chains, knowledge: Chains, rng: np.random.Generator, /) -> IntArray:
        """(persons of the view,) int64 codes of the knowledge; equally alike ones are drawn."""
        return nearest_person(apart_by_chains(view, knowledge), rng)
