"""Where a person was at every report: a hidden Markov chain whose movements are public.

The intruder knows how people move (cell to cell, from one report to the next) and how likely each report is from each
cell. Forward and backward sums give what is to be believed of every moment, given all reports. Reports are taken for
drawn independently, given the cells: exact for fresh noise; for remembered answers a better intruder may exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray

_LEAST = 1e-300
"""Below it a believed probability is not told apart from none."""


@dataclass(frozen=True, slots=True, eq=False)
class MovementModel:
    """How people move between k cells from one report to the next. It is public.

    Args:
        first: (k,) float64 > 0 chance of each cell at the first report, adding up to 1.
        moves: (k, k) float64 > 0 chance of each next cell, by row adding up to 1.
    """

    first: FloatArray
    moves: FloatArray


def model_of(cells: IntArray, k: int) -> MovementModel:
    """Counted from public persons; each row is drawn to the shares of cells by one move, which are drawn to evenness.

    Args:
        cells: (n, t) int64 cells of n public persons at t reports.
        k: cells, >= 1.

    Raises:
        ParameterError: nobody, or a cell outside 0 … k - 1.

    Example:
        >>> model_of(np.array([[0, 1, 0, 1]]), 2).moves.round(3).tolist()
        [[0.167, 0.833], [0.75, 0.25]]
    """
    if cells.ndim != 2 or not cells.size or cells.min() < 0 or cells.max() >= k:
        raise ParameterError("A movement model needs persons whose cells are in 0 … {k}.", "give some.", k=k - 1)
    share = (np.bincount(cells.ravel(), minlength=k) + 1.0) / (cells.size + k)
    count = np.bincount((cells[:, :-1] * k + cells[:, 1:]).ravel(), minlength=k * k).reshape(k, k)
    moves = (count + share) / (count.sum(axis=1, keepdims=True) + 1.0)
    return MovementModel(share, moves)


def beliefs(view: FloatArray, model: MovementModel) -> FloatArray:
    """(n, t, k) float64: chance of each cell at each report, given all reports.

    Args:
        view: (n, t, k) float64 ln P[report | cell], each report up to a constant.
        model: how people move.

    Source:
        L. R. Rabiner, "A tutorial on hidden Markov models", Proceedings of the IEEE 77(2), 1989, section III; of
        locations: R. Shokri et al., "Quantifying location privacy", IEEE S&P 2011.

    Example:
        >>> stays = MovementModel(np.full(2, 0.5), np.array([[0.9, 0.1], [0.1, 0.9]]))
        >>> seen = np.log(np.array([[[0.9, 0.1], [0.5, 0.5], [0.9, 0.1]]]))
        >>> beliefs(seen, stays)[0, 1].round(3).tolist()  # the middle report says nothing
        [0.954, 0.046]
    """
    likely = np.exp(view - view.max(axis=2, keepdims=True))
    out = np.empty_like(likely)
    ahead = model.first * likely[:, 0]
    out[:, 0] = ahead = _normal(ahead)
    for t in range(1, likely.shape[1]):
        out[:, t] = ahead = _normal((ahead @ model.moves) * likely[:, t])
    behind = np.ones_like(ahead)
    for t in range(likely.shape[1] - 2, -1, -1):
        behind = _normal((behind * likely[:, t + 1]) @ model.moves.T)
        out[:, t] = _normal(out[:, t] * behind)
    return np.asarray(out)


def _normal(weight: FloatArray) -> FloatArray:
    """Rows that add up to 1."""
    held = np.maximum(weight, _LEAST)
    return np.asarray(held / held.sum(axis=-1, keepdims=True))


@dataclass(frozen=True, slots=True)
class Tracking:
    """Names a cell for each report: the one with the largest chance, or the one that is nearest on average.

    Args:
        metres: (k, k) float64 between cells, row by row as tuples; empty: the likeliest cell is named.

    Example:
        >>> stays = MovementModel(np.full(2, 0.5), np.array([[0.9, 0.1], [0.1, 0.9]]))
        >>> seen = np.log(np.array([[[0.9, 0.1], [0.4, 0.6], [0.9, 0.1]]]))
        >>> Tracking().guess(seen, stays, np.random.default_rng(0)).tolist()
        [[0, 0, 0]]
    """

    attack: ClassVar[str] = "tracking"
    metres: tuple[tuple[float, ...], ...] = ()

    def guess(self, view: FloatArray, knowledge: MovementModel, rng: np.random.Generator, /) -> IntArray:
        """(n, t) int64 cells.

        Args:
            view: (n, t, k) ln P[report | cell].
            knowledge: how people move.
            rng: which of equally good cells is named.
        """
        return named(beliefs(view, knowledge), np.array(self.metres), rng)


def named(belief: FloatArray, metres: FloatArray, rng: np.random.Generator) -> IntArray:
    """(...) int64 the cell that is named for each belief: the likeliest, or the nearest on average; ties by chance.

    Args:
        belief: (..., k) float64.
        metres: (k, k) between cells; empty: the likeliest.
        rng: of ties.

    Example:
        >>> line = np.abs(np.subtract.outer(range(3), range(3))) * 1000.0
        >>> belief = np.array([0.4, 0.2, 0.4])
        >>> int(named(belief, line, np.random.default_rng(0)))  # the middle is never far
        1
    """
    good = belief if not metres.size else -(belief @ metres)
    best = np.isclose(good, good.max(axis=-1, keepdims=True), rtol=1e-12, atol=0)
    return np.asarray(np.argmax(best * (1 + rng.random(good.shape)), axis=-1), np.int64)
