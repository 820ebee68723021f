"""Between which numbers the core numbers lie, proven from the rounds of leaving and the exact law of the noise.

With all noises within ± B (whose chance is known), a vertex that left at threshold θ has a core number of at most θ + B: of any
part in which all have k neighbors the first to leave had k neighbors still there. And who is left after a round at threshold θ
had more than θ - B neighbors before it, of whom no more left than left in all: so all who are left have at least
θ - B less the number of leavers among each other, and their core numbers are larger than that. Both read only what was published.

Proof: docs/proofs/private-cores.md, claim 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.types import IntArray


def bounds_of_leaving(left: IntArray, first: int, step: int, reach: int, fine: int) -> tuple[IntArray, IntArray]:
    """(n,) int64 least and greatest core numbers, where all noises lie within ± reach.

    Args:
        left: (n,) the round in which each vertex left, from 0.
        first: threshold of round 0, in units of 1/F.
        step: its rise in a round.
        reach: B, in units of 1/F.
        fine: F.

    Example:
        >>> low, high = bounds_of_leaving(np.array([1, 2, 1]), 0, 1, 0, 1)
        >>> low.tolist(), high.tolist()
        ([1, 1, 1], [1, 2, 1])
    """
    rounds = np.arange(int(left.max(initial=0)) + 1)
    thresholds, leavers = first + step * rounds, np.bincount(left, minlength=len(rounds))
    high = np.clip((thresholds[left] + reach) // fine, 0, len(left) - 1)
    after = (thresholds - reach) // fine + 1 - leavers  # of those who are left after a round
    best = np.maximum.accumulate(np.append(0, after))
    return np.minimum(np.clip(best[left], 0, None), high), high
