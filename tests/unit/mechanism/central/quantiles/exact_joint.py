"""The exact law of the joint exponential mechanism on tiny tables: by its definition, and by replaying its code."""

from collections import Counter
from itertools import combinations_with_replacement, pairwise
from math import exp, factorial, inf, log, prod

import numpy as np

import sfumato.mechanism.central.quantiles.joint_exponential as module
from sfumato.mechanism.central.quantiles.joint_exponential import weigh


def tables(fine, most, least=0):
    """All sorted tables of `least` to `most` places."""
    return [t for n in range(least, most + 1) for t in combinations_with_replacement(range(fine), n)]


def orders(answer):
    """In how many orders the places of an answer can come."""
    return factorial(len(answer)) // prod(factorial(k) for k in Counter(answer).values())


def losses(method, table, fine, total):
    """L(o) - |n - N| of every answer by the definition, cell by cell, exactly."""
    found, surplus = {}, abs(len(table) - total)
    for answer in combinations_with_replacement(range(fine), len(method.quantiles)):
        cuts = [-1, *answer, fine]
        counts = [sum(a <= y < b for y in table) for a, b in pairwise(cuts)]
        found[answer] = sum(abs(c - total * g) for c, g in zip(counts, method.gaps, strict=True)) - surplus
    return found


def ideal_law(method, table, fine, total):
    """P(answer) by the definition: each order of an answer has the weight e^(-ηL), and its part of the floor.

    The floor is 2⁻⁴⁴ of all weights together, or of the weight of one answer of the loss 2²⁰/m where that is more.
    Weights are taken relative to the best answer, by exact losses, so no ε is too large.
    """
    exact = losses(method, table, fine, total)
    best, m = min(exact.values()), len(method.quantiles)
    weights = {answer: exp(-float(method.rate * (loss - best))) for answer, loss in exact.items()}
    whole = sum(orders(answer) * weight for answer, weight in weights.items())
    least = float(method.rate * best) - method.worst
    floor = max(whole, exp(min(least, 700.0))) / 2**module._FLOOR_BITS
    return {a: orders(a) * (weight + floor / fine**m) / (whole + floor) for a, weight in weights.items()}


def shares(logs):
    """Probabilities of a draw."""
    if not len(logs) or logs.max() == -inf:
        return np.zeros(len(logs))
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def rank_law(weights):
    """P(ranks) as `draw_ranks` draws them: every choice replayed."""
    out, m = Counter(), len(weights.lows)

    def follow(j, rank, found, p):
        for i, share in enumerate(shares(weights.runs(j, rank))):
            if not share:
                continue
            ranks, k = (rank,) * (i + 1) + found, j - i - 1
            if k < 0:
                out[ranks] += p * share
                continue
            for x, part in enumerate(shares(weights.before(k, rank))):
                if part:
                    follow(k, weights.lows[k] + x, ranks, p * share * part)

    for x, part in enumerate(shares(weights.ends)):
        if part:
            follow(m - 1, weights.lows[m - 1] + x, (), part)
    return out


def coded_law(method, table, fine, total, floor=True):
    """P(answer) as the code draws it, coins taken at their stated chance."""
    ordered, m = np.array(table, np.int64), len(method.quantiles)
    weights, log_odds = weigh(method, ordered, fine, total)
    below = 1 / (1 + exp(min(-log_odds, 700.0))) if floor else 0.0
    ranked = rank_law(weights)
    edges = [-1, *table, fine - 1]
    law = {}
    for answer in combinations_with_replacement(range(fine), m):
        ranks = tuple(sum(y < o for y in table) for o in answer)
        runs = prod(factorial(k) / (edges[r + 1] - edges[r]) ** k for r, k in Counter(ranks).items())
        within = runs / prod(factorial(k) for k in Counter(answer).values())
        law[answer] = below * orders(answer) / fine**m + (1 - below) * ranked[ranks] * within
    return law


def laplace_law(method, n, totals):
    """P(N = total) of the noisy count, clamped at 0; 1 where none is drawn."""
    if not method.share:
        return {n: 1.0}
    q = exp(-float(method.share * method.epsilon / method.rows))
    point = {t: (1 - q) / (1 + q) * q ** abs(t - n) for t in totals}
    return point | {0: q**n / (1 + q)}


def farthest(laws):
    """Largest log-ratio over pairs of laws, both ways."""
    most = 0.0
    for one, other in laws:
        for answer in one:
            if one[answer] == other[answer] == 0:
                continue
            if min(one[answer], other[answer]) == 0:
                return inf
            most = max(most, abs(log(one[answer] / other[answer])))
    return most


def joint_law(method, table, fine, totals):
    """P(N, answer) for the totals."""
    counted = laplace_law(method, len(table), totals)
    return {
        (total, answer): share * p
        for total, share in counted.items()
        for answer, p in coded_law(method, table, fine, total).items()
    }


def added(fine, most):
    """Pairs (table, table with one row more)."""
    return [(t, tuple(sorted((*t, y)))) for t in tables(fine, most - 1) for y in range(fine)]


def replaced(fine, n):
    """Pairs of tables of n rows that differ in one."""
    return [
        (tuple(sorted((*t, a))), tuple(sorted((*t, b))))
        for t in tables(fine, n - 1, n - 1)
        for a in range(fine)
        for b in range(a)
    ]
