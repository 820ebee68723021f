"""How are more rows than can be compared with each other cut into blocks? Halved at medians, like cells of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.mechanism.recode.microaggregation.points import Points
    from sfumato.types import FloatArray, IntArray


def blocks_of(points: Points, most: int, k: int) -> list[IntArray]:
    """Blocks of at most `most` rows, each grouped on its own afterwards.

    A block with more rows is halved along the number that varies most in it (along the first category where it has
    no number that varies), after a multiple of k rows, so that only the last group of all can be larger.

    Args:
        points: n rows in space.
        most: rows of a block, >= 4k.
        k: rows of a group.

    Returns:
        (n_block,) int64 sorted rows of each block, which together are all rows.

    Raises:
        ParameterError: `most` is below 4k, and there are more than 4k rows. Remedy: larger blocks.

    Example:
        >>> from sfumato.mechanism.recode.microaggregation.points import Points
        >>> line = Points(np.arange(9.0)[::-1, None].copy(), np.zeros((9, 0), np.int64), np.zeros(0))
        >>> [block.tolist() for block in blocks_of(line, 8, 2)]
        [[5, 6, 7, 8], [0, 1, 2, 3, 4]]
    """
    if most < 4 * k < len(points.numbers):
        raise ParameterError(
            "A block must hold at least 4 groups ({k} rows); got {most}.", "allow larger blocks.", k=4 * k, most=most
        )
    done: list[IntArray] = []
    waiting = [np.arange(len(points.numbers))]
    while waiting:
        rows = waiting.pop()
        if len(rows) <= max(most, 4 * k):
            done.append(np.sort(rows))
            continue
        order = rows[np.argsort(_widest(points, rows), kind="stable")]
        middle = len(rows) // 2 // k * k
        waiting += [order[middle:], order[:middle]]
    return done


def _widest(points: Points, rows: IntArray) -> FloatArray | IntArray:
    """(n,) coordinate along which the rows of a block are put in order."""
    numbers = points.numbers[rows]
    variance = numbers.var(axis=0) if numbers.shape[1] else np.zeros(0)
    if variance.max(initial=0.0) > 0:
        return numbers[:, int(np.argmax(variance))]
    nodes = points.nodes[rows]
    varying = np.flatnonzero(np.ptp(nodes, axis=0)) if nodes.shape[1] else np.zeros(0, np.int64)
    return nodes[:, varying[0]] if len(varying) else np.zeros(len(rows))
