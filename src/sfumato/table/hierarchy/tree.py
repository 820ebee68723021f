"""How the values of a column generalize: a tree of uniform depth, as small arrays.

Level 0 holds the values as they are, the top level the single root `*`. Every level is a partition
of the leaves and coarsens the one below it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.errors import AmbiguousHierarchy, HierarchyError, IncompleteHierarchy
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.types import FloatArray, IntArray

MOST_LEVELS = 100
"""Levels of a hierarchy at most, the root included: a search looks at every one of them."""
ROOT = "*"
"""Label of the root, and of a suppressed cell."""

Step: TypeAlias = "Callable[[Sequence[str | None]], Sequence[str | None]]"
"""Names the parent of each node of a level."""


def check_height(column: str, height: int, remedy: str = "leave levels out.") -> None:
    """Refuse a hierarchy of too many levels, before it is built.

    Raises:
        HierarchyError: more than `MOST_LEVELS` above the values.

    Example:
        >>> check_height("note", 3000)
        Traceback (most recent call last):
        sfumato.errors.HierarchyError: The hierarchy of 'note' must have at most 100 levels above its values; it has 3000. Remedy: leave levels out.
    """
    if height > MOST_LEVELS:
        raise HierarchyError(
            "The hierarchy of {column!r} must have at most {most_levels} levels above its values; it has {height}.",
            remedy,
            column=column,
            most_levels=MOST_LEVELS,
            height=height,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Hierarchy:
    """The generalization hierarchy of one column.

    Args:
        column: name of the column, for messages.
        labels: labels[level][code], the published text of each node; None is the missing value.
        ancestors: ancestors[level] is (n_leaves,) int64, the code at that level of each leaf;
            ancestors[0] is 0 … n_leaves-1.
    """

    column: str
    labels: tuple[tuple[str | None, ...], ...]
    ancestors: tuple[IntArray, ...]

    @classmethod
    def from_paths(cls, column: str, paths: Sequence[Sequence[str | None]]) -> Hierarchy:
        """Build from one path per leaf: value, its parent, …, root. The order of leaves is kept.

        Raises:
            IncompleteHierarchy: paths of different lengths, or no common root.
            AmbiguousHierarchy: a value listed twice, a node with two parents, or a label that stands for other values
                at another level.

        Example:
            >>> tree = Hierarchy.from_paths("age", [("1", "low", "*"), ("2", "low", "*"), ("9", "high", "*")])
            >>> tree.labels[1], tree.ancestors[1].tolist(), tree.height
            (('low', 'high'), [0, 0, 1], 2)
        """
        _check_depths(column, paths)
        check_height(column, len(paths[0]) - 1)
        levels = [encode([path[level] for path in paths]) for level in range(len(paths[0]))]
        tree = cls(column, tuple(labels for labels, _ in levels), tuple(codes for _, codes in levels))
        _check_tree(tree)
        _check_names(tree)
        return tree

    @classmethod
    def from_steps(cls, column: str, leaves: Sequence[str], steps: Sequence[Step]) -> Hierarchy:
        """Build by climbing: each step names the parents of the nodes of the level below; then `*`.

        Nodes with equal names are one node, so every node has one parent by construction.

        Args:
            column: name of the column.
            leaves: distinct values, in the order that is kept.
            steps: each maps the names of a level to the names of their parents, in the same order.

        Example:
            >>> tree = Hierarchy.from_steps("zip", ["75001", "75014"], [lambda names: [n[:4] for n in names]])
            >>> tree.labels
            (('75001', '75014'), ('7500', '7501'), ('*',))
        """
        check_height(column, len(steps) + 1)
        labels, codes = encode(leaves)
        levels = [(labels, codes)]
        for step in (*steps, _to_root):
            labels, parents = encode(step(labels))
            codes = parents[codes]
            levels.append((labels, codes))
        tree = cls(column, tuple(names for names, _ in levels), tuple(ancestors for _, ancestors in levels))
        _check_tree(tree)
        return tree

    @classmethod
    def from_codes(
        cls, column: str, labels: Sequence[Sequence[str | None]], ancestors: Sequence[IntArray]
    ) -> Hierarchy:
        """Build from the labels of each level and the code of each leaf there; then `*`.

        Args:
            column: name of the column.
            labels: distinct labels of each level, leaves first; `*` is added above.
            ancestors: (n_leaves,) int64 for each level.

        Raises:
            AmbiguousHierarchy: a node has two parents.

        Example:
            >>> codes = [np.array([0, 1, 2]), np.array([0, 0, 1])]
            >>> Hierarchy.from_codes("age", [("1", "2", "9"), ("low", "high")], codes).height
            2
        """
        check_height(column, len(labels))
        levels = (*(tuple(names) for names in labels), (ROOT,))
        tree = cls(column, levels, (*ancestors, np.zeros(len(levels[0]), np.int64)))
        _check_tree(tree)
        return tree

    @classmethod
    def flat(cls, column: str, values: Sequence[str | None]) -> Hierarchy:
        """The hierarchy of a column without one: its values, then `*`."""
        leaves = tuple(values)
        if not leaves or len({*leaves, ROOT}) <= len(leaves):
            return cls.from_paths(column, [(value, ROOT) for value in leaves])
        return cls(column, (leaves, (ROOT,)), (np.arange(len(leaves)), np.zeros(len(leaves), np.int64)))

    @property
    def height(self) -> int:
        """Highest level; 0 means that the value itself is the root."""
        return len(self.labels) - 1

    @property
    def n_leaves(self) -> int:
        """Number of leaves, those the table lacks included: |H| of the loss measures."""
        return len(self.labels[0])

    def step(self, low: int, high: int) -> IntArray:
        """(n_nodes(low),) int64: the code at `high` of each node at `low` <= high."""
        out = np.zeros(len(self.labels[low]), np.int64)
        out[self.ancestors[low]] = self.ancestors[high]
        return out

    def leaf_counts(self, level: int) -> IntArray:
        """(n_nodes(level),) int64: leaves below each node of a level."""
        return np.bincount(self.ancestors[level], minlength=len(self.labels[level]))

    def shares(self, level: int) -> FloatArray:
        """(n_nodes(level),) float64: leaves below each node over all leaves, in (0, 1]."""
        return self.leaf_counts(level) / self.n_leaves

    def with_missing(self) -> Hierarchy:
        """The same tree with the missing value as a leaf of its own, up to the root."""
        if None in self.labels[0]:
            return self
        labels = [(*names, None) for names in self.labels[:-1]] + [self.labels[-1]]
        ancestors = [
            np.append(codes, len(names)) for codes, names in zip(self.ancestors[:-1], self.labels[:-1], strict=True)
        ]
        return Hierarchy(self.column, tuple(labels), (*ancestors, np.append(self.ancestors[-1], 0)))


def encode(names: Sequence[str | None]) -> tuple[tuple[str | None, ...], IntArray]:
    """Distinct names in order of appearance, and the (n,) int64 index of each name among them.

    Example:
        >>> labels, codes = encode(["b", "a", "b"])
        >>> labels, codes.tolist()
        (('b', 'a'), [0, 1, 0])
    """
    index = {name: code for code, name in enumerate(dict.fromkeys(names))}
    return tuple(index), np.fromiter(map(index.__getitem__, names), np.int64, len(names))


def _to_root(names: Sequence[str | None]) -> list[str]:
    """The last step of every tree."""
    return [ROOT] * len(names)


def _check_depths(column: str, paths: Sequence[Sequence[str | None]]) -> None:
    """Every leaf needs a path, and all paths the same number of levels."""
    if not paths:
        raise IncompleteHierarchy(
            "The hierarchy of {column!r} must hold at least one value; it is empty.",
            "list the column's values.",
            column=column,
        )
    depths = sorted({len(path) for path in paths})
    if len(depths) > 1:
        short = sum(len(path) < depths[-1] for path in paths)
        raise IncompleteHierarchy(
            "Every value in the hierarchy of {column!r} must have the same number of levels; "
            "{short} of {n_paths} lines have fewer than {depths}.",
            "fill the missing levels; repeat a label where a value skips one.",
            column=column,
            short=short,
            n_paths=len(paths),
            depths=depths[-1],
        )


def _check_tree(tree: Hierarchy) -> None:
    """Leaves are distinct, each node has one parent, and there is one root."""
    if len(tree.labels[0]) < len(tree.ancestors[0]):
        twice = len(tree.ancestors[0]) - len(tree.labels[0])
        raise AmbiguousHierarchy(
            "Each value must stand once in the hierarchy of {column!r}; {twice} lines repeat one.",
            "remove the repeated lines.",
            column=tree.column,
            twice=twice,
        )
    for level in range(1, len(tree.labels)):
        below, above = tree.ancestors[level - 1], tree.ancestors[level]
        torn = len(distinct(below[tree.step(level - 1, level)[below] != above]))
        if torn:
            raise AmbiguousHierarchy(
                "Each node must have one parent in the hierarchy of {column!r}; "
                "{torn} nodes of level {level} have several at level {level2}.",
                "give each node one parent, or two different labels to two different nodes.",
                column=tree.column,
                torn=torn,
                level=level - 1,
                level2=level,
            )
    _check_root(tree)


def _check_names(tree: Hierarchy) -> None:
    """A label that several levels bear stands for values of which one set holds the other: else two classes look like one."""
    torn = sum(1 for nodes in shared_labels(tree).values() if not _nested(tree, nodes))
    if torn:
        raise AmbiguousHierarchy(
            "A label in the hierarchy of {column!r} must stand for the same values at every level, or for more of "
            "them higher up; {torn} stand for other values at another level.",
            "give different nodes different labels.",
            column=tree.column,
            torn=torn,
        )


def shared_labels(tree: Hierarchy) -> dict[str, list[tuple[int, int]]]:
    """The labels that nodes of different sizes bear, each with (level, code) of its nodes from below.

    Published beside each other, rows of such nodes look alike.

    Example:
        >>> tree = Hierarchy.from_paths("x", [("a", "a", "*"), ("b", "Other", "*"), ("Other", "Other", "*")])
        >>> shared_labels(tree)
        {'Other': [(0, 2), (1, 1)]}
    """
    seen: set[str | None] = set()
    again: set[str | None] = set()
    for names in tree.labels:
        again.update(seen.intersection(names))
        seen.update(names)
    again.discard(None)
    many: dict[str, list[tuple[int, int]]] = {}
    for level, names in enumerate(tree.labels if again else ()):
        for code, name in enumerate(names):
            if name is not None and name in again:
                many.setdefault(name, []).append((level, code))
    sizes = [tree.leaf_counts(level) for level in range(len(tree.labels))] if many else []
    return {
        name: found
        for name, found in many.items()
        if len({int(sizes[level][code]) for level, code in found}) > 1 or not _nested(tree, found)
    }


def _nested(tree: Hierarchy, nodes: Sequence[tuple[int, int]]) -> bool:
    """Whether each node lies above the one before it."""
    return all(int(tree.step(low, high)[code]) == above for (low, code), (high, above) in pairwise(nodes))


def _check_root(tree: Hierarchy) -> None:
    if len(tree.labels[-1]) > 1:
        raise IncompleteHierarchy(
            "The hierarchy of {column!r} must end in one root; level {height} has {n_labels} nodes.",
            "add a last level that is {root!r} for every value.",
            column=tree.column,
            height=tree.height,
            n_labels=len(tree.labels[-1]),
            root=ROOT,
        )
