"""What the covers of many classes lose: covers as a few columns of bits and extremes.

The loss of a class is the sum over its attributes of weight × NCP (see `summary.span`); the loss of
a partition adds them up over the rows. Columns are kept apart (column-major), because every step
reads one column of all tuples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.recode.partition.axes import Form
from sfumato.numbers.narrow import narrow
from sfumato.numbers.threads import in_threads

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from sfumato.mechanism.recode.partition.axes import Axis
    from sfumato.types import FloatArray, IntArray

    WordArray = npt.NDArray[np.uint64]

WORD = 64


@dataclass(frozen=True, slots=True, eq=False)
class Covers:
    """Covers of n classes.

    Args:
        words: (n_words, n) uint64, the sets of the SET axes, packed.
        ends: (2 × n_ranges, n) int64, -lowest and highest rank of each RANGE or NODE axis: the
            cover of a union is the larger of both.
    """

    words: WordArray
    ends: IntArray

    def take(self, index: IntArray) -> Covers:
        """The covers of the listed classes."""
        return Covers(self.words.take(index, axis=1), self.ends.take(index, axis=1))

    def join(self, other: Covers) -> Covers:
        """The covers of the unions, class by class."""
        return Covers(self.words | other.words, np.maximum(self.ends, other.ends))

    def reduce(self, starts: IntArray) -> Covers:
        """The covers of runs of classes that begin at `starts` (sorted)."""
        return Covers(
            np.bitwise_or.reduceat(self.words, starts, axis=1), np.maximum.reduceat(self.ends, starts, axis=1)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Which columns of `Covers` belong to which axis.

    Args:
        axes: the m axes.
        word: for each axis its first word (SET), or -1.
        shift: for each SET axis its first bit within the word.
        end: for each RANGE or NODE axis its first row of `ends`, or -1.
        n_words: number of words.
    """

    axes: tuple[Axis, ...]
    word: tuple[int, ...]
    shift: tuple[int, ...]
    end: tuple[int, ...]
    n_words: int

    def covers_of(self, ranks: IntArray) -> Covers:
        """Covers of single tuples; `ranks` is (m, n) int64."""
        n = ranks.shape[1]
        words = np.zeros((self.n_words, n), np.uint64)
        ends = np.zeros((2 * sum(e >= 0 for e in self.end), n), np.int64)
        for j, axis in enumerate(self.axes):
            if axis.form is Form.SET:
                for word, bits in self._bits(j):
                    words[word] |= bits[ranks[j]]
            else:
                ends[self.end[j]], ends[self.end[j] + 1] = -ranks[j], ranks[j]
        return Covers(words, ends)

    def covers_of_runs(self, ranks: IntArray, order: IntArray, starts: IntArray) -> Covers:
        """Covers of runs of tuples: `covers_of(ranks).take(order).reduce(starts)`, no cover of a single tuple held.

        Args:
            ranks: (m, n) int64.
            order: (n,) int64, tuples, run by run.
            starts: (n_runs,) int64, where each run begins; none is empty.
        """
        words = np.zeros((self.n_words, len(starts)), np.uint64)
        ends = np.zeros((2 * sum(e >= 0 for e in self.end), len(starts)), np.int64)

        def along(j: int) -> list[tuple[int, WordArray]]:
            here = narrow(ranks[j], self.axes[j].n_ranks).take(order)
            if self.axes[j].form is Form.SET:
                return [(word, np.bitwise_or.reduceat(bits.take(here), starts)) for word, bits in self._bits(j)]
            ends[self.end[j]] = -np.minimum.reduceat(here, starts).astype(np.int64)
            ends[self.end[j] + 1] = np.maximum.reduceat(here, starts)
            return []

        for found in in_threads(along, range(len(self.axes)), ranks.size):
            for word, bits in found:  # of axes that share it
                words[word] |= bits
        return Covers(words, ends)

    def _bits(self, j: int) -> Iterator[tuple[int, WordArray]]:
        """The words of SET axis j, and in each the bit of every rank; 0: it lies in another word."""
        axis = self.axes[j]
        bit = np.arange(self.shift[j], self.shift[j] + axis.n_ranks)
        for word in range(-(-(self.shift[j] + axis.bits) // WORD)):
            here = np.where(bit // WORD == word, np.uint64(1) << (bit % WORD).astype(np.uint64), np.uint64(0))
            yield self.word[j] + word, here

    def losses(self, covers: Covers) -> FloatArray:
        """(n,) float64: weighted loss of each cover, summed over the axes."""
        out = np.zeros(covers.ends.shape[1] if len(covers.ends) else covers.words.shape[1])
        for j in range(len(self.axes)):
            out += self.loss(covers, j)
        return out

    def loss(self, covers: Covers, j: int) -> FloatArray:
        """(n,) float64: weighted loss of each cover on axis j."""
        axis = self.axes[j]
        if axis.form is Form.SET:
            loss = axis.set_loss(self.n_values(covers, j))
        else:
            loss = axis.range_loss(-covers.ends[self.end[j]], covers.ends[self.end[j] + 1])
        return loss if axis.weight == 1 else loss * axis.weight

    def n_values(self, covers: Covers, j: int) -> npt.NDArray[np.integer]:
        """(n,) values in each set of SET axis j."""
        first, bits = self.word[j], self.axes[j].bits
        if self.shift[j] + bits <= WORD:
            mask = np.uint64(((1 << bits) - 1) << self.shift[j])
            own = covers.words[first : first + 1] & mask
            counts: npt.NDArray[np.integer] = np.bitwise_count(own)[0]
            return counts
        n_own = -(-bits // WORD)
        total: IntArray = np.bitwise_count(covers.words[first : first + n_own]).sum(axis=0, dtype=np.int64)
        return total


def layout_of(axes: Sequence[Axis]) -> Layout:
    """Pack the small sets into shared words, first fit; a set of more than 64 values has its own."""
    word, shift, end = [-1] * len(axes), [0] * len(axes), [-1] * len(axes)
    room: list[int] = []
    n_ends = 0
    for j, axis in enumerate(axes):
        if axis.form is not Form.SET:
            end[j] = n_ends
            n_ends += 2
            continue
        fits = [i for i, free in enumerate(room) if free >= axis.bits]
        if axis.bits > WORD:
            word[j] = len(room)
            room += [0] * -(-axis.bits // WORD)
        elif fits:
            word[j], shift[j] = fits[0], WORD - room[fits[0]]
            room[fits[0]] -= axis.bits
        else:
            word[j] = len(room)
            room.append(WORD - axis.bits)
    return Layout(tuple(axes), tuple(word), tuple(shift), tuple(end), len(room))
