"""Which of k walks is a person: the detector of dummies.

The intruder knows how dummies are made (the public counts are public) and has seen how other persons move. Walks are
compared by the mean chance of their moves under those counts: dummies have the mean that they are drawn with, persons
have another one (they stay longer, and repeat their own ways). The walk whose mean is likelier for a person than for a
dummy, by two normal laws, is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.summary.movement import Movement
    from sfumato.types import FloatArray, IntArray

_LEAST = 1e-3
"""Standard deviation below which means are taken as equal."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownWalks:
    """What the intruder knows.

    Args:
        movement: public counts from which dummies are drawn.
        persons: (a, steps + 1) int64 cells of other persons.
        dummies: (b, steps + 1) int64 cells of dummies that the intruder made.
    """

    movement: Movement
    persons: IntArray
    dummies: IntArray


@dataclass(frozen=True, slots=True)
class Detector:
    """Finds the person among dummies whose walks can be told apart.

    Example:
        >>> from sfumato.summary.movement import Movement
        >>> ring = Movement(3, np.array([0, 2, 4, 6]), np.array([0, 1, 1, 2, 0, 2]), np.array([1, 99, 1, 99, 99, 1]))
        >>> stays, goes = np.zeros((5, 7), int), np.tile(np.arange(7) % 3, (5, 1))
        >>> view = np.stack([goes[0], stays[0], goes[0]])[None]
        >>> Detector().guess(view, KnownWalks(ring, stays, goes), np.random.default_rng(0)).tolist()
        [1]
    """

    attack: ClassVar[str] = "dummies"

    def guess(self, view: IntArray, knowledge: KnownWalks, rng: np.random.Generator, /) -> IntArray:
        """(n,) int64 which of the k walks of each person is theirs.

        Args:
            view: (n, k, steps + 1) int64 cells.
            knowledge: counts, and walks of both kinds.
            rng: order in which equally likely walks are taken.
        """
        n, k, length = view.shape
        person, dummy = (means(knowledge.movement, walks) for walks in (knowledge.persons, knowledge.dummies))
        seen = means(knowledge.movement, view.reshape(n * k, length)).reshape(n, k)
        score = _log_density(seen, person) - _log_density(seen, dummy)
        order = rng.permuted(np.tile(np.arange(k), (n, 1)), axis=1)
        best = np.argmax(np.take_along_axis(score, order, axis=1), axis=1)
        return np.asarray(np.take_along_axis(order, best[:, None], axis=1)[:, 0])


def means(movement: Movement, walks: IntArray) -> FloatArray:
    """(n,) float64 mean nats of the moves of each walk.

    Args:
        movement: public counts.
        walks: (n, steps + 1) int64 cells, steps >= 1.
    """
    n, length = walks.shape
    chance = movement.log_chance(walks[:, :-1].ravel(), walks[:, 1:].ravel())
    return np.asarray(chance.reshape(n, length - 1).mean(axis=1))


def _log_density(values: FloatArray, known: FloatArray) -> FloatArray:
    """Of a normal law with the mean and deviation of known values."""
    spread = max(float(known.std()), _LEAST)
    return np.asarray(-0.5 * ((values - known.mean()) / spread) ** 2 - np.log(spread))
