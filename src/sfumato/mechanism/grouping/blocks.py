"""Blocks of rows in which groups are formed, so that few rows are compared with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.mechanism.grouping.mdav import mdav

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanism.grouping.points import Points
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
        >>> from sfumato.mechanism.grouping.points import Points
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


def in_blocks(points: Points, k: int, most: int, tick: Callable[[int], None]) -> tuple[IntArray, int]:
    """Part rows into groups of k to 2k - 1, block by block.

    Args:
        points: n rows in space, n >= k.
        k: rows of a group.
        most: rows that are compared with each other at most.
        tick: told now and then how many rows have a group; it may raise to stop the work.

    Returns:
        (n,) int64 group of each row, 0 … n_groups-1, and the number of blocks.

    Raises:
        ParameterError: see `blocks_of`.

    Example:
        >>> from sfumato.mechanism.grouping.points import Points
        >>> line = Points(np.arange(9.0)[:, None], np.zeros((9, 0), np.int64), np.zeros(0))
        >>> groups, blocks = in_blocks(line, 2, 8, lambda done: None)
        >>> np.bincount(groups).tolist(), blocks
        ([2, 2, 2, 3], 2)
    """
    member = np.empty(len(points.numbers), np.int64)
    done = n_groups = 0
    blocks = blocks_of(points, most, k)
    for block in blocks:
        before = done
        tick(before)
        groups = mdav(points.take(block), k, lambda more, before=before: tick(before + more))  # type: ignore[misc]
        member[block] = groups + n_groups
        n_groups += int(groups.max()) + 1
        done += len(block)
    return member, len(blocks)


def _widest(points: Points, rows: IntArray) -> FloatArray | IntArray:
    """(n,) coordinate along which the rows of a block are put in order."""
    numbers = points.numbers[rows]
    variance = numbers.var(axis=0) if numbers.shape[1] else np.zeros(0)
    if variance.max(initial=0.0) > 0:
        return numbers[:, int(np.argmax(variance))]
    nodes = points.nodes[rows]
    varying = np.flatnonzero(np.ptp(nodes, axis=0)) if nodes.shape[1] else np.zeros(0, np.int64)
    return nodes[:, varying[0]] if len(varying) else np.zeros(len(rows))
