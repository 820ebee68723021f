"""Whole lifetimes of RAPPOR clients keep ε∞; three ways to get the permanent response wrong are caught."""

from itertools import count

import numpy as np
import pytest

from sfumato.attack.audit import audit
from sfumato.mechanism.local.rappor.bloom import bloom_bits
from sfumato.mechanism.local.rappor.client import RapporClient
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.testing.seeded_bits import SeededBits

VALUES, REPORTS = ("a", "b", "c"), 8


def params(f):
    """Three declared values; reports say nearly all that the permanent response holds."""
    return RapporParams("audited", bits=3, hashes=1, cohorts=1, f=f, p="1/10", q="9/10", values=VALUES)


STATED, WEAKER = params("1/2"), params("1/4")
CONFIDENCE = 0.999999


def bloom(value):
    out = np.zeros(3, bool)
    out[bloom_bits(STATED, value, 0)] = True
    return out


def secrets(start):
    return (i.to_bytes(32, "big") for i in count(start))


def lifetime(permanent_of):
    """A randomizer: how often each bit was 1 in eight reports of a new person about one value."""
    bits, fresh = SeededBits(6), secrets(1)

    def randomize(values):
        out = np.zeros((len(values), 3), np.int64)
        for i, value in enumerate(values):
            kept = permanent_of(next(fresh), fresh)
            for _ in range(REPORTS):
                out[i] += kept(VALUES[value], bits)
        return out

    return randomize


def honest(secret, _):
    client = RapporClient(STATED, secret)
    return lambda value, bits: client.report(value, bits=bits)


def redrawn(_, fresh):
    """The permanent response is drawn anew each time: nothing is permanent."""
    return lambda value, bits: RapporClient(STATED, next(fresh)).report(value, bits=bits)


def halved(values):
    """Half of the permanent flips are forgotten; an adversary with many reports knows the permanent responses."""
    fresh = secrets(1)
    return np.array([RapporClient(WEAKER, next(fresh)).permanent(VALUES[one]) for one in values]).astype(np.int64)


def test_a_lifetime_of_the_right_client_is_not_refuted():
    """False alarm below 1e-6; the audit is no straw man: it proves a quarter of the stated loss."""
    found = audit(lifetime(honest), [0, 1], n=1500, confidence=CONFIDENCE)
    assert not found.refutes(STATED.epsilon_permanent)
    assert found.epsilon_lower > STATED.epsilon_permanent / 4


def test_a_client_that_forgets_its_permanent_response_is_caught():
    """Of 2,000 lifetimes an audit proves 3.1, where 2.2 is stated."""
    assert audit(lifetime(redrawn), [0, 1], n=2000, confidence=CONFIDENCE).refutes(STATED.epsilon_permanent)


def test_a_client_with_half_of_the_flips_is_caught():
    """Of 1,000 permanent responses an audit proves 2.5."""
    assert audit(halved, [0, 1], n=1000, confidence=CONFIDENCE).refutes(STATED.epsilon_permanent)


def two_values(flips_of):
    """A randomizer: both permanent responses of a person who reports `a` and then the given value."""
    fresh = secrets(1)

    def randomize(values):
        rows = []
        for value in values:
            secret = next(fresh)
            rows.append([bloom(one) ^ flips_of(secret, one) for one in ("a", VALUES[value])])
        return np.array(rows).reshape(len(values), 6).astype(np.int64)

    return randomize


def own_flips(secret, value):
    return RapporClient(STATED, secret).permanent(value) ^ bloom(value)


def shared_flips(secret, _):
    """The flips do not depend on the value: two responses differ exactly where the strings do."""
    return own_flips(secret, "a")


@pytest.mark.parametrize(("flips", "caught"), [(own_flips, False), (shared_flips, True)])
def test_flips_shared_between_values_are_caught(flips, caught):
    """(a, b) against (a, c): one string differs, so the stated loss is ε∞ once, 2.2; of shared flips 2.8 is proved."""
    found = audit(two_values(flips), [1, 2], n=500, confidence=CONFIDENCE)
    assert found.refutes(STATED.epsilon_permanent) is caught
