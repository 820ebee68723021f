"""Thousands of tiny weights added without underflow: running and sliding sums of logarithms.

Every sum here is at most some thousand additions deep, however long the array, which keeps the error small
enough to be paid for (see the proof page on quantiles).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from sfumato.types import FloatArray

IntSpan: TypeAlias = tuple[int, int]
"""First and last position, both included."""

_BLOCK = 256
"""Additions in a row before partial sums are combined."""


def log_sum(logs: FloatArray) -> float:
    """Logarithm ln Σ e^l of (n,) logarithms; -∞ for none.

    Example:
        >>> round(log_sum(np.array([-1000.0, -1000.0])), 4)
        -999.3069
    """
    most = float(logs.max(initial=-np.inf))
    if most == -np.inf:
        return most
    return most + float(np.log(np.exp(logs - most).sum()))


def log_scan(logs: FloatArray) -> FloatArray:
    """Running ln Σ e^l along the last axis: blocks of 256, then over the blocks' totals in the same way."""
    n = logs.shape[-1]
    if n <= _BLOCK:
        return np.asarray(np.logaddexp.accumulate(logs, axis=-1))
    parts = _padded(logs, -n % _BLOCK).reshape(*logs.shape[:-1], -(-n // _BLOCK), _BLOCK)
    inside = np.logaddexp.accumulate(parts, axis=-1)
    before = np.full(inside.shape[:-1], -np.inf)
    before[..., 1:] = log_scan(inside[..., -1])[..., :-1]
    sums = np.logaddexp(inside, before[..., None])
    return np.asarray(sums.reshape(*logs.shape[:-1], parts.shape[-2] * _BLOCK)[..., :n])


def log_slide(logs: FloatArray, first: int, ends: IntSpan, length: int, fade: float) -> FloatArray:
    """Sliding ln Σ_{0 <= i < length} e^(l[e - i] - fade·i) for every end e; what lies outside the array counts nothing.

    The array is cut into blocks of `length`; a window is the tail of one block and the head of the next.

    Args:
        logs: (n,) logarithms at positions first … first + n - 1.
        first: position of the first.
        ends: (from, to) positions of the ends, both included.
        length: positions in a window, >= 0.
        fade: nats by which each step back counts less, >= 0; fade · length must be moderate.

    Returns:
        (to - from + 1,) logarithms.

    Source:
        M. van Herk, "A fast algorithm for local minimum and maximum filters on rectangular and octagonal kernels",
        Pattern Recognition Letters 13, 1992 (there for maxima).

    Example:
        >>> np.exp(log_slide(np.log([1.0, 2.0, 4.0]), 0, (0, 3), 2, 0.0)).round(6).tolist()
        [1.0, 3.0, 6.0, 4.0]
    """
    last, out = first + len(logs) - 1, np.full(ends[1] - ends[0] + 1, -np.inf)
    low, high = max(ends[0], first), min(ends[1], last + length - 1)
    if not length or low > high:
        return out
    if fade == 0 and ends[0] >= last:  # every window is a tail of the array
        tails = log_scan(logs[::-1])[::-1]
        out[: high - ends[0] + 1] = tails[np.maximum(np.arange(ends[0], high + 1) - length + 1, first) - first]
        return out
    values = _padded(logs, max(high - last, 0))
    out[low - ends[0] : high - ends[0] + 1] = _slide(values, min(length, len(values)), fade)[
        low - first : high - first + 1
    ]
    return out


def _slide(values: FloatArray, length: int, fade: float) -> FloatArray:
    """Window sums that end at each position of the array."""
    blocks = _padded(values, -len(values) % length).reshape(-1, length)
    slope = fade * np.arange(length)
    raised = blocks + slope
    sums = log_scan(raised)
    tails = log_scan(raised[:-1, ::-1])[:, ::-1]  # tails[b, p]: positions p … of block b
    sums[1:, :-1] = np.logaddexp(sums[1:, :-1], tails[:, 1:] - fade * length)
    return (sums - slope).reshape(-1)[: len(values)]


def _padded(logs: FloatArray, count: int) -> FloatArray:
    """The array with weights 0 behind it."""
    if not count:
        return logs
    return np.concatenate([logs, np.full((*logs.shape[:-1], count), -np.inf)], axis=-1)
