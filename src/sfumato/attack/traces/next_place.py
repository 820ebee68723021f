"""Where somebody goes next, by a Markov chain of their past visits."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import as_whole

if TYPE_CHECKING:
    from sfumato.attack.traces.background import Visits
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Moments at which the next place is asked for.

    Args:
        person: (n,) int64 codes.
        past: (n, k) int64 the last k places, the latest last; -1: none.
    """

    person: IntArray
    past: IntArray


@dataclass(frozen=True, slots=True)
class NextPlace:
    """The most frequent successor of a person's last places in what was seen.

    Where these places were never seen, the last one fewer; where none were, the person's most frequent place.

    Args:
        order: how many last places count, >= 1; 0: none, which is the control.

    Source:
        S. Gambs, M.-O. Killijian, M. Núñez del Prado Cortez, "Next place prediction using mobility Markov chains", MPM
        2012: order 1 and 2.
    """

    attack: ClassVar[str] = "next place"
    order: int = 1

    def guess(self, view: Visits, knowledge: Asked, _rng: np.random.Generator, /) -> IntArray:
        """(n,) int64 places, the lower code among equally frequent ones; -1: a person without visits."""
        out = np.full(len(knowledge.person), -1, np.int64)
        for order in range(as_whole("order", self.order, low=0) + 1):
            said = _by_order(view, knowledge, order)
            out = np.where(said >= 0, said, out)
        return out


def steps_of(visits: Visits, order: int) -> tuple[Asked, IntArray]:
    """Every step but the first visits of persons: what went before, and where it led.

    Args:
        visits: of all persons; one after another at the same place are one visit (`moves`).
        order: places before that are kept, >= 1; -1 where there were fewer.

    Example:
        >>> from sfumato.attack.traces.background import Visits
        >>> asked, led = steps_of(Visits(np.zeros(3, int), np.array([4, 5, 6]), np.arange(3)), 2)
        >>> asked.past.tolist(), led.tolist()
        ([[-1, 4], [4, 5]], [5, 6])
    """
    k, n = as_whole("order", order, low=1), len(visits.person)
    if k > 8:
        raise ParameterError("A chain has an order of at most 8; got {order}.", "take such as 2.", order=k)
    at = np.arange(1, n)[np.diff(visits.person) == 0]
    begins = np.searchsorted(visits.person, visits.person[at])
    back = at[:, None] - np.arange(k, 0, -1)
    past = np.where(back >= begins[:, None], visits.place[np.maximum(back, 0)], -1)
    return Asked(visits.person[at], past), visits.place[at]


def moves(visits: Visits) -> BoolArray:
    """(n,) bool: visits at another place than the one before, of the same person.

    Example:
        >>> from sfumato.attack.traces.background import Visits
        >>> moves(Visits(np.zeros(3, int), np.array([4, 4, 6]), np.arange(3))).tolist()
        [True, False, True]
    """
    out = np.ones(len(visits.person), bool)
    out[1:] = (np.diff(visits.person) != 0) | (np.diff(visits.place) != 0)
    return out


def _by_order(view: Visits, asked: Asked, order: int) -> IntArray:
    """The most frequent successor of the last `order` places; -1 where they were not seen."""
    if order == 0:
        seen, led, now = view.person[:, None], view.place, asked.person[:, None]
    else:
        steps, led = steps_of(view, order)
        seen = np.column_stack([steps.person, steps.past])
        now = np.column_stack([asked.person, asked.past[:, -order:]])
        whole = (steps.past >= 0).all(axis=1)
        seen, led = seen[whole], led[whole]
    if not len(seen):
        return np.full(len(now), -1, np.int64)
    _, key = np.unique(np.concatenate([seen, now]), axis=0, return_inverse=True)
    key, asked_key = np.split(key.ravel(), [len(seen)])
    pairs, count = np.unique(np.stack([key, led]), axis=1, return_counts=True)
    best = np.lexsort((pairs[1], -count, pairs[0]))
    best = best[np.flatnonzero(np.diff(pairs[0][best], prepend=-1))]
    at = np.minimum(np.searchsorted(pairs[0][best], asked_key), len(best) - 1)
    known = pairs[0][best][at] == asked_key
    return np.where(known, pairs[1][best][at], -1).astype(np.int64)
