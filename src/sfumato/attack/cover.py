"""The released classes that could hold a person whose quasi-identifiers are known: bit sets over labels and values.

A class holds a person if each of its labels stands for a set of values that the person's value is in. Where labels
overlap, several classes may, and a row of a class with wide labels is a less likely place than one with narrow labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass

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


def breadth(published: Published, columns: Sequence[int]) -> FloatArray:
    """(n_classes,) float64: Π 1/|label| over some columns, where |label| is the number of values it stands for."""
    out = np.ones(published.classes.n_classes)
    for j in columns:
        leaves = np.maximum(published.spans[j].n_leaves, 1)
        out /= leaves[published.classes.codes[:, j]]
    return out


def held_by_labels(spans: Spans, leaves: IntArray, weights: IntArray | FloatArray | None = None) -> FloatArray:
    """(n_labels,) float64: tuples, or their weight, whose leaf each label stands for.

    Args:
        spans: what labels stand for.
        leaves: (n,) int64, leaf of each tuple.
        weights: (n,); None: each counts once.

    Example:
        >>> from sfumato.testing.examples import release_by_age
        >>> spans = release_by_age(["17", "[20, 37]"], [1, 2]).spans[0]
        >>> held_by_labels(spans, np.array([0, 1, 2, 2])).tolist()
        [1.0, 3.0]
    """
    held = np.bincount(leaves, weights=weights, minlength=len(spans.domain.rank))
    return spans.total(held[spans.domain.order].astype(np.float64))


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

    Only the runs of the labels that are asked about are looked at, each by its ends among the ordered leaves.

    Args:
        spans: what labels stand for.
        labels: codes of labels, or -1.
        leaves: leaf codes.
    """
    asked, of = np.unique(labels, return_inverse=True)
    row = np.full(spans.n_labels + 1, -1, np.int64)
    row[asked] = np.arange(len(asked))  # label -1 has the last place
    rank = spans.domain.rank[leaves]
    order = np.argsort(rank)
    mine = row[spans.owner] >= 0
    first, last = (np.searchsorted(rank[order], end[mine]) for end in (spans.start, spans.stop))
    steps = np.zeros((len(asked), len(leaves) + 1), np.int8)
    np.add.at(steps, (row[spans.owner[mine]], first), 1)
    np.add.at(steps, (row[spans.owner[mine]], last), -1)
    table = np.empty((len(asked), len(leaves)), np.bool_)
    table[:, order] = np.cumsum(steps[:, :-1], axis=1, dtype=np.int8)
    table[asked == -1] = True
    return table[of]


def _column_bits(spans: Spans, labels: IntArray, leaves: IntArray) -> npt.NDArray[np.uint8]:
    """(q, b/8) packed: whether the label of each predicate stands for the leaf of each tuple."""
    used, of_label = np.unique(labels, return_inverse=True)
    some, of_leaf = np.unique(leaves, return_inverse=True)
    table = np.packbits(holds(spans, used, some)[:, of_leaf], axis=1)
    return table[of_label]
