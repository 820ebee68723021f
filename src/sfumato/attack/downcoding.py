"""Finer values behind a generalized label: those without which it would have been narrower.

A method that generalizes each class no more than it must leaves a trace. A range that ends at the outermost values of
its class says that both ends are there; a node of a hierarchy over one class says that at least two of its children
are, for otherwise the child would have been published. The intruder states such finer values and is right more often
than somebody who reads the label alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.cover import cover_blocks, held_by_labels
from sfumato.attack.pairs import rarest_first
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.published import Published
    from sfumato.summary.span import Spans
    from sfumato.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Claims:
    """Statements "this class holds a person with that finer value".

    Args:
        owner: (q,) int64, the class.
        column: (q,) int64, the quasi-identifier.
        level: (q,) int64, hierarchy level of the finer value; 0: an original value.
        node: (q,) int64, its code at that level.
    """

    owner: IntArray
    column: IntArray
    level: IntArray
    node: IntArray

    def some(self, most: int, *, rng: np.random.Generator) -> Claims:
        """At most so many of them, drawn at random."""
        chosen = np.sort(rng.permutation(len(self.owner))[:most])
        return Claims(self.owner[chosen], self.column[chosen], self.level[chosen], self.node[chosen])


@dataclass(frozen=True, slots=True)
class Downcoding:
    """Finer values behind generalized labels; knows nothing beside the release.

    Args:
        most: statements, >= 1.
    """

    attack: ClassVar[str] = "downcoding"
    most: int

    def guess(self, view: Published, _knowledge: None, rng: np.random.Generator, /) -> Claims:
        """The statements that the intruder makes."""
        return claims(view).some(self.most, rng=rng)


def claims(published: Published) -> Claims:
    """Two statements for each generalized label of each class.

    For a range or a set, its first and its last value; for a node of the hierarchy, the two of its children with most
    values. Labels of one value, and labels that were not understood, claim nothing.

    Args:
        published: the release.

    Source:
        A. Cohen, "Attacks on Deidentification's Defenses", USENIX Security 2022, section 4: downcoding of minimal
        hierarchical generalizations. The statements here need no knowledge of how the data are distributed.

    Example:
        >>> from sfumato.testing.examples import release_by_age
        >>> found = claims(release_by_age(["17", "[20, 37]"], [1, 2]))
        >>> found.owner.tolist(), found.level.tolist(), found.node.tolist()
        ([1, 1], [0, 0], [1, 2])
    """
    parts = []
    for j, spans in enumerate(published.spans):
        wide, level, first, second = _ends(spans, published.labels[j])
        at = np.full(spans.n_labels, -1, np.int64)
        at[wide] = np.arange(len(wide))
        of = at[published.classes.codes[:, j]]
        owner, of = np.flatnonzero(of >= 0), of[of >= 0]
        for node in (first, second):
            parts.append((owner, np.full(len(owner), j), level[of], node[of]))
    joined = [np.concatenate([part[i] for part in parts]).astype(np.int64) for i in range(4)]
    order = np.lexsort((joined[3], joined[1], joined[0]))
    return Claims(*(values[order] for values in joined))


def chance_if_drawn(published: Published, made: Claims, codes: IntArray, weights: IntArray) -> FloatArray:
    """(q,) float64: chance of each statement if the rows of a class were any that its label allows: 1 - (1 - p)^f.

    p is the share of the finer value among the persons whose value the label stands for, f the rows of the class.
    That is how often the statements come true where the method is not minimal, or leaves no trace.

    Args:
        published: the release.
        made: the statements.
        codes: (n, m) int64, leaf codes of the distinct rows of a table of persons.
        weights: (n,) int64, persons.

    Example:
        >>> from sfumato.testing.examples import release_by_age
        >>> table = release_by_age(["17", "[20, 37]"], [1, 2])
        >>> chance_if_drawn(table, claims(table), np.array([[1], [2]]), np.array([1, 3])).tolist()
        [0.4375, 0.9375]
    """
    share = np.zeros(len(made.owner))
    for j, spans in enumerate(published.spans):
        tree = spans.domain.attribute.hierarchy
        mass = np.bincount(codes[:, j], weights=weights, minlength=tree.n_leaves)
        whole = held_by_labels(spans, codes[:, j], weights)
        for level in distinct(made.level[made.column == j]):
            mine = np.flatnonzero((made.column == j) & (made.level == level))
            nodes = np.bincount(tree.ancestors[level], weights=mass)[made.node[mine]]
            of = whole[published.classes.codes[made.owner[mine], j]]
            share[mine] = np.divide(nodes, of, out=np.zeros(len(mine)), where=of > 0)
    return np.asarray(1 - np.power(1 - np.minimum(share, 1.0), published.classes.rows[made.owner]))


def right(published: Published, made: Claims, codes: IntArray) -> BoolArray:
    """(q,) bool: whether some original row that the class could hold has the finer value. The judge asks.

    Args:
        published: the release.
        made: the statements.
        codes: (n, m) int64, leaf codes of the distinct original rows.

    Example:
        >>> from sfumato.testing.examples import release_by_age
        >>> table = release_by_age(["17", "[20, 37]"], [1, 2])
        >>> right(table, claims(table), np.array([[0], [2]])).tolist()
        [False, True]
    """
    rows = published.classes.codes[made.owner]
    few = rarest_first(published, rows, codes)
    if few is None:
        return _right(published, made, codes)
    out = np.zeros(len(made.owner), np.bool_)
    for claim, row in few:
        for j, level in _kinds(made):
            mine = np.flatnonzero((made.column[claim] == j) & (made.level[claim] == level))
            node = published.attributes[j].hierarchy.ancestors[level][codes[row[mine], j]]
            out[claim[mine[node == made.node[claim[mine]]]]] = True
    return out


def _kinds(made: Claims) -> list[tuple[int, int]]:
    """Columns and levels that statements are about."""
    height = int(made.level.max(initial=0)) + 1
    return [divmod(kind, height) for kind in distinct(made.column * height + made.level).tolist()]


def _right(published: Published, made: Claims, codes: IntArray) -> BoolArray:
    """The same, every statement compared with every row."""
    out = np.zeros(len(made.owner), np.bool_)
    rows = published.classes.codes[made.owner]
    for start, block in cover_blocks(published, rows, codes, range(codes.shape[1])):
        part = codes[start : start + block.shape[1]]
        for j, level in _kinds(made):
            mine = (made.column == j) & (made.level == level)
            node = published.attributes[j].hierarchy.ancestors[level][part[:, j]]
            out[mine] |= (block[mine] & (made.node[mine][:, None] == node)).any(axis=1)
    return out


def _ends(spans: Spans, texts: Sequence[str | None]) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Labels of several values, the level of what each claims, and its two claims."""
    tree, order = spans.domain.attribute.hierarchy, spans.domain.order
    wide = np.flatnonzero(spans.n_leaves > 1)
    first, last = np.zeros(spans.n_labels, np.int64), np.zeros(spans.n_labels, np.int64)
    first[spans.owner[::-1]] = order[spans.start[::-1]]
    last[spans.owner] = order[spans.stop - 1]
    if spans.domain.positions is not None:  # the missing value stands last, but no range ends there
        ends = np.minimum(spans.stop, max(spans.domain.n_numbers, 1)) - 1
        last[spans.owner] = order[np.maximum(ends, spans.start)]
    level = np.zeros(spans.n_labels, np.int64)
    for top in range(1, tree.height + 1):
        known = frozenset(tree.labels[top])
        named = np.fromiter((text in known for text in texts), np.bool_, spans.n_labels)
        nodes = np.flatnonzero(named & (spans.level == top) & (spans.n_leaves > 1))
        below = np.array([_children(spans, top, node) for node in tree.ancestors[top][first[nodes]]], np.int64)
        if len(nodes):
            first[nodes], last[nodes], level[nodes] = below[:, 0], below[:, 1], top - 1
    told = wide[first[wide] != last[wide]]
    return told, level[told], first[told], last[told]


def _children(spans: Spans, level: int, node: int) -> tuple[int, int]:
    """The two children of a node with most leaves; the only child twice."""
    tree = spans.domain.attribute.hierarchy
    sizes = tree.leaf_counts(level - 1)
    inside = np.flatnonzero(tree.step(level - 1, level) == node)
    ranked = inside[np.argsort(-sizes[inside], kind="stable")]
    return int(ranked[0]), int(ranked[min(1, len(ranked) - 1)])
