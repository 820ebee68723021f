"""Bounds of core numbers from rounds of leaving hold for every graph under all noises that they allow for."""

from fractions import Fraction

import numpy as np
import pytest
from tests.unit.mechanism.graph.tiny_graphs import graphs

from sfumato.mechanism.graph.cores.bounds import bounds_of_leaving
from sfumato.mechanism.graph.cores.rising import RisingPeeling, rounds_of_leaving
from sfumato.mechanism.graph.cores.surrogate import of_groups
from sfumato.noise.bits import KeyedBits
from sfumato.summary.cores import core_numbers


def misses(reach, told, step, fine):
    """How often the bounds for noises within `told` miss, on all graphs of five vertices with noises within `reach`."""
    rng, missed = np.random.default_rng(1), 0
    first = -step * -(-2 * reach // step)
    for graph in graphs(5):
        start, to = graph.neighbors()
        core = core_numbers(graph)
        for noise in rng.integers(-reach, reach + 1, (4, 5)):
            left = rounds_of_leaving(start, to, noise, fine, first, step)
            low, high = bounds_of_leaving(left, first, step, told, fine)
            missed += int(np.any((core < low) | (core > high)))
    return missed


@pytest.mark.parametrize(("step", "fine"), [(1, 1), (3, 1), (1, 2)])
def test_all_graphs_of_five_vertices_are_within_their_bounds(step, fine):
    assert misses(2, 2, step, fine) == 0


def test_bounds_of_less_noise_miss():
    """The broken twin: what allows for half of the noise."""
    assert misses(2, 1, 1, 1) > 0


def test_no_noise_is_beyond_the_reach_with_the_confidence():
    """By the law of the noise: n P(|x| > B) = 2 n q^(B + 1)/(1 + q) is at most what may be missed, and B - 1 is too little."""
    method = RisingPeeling(300, Fraction(1))
    q, confidence = float(np.exp(-1 / float(method.scale))), 0.9
    published = method.decide(of_groups(300, 600, np.random.default_rng(1)), bits=KeyedBits(bytes(32), is_secure=False))
    _, high = method.bounds(published, confidence)
    thresholds = method.first + method.rise.numerator * published.rounds[0]
    (reach,) = set((high * method.fine - thresholds)[(high > 0) & (high < 299)].tolist())  # F = 1 at ε = 1
    beyond = [2 * 300 * q ** (b + 1) / (1 + q) for b in (reach, reach - 1)]
    assert beyond[0] <= 1 - confidence < beyond[1]


def test_the_bounds_hold_together_as_often_as_they_say():
    """200 runs at 80 %: more than 74 misses have a chance below 1e-6; the bounds of a hundredth of the noise miss nearly always."""
    graph, bits = of_groups(60, 200, np.random.default_rng(2)), KeyedBits(bytes(32), is_secure=False)
    method, core = RisingPeeling(60, Fraction(2)), core_numbers(graph)
    missed = broken = 0
    for _ in range(200):
        found = method.decide(graph, bits=bits)
        low, high = method.bounds(found, 0.8)
        missed += int(np.any((core < low) | (core > high)))
        narrow = bounds_of_leaving(found.rounds[0], method.first, method.rise.numerator, 0, method.fine)
        broken += int(np.any((core < narrow[0]) | (core > narrow[1])))
    assert missed <= 74
    assert broken > 150
