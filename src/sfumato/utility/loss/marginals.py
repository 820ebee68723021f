"""How many rows lie below each node of each tree, whatever the other attributes say?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.table.attribute import Attribute
    from sfumato.types import FloatArray, IntArray


def rows_by_node(finest: Classes, attributes: Sequence[Attribute]) -> tuple[tuple[IntArray, ...], ...]:
    """Rows to publish below each node: out[j][level] is (n_nodes,) int64.

    Args:
        finest: classes of leaf codes.
        attributes: the m attributes.
    """
    out = []
    for j, attribute in enumerate(attributes):
        tree = attribute.hierarchy
        leaves = finest.rows_by_code(j, tree.n_leaves)
        out.append(
            tuple(
                np.bincount(codes, weights=leaves, minlength=len(names)).astype(np.int64)
                for codes, names in zip(tree.ancestors, tree.labels, strict=True)
            )
        )
    return tuple(out)


class Cheapest:
    """The least that s rows can cost when each row of node i costs `cost[i]`: a convex function of s."""

    __slots__ = ("_cost", "_rows")

    def __init__(self, rows: IntArray, cost: FloatArray) -> None:
        """Take `rows` (n_nodes,) rows of cost (n_nodes,) >= 0 each.

        Example:
            >>> Cheapest(np.array([2, 3]), np.array([5.0, 1.0]))(np.array([0, 3, 4])).tolist()
            [0.0, 3.0, 8.0]
        """
        order = np.argsort(cost, kind="stable")
        self._rows = np.concatenate([[0.0], np.cumsum(rows[order], dtype=np.float64)])
        self._cost = np.concatenate([[0.0], np.cumsum(rows[order] * cost[order])])

    def __call__(self, n_rows: IntArray) -> FloatArray:
        """(n,) float64: least cost of `n_rows` (n,) rows."""
        out: FloatArray = np.interp(n_rows, self._rows, self._cost)
        return out
