"""Whether a given share of the values of a column follows a pattern, without looking at more of them than decide it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_BLOCK = 1000
"""Values between two looks at whether the rest can still change the answer."""


def mostly(follows: Callable[[str], object], values: Sequence[str], share: float) -> bool:
    """Whether Σ follows(v) ≥ share · n; the rest is not looked at once it cannot change that.

    Args:
        follows: whether a value follows; any truth value.
        values: n values; of none, all follow.
        share: in [0, 1].

    Example:
        >>> mostly(str.isdigit, ["1", "2", "x"], 0.6), mostly(str.isdigit, ["1", "2", "x"], 0.7)
        (True, False)
    """
    n, found = len(values), 0
    for start in range(0, n, _BLOCK):
        block = values[start : start + _BLOCK]
        found += sum(map(bool, map(follows, block)))
        if found + (n - start - len(block)) < share * n:
            return False
        if found >= share * n:
            return True
    return found >= share * n
