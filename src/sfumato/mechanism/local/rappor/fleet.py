"""First reports of many clients, drawn together, for load tests and simulations of whole reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.noise.bernoulli import bernoulli

if TYPE_CHECKING:
    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, IntArray

_CHUNK = 1 << 22
"""Bits drawn at a time, so that they stay in the cache."""


def first_reports(params: RapporParams, places: IntArray, *, bits: Bits) -> BoolArray:
    """First reports of persons: a bit is 1 with q* where the Bloom filter sets it, with p* elsewhere.

    For a single report the permanent and the instantaneous response compose exactly to these two probabilities.

    Args:
        params: of the collection.
        places: (n, h) int64, the Bloom bits of each person's string in their cohort (rows of `bloom.design_bits`).
        bits: source of chance.

    Returns:
        (n, k) bool.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> from sfumato.noise.bits import SystemBits
        >>> home = RapporParams("home", bits=16, hashes=2, cohorts=4, f="1/2", p="1/2", q="3/4")
        >>> first_reports(home, np.array([[3, 5], [1, 1]]), bits=SystemBits()).shape
        (2, 16)
    """
    n, k = len(places), params.bits
    out = np.empty((n, k), bool)
    step = max(1, _CHUNK // k)
    for start in range(0, n, step):
        part = out[start : start + step]
        part[:] = bernoulli(part.size, params.p_star, bits=bits).reshape(part.shape)
        held = places[start : start + step]
        rows = np.arange(len(held))
        for column in held.T:  # a bit that two hashes share is drawn twice, independently: the last one counts
            part[rows, column] = bernoulli(len(held), params.q_star, bits=bits)
    return out
