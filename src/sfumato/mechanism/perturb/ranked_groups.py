"""Groups of the cells of one column in order: k after k, decided by their number alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.types import IntArray


def group_sizes(n: int, k: int) -> IntArray:
    """(n // k,) int64: sizes of the groups of n ordered cells; the middle group takes the n mod k that are left.

    Sizes depend on nothing but n and k, from which it follows how little one cell can move the centers:
    see `ranked_groups.bound_of_sums`.

    Args:
        n: cells, >= k.
        k: least size of a group, >= 1.

    Raises:
        ParameterError: fewer than k cells. Remedy: a smaller k.

    Example:
        >>> group_sizes(11, 3).tolist()
        [3, 5, 3]
    """
    if not 1 <= k <= n:
        raise ParameterError(
            "Groups of {k} cells need as many cells; the column has fewer.", "choose a smaller k.", k=k
        )
    sizes = np.full(n // k, k, np.int64)
    sizes[len(sizes) // 2] += n % k
    return sizes


def groups_of(sizes: IntArray) -> IntArray:
    """(n,) int64: group of each cell in order.

    Example:
        >>> groups_of(np.array([2, 3])).tolist()
        [0, 0, 1, 1, 1]
    """
    return np.repeat(np.arange(len(sizes)), sizes)


def bound_of_sums(width: int) -> int:
    """How far all sums of groups together move, at most, when one cell is replaced: by the width of the range.

    Proof: put both lists of n cells in order. They differ by one cell, from a to b, so the cells between a and b shift
    by one place, all in one direction, and the distances of equal places add up to the distance of a and b. Groups are
    the same places in both lists, so the sums of groups move together by no more than that, which is at most the
    width. Centers are sums over at least k cells, so all centers together move by at most width / k.

    Args:
        width: highest minus lowest value that a cell can have.

    Source:
        The bound of the centers: D. Sánchez, J. Domingo-Ferrer, S. Martínez, J. Soria-Comas, "Utility-preserving
        differentially private data releases via individual ranking microaggregation", Information Fusion 30, 2016.
    """
    return width
