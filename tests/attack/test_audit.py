"""Every randomizer is audited from its reports: the right one passes, its broken twin is caught.

Bounds hold with confidence 1 - 1e-6 each, so a right randomizer is refuted with probability below 1e-6.
"""

from math import log

import numpy as np
import pytest

from sfumato.attack.audit import audit
from sfumato.mechanism.local.hashing import Hashing
from sfumato.mechanism.local.longitudinal.d_bit_flip import DBitFlip
from sfumato.mechanism.local.longitudinal.l_grr import LGRR
from sfumato.mechanism.local.longitudinal.l_unary import l_osue, l_sue
from sfumato.mechanism.local.longitudinal.loloha import LOLOHA, hash_cells
from sfumato.mechanism.local.longitudinal.memory import collect, start
from sfumato.mechanism.local.numeric.base import publish
from sfumato.mechanism.local.numeric.duchi import Duchi
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.hybrid import Hybrid
from sfumato.mechanism.local.numeric.laplace import BoundedLaplace, ScaledLaplace
from sfumato.mechanism.local.numeric.piecewise import Piecewise
from sfumato.mechanism.local.numeric.square_wave import SquareWave
from sfumato.mechanism.local.numeric.staircase import CalibratedStaircase, NaiveStaircase
from sfumato.mechanism.local.randomized_response import forced_response, warner_of
from sfumato.mechanism.local.registry import oracles
from sfumato.mechanism.local.subset_selection import SubsetSelection
from sfumato.mechanism.perturb.pram import randomize
from sfumato.mechanism.perturb.transition import keep_share
from sfumato.testing.seeded_bits import SeededBits

N, CONFIDENCE, K = 40_000, 1 - 1e-6, 6
EPSILON = 1.0


def run(sampler, inputs, views=None):
    bits = SeededBits(71)
    return audit(lambda values: sampler(values, bits), inputs, n=N, confidence=CONFIDENCE, views=views)


def hash_views(oracle):
    """The bucket of each value under the hash that came with the report, and whether it was reported."""
    if not isinstance(oracle.encoding, Hashing):
        return {}
    width, g = oracle.encoding.word_bits, oracle.encoding.n_buckets

    def holds(value):
        def view(reports):
            a, b = (reports[name].astype(object) for name in ("a", "b"))
            z = ((a * value + b) % 2**width) >> (width // 2)
            return (((z * g) >> (width // 2)) == reports["bucket"]).astype(int)

        return view

    return {"holds 0": holds(0), "holds 1": holds(1), "both": lambda r: 2 * holds(0)(r) + holds(1)(r)}


@pytest.mark.parametrize("name", sorted(oracles()))
def test_frequency_oracles_pass_and_with_half_the_noise_are_caught(name):
    right, twin = oracles()[name](EPSILON, K), oracles()[name](2 * EPSILON, K)
    found = run(lambda v, bits: right.randomize(v, bits=bits), [0, 1], hash_views(right))
    assert 0.7 * EPSILON < found.epsilon_lower <= right.epsilon
    assert run(lambda v, bits: twin.randomize(v, bits=bits), [0, 1], hash_views(twin)).refutes(right.epsilon)


@pytest.mark.parametrize("design", [warner_of(1.0), forced_response("2/3", "1/6")], ids=["warner", "forced"])
def test_yes_no_designs_pass_and_with_half_the_noise_are_caught(design):
    found = run(lambda v, bits: design.randomize(v, bits=bits), [0, 1])
    assert 0.7 * design.epsilon < found.epsilon_lower <= design.epsilon
    twin = warner_of(2 * design.epsilon)
    assert run(lambda v, bits: twin.randomize(v, bits=bits), [0, 1]).refutes(design.epsilon)


GRID = Grid(0.0, 1.0, steps=32)
NUMERIC = [BoundedLaplace, CalibratedStaircase, Piecewise, SquareWave, Duchi, Hybrid]


def published(mechanism):
    return lambda v, bits: publish(mechanism, mechanism.randomize(v, bits=bits))


@pytest.mark.parametrize("make", NUMERIC, ids=lambda m: m.__name__)
def test_numeric_mechanisms_pass_and_with_half_the_noise_are_caught(make):
    right, twin = make(GRID, 2.0), make(GRID, 4.0)
    found = run(published(right), [0.0, 1.0])
    assert 1.0 < found.epsilon_lower <= right.epsilon
    assert run(published(twin), [0.0, 1.0]).refutes(right.epsilon)


def test_the_naive_staircase_leaks_more_than_its_nominal_epsilon():
    """The worst pair has a value in the middle, where more of the noise stays inside the bounds."""
    naive = NaiveStaircase(GRID, 2.0)
    found = run(published(naive), [0.0, 0.25, 0.5, 0.75, 1.0])
    assert 2.0 < found.epsilon_lower <= naive.epsilon


def test_laplace_of_a_smaller_sensitivity_is_caught():
    twin = ScaledLaplace(GRID, 1.0, sensitivity=0.25)
    assert run(published(twin), [0.0, 1.0]).refutes(1.0)


def test_noise_rounded_before_it_is_added_is_caught():
    """Whole-number noise leaves the fraction of the value in the report: any epsilon is refuted."""
    rng = np.random.default_rng(1)
    found = run(lambda v, bits: v + np.round(rng.laplace(0, 10, len(v))), [0.25, 0.5])
    assert found.epsilon_lower > 7


def test_a_report_in_which_the_true_value_comes_first_is_caught():
    """Subset selection without the shuffle, as a published library has it: ε = 1 is refuted by far."""
    oracle = SubsetSelection(EPSILON, 100)

    def leaks(values, bits):
        reports = oracle.randomize(values, bits=bits)
        order = np.argsort(reports != values[:, np.newaxis], axis=1, kind="stable")
        return np.take_along_axis(reports, order, axis=1)

    assert not run(lambda v, bits: oracle.randomize(v, bits=bits), [40, 60]).refutes(EPSILON)
    assert run(leaks, [40, 60]).epsilon_lower > 3


def test_a_probability_rounded_to_one_digit_is_caught():
    """GRR with k = 40 at ε = 1: q = 0.024 becomes 0.0 for the rarest value, which is then never a fake."""
    rng, k = np.random.default_rng(2), 40
    q = 1 / (np.e + k - 1)
    chances = np.full((k, k), q) + (np.e - 1) * q * np.eye(k)
    chances[1:, 0] = round(q, 1)
    chances /= chances.sum(axis=1, keepdims=True)

    def rounded(values, bits):
        return np.array([], int) if not len(values) else rng.choice(k, len(values), p=chances[values[0]])

    assert run(rounded, [0, 1]).epsilon_lower > 3


PROTOCOLS = [LGRR, l_sue, l_osue]


def one_report(protocol):
    """The first report of fresh persons, with what travels along."""

    def sample(values, bits):
        memory = start(protocol, len(values), bits=bits)
        reports, _ = collect(protocol, memory, values, bits=bits)
        return (memory.traits, reports) if memory.traits.size else reports

    return sample


def many_reports(protocol, rounds):
    """The sum of many reports of fresh persons who remember: near the answer itself."""

    def sample(values, bits):
        memory = start(protocol, len(values), bits=bits)
        total = 0
        for _ in range(rounds):
            reports, memory = collect(protocol, memory, values, bits=bits)
            total = total + (reports if reports.ndim == 2 else reports[:, np.newaxis] == np.arange(K))
        return total * 4 // rounds

    return sample


@pytest.mark.parametrize("make", PROTOCOLS, ids=lambda m: m.__name__)
def test_first_reports_keep_their_epsilon_and_all_together_the_permanent_one(make):
    protocol, twin = make(K, 1.0, 2.0), make(K, 2.0, 4.0)
    assert 0.6 < run(one_report(protocol), [0, 1]).epsilon_lower <= protocol.epsilon_first
    assert run(one_report(twin), [0, 1]).refutes(protocol.epsilon_first)
    together = run(many_reports(protocol, 12), [0, 1])
    assert 1.2 < together.epsilon_lower <= protocol.epsilon_permanent


@pytest.mark.parametrize("make", PROTOCOLS, ids=lambda m: m.__name__)
def test_devices_that_forget_are_caught(make):
    protocol = make(K, 1.0, 2.0)

    def forgets(values, bits):
        return sum(
            reports if reports.ndim == 2 else (reports[:, np.newaxis] == np.arange(K)).astype(int)
            for reports in (one_report(protocol)(values, bits) for _ in range(12))
        )

    assert run(forgets, [0, 1]).refutes(protocol.epsilon_permanent)


def test_bit_flips_pass_and_with_half_the_noise_are_caught():
    right, twin = DBitFlip(K, K, 3, 1.0), DBitFlip(K, K, 3, 2.0)

    def both(reports):
        drawn, bits = reports
        return sum(3**i * ((drawn == i) * (1 + bits)).max(axis=1) for i in (0, 1))

    found = run(one_report(right), [0, 1], {"bits of 0 and 1": both})
    assert 0.5 < found.epsilon_lower <= right.epsilon_permanent
    assert run(one_report(twin), [0, 1], {"bits of 0 and 1": both}).refutes(right.epsilon_permanent)


def test_hashed_reports_pass_and_with_half_the_noise_are_caught():
    right, twin = LOLOHA(K, 1.0, 2.0, 4), LOLOHA(K, 2.0, 4.0, 4)

    def both(reports):
        traits, cells = reports
        return sum(2**i * (hash_cells(traits, np.full(len(cells), i), 4) == cells) for i in (0, 1))

    found = run(one_report(right), [0, 1], {"holds 0 and 1": both})
    assert 0.6 < found.epsilon_lower <= right.epsilon_first
    assert run(one_report(twin), [0, 1], {"holds 0 and 1": both}).refutes(right.epsilon_first)


def test_a_hash_function_that_depends_on_the_value_is_caught():
    """The trait that travels with the report is drawn from the value: the key is leaked."""
    protocol = LOLOHA(K, 1.0, 2.0, 2)

    def leaks(values, bits):
        traits, cells = one_report(protocol)(values, bits)
        return traits // K * K + values[:, np.newaxis], cells

    assert run(leaks, [0, 1], {"seed": lambda r: r[0][:, 0] % K}).epsilon_lower > 7


def test_pram_passes_and_with_half_the_noise_is_caught():
    right, twin = keep_share(4, 0.5), keep_share(4, 0.75)
    found = run(lambda v, bits: randomize(v, right, bits=bits), [0, 1, 2])
    assert 0.8 < found.epsilon_lower <= right.epsilon == pytest.approx(log(3))
    assert run(lambda v, bits: randomize(v, twin, bits=bits), [0, 1, 2]).refutes(right.epsilon)
