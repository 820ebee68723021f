"""Counts that many clients would give, drawn from their exact law, without drawing a single report.

Given the Bloom bits, all reported bits of persons who report once are independent, so the count of a bit is a sum
of two binomials. The chance here simulates and protects nobody: it comes from a NumPy generator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.mechanism.local.rappor.counts import BitCounts

if TYPE_CHECKING:
    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.types import IntArray


def simulate_counts(
    params: RapporParams, persons: IntArray, design: IntArray, *, rng: np.random.Generator
) -> BitCounts:
    """Counts of persons who each draw a cohort and send one report.

    Args:
        params: of the collection.
        persons: (n_values,) int64, persons who hold each string.
        design: (n_values, m, h) int64, the bits of each string, as `bloom.design_bits` gives them.
        rng: simulated chance.

    Returns:
        Counts, with the law of those of as many real clients.

    Raises:
        ParameterError: counts of persons that do not fit the design. Remedy: one for each string.

    Example:
        >>> from sfumato.mechanism.local.rappor.bloom import design_bits
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> home = RapporParams("home", bits=16, hashes=2, cohorts=4, f="1/2", p="1/2", q="3/4")
        >>> counts = simulate_counts(home, np.array([900, 100]), design_bits(home, ["a", "b"]), rng=np.random.default_rng(1))
        >>> counts.total
        1000
    """
    held = np.asarray(persons, np.int64)
    if held.ndim != 1 or len(held) != len(design) or np.any(held < 0):
        raise ParameterError("There must be one count of persons, at least 0, for each string.", "count them so.")
    by_cohort = rng.multinomial(held, np.full(params.cohorts, 1 / params.cohorts))
    n, true = by_cohort.sum(axis=0), true_ones(params, by_cohort, design)
    ones = rng.binomial(true, float(params.q_star)) + rng.binomial(n[:, np.newaxis] - true, float(params.p_star))
    return BitCounts(n.astype(np.int64), ones.astype(np.int64))


def true_ones(params: RapporParams, by_cohort: IntArray, design: IntArray) -> IntArray:
    """(m, k) int64: persons of each cohort whose Bloom filter sets each bit; hashes that coincide set one bit.

    Args:
        params: of the collection.
        by_cohort: (n_values, m) int64, persons by string and cohort.
        design: (n_values, m, h) int64.
    """
    place = np.sort(design + params.bits * np.arange(params.cohorts)[:, np.newaxis], axis=2)
    first = np.ones(place.shape, bool)
    first[:, :, 1:] = place[:, :, 1:] != place[:, :, :-1]
    weights = np.where(first, by_cohort[:, :, np.newaxis], 0)
    flat = np.bincount(place.ravel(), weights=weights.ravel(), minlength=params.cohorts * params.bits)
    return np.rint(flat).astype(np.int64).reshape(params.cohorts, params.bits)
