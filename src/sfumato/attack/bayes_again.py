"""How often the best guess of an answer is right, exactly, when a person's reports about it are several: Σ_y max_v π_v P[y|v].

Here y are all reports of a person together, π the shares of the answers. Reports that are drawn anew come as often as each of
them came (`right_by_counts`); bits are independent, so what decides is one number for each answer (`right_by_parts`); reports
from a remembered symbol are a mixture (`right_by_remembered`); hash functions drawn each time are walked (`right_by_draws`).
`bayes` has the same of one report.
"""

from __future__ import annotations

from math import comb, lgamma, log
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.bayes import right_by_law
from sfumato.attack.likelihood import of_remembered_symbols

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray

_NEVER = 1e-300
"""Stands for probability 0 where logarithms are multiplied by counts."""


def ways(n_reports: int, n_symbols: int) -> int:
    """In how many ways so many reports can be distributed among so many symbols.

    Example:
        >>> ways(2, 3)
        6
    """
    return comb(n_reports + n_symbols - 1, n_reports)


def distributions(n_reports: int, n_symbols: int) -> IntArray:
    """(ways, n_symbols) int64: how often each symbol can come, each way once.

    Example:
        >>> distributions(2, 2).tolist()
        [[0, 2], [1, 1], [2, 0]]
    """
    rows, left = np.zeros((1, 0), np.int64), np.array([n_reports])
    for _ in range(n_symbols - 1):
        again = left + 1
        rows = np.repeat(rows, again, axis=0)
        here = np.arange(len(rows)) - np.repeat(np.cumsum(again) - again, again)
        rows, left = np.column_stack([rows, here]), np.repeat(left, again) - here
    return np.column_stack([rows, left])


def log_orders(counts: IntArray) -> FloatArray:
    """(N,) float64: logarithms of the number of orders in which symbols come so often each.

    Example:
        >>> np.exp(log_orders(np.array([[2, 1]]))).round(6).tolist()
        [3.0]
    """
    n = int(counts[0].sum())
    table = np.array([lgamma(i + 1) for i in range(n + 1)])
    return np.asarray(table[n] - table[counts].sum(axis=1))


def log_binomial(n: int, p: float) -> FloatArray:
    """(n+1,) float64: logarithms of the binomial law, 0 <= p <= 1.

    Example:
        >>> np.exp(log_binomial(2, 0.5)).round(6).tolist()
        [0.25, 0.5, 0.25]
    """
    ones = np.arange(n + 1)
    yes, no = log(max(p, _NEVER)), log(max(1 - p, _NEVER))
    return np.asarray(log_orders(np.column_stack([ones, n - ones])) + ones * yes + (n - ones) * no)


def right_by_counts(prior: FloatArray, law: FloatArray, n_reports: int) -> float:
    """The chance of the best guess from reports that are drawn anew, by how often each of few came.

    Args:
        prior: (c,) float64, shares of the answers, of sum 1.
        law: (c, K) float64, P[one report | answer]; rows of sum 1.
        n_reports: of a person, >= 1.

    Example:
        >>> round(right_by_counts(np.array([0.5, 0.5]), np.array([[0.75, 0.25], [0.25, 0.75]]), 3), 6)
        0.84375
    """
    counts = distributions(n_reports, law.shape[1])
    return right_by_law(prior, np.exp(log_orders(counts) + np.log(np.maximum(law, _NEVER)) @ counts.T))


def right_by_draws(prior: FloatArray, laws: FloatArray) -> FloatArray:
    """The same where each report has a law of its own (a public hash function), for each person.

    Args:
        prior: (c,) float64, shares of the answers, of sum 1.
        laws: (n, T, c, g) float64, P[report t | answer] of each person; rows of sum 1.

    Returns:
        (n,) float64.

    Example:
        >>> laws = np.array([[[[0.75, 0.25], [0.25, 0.75]]] * 3])
        >>> right_by_draws(np.array([0.5, 0.5]), laws).round(6).tolist()
        [0.84375]
    """
    n, times, c, _ = laws.shape
    both = np.broadcast_to(prior[:, np.newaxis], (n, c, 1))
    for t in range(times):
        both = (both[..., np.newaxis] * laws[:, t, :, np.newaxis, :]).reshape(n, c, -1)
    return np.asarray(both.max(axis=1).sum(axis=1))


def right_by_parts(best: FloatArray, rest: FloatArray, log_own: FloatArray, log_other: FloatArray) -> FloatArray:
    """The same where each answer has a part of its own in the reports, and parts are independent (bits of each answer).

    With r the ratio of the chances of a part, own to other, π_v P[y|v] is π_v r(y_v) times what no answer changes. So the guess
    is the answer with the largest π_v r(y_v), and it is right with Σ_v π_v P[all others have less | v].

    Args:
        best: (n, m) float64, share of the most frequent answer with each part, for each person; 0: none.
        rest: (n,) float64, share of the most frequent answer that has no part; 0: none.
        log_own: (K,) float64, logarithms of the chances of a part if the answer is its own.
        log_other: (K,) float64, if it is not.

    Returns:
        (n,) float64.

    Example:
        >>> two = np.log(np.array([[0.25, 0.75], [0.75, 0.25]]))
        >>> right_by_parts(np.array([[0.5, 0.5]]), np.zeros(1), *two).round(6).tolist()
        [0.75]
    """
    with np.errstate(divide="ignore"):
        scores, bar = np.log(best)[:, :, np.newaxis] + (log_own - log_other), np.log(rest)
    own, other = np.exp(log_own), np.exp(log_other)
    wins = (scores >= bar[:, np.newaxis, np.newaxis]).astype(np.float64)
    loses = np.ones(len(best))
    for rival in range(best.shape[1]):
        theirs, before, after = scores[:, rival, np.newaxis, np.newaxis], scores[:, :rival], scores[:, rival + 1 :]
        wins[:, :rival] *= (theirs <= before[..., np.newaxis]) @ other  # of two alike the first is guessed
        wins[:, rival + 1 :] *= (theirs < after[..., np.newaxis]) @ other
        loses *= (scores[:, rival] < bar[:, np.newaxis]) @ other
    return np.asarray((best * (wins @ own)).sum(axis=1) + rest * loses)


def right_by_remembered(best: FloatArray, answer: FloatArray, report: FloatArray, n_reports: int) -> FloatArray:
    """The same from reports of one remembered symbol, each drawn from it anew.

    Args:
        best: (n, g) float64, share of the most frequent answer with each symbol, for each person; 0: none.
        answer: (g, g) float64, Pr[remembered symbol | symbol of the answer], > 0.
        report: (g, g) float64, Pr[reported symbol | remembered symbol], > 0.
        n_reports: of a person, >= 1.

    Returns:
        (n,) float64.

    Example:
        >>> a = np.array([[0.75, 0.25], [0.25, 0.75]])
        >>> round(float(right_by_remembered(np.array([[0.5, 0.5]]), a, np.array([[0.9, 0.1], [0.1, 0.9]]), 99)[0]), 6)
        0.75
    """
    counts = distributions(n_reports, len(report))
    law = np.exp(log_orders(counts)[:, np.newaxis] + of_remembered_symbols(counts, answer, report))
    kinds, back = np.unique(best, axis=0, return_inverse=True)
    found = np.array([(one * law).max(axis=1).sum() for one in kinds])
    return np.asarray(found[back.ravel()])
