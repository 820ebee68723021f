"""Parts of a table that say of many nodes that too many rows must go, without a count of the whole.

The labels of an attribute right below its root part the table. At every node where the attribute is below its root, the
classes of a part are classes of the table, so what a part must suppress the table must suppress. Rare labels lie in small
classes: a few in a hundred tuples are often enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.mechanism.recode.full_domain.table import Node, Table
    from sfumato.summary.classes import Classes
    from sfumato.types import IntArray

MOST = 2
"""Parts of a table: those whose tuples have fewest rows each."""

SHARE = 4
"""A part holds at most one in so many tuples."""

FROM = 1 << 12
"""Tables of fewer tuples are counted whole as fast."""

CELLS = 4
"""Cells for each tuple of a part over which unions of its classes are scattered, at least."""


class Part:
    """Some tuples of a finest table; after n counts in a row that were in vain, n nodes are passed over.

    Args:
        table: the finest table.
        attribute: at every node where it is below its root, the part's classes are classes of the table.
        which: (n,) int64, the tuples.
    """

    def __init__(self, table: Table, attribute: int, which: IntArray) -> None:
        """Take the tuples."""
        self.table = table.part(which)
        self._attribute = attribute
        self._root = table.attributes[attribute].hierarchy.height
        self._in_vain = 0
        self._passing = 0

    def must_go(self, node: Node, limit: int, must_go: Callable[[Classes], int]) -> int:
        """Rows of the part that must go at a node, at least; 0 where it is no part of it, or passes it over."""
        if node.levels[self._attribute] == self._root:
            return 0
        if self._passing:
            self._passing -= 1
            return 0
        mine = self.table.at(node.levels)
        gone = must_go(mine.scattered(CELLS) or mine.sizes)
        self._in_vain = 0 if gone > limit else self._in_vain + 1
        self._passing = self._in_vain
        return gone


class Parts:
    """The parts of a finest table, made when they are first asked for.

    Args:
        table: the finest table.
        limit: most rows that may be suppressed; parts of no more rows say nothing.
    """

    def __init__(self, table: Table, limit: int) -> None:
        """No part is made yet."""
        self._table = table
        self._limit = limit
        self._made: list[Part] | None = None

    def refuse(self, node: Node, must_go: Callable[[Classes], int]) -> int | None:
        """Whether a part has too many rows that must go at a node.

        Args:
            node: a node; of one that is not counted from the finest table nothing is said.
            must_go: rows of some sizes of classes, or of unions of them, that must go.

        Returns:
            Rows that must go, more than the limit; None: no part says so.
        """
        if node.table is not self._table or not node.is_scattered:
            return None
        if self._made is None:
            rarest = sorted(self._rare(), key=lambda found: -found[0])[:MOST]
            self._made = [Part(self._table, j, which) for _, j, which in rarest]
        for part in self._made:
            gone = part.must_go(node, self._limit, must_go)
            if gone > self._limit:
                return gone
        return None

    def _rare(self) -> Iterator[tuple[float, int, IntArray]]:
        """Tuples for each row, the attribute, and the tuples with its rarest labels below the root."""
        table = self._table
        if len(table.rows) < FROM:
            return
        for j, tree in enumerate(attribute.hierarchy for attribute in table.attributes):
            if tree.height == 0:
                continue
            label = tree.ancestors[-2][table.classes.codes[:, j]]
            tuples = np.bincount(label, minlength=len(tree.labels[-2]))
            order = np.argsort(tuples, kind="stable")
            is_rare = np.empty(len(tuples), bool)
            is_rare[order] = np.cumsum(tuples[order]) * SHARE <= len(label)
            which = np.flatnonzero(is_rare[label])
            n_rows = float(table.rows[which].sum())
            if n_rows > self._limit:
                yield len(which) / n_rows, j, which
