"""In which order are the nodes of the generalization lattice visited? By rising loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.attribute import Attribute
    from sfumato.types import FloatArray, IntArray


def level_losses(attributes: Sequence[Attribute], codes: IntArray, rows: IntArray) -> list[FloatArray]:
    """For each attribute the (height + 1,) mean loss over the rows when all are at one level.

    The loss of a node is its share of the leaves, 0 at level 0 and for a node of one leaf.
    """
    out = []
    for j, attribute in enumerate(attributes):
        tree = attribute.hierarchy
        by_leaf = np.bincount(codes[:, j], weights=rows, minlength=tree.n_leaves) / max(rows.sum(), 1)
        losses = np.zeros(tree.height + 1)
        for level in range(1, tree.height + 1):
            counts = tree.leaf_counts(level)
            share = np.where(counts > 1, counts / tree.n_leaves, 0.0)
            losses[level] = by_leaf @ share[tree.ancestors[level]]
        out.append(losses * attribute.column.weight)
    return out


def cheapest(losses: Sequence[FloatArray], most: int) -> IntArray:
    """The level vectors of least total loss, by rising loss; ties by level, first attribute first.

    Attributes are added one by one, keeping the `most` cheapest beginnings: a vector among the
    cheapest has a beginning among the cheapest.

    Args:
        losses: for each attribute the loss at each of its levels, rising.
        most: greatest number of vectors.

    Returns:
        (n, m) int64, n <= most.

    Example:
        >>> cheapest([np.array([0.0, 0.5]), np.array([0.0, 0.2, 1.0])], 4).tolist()
        [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    vectors, total = np.zeros((1, 0), np.int64), np.zeros(1)
    for loss in losses:
        n, h = len(vectors), len(loss)
        added = (total[:, None] + loss).ravel()
        levels = np.tile(np.arange(h), n)
        order = np.argsort(np.round(added, 12), kind="stable")[:most]
        vectors = np.concatenate((np.repeat(vectors, h, axis=0)[order], levels[order, None]), axis=1)
        total = added[order]
    return vectors
