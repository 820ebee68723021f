"""Scans, audited on whole outcomes: right ones pass, published broken ones are refuted.

Bounds hold with confidence 1 - 1e-6 each, so a right scan is refuted with probability below 1e-6.
"""

from fractions import Fraction

import numpy as np
import pytest

from sfumato.attack.audit import audit
from sfumato.mechanism.central.above_threshold import AboveThreshold
from sfumato.mechanism.central.sparse_vector import SparseVector
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.testing.seeded_bits import SeededBits

LISTS = [(4, 4, 4, 0, 0, 0), (5, 5, 5, -1, -1, -1)]
"""Two neighbors: values far above that move up, then values at the threshold that move down."""


def run(scan, n):
    bits = SeededBits(31)
    return audit(lambda rows: scan(rows, bits), LISTS, n=n, confidence=1 - 1e-6)


def answers_of(mechanism):
    """Outcomes of a mechanism as rows: 0 below, 1 above, 2 no answer."""

    def scan(rows, bits):
        out = np.full(rows.shape, 2)
        for i, row in enumerate(rows):
            above = mechanism.decide(row, confidence=0.9, bits=bits).above
            out[i, : len(above)] = above
        return out

    return scan


def test_above_threshold_keeps_its_epsilon_in_sessions():
    scan = AboveThreshold(Fraction(1), 1, 0, monotone=False)

    def ask(rows, bits):
        out = np.zeros(len(rows), np.int64)
        for i, row in enumerate(rows):
            session = scan.start(bits=bits)
            for value in row.tolist():
                out[i] += 1
                if session.ask(value):
                    break
            else:
                out[i] = -1
        return out[:, None]

    assert not run(ask, 400).refutes(1.0)


@pytest.mark.parametrize("restarted", [False, True])
def test_the_sparse_vector_technique_keeps_its_epsilon(restarted):
    scan = SparseVector(Fraction(2), 1, 0, answers=3, monotone=False, restarted=restarted)
    assert not run(answers_of(scan), 500).refutes(2.0)


def published(of_threshold, of_query):
    """A scan that never stops."""

    def scan(rows, bits):
        least = discrete_laplace(len(rows), of_threshold, bits=bits)[:, None]
        noise = discrete_laplace(rows.size, of_query, bits=bits).reshape(rows.shape) if of_query else 0
        return (rows + noise >= least).astype(np.int64)

    return scan


def test_scans_without_an_end_are_refuted():
    """Chen and others 2015, ε = 1: noise 2Δ/ε on both."""
    assert run(published(Fraction(2), Fraction(2)), 300_000).refutes(1.0)


def test_scans_of_values_without_noise_are_refuted():
    """Stoddard and others 2014, ε = 1."""
    bits = SeededBits(32)
    scan = published(Fraction(2), None)
    found = audit(lambda rows: scan(rows, bits), [(0, 1), (1, 0)], n=20_000, confidence=1 - 1e-6)
    assert found.refutes(1.0)
    assert found.epsilon_lower > 4
