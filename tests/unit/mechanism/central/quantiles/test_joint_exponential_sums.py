"""Sums of logarithms against plain sums."""

import math

import numpy as np
import pytest

from sfumato.mechanism.central.quantiles.joint_exponential_sums import log_scan, log_slide, log_sum

RNG = np.random.default_rng(5)


def slow_slide(logs, first, ends, length, fade):
    """Term by term, in whole windows."""
    at = {first + i: value for i, value in enumerate(logs)}
    return [
        math.fsum(math.exp(at[e - i] - fade * i) for i in range(length) if e - i in at)
        for e in range(ends[0], ends[1] + 1)
    ]


@pytest.mark.parametrize("n", [1, 2, 255, 256, 257, 513, 70_000])
def test_scan_is_the_running_sum(n):
    """At block edges, and over two levels of blocks."""
    logs = RNG.normal(0, 3, n)
    assert np.allclose(log_scan(logs), np.log(np.cumsum(np.exp(logs))), atol=1e-9)


def test_sum_of_very_different_weights():
    """Nothing underflows that matters, and an empty sum is 0."""
    assert log_sum(np.array([-5000.0, -5000.0])) == pytest.approx(-5000 + math.log(2))
    assert log_sum(np.empty(0)) == log_sum(np.array([-np.inf])) == -np.inf


@pytest.mark.parametrize("n", [1, 3, 10, 40])
@pytest.mark.parametrize("length", [0, 1, 2, 7, 39, 40, 100])
@pytest.mark.parametrize("fade", [0.0, 0.3])
def test_slide_agrees_with_its_slow_twin(n, length, fade):
    """Every kind of window: before the array, across its ends, behind it."""
    logs = np.where(RNG.random(n) < 0.2, -np.inf, RNG.normal(0, 3, n))
    for ends in ((-3, n + length + 3), (2, 5), (n + 1, n + 9), (-9, -2), (n - 1, n + 4)):
        found = np.exp(log_slide(logs, 10, (10 + ends[0], 10 + ends[1]), length, fade))
        assert np.allclose(found, slow_slide(logs, 10, (10 + ends[0], 10 + ends[1]), length, fade), rtol=1e-10)


@pytest.mark.parametrize("fade", [0.0, 0.02])
def test_long_windows_over_several_blocks(fade):
    """Windows of 300 over 1,000 positions: blocks within blocks."""
    logs, ends = RNG.normal(0, 3, 1000), (0, 1299)
    found = np.exp(log_slide(logs, 0, ends, 300, fade)[:-1])
    assert np.allclose(found, slow_slide(logs, 0, ends, 300, fade)[:-1], rtol=1e-10)
