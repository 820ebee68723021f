"""The classes at a node, counted from a table of finer classes, without touching rows.

Attributes are packed into a few blocks whose codes are small numbers, so that the key of every class
at a node is the sum of one small look-up table per block, built for the node by outer sums. Counting
is a dense `bincount` where the key space is small and a sort where it is not.
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.frozen import dataclass
from sfumato.summary.classes import Classes, distinct_keys, distinct_rows, merge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.attribute import Attribute
    from sfumato.types import FloatArray, IntArray

BLOCK = 1 << 14
"""Most codes of a block: a look-up table that stays in the processor's cache."""

KEPT_BYTES = 1 << 24
"""Most bytes of generalized codes that a table keeps for the next node."""

DENSE = 8
"""A key space of up to this many cells for each finer class is counted densely: sorting takes no longer above."""

CELLS = 2
"""Cells for each finer class over which unions of classes are scattered, at least."""

SCATTER = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ / φ, odd: the first bits of its products spread keys evenly."""

KEY_LIMIT = 2**62
"""Keys beyond this do not fit in int64."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Attributes that share one code: `codes` (n,) of the classes, in mixed radix, in as few bytes as hold them."""

    attributes: tuple[int, ...]
    codes: IntArray


class Table:
    """Classes at some node, ready to be rolled up to coarser nodes.

    Args:
        classes: the classes, sorted by code.
        levels: the node they are at.
        attributes: the m attributes.
    """

    def __init__(
        self,
        classes: Classes,
        levels: tuple[int, ...],
        attributes: Sequence[Attribute],
        blocks: tuple[Block, ...] | None = None,
    ) -> None:
        """Pack the attributes into blocks, unless they are there."""
        self.classes = classes
        self.levels = levels
        self.attributes = tuple(attributes)
        self.radices = tuple(len(a.hierarchy.labels[x]) for a, x in zip(attributes, levels, strict=True))
        self.blocks = self._packed() if blocks is None else blocks
        self._generalized: dict[tuple[int, tuple[int, ...]], IntArray] = {}
        self.rows = classes.rows.astype(np.float64)
        self.every_row = bool(self.rows.all())
        one_row_each = classes.alone is classes.rows or np.array_equal(classes.alone, classes.rows)
        self.alone = None if one_row_each else classes.alone.astype(np.float64)
        self.population = None if classes.population is None else classes.population.astype(np.float64)

    def _packed(self) -> tuple[Block, ...]:
        """Consecutive attributes while their codes fit in a block; those without a choice are left out."""
        blocks: list[Block] = []
        group: list[int] = []
        size = 1
        for j, radix in enumerate(self.radices):
            if radix == 1:
                continue
            if group and size * radix > BLOCK:
                blocks.append(self._block(group))
                group, size = [], 1
            group.append(j)
            size *= radix
        if group:
            blocks.append(self._block(group))
        return tuple(blocks)

    def _block(self, group: list[int]) -> Block:
        code = np.zeros(self.classes.n_classes, np.int64)
        for j in group:
            code = code * self.radices[j] + self.classes.codes[:, j]
        return Block(tuple(group), code.astype(_narrow(prod(self.radices[j] for j in group))))

    def generalized(self, block: Block, levels: tuple[int, ...]) -> IntArray:
        """(n,) code of the block's attributes at their `levels`, in few bytes; kept while memory allows."""
        at = (block.attributes[0], levels)
        known = self._generalized.get(at)
        if known is not None:
            return known
        lookup = np.zeros(1, np.int64)
        for j, high in zip(block.attributes, levels, strict=True):
            step = self.attributes[j].hierarchy.step(self.levels[j], high)
            radix = len(self.attributes[j].hierarchy.labels[high])
            lookup = (lookup[:, None] * radix + step[None, :]).ravel()
        codes: IntArray = lookup.astype(_narrow(len(lookup))).take(block.codes)
        if (len(self._generalized) + 1) * codes.nbytes <= KEPT_BYTES:
            self._generalized[at] = codes
        return codes

    def part(self, which: IntArray) -> Table:
        """Some of the classes, of which only sizes are asked, in the same blocks."""
        rows = self.classes.rows[which]
        sizes = Classes(np.empty((len(rows), 0), np.int64), rows, rows)
        blocks = tuple(Block(block.attributes, block.codes[which]) for block in self.blocks)
        return Table(sizes, self.levels, self.attributes, blocks)

    def at(self, levels: tuple[int, ...]) -> Node:
        """The classes at a coarser node, counted when asked."""
        return Node(self, levels)


class Node:
    """The classes at one node; each part is computed when it is asked for, once."""

    def __init__(self, table: Table, levels: tuple[int, ...]) -> None:
        """Roll `table` up to `levels`, when asked."""
        self.table = table
        self.levels = levels
        trees = [a.hierarchy for a in table.attributes]
        self.radices = tuple(len(t.labels[x]) for t, x in zip(trees, levels, strict=True))
        self.n_keys = prod(self.radices)

    @cached_property
    def _key(self) -> IntArray:
        """(n,) int64: key of the class that each finer class goes to; keys sort like codes."""
        table = self.table
        if self.n_keys >= KEY_LIMIT:
            return distinct_rows(self._fine_codes())[1]
        key: IntArray | None = None
        for block in table.blocks:
            radix = prod(self.radices[j] for j in block.attributes)
            if radix == 1:
                continue
            codes = table.generalized(block, tuple(self.levels[j] for j in block.attributes))
            if key is None:
                key = codes.astype(np.int64)
            else:
                key *= radix
                key += codes
        return np.zeros(table.classes.n_classes, np.int64) if key is None else key

    def _fine_codes(self) -> IntArray:
        """(n, m) int64: code at this node of each finer class; for key spaces beyond int64."""
        table = self.table
        return np.stack(
            [
                a.hierarchy.step(low, high)[table.classes.codes[:, j]]
                for j, (a, low, high) in enumerate(zip(table.attributes, table.levels, self.levels, strict=True))
            ],
            axis=1,
        )

    @cached_property
    def _dense(self) -> bool:
        return self.n_keys <= min(DENSE * self.table.classes.n_classes + 1024, KEY_LIMIT - 1)

    @cached_property
    def _present(self) -> tuple[IntArray, IntArray | None]:
        """Sorted distinct keys; and, where they were sorted out, the class of each finer class."""
        if not self._dense:
            return _sorted_distinct(self._key)
        table = self.table
        if table.every_row:
            return (self._row_cells > 0).nonzero()[0], None
        return (np.bincount(self._key, minlength=self.n_keys) > 0).nonzero()[0], None

    @cached_property
    def _row_cells(self) -> FloatArray:
        """(n_keys,) float64: rows of every key, absent ones included."""
        return np.bincount(self._key, weights=self.table.rows, minlength=self.n_keys).astype(np.float64, copy=False)

    @cached_property
    def unions(self) -> Classes | None:
        """Sizes of unions of the classes; None where the classes themselves are counted as fast."""
        return self.scattered(CELLS)

    @property
    def is_scattered(self) -> bool:
        """Whether sizes of unions of classes say what must go: keys fit, and each row is a person."""
        return self.n_keys < KEY_LIMIT and self.table.alone is None and self.table.population is None

    def scattered(self, cells: int) -> Classes | None:
        """Sizes of unions of the classes: those whose keys fall into one cell are counted together.

        Args:
            cells: for each finer class, at least; keys are scattered over up to twice as many.

        Returns:
            None where there are no more keys than cells.
        """
        table = self.table
        bits = max((cells * len(table.rows)).bit_length(), 1)
        if 1 << bits >= self.n_keys or not self.is_scattered:
            return None
        cell = self._key.view(np.uint64) * SCATTER >> np.uint64(64 - bits)
        rows = np.bincount(cell.view(np.int64), weights=table.rows)
        rows = rows.take((rows > 0).nonzero()[0]).astype(np.int64)
        return Classes(np.empty((len(rows), 0), np.int64), rows=rows, alone=rows)

    def _sums(self, weights: FloatArray) -> IntArray:
        """(n_classes,) int64: sums of the weights of the finer classes."""
        keys, member = self._present
        if member is not None:
            return np.bincount(member, weights=weights, minlength=len(keys)).astype(np.int64)
        cells = (
            self._row_cells
            if weights is self.table.rows
            else np.bincount(self._key, weights=weights, minlength=self.n_keys)
        )
        return cells[keys].astype(np.int64)

    @cached_property
    def sizes(self) -> Classes:
        """The classes with their counts only: no codes, no histograms, no persons of several tuples."""
        table = self.table
        rows = self._sums(table.rows)
        return Classes(
            np.empty((len(rows), 0), np.int64),
            rows=rows,
            alone=rows if table.alone is None else self._sums(table.alone),
            population=None if table.population is None else self._sums(table.population),
        )

    @cached_property
    def codes(self) -> IntArray:
        """(n_classes, m) int64: codes of the classes at this node."""
        return self.decode(np.arange(len(self._present[0])))

    def decode(self, which: IntArray) -> IntArray:
        """(n, m) int64: codes of some of the classes; stored column by column."""
        keys, member = self._present
        out = np.zeros((len(self.radices), len(which)), np.int64).T
        if self.n_keys >= KEY_LIMIT:
            first = np.zeros(len(keys), np.int64)
            first[member] = np.arange(self.table.classes.n_classes)
            return self._fine_codes()[first[which]]
        rest = keys[which]
        for j in reversed(range(len(self.radices))):
            if self.radices[j] > 1:
                rest, out[:, j] = np.divmod(rest, self.radices[j])
        return out

    @cached_property
    def classes(self) -> Classes:
        """The classes with everything the table has."""
        fine = self.table.classes
        if not (fine.histograms or fine.beside) and fine.spread is None and fine.personal_k is None:
            sizes = self.sizes
            return Classes(self.codes, sizes.rows, sizes.alone, population=sizes.population)
        keys, member = self._present
        if member is None:
            rank = np.empty(self.n_keys, np.int64)
            rank[keys] = np.arange(len(keys))
            member = rank[self._key]
        return merge(fine, member, self.codes)


def _narrow(size: int) -> type[np.signedinteger[Any]]:
    """The whole numbers of fewest bytes that hold 0 … size - 1."""
    return np.int16 if size <= 1 << 15 else np.int32 if size <= 1 << 31 else np.int64


def _sorted_distinct(key: IntArray) -> tuple[IntArray, IntArray]:
    """Sorted distinct keys and (n,) int64 which one each is."""
    if not len(key):
        return key, key
    first, member = distinct_keys(key, int(key.max()) + 1)
    return key[first], member
