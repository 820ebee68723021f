"""Which released classes could hold a person whose quasi-identifiers are known? Bit sets over labels and values.

A class holds a person if each of its labels stands for a set of values that the person's value is in. Where labels
overlap, several classes may, and a row of a class with wide labels is a less likely place than one with narrow labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from sfumato.summary.published import Published
    from sfumato.summary.span import Spans
    from sfumato.types import BoolArray, FloatArray, IntArray

_CELLS = 1 << 24
"""Most (class, tuple) pairs held at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """Persons about whom an intruder guesses.

    Args:
        codes: (n, m) int64, their quasi-identifiers as leaf codes: what the intruder knows.
        value: (n,) int64, leaf code of the sensitive value; only the judge reads it. Empty where none is asked.
    """

    codes: IntArray
    value: IntArray

    @property
    def n(self) -> int:
        """Number of persons."""
        return len(self.codes)


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """The pairs of a person and a class that could hold the person, sorted by person, then class.

    Args:
        n: persons.
        target: (n_pairs,) int64, the person.
        owner: (n_pairs,) int64, the class.
        chance: (n_pairs,) float64, Π 1/|label|: how likely a row of the class has just these values, all values of a
            label held for equally likely.
    """

    n: int
    target: IntArray
    owner: IntArray
    chance: FloatArray

    @property
    def starts(self) -> IntArray:
        """(n + 1,) int64: first pair of each person, and the end."""
        return np.searchsorted(self.target, np.arange(self.n + 1))


def matches(published: Published, codes: IntArray, columns: Sequence[int] | None = None) -> Matches:
    """The classes that could hold each person.

    Args:
        published: the release.
        codes: (n, m) int64, leaf codes of the persons.
        columns: the quasi-identifiers that are known; None: all.

    Example:
        >>> from sfumato.summary.classes import Classes
        >>> from sfumato.summary.published import read_published
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Kind, Role
        >>> age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["17", "20", "37"])
        >>> two = Classes(np.array([[0], [1]]), rows=np.array([3, 1]), alone=np.array([3, 1]))
        >>> found = matches(read_published([age], [["[17, 20]", ">= 20"]], two), np.array([[0], [1]]))
        >>> found.target.tolist(), found.owner.tolist(), found.chance.tolist()
        ([0, 1, 1], [0, 0, 1], [0.5, 0.5, 0.5])
    """
    known = range(len(published.attributes)) if columns is None else columns
    rows = published.classes.codes
    pairs = [
        (owner, start + tuples)
        for start, block in cover_blocks(published, rows, codes, known)
        for owner, tuples in [np.nonzero(block)]
    ]
    owner = np.concatenate([pair[0] for pair in pairs] or [np.zeros(0, np.int64)])
    target = np.concatenate([pair[1] for pair in pairs] or [np.zeros(0, np.int64)])
    order = np.lexsort((owner, target))
    owner, target = owner[order], target[order]
    return Matches(len(codes), target, owner, breadth(published, known)[owner])


def breadth(published: Published, columns: Sequence[int]) -> FloatArray:
    """(n_classes,) float64: Π 1/|label| over some columns, where |label| is the number of values it stands for."""
    out = np.ones(published.classes.n_classes)
    for j in columns:
        leaves = np.maximum(published.spans[j].n_leaves, 1)
        out /= leaves[published.classes.codes[:, j]]
    return out


def covered(published: Published, rows: IntArray, codes: IntArray, weights: FloatArray) -> FloatArray:
    """(q,) float64: the weight of the tuples that satisfy each predicate.

    Args:
        published: the release whose labels the predicates are made of.
        rows: (q, m) int64, label codes of the predicates; -1: the column is not asked about.
        codes: (n, m) int64, leaf codes of the tuples.
        weights: (n,) float64.
    """
    out = np.zeros(len(rows))
    for start, block in cover_blocks(published, rows, codes, range(rows.shape[1])):
        out += block @ weights[start : start + block.shape[1]]
    return out


def cover_blocks(
    published: Published, rows: IntArray, codes: IntArray, columns: Sequence[int]
) -> Iterator[tuple[int, BoolArray]]:
    """For blocks of the tuples: the first one, and (q, b) bool, whether each predicate holds for each tuple.

    Args:
        published: the release whose labels the predicates are made of.
        rows: (q, m) int64, label codes; -1: the column is not asked about.
        codes: (n, m) int64, leaf codes of the tuples.
        columns: the columns that are compared.
    """
    size = max(8, _CELLS // max(len(rows), 1))
    for start in range(0, len(codes), size):
        part = codes[start : start + size]
        bits: npt.NDArray[np.uint8] = np.full((len(rows), -(-len(part) // 8)), 255, np.uint8)
        for j in columns:
            bits &= _column_bits(published.spans[j], rows[:, j], part[:, j])
        yield start, np.unpackbits(bits, axis=1, count=len(part)).view(np.bool_)


def holds(spans: Spans, labels: IntArray, leaves: IntArray) -> BoolArray:
    """(n_labels, n_leaves) bool: whether each of some labels stands for each of some leaves; label -1 for all.

    Args:
        spans: what labels stand for.
        labels: codes of labels, or -1.
        leaves: leaf codes.
    """
    rank = spans.domain.rank[leaves]
    table = np.zeros((spans.n_labels + 1, len(leaves)), np.bool_)
    inside = (rank >= spans.start[:, None]) & (rank < spans.stop[:, None])
    run, leaf = np.nonzero(inside)
    table[spans.owner[run], leaf] = True
    table[-1] = True
    return table[labels]


def _column_bits(spans: Spans, labels: IntArray, leaves: IntArray) -> npt.NDArray[np.uint8]:
    """(q, b/8) packed: whether the label of each predicate stands for the leaf of each tuple."""
    used, of_label = np.unique(labels, return_inverse=True)
    some, of_leaf = np.unique(leaves, return_inverse=True)
    table = np.packbits(holds(spans, used, some)[:, of_leaf], axis=1)
    return table[of_label]
