"""What patience gives an adversary: everything of fresh reports, e^ε∞ of remembered ones."""

import numpy as np
import pytest

from sfumato.attack.averaging import posterior, score
from sfumato.attack.inference import most_probable
from sfumato.attack.likelihood import of_bits, of_remembered_bits, of_remembered_symbols, of_supports
from sfumato.mechanism.local.longitudinal.l_grr import LGRR
from sfumato.mechanism.local.longitudinal.l_unary import l_osue
from sfumato.mechanism.local.longitudinal.memory import collect, start
from sfumato.testing.seeded_bits import SeededBits

N, ROUNDS, K = 2000, 300, 4
VALUES = np.arange(N) % K
PRIOR = np.full(K, 1 / K)
SYMBOLS, BITS = LGRR(K, 0.5, 1.0), l_osue(K, 0.5, 1.0)


def supports(protocol, *, forgets):
    """(N, K): reports of each person that support each value, over all rounds."""
    bits, counts = SeededBits(11), np.zeros((N, K), np.int64)
    memory = start(protocol, N, bits=bits)
    for _ in range(ROUNDS):
        reports, after = collect(protocol, memory, VALUES, bits=bits)
        memory = memory if forgets else after
        counts += reports if reports.ndim == 2 else reports[:, np.newaxis] == np.arange(K)
    return counts


def attack(likelihood):
    beliefs = posterior(likelihood, PRIOR)
    guesses = most_probable(beliefs, rng=np.random.default_rng(0))
    return beliefs, score(guesses, VALUES, PRIOR, confidence=0.999999)


def symbol_matrix(keep):
    return np.where(np.eye(K, dtype=bool), float(keep), float((1 - keep) / (K - 1)))


def remembered(protocol, counts):
    chain = protocol.chain
    if protocol is SYMBOLS:
        return of_remembered_symbols(counts, symbol_matrix(chain.p1), symbol_matrix(chain.p2))
    return of_remembered_bits(counts, ROUNDS, (float(chain.p1), float(chain.q1)), (float(chain.p2), float(chain.q2)))


def fresh(protocol, counts):
    if protocol is SYMBOLS:
        return of_supports(counts, protocol.epsilon_first)
    return of_bits(counts, ROUNDS, float(protocol.chain.p), float(protocol.chain.q))


@pytest.mark.parametrize("protocol", [SYMBOLS, BITS], ids=["symbols", "bits"])
def test_patience_breaks_a_device_that_forgets(protocol):
    """300 fresh reports of ε = 0.5 each name nearly everyone."""
    _, found = attack(fresh(protocol, supports(protocol, forgets=True)))
    assert found.rate > 0.95


@pytest.mark.parametrize("protocol", [SYMBOLS, BITS], ids=["symbols", "bits"])
def test_patience_gains_nothing_beyond_the_remembered_answer(protocol):
    """No posterior exceeds e^ε∞/(e^ε∞+k-1) and the success rate agrees with that bound (interval of 1 - 1e-6)."""
    beliefs, found = attack(remembered(protocol, supports(protocol, forgets=False)))
    bound = np.exp(protocol.epsilon_permanent) / (np.exp(protocol.epsilon_permanent) + K - 1)
    assert beliefs.max() <= bound * (1 + 1e-9)
    assert found.interval.low <= bound
    assert found.rate > found.baseline


def test_the_adversary_is_as_strong_as_the_bound_allows():
    """On symbols the bound is reached: the attack is no straw man."""
    _, found = attack(remembered(SYMBOLS, supports(SYMBOLS, forgets=False)))
    assert found.interval.low <= float(SYMBOLS.chain.p1) <= found.interval.high
