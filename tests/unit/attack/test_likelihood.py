"""Likelihoods against slow twins that list everything."""

from itertools import product

import numpy as np
import pytest

from sfumato.attack.likelihood import of_bits, of_remembered_bits, of_remembered_symbols, of_supports
from sfumato.errors import ParameterError

A = np.array([[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.1, 0.1, 0.8]])
R = np.array([[0.5, 0.3, 0.2], [0.25, 0.5, 0.25], [0.2, 0.2, 0.6]])


def centered(logs):
    """Logarithms without the constant of a person."""
    return logs - logs[:, :1]


def test_fresh_symbols_follow_randomized_response():
    """k = 3, p = e/(e+2): the product of the reports' probabilities."""
    keep = np.e / (np.e + 2)
    matrix = np.where(np.eye(3, dtype=bool), keep, (1 - keep) / 2)
    counts = np.array([[2, 1, 0], [0, 3, 1]])
    slow = np.log(np.array([[np.prod(matrix[v] ** row) for v in range(3)] for row in counts]))
    assert centered(of_supports(counts, 1.0)) == pytest.approx(centered(slow))


def test_fresh_bits_follow_their_product():
    p, q, counts, n = 0.7, 0.2, np.array([[2, 1, 0]]), 3
    slow = []
    for v in range(3):
        ones = np.where(np.arange(3) == v, p, q)
        slow.append(np.sum(counts[0] * np.log(ones) + (n - counts[0]) * np.log(1 - ones)))
    assert centered(of_bits(counts, n, p, q)) == pytest.approx(centered(np.array([slow])))


def test_remembered_symbols_follow_the_sum_over_answers():
    counts = np.array([[2, 1, 0], [0, 3, 1]])
    slow = [[sum(A[v, z] * np.prod(R[z] ** row) for z in range(3)) for v in range(3)] for row in counts]
    assert of_remembered_symbols(counts, A, R) == pytest.approx(np.log(np.array(slow)))


def test_remembered_bits_follow_the_sum_over_vectors():
    counts, n, (p1, q1), (p2, q2) = np.array([[2, 1, 0]]), 3, (0.6, 0.3), (0.8, 0.25)
    slow = []
    for v in range(3):
        total = 0.0
        for z in product([0, 1], repeat=3):
            one = np.where(np.arange(3) == v, p1, q1)
            weight = np.prod(np.where(z, one, 1 - one))
            seen = np.where(z, p2, q2)
            total += weight * np.prod(seen ** counts[0] * (1 - seen) ** (n - counts[0]))
        slow.append(np.log(total))
    assert centered(of_remembered_bits(counts, n, (p1, q1), (p2, q2))) == pytest.approx(centered(np.array([slow])))


def test_remembered_answers_bound_the_odds_however_many_reports():
    """A million reports: the odds of two values stay within the largest ratio of the answers."""
    counts = np.array([[10**6, 0, 0], [0, 10**6, 0], [200_000, 200_000, 600_000]])
    scores = of_remembered_symbols(counts, A, R)
    assert np.ptp(scores, axis=1).max() <= np.log(6) + 1e-9
    bits = of_remembered_bits(counts, 10**6, (0.6, 0.3), (0.8, 0.2))
    assert np.ptp(bits, axis=1).max() <= np.log(0.6 * 0.7 / (0.3 * 0.4)) + 1e-9


def test_certain_or_empty_probabilities_are_refused():
    for call in (
        lambda: of_bits(np.ones((1, 2)), 1, 0.5, 0.5),
        lambda: of_bits(np.ones((1, 2)), 1, 1.0, 0.5),
        lambda: of_remembered_bits(np.ones((1, 2)), 1, (0.5, 0.5), (0.6, 0.4)),
        lambda: of_remembered_symbols(np.ones((1, 2)), np.eye(2), np.eye(2)),
    ):
        with pytest.raises(ParameterError, match="Remedy"):
            call()
