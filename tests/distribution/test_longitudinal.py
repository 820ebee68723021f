"""Are memoised protocols unbiased, of the variance they state, and worth an adversary's patience?"""

import numpy as np
import pytest

from sfumato.mechanism.local.longitudinal.chain import variance_of_mean
from sfumato.mechanism.local.longitudinal.d_bit_flip import DBitFlip
from sfumato.mechanism.local.longitudinal.device import Device
from sfumato.mechanism.local.longitudinal.l_grr import LGRR
from sfumato.mechanism.local.longitudinal.l_unary import l_osue, l_sue
from sfumato.mechanism.local.longitudinal.loloha import LOLOHA
from sfumato.mechanism.local.longitudinal.memory import collect, start
from sfumato.mechanism.local.oracle import estimate, variance
from sfumato.testing.seeded_bits import SeededBits

RUNS, PERSONS = 2000, 100
VALUES = np.repeat([0, 1, 2, 3], [70, 20, 10, 0])
SHARES = np.array([0.7, 0.2, 0.1, 0.0])
PROTOCOLS = [
    LGRR(4, 1.0, 2.0),
    l_sue(4, 1.0, 2.0),
    l_osue(4, 1.0, 2.0),
    DBitFlip(4, 4, 1, 2.0),
    DBitFlip(4, 4, 3, 2.0),
    LOLOHA(4, 1.0, 2.0, 2),
    LOLOHA(4, 1.0, 2.0, 4),
]


def estimates(protocol, rounds):
    """(rounds, RUNS, 4): an estimate of each independent group of 100 persons at each collection."""
    bits = SeededBits(20230328)
    memory = start(protocol, RUNS * PERSONS, bits=bits)
    out = np.empty((rounds, RUNS, 4))
    for r in range(rounds):
        reports, memory = collect(protocol, memory, np.tile(VALUES, RUNS), bits=bits)
        for i in range(RUNS):
            part = slice(i * PERSONS, (i + 1) * PERSONS)
            counts = protocol.count_support(reports[part], memory.traits[part])
            out[r, i] = estimate(counts, PERSONS, protocol.support)
    return out


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda p: p.label.decode())
def test_estimates_are_unbiased_and_vary_as_stated(protocol):
    """2,000 runs: |z| < 6 for 4 means (false alarm 8e-9), variance ratios within 1 ± 0.22.

    The ratio of a normal sample's variance to the true one leaves that range with probability below
    2 exp(-1000 (0.22 - ln 1.22)) < 2e-9.
    """
    found = estimates(protocol, 1)[0]
    true = variance(SHARES, PERSONS, protocol.support)
    assert np.all(np.abs(found.mean(axis=0) - SHARES) < 6 * np.sqrt(true / RUNS))
    assert np.all(np.abs(found.var(axis=0, ddof=1) / true - 1) < 0.22)


@pytest.mark.parametrize("protocol", [PROTOCOLS[0], PROTOCOLS[2]], ids=lambda p: p.label.decode())
def test_the_mean_of_collections_varies_as_stated(protocol):
    """The same false alarm rate; ten collections of the same values."""
    found = estimates(protocol, 10).mean(axis=0)
    true = variance_of_mean(SHARES, PERSONS, protocol.chain, rounds=10)
    assert np.all(np.abs(found.mean(axis=0) - SHARES) < 6 * np.sqrt(true / RUNS))
    assert np.all(np.abs(found.var(axis=0, ddof=1) / true - 1) < 0.22)


def test_answers_drawn_from_keys_follow_the_first_round():
    """3,000 keys: kept answers, and the share of keys that keep both of two values, within 6 deviations (4e-9 each).

    The second count shows that answers to two values under one key are independent.
    """
    protocol, n = LGRR(4, 1.0, 2.0), 3000
    devices = [Device(protocol, i.to_bytes(32, "big"), "color") for i in range(n)]
    kept = np.array([[device.answer(v)[0] == v for v in (0, 3)] for device in devices])
    p = float(protocol.chain.p1)
    for count, chance in ((kept[:, 0].sum(), p), (kept[:, 1].sum(), p), (kept.all(axis=1).sum(), p * p)):
        assert abs(count - n * chance) < 6 * np.sqrt(n * chance * (1 - chance))
