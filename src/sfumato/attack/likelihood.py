"""How likely a person's reports are under each value: logarithms, up to a constant of the person.

An adversary knows the protocol's public parameters and, of each person, how many of the reports support
each value. Four cases: reports that support a set (GRR, local hashing, subset selection) or are bits
(SUE, OUE); drawn anew each time, or from a remembered answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray


def of_supports(counts: IntArray, epsilon: float) -> FloatArray:
    """Fresh reports that support a set: ε for each report that supports the value.

    P[y|v] takes two values, e^ε times the smaller where y supports v (GRR, local hashing, subset selection).

    Args:
        counts: (n, k) int64, reports of each person that support each value.
        epsilon: of one report, > 0.

    Returns:
        (n, k) float64 log-likelihoods.

    Example:
        >>> of_supports(np.array([[2, 0]]), 0.5).tolist()
        [[1.0, 0.0]]
    """
    return np.asarray(epsilon * np.asarray(counts), np.float64)


def of_bits(counts: IntArray, n_reports: int, p: float, q: float) -> FloatArray:
    """Fresh vectors of bits: c ln(p/q) + (T - c) ln((1-p)/(1-q)) for a value whose bit was set c times.

    Args:
        counts: (n, k) int64, how often each bit was set.
        n_reports: T, reports of each person.
        p: Pr[bit set | it is the value's].
        q: Pr[bit set | it is another's], 0 < q < p < 1.

    Returns:
        (n, k) float64 log-likelihoods.

    Example:
        >>> of_bits(np.array([[2, 0]]), 2, 0.75, 0.25).round(4).tolist()
        [[2.1972, -2.1972]]
    """
    _check(p, q)
    c = np.asarray(counts, np.float64)
    return np.asarray(c * np.log(p / q) + (n_reports - c) * np.log((1 - p) / (1 - q)))


def of_remembered_symbols(counts: IntArray, answer: FloatArray, report: FloatArray) -> FloatArray:
    """Reports from a remembered answer: ln Σ_z A[v, z] Π_y R[z, y]^c_y.

    However many the reports, two values differ by at most the epsilon of A: the sum is a mixture over z
    with weights A[v, z], and the ratio of two mixtures is at most the largest ratio of weights.

    Args:
        counts: (n, g) int64, how often each symbol was reported.
        answer: (k, g) float64, A: Pr[remembered symbol z | value v], > 0.
        report: (g, g) float64, R: Pr[reported symbol y | remembered z], > 0.

    Returns:
        (n, k) float64 log-likelihoods.

    Example:
        >>> a = np.array([[0.75, 0.25], [0.25, 0.75]])
        >>> many = of_remembered_symbols(np.array([[800, 200]]), a, np.array([[0.8, 0.2], [0.2, 0.8]]))
        >>> round(float(many[0, 0] - many[0, 1]), 6) == round(float(np.log(3)), 6)
        True
    """
    if not (np.all(answer > 0) and np.all(report > 0)):
        raise ParameterError("Both matrices must be positive everywhere.", "give the probabilities as sampled.")
    given_z = np.asarray(np.asarray(counts, np.float64) @ np.log(report).T, np.float64)
    return _log_sum(np.asarray(given_z[:, np.newaxis, :] + np.log(answer)[np.newaxis], np.float64))


def of_remembered_bits(
    counts: IntArray, n_reports: int, answer: tuple[float, float], report: tuple[float, float]
) -> FloatArray:
    """Vectors of bits from a remembered vector: the same mixture for each bit, which are independent.

    With L(b) the likelihood of the bit's reports when b is remembered, a value scores
    ln (p1 L(1) + (1-p1) L(0)) - ln (q1 L(1) + (1-q1) L(0)) at its own bit.

    Args:
        counts: (n, k) int64, how often each bit was set.
        n_reports: T, reports of each person.
        answer: p1 and q1, Pr[remembered bit set | it is, is not, the value's].
        report: p2 and q2, Pr[reported bit set | remembered bit is, is not, set].

    Returns:
        (n, k) float64 log-likelihoods.

    Example:
        >>> scores = of_remembered_bits(np.array([[800, 200]]), 1000, (0.5, 0.25), (0.8, 0.2))
        >>> round(float(scores[0, 0] - scores[0, 1]), 6) == round(float(np.log(3)), 6)
        True
    """
    (p1, q1), (p2, q2) = answer, report
    _check(p1, q1)
    _check(p2, q2)
    c = np.asarray(counts, np.float64)
    is_set = c * np.log(p2) + (n_reports - c) * np.log1p(-p2)
    is_clear = c * np.log(q2) + (n_reports - c) * np.log1p(-q2)
    both = np.stack([is_set, is_clear], axis=-1)
    return np.asarray(_log_sum(both + np.log([p1, 1 - p1])) - _log_sum(both + np.log([q1, 1 - q1])))


def _log_sum(terms: FloatArray) -> FloatArray:
    """The logarithm of the sum of exponentials along the last axis."""
    top = terms.max(axis=-1, keepdims=True)
    return np.asarray(np.log(np.exp(terms - top).sum(axis=-1)) + top[..., 0])


def _check(p: float, q: float) -> None:
    if not 0 < q < p < 1:
        raise ParameterError(
            "There must be 0 < q < p < 1; got p={p} and q={q}.", "give the public parameters.", p=p, q=q
        )
