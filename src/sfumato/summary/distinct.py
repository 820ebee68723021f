"""About how many distinct keys a table holds, from the smallest hash of each of many buckets.

Any engine can make the buckets in one pass; two parts of a table merge by the smaller of their minima.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.types import FloatArray

BUCKETS = 1 << 14
"""Relative error of about 1/√BUCKETS = 0.8 %."""
BUCKET_BITS = 14
REST_BITS = 50
"""A hash of 64 bits: its lowest 14 choose the bucket, the 50 others are the number that is compared."""


def estimate_distinct(lowest: FloatArray) -> int:
    """Distinct keys, from the smallest hash of each bucket that is not empty.

    With t = n/m keys a bucket, hashes of a bucket are a Poisson process of rate t on [0, 1), so its smallest is
    exponential with rate t, cut at 1. Where u of m buckets are not empty, the likelihood is largest at

        n = m · u / (Σ lowest + (m − u)),

    with a relative deviation of about 1/√u.

    Args:
        lowest: (u,) smallest hash / 2⁵⁰ of each of the u buckets that are not empty, in [0, 1).

    Returns:
        The estimate, rounded; exact (but for collisions) while there are few keys.

    Source:
        The estimator of the rate of exponential times that are cut off (type I censoring); the idea of keeping minima is
        Giroire, "Order statistics and estimating cardinalities of massive data sets" (2009).

    Example:
        >>> import numpy as np
        >>> hashes = np.random.default_rng(1).random(100_000)
        >>> bucket = np.random.default_rng(2).integers(0, BUCKETS, 100_000)
        >>> lowest = np.ones(BUCKETS)
        >>> np.minimum.at(lowest, bucket, hashes)
        >>> abs(estimate_distinct(lowest[lowest < 1]) - 100_000) < 3_000
        True
        >>> estimate_distinct(np.array([])), estimate_distinct(np.array([0.25, 0.5]))
        (0, 2)
    """
    used = len(lowest)
    return 0 if not used else round(BUCKETS * used / (float(lowest.sum()) + BUCKETS - used))
