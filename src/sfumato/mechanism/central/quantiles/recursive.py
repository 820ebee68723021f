"""Many quantiles: the middle one first, then each half of the rows by itself, with its half of them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.central.quantiles.choice import choose_place
from sfumato.mechanism.central.quantiles.dither import dither, dither_bits
from sfumato.mechanism.central.quantiles.method import Asked, adding_epsilon, ratio

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class _Part:
    """Rows between two answers, and the quantiles wanted among them.

    Args:
        wanted: first and end of their numbers.
        rows: first and end in the sorted fine places.
        places: first and end of the fine grid that they may lie in.
        shares: of all rows, below and up to the end of this part.
        epsilon: left for a row of this part.
    """

    wanted: tuple[int, int]
    rows: tuple[int, int]
    places: tuple[int, int]
    shares: tuple[Fraction, Fraction]
    epsilon: Fraction


@dataclass(frozen=True, slots=True)
class Recursive(Asked):
    """Approximate quantiles by recursion: the middle quantile splits the rows, and each part is asked for the rest.

    A quantile that is the share p of the rows of its part is found by the exponential mechanism: with L(t) of the part's
    n rows below t, place t has probability proportional to e^(-ε |L(t) - p·n| / 2Δ), Δ = max(p, 1 - p), drawn exactly
    on the dithered grid. A row lies in one part of each level, so ε is split among the ⌊log₂ m⌋ + 1 levels only, not among
    the m quantiles. Where a branch is shorter than the deepest one, what is left is spent in it.

    Args:
        quantiles: strictly increasing in (0, 1).
        epsilon: total, of one person.
        size: grid points.
        neighbors: which tables are neighbors; an exchange is counted as one row removed and one added.
        rows: most rows of a person.

    Raises:
        ParameterError: as `method.checked`. Remedy: in the message.

    Source:
        H. Kaplan, S. Schnapp, U. Stemmer, "Differentially private approximate quantiles", ICML 2022, algorithm 1; the
        dither and the budget of short branches: ours.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.unit import Neighbors
        >>> half = Recursive((Fraction(1, 2),), Fraction(1), 1000, Neighbors.ADD_REMOVE, rows=1)
        >>> 450 < int(half.decide(np.arange(10_000) % 1000, bits=SystemBits())[0]) < 550
        True
    """

    name = "approximate quantiles by recursion"

    @property
    def argument(self) -> str:
        """Why it is private."""
        return (
            "A row alters the distance of a rank from the wanted one by at most max(p, 1 - p), and only in the parts "
            "that it lies in; the epsilons of these add up to the epsilon of a row."
        )

    def decide(self, places: IntArray, *, bits: Bits) -> IntArray:
        """(m,) places, nondecreasing."""
        width, m = dither_bits(self.size), len(self.quantiles)
        ordered = np.sort(dither(places, width, bits=bits))
        found = np.empty(m, np.int64)
        whole = (0, len(ordered)), (0, self.size << width), (Fraction(0), Fraction(1))
        waiting = [_Part((0, m), *whole, adding_epsilon(self))]
        while waiting:
            part = waiting.pop()
            middle = (part.wanted[0] + part.wanted[1]) // 2
            q = self.quantiles[middle]
            spent = part.epsilon / depth(part.wanted[1] - part.wanted[0])
            answer = _one(part, ordered[slice(*part.rows)], q, spent, bits)
            found[middle] = answer[0] >> width
            halves = _halves(part, middle, answer, q, part.epsilon - spent)
            waiting += [half for half in halves if half.wanted[0] < half.wanted[1]]
        return found


def depth(quantiles: int) -> int:
    """Levels of a recursion that finds so many: ⌊log₂ m⌋ + 1.

    Example:
        >>> [depth(m) for m in (1, 2, 3, 4, 9)]
        [1, 2, 2, 3, 4]
    """
    return quantiles.bit_length()


def _one(part: _Part, ordered: IntArray, q: Fraction, epsilon: Fraction, bits: Bits) -> tuple[int, int]:
    """A place for one quantile of a part, and how many of the part's rows lie below it.

    Places with i rows below lie after row i and up to row i + 1.
    """
    low, high = part.shares
    top, bottom = ratio((q - low) / (high - low))
    edges = np.concatenate([[part.places[0]], ordered + 1, [part.places[1]]])
    ranks = np.arange(len(ordered) + 1, dtype=np.int64)
    scores = np.abs(bottom * ranks - top * len(ordered))
    return choose_place(edges[:-1], np.diff(edges), scores, epsilon / (2 * max(top, bottom - top)), bits=bits)


def _halves(part: _Part, middle: int, answer: tuple[int, int], q: Fraction, left: Fraction) -> tuple[_Part, _Part]:
    """The rows below the answer (a place and its rank), and the others, each with the ε that is left."""
    place, rank = answer
    split = part.rows[0] + rank
    (first, end), (low, high) = part.wanted, part.shares
    return (
        _Part((first, middle), (part.rows[0], split), (part.places[0], place + 1), (low, q), left),
        _Part((middle + 1, end), (split, part.rows[1]), (place, part.places[1]), (q, high), left),
    )
