"""Who came out is who went in: what an observer of entries and exits still does not know.

Persons go into a zone where nobody is seen and come out under other names. An observer knows when each went in, when each
came out, and how long the way takes. That k persons were inside together does not mean that log₂ k bits are unknown: the
times say much. What counts is the entropy of the *matchings* of entries and exits, each as likely as the product of its
travel times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray

MOST = 18
"""Persons of a zone: sums run over all subsets of exits."""


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """What an observer knows of a zone.

    Args:
        certainty: (n, n) float64, how probable it is that the person of an entry is that of an exit; rows and columns sum
            to 1.
        bits: entropy of the matchings, 0 to log₂ n!.
        per_person: (n,) float64 entropy of each person's exit, 0 to log₂ n.
    """

    certainty: FloatArray
    bits: float
    per_person: FloatArray


def matchings(weights: FloatArray) -> Matched:
    """The distribution of matchings that are as likely as the product of their weights.

    With Z the permanent of w and p_ij the probability that i goes to j, the entropy is log Z - Σ_ij p_ij log w_ij.

    Args:
        weights: (n, n) float64 >= 0, density of the time from entry i to exit j; 0: impossible. n <= 18.

    Raises:
        ParameterError: no square, numbers below 0, too many persons, or no possible matching. Remedy: smaller zones, times
            that fit.

    Source:
        The observer is that of A. R. Beresford, F. Stajano, "Location privacy in pervasive computing", IEEE Pervasive
        Computing 2, 2003; permanents by sums over subsets (R. Bellman, Journal of the ACM 9, 1962).

    Example:
        >>> round(matchings(np.ones((3, 3))).bits, 6), matchings(np.eye(3)).bits
        (2.584963, 0.0)
    """
    given = np.asarray(weights, np.float64)
    if given.ndim != 2 or given.shape[0] != given.shape[1] or not 1 <= len(given) <= MOST:
        raise ParameterError(
            "Weights must be a square of 1 to {most} entries and exits.", "choose smaller zones.", most=MOST
        )
    if not (np.isfinite(given).all() and (given >= 0).all()):
        raise ParameterError("Weights must be finite numbers of 0 or more.", "give densities of travel times.")
    n, top = len(given), given.max(axis=1, keepdims=True)
    scaled = given / np.where(top > 0, top, 1.0)
    before, after = _sums(scaled), _sums(scaled[::-1])
    if not before[-1] > 0:
        raise ParameterError(
            "At least one matching of entries and exits must be possible.", "check times and the law of travel times."
        )
    sets = np.arange(1 << n)
    size, full = _sizes(sets), (1 << n) - 1
    certainty = np.zeros((n, n))
    for i in range(n):
        here = sets[size == i]
        for j in range(n):
            free = here[here >> j & 1 == 0]
            certainty[i, j] = (before[free] * after[full ^ free ^ (1 << j)]).sum() * scaled[i, j] / before[-1]
    used = scaled > 0
    nats = np.log(before[-1]) - float((certainty[used] * np.log(scaled[used])).sum())
    return Matched(certainty, max(float(nats / np.log(2)), 0.0), _entropies(certainty))


def _sums(weights: FloatArray) -> FloatArray:
    """(2^n,) of each set of exits: Σ over ways to give them to the first entries of the product of weights."""
    n = len(weights)
    sets = np.arange(1 << n)
    size, total = _sizes(sets), np.zeros(1 << n)
    total[0] = 1.0
    for i in range(n):
        here = sets[size == i + 1]
        for j in range(n):
            with_j = here[here >> j & 1 == 1]
            total[with_j] += weights[i, j] * total[with_j ^ (1 << j)]
    return total


def _sizes(sets: IntArray) -> IntArray:
    """Members of sets that are written as bits."""
    return np.asarray(np.bitwise_count(sets), np.int64)


def _entropies(certainty: FloatArray) -> FloatArray:
    """Bits of each row."""
    logs = np.log2(certainty, out=np.zeros_like(certainty), where=certainty > 0)
    return np.asarray(0.0 - (certainty * logs).sum(axis=1), np.float64)
