"""Running totals within segments of an array, in a few passes over all segments at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.types import BoolArray, IntArray


MOST_LIFTED = 2**62
"""Integers that are lifted stay below this."""
MOST_PADDED = 16
"""Segments are laid side by side as columns if all take so many times the room of their entries at most."""


def segment_starts(segment: IntArray) -> tuple[IntArray, IntArray]:
    """Where each run of equal numbers begins, and how long it is.

    Example:
        >>> segment_starts(np.array([3, 3, 7]))[0].tolist(), segment_starts(np.array([3, 3, 7]))[1].tolist()
        ([0, 2], [2, 1])
    """
    if not len(segment):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    starts = np.flatnonzero(np.concatenate(([True], segment[1:] != segment[:-1])))
    return starts, np.diff(np.append(starts, len(segment)))


def running(join: np.ufunc, values: npt.NDArray[Any], place: IntArray) -> npt.NDArray[Any]:
    """Inclusive running `join` along the last axis within segments.

    Segments of about one length are laid side by side as columns and joined row by row. Otherwise doubling: after pass p
    each entry has joined the 2**p entries that end at it. Maxima of small integers take one pass: each segment is lifted
    above the one before.

    Args:
        join: an associative, idempotent or exact operation (bitwise or, maximum).
        values: (c, n) array.
        place: (n,) int64, place of each entry within its segment, from 0.

    Example:
        >>> running(np.maximum, np.array([[1, 3, 2, 0, 5]]), np.array([0, 1, 2, 0, 1])).tolist()
        [[1, 3, 3, 0, 5]]
    """
    if join is np.maximum and values.size and np.issubdtype(values.dtype, np.integer):
        segment = np.cumsum(place == 0) - 1
        low, high = int(values.min()), int(values.max())
        if (int(segment[-1]) + 2) * (high - low + 1) + max(abs(low), abs(high)) < MOST_LIFTED:
            lift = segment * (high - low + 1)
            highest: npt.NDArray[Any] = np.maximum.accumulate(values + lift, axis=-1) - lift
            return highest
    longest = int(place.max(initial=-1)) + 1
    if longest * int(np.count_nonzero(place == 0)) <= MOST_PADDED * len(place):
        return _side_by_side(join, values, place, longest)
    out = values.copy()
    reach = 1
    while reach < longest:
        later = np.flatnonzero(place >= reach)
        out[:, later] = join(out[:, later], out[:, later - reach])
        reach *= 2
    return out


def _side_by_side(join: np.ufunc, values: npt.NDArray[Any], place: IntArray, longest: int) -> npt.NDArray[Any]:
    """The same by columns of `longest` entries, one for each segment; what stands below its end is of no meaning."""
    begins = place == 0
    n = int(np.count_nonzero(begins))
    at = place * n
    at += np.cumsum(begins)
    at -= 1
    out = np.empty_like(values)
    columns = np.zeros(longest * n, values.dtype)
    for row, given in zip(out, values, strict=True):
        columns[at] = given
        table = columns.reshape(longest, n)
        join.accumulate(table, axis=0, out=table)
        columns.take(at, out=row)
    return out


def running_sum(values: IntArray, starts: IntArray, lengths: IntArray) -> IntArray:
    """(n,) int64: inclusive running sums within segments.

    Example:
        >>> running_sum(np.array([1, 2, 4, 5]), np.array([0, 2]), np.array([2, 2])).tolist()
        [1, 3, 4, 9]
    """
    total = np.cumsum(values)
    before = total[starts] - values[starts]
    return total - np.repeat(before, lengths)


def first_per_segment(segment: IntArray, good: BoolArray) -> IntArray:
    """Index of the first good entry of each segment that has one; `segment` is sorted.

    Example:
        >>> first_per_segment(np.array([0, 0, 1, 2, 2]), np.array([False, True, False, True, True])).tolist()
        [1, 3]
    """
    index = np.flatnonzero(good)
    inside = segment[index]
    return index[np.concatenate(([True], inside[1:] != inside[:-1]))] if len(index) else index
