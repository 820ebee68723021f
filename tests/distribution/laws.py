"""Do many draws follow a law? Exact binomial bounds, so that the false-alarm rate is a promise."""

import numpy as np
from scipy.stats import binom

ALARM = 1e-6
"""A correct sampler fails a check with at most this probability (over seeds; the tests fix theirs)."""


def p_value(draws, law):
    """Smallest p-value over all counts, corrected for their number.

    Looked at: how often each outcome came, how often each "at most this", and how often anything that
    the law does not list. Each count is binomial; its two-sided p-value is twice the smaller tail, and
    the union bound multiplies by the number of counts.
    """
    outcomes = np.array(sorted(law))
    shares = np.array([float(law[int(x)]) for x in outcomes])
    values, counts = np.unique(np.asarray(draws), return_counts=True)
    found = np.array([counts[values == x].sum() for x in outcomes])
    seen = np.concatenate([found, np.cumsum(found)])
    expected = np.minimum(np.concatenate([shares, np.cumsum(shares)]), 1)
    n = len(draws)
    tails = np.minimum(binom.cdf(seen, n, expected), binom.sf(seen - 1, n, expected))
    return min(1.0, 2 * len(seen) * tails.min())


def follows(draws, law):
    """Whether the draws pass."""
    return p_value(draws, law) >= ALARM
