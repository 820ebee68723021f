"""How much of its domain does a published value cover? The normalized certainty penalty (NCP).

A cell that says "one of these" loses the share of the domain it leaves open: 0 for a single value, 1
for `*`. For numbers the share is width over domain width, for categories leaves over domain leaves.

Source: J. Xu et al., "Utility-Based Anonymization Using Local Recoding", KDD 2006, section 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray


def ncp_of_ranges(low: FloatArray, high: FloatArray, domain: tuple[float, float]) -> FloatArray:
    """Width of each range over the width of the domain, in [0, 1].

    Example:
        >>> ncp_of_ranges(np.array([17.0, 20.0]), np.array([17.0, 56.5]), (17.0, 90.0)).tolist()
        [0.0, 0.5]
    """
    width = domain[1] - domain[0]
    return np.zeros(len(low)) if width <= 0 else np.clip((high - low) / width, 0.0, 1.0)


def ncp_of_sets(n_values: IntArray, n_domain: int) -> FloatArray:
    """Values in each set over values in the domain; 0 for a set of one.

    Example:
        >>> ncp_of_sets(np.array([1, 2, 5]), 5).tolist()
        [0.0, 0.4, 1.0]
    """
    return np.where(n_values <= 1, 0.0, n_values / n_domain)
