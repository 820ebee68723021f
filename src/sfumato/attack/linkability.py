"""Two files about the same persons, with different columns, linked by knowing the release.

The intruder holds some quasi-identifiers of each person in one file and the others in a second. The release, which
shows all of them together, says which halves belong together: a half of each file fits a class or does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.cover import breadth, cover_blocks
from sfumato.attack.inference import most_probable
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.published import Published
    from sfumato.types import FloatArray, IntArray


_PER_PAIR, _MOST_PAIRS = 200, 1 << 21
"""Products of a matrix that take as long as one pair by itself; pairs that are added up at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Files:
    """Two files about the same persons, of which row i of both is one person: no attack may use that order.

    Args:
        codes: (n, m) int64, leaf codes of the persons.
        split: columns that the first file shows, and those that the second does.
    """

    codes: IntArray
    split: tuple[Sequence[int], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Linkability:
    """The person of the second file that goes best with each of the first, by what the release shows together."""

    attack: ClassVar[str] = "linkability"

    def guess(self, view: Published, knowledge: Files, rng: np.random.Generator, /) -> IntArray:
        """(n,) int64: row of the second file for each row of the first."""
        return link(link_scores(view, knowledge.codes, knowledge.split), rng=rng)


def halves(m: int) -> tuple[list[int], list[int]]:
    """Every other quasi-identifier, and the rest.

    Example:
        >>> halves(5)
        ([0, 2, 4], [1, 3])
    """
    return list(range(0, m, 2)), list(range(1, m, 2))


def link_scores(published: Published, codes: IntArray, split: tuple[Sequence[int], Sequence[int]]) -> FloatArray:
    """(n, n) float64: how well the first half of each person goes with the second half of each.

    With rows f of class c, and a, b the chances that a row of it has the one and the other half,

        score(i, j) = Σ_c f a(i) b(j) / Σ_c f b(j):

    how much likelier the second half is beside the first than anywhere, up to a factor of i alone.

    Args:
        published: the release.
        codes: (n, m) int64, leaf codes of the persons in the two files.
        split: columns of the one file and of the other.

    Source:
        M. Giomi et al., "A Unified Framework for Quantifying Privacy Risk in Synthetic Data", PoPETs 2023(2), section
        5.2, for the question; the score is Bayes' rule on classes.

    Example:
        >>> from sfumato.testing.examples import release_of_pairs
        >>> table = release_of_pairs([["a", "x"], ["b", "y"]], [1, 1])
        >>> link_scores(table, np.array([[0, 0], [1, 1]]), ([0], [1])).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
    """
    first, second = (_chances(published, codes, columns) for columns in split)
    rows = published.classes.rows.astype(np.float64)
    anywhere = np.einsum("jc,c->j", second, rows)
    return _products(first * rows, second) / np.where(anywhere > 0, anywhere, 1.0)  # 0 where nobody is held


def _products(first: FloatArray, second: FloatArray) -> FloatArray:
    """(n, n) float64: Σ_c first(i, c) second(j, c), added up pair by pair where few of both are above 0.

    A class of a good release holds few persons of either file, so that next to nothing of the product of the matrices
    counts.
    """
    n, n_classes = first.shape
    (of_first, mine), (of_second, theirs) = ((part.T > 0).nonzero() for part in (first, second))
    held = np.bincount(of_second, minlength=n_classes)
    times = held[of_first]
    n_pairs = int(times.sum())
    if n_pairs > min(n * n * n_classes // _PER_PAIR, _MOST_PAIRS):
        return first @ second.T
    start = (np.cumsum(held) - held)[of_first] - np.cumsum(times) + times
    j = np.repeat(start, times) + np.arange(n_pairs)
    weights = np.repeat(first[mine, of_first], times) * second[theirs, of_second][j]
    summed = np.bincount(np.repeat(mine, times) * n + theirs[j], weights=weights, minlength=n * n)
    return np.asarray(summed.reshape(n, n), np.float64)


def link(scores: FloatArray, *, rng: np.random.Generator) -> IntArray:
    """(n,) int64: the person of the second file who is named for each of the first.

    Args:
        scores: (n, n) float64, from `link_scores`.
        rng: breaks ties.

    Example:
        >>> link(np.array([[0.0, 2.0], [1.0, 0.0]]), rng=np.random.default_rng(0)).tolist()
        [1, 0]
    """
    return most_probable(_level(scores), rng=rng)


def _level(scores: FloatArray) -> FloatArray:
    """Scores of which the nearly equal are equal: sums in another order must not decide."""
    top = scores.max(axis=1, keepdims=True, initial=0.0)
    return np.asarray(np.round(np.divide(scores, top, out=np.zeros_like(scores), where=top > 0), 9))


def _chances(published: Published, codes: IntArray, columns: Sequence[int]) -> FloatArray:
    """(n, n_classes) float64: chance that a row of each class has these values of each person."""
    blocks = [block for _, block in cover_blocks(published, published.classes.codes, codes, columns)]
    return np.asarray(np.concatenate(blocks, axis=1).T * breadth(published, columns))
