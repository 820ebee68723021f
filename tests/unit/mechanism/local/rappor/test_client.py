"""The permanent response is drawn once, for this string, secret, cohort and collection; reports add only fresh noise."""

import subprocess
import sys

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.mechanism.local.rappor.bloom import bloom_bits
from sfumato.mechanism.local.rappor.client import RapporClient
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.testing.seeded_bits import SeededBits

HALF = {"f": "1/2", "p": "1/2", "q": "3/4"}
HOME = RapporParams("home", bits=64, hashes=2, cohorts=8, **HALF)
ONCE = RapporParams("once", bits=64, hashes=2, cohorts=8, f=0, p="1/4", q="3/4")
SECRET = bytes(range(32))


def flips(params, secret, value):
    """What the permanent response changes of the Bloom filter."""
    client = RapporClient(params, secret)
    bloom = np.zeros(params.bits, bool)
    bloom[bloom_bits(params, value, client.cohort)] = True
    return client.permanent(value) ^ bloom


def secrets(n):
    return [i.to_bytes(32, "big") for i in range(n)]


def test_a_thousand_reports_and_restarts_have_one_permanent_response():
    bits, seen = SeededBits(1), set()
    client = RapporClient(HOME, SECRET)
    for i in range(1000):
        client.report("a", bits=bits)
        seen.add((client if i % 2 else RapporClient(HOME, SECRET)).permanent("a").tobytes())
    assert len(seen) == 1


def test_another_process_draws_the_same_permanent_response():
    script = (
        "from sfumato.mechanism.local.rappor.client import RapporClient\n"
        "from sfumato.mechanism.local.rappor.params import RapporParams\n"
        f"client = RapporClient(RapporParams.from_json({HOME.to_json()!r}), bytes(range(32)))\n"
        "print(client.cohort, client.permanent('a').tobytes().hex())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    client = RapporClient(HOME, SECRET)
    assert done.stdout.split() == [str(client.cohort), client.permanent("a").tobytes().hex()]


def test_repeated_reports_average_to_the_permanent_response_and_no_further():
    """4000 reports: each bit's frequency is q or p by the *permanent* bit, |z| below 6 for 64 bits: 1.3e-7."""
    client, bits = RapporClient(HOME, SECRET), SeededBits(2)
    mean = np.mean([client.report("a", bits=bits) for _ in range(4000)], axis=0)
    kept = client.permanent("a")
    chance = np.where(kept, 0.75, 0.5)
    assert np.all(np.abs(mean - chance) < 6 * np.sqrt(chance * (1 - chance) / 4000))
    assert ((mean > 0.625) == kept).all()
    assert kept.sum() > 4  # what is learned is not the two bits of the string


def test_flips_have_the_stated_frequency():
    """1000 clients, 64 000 coins of 1/4: |z| < 5.1, 4e-7."""
    found = np.array([flips(HOME, secret, "a") for secret in secrets(1000)])
    z = (found.sum() - found.size / 4) / np.sqrt(found.size * 3 / 16)
    assert abs(z) < 5.1


@pytest.mark.parametrize("change", ["value", "collection", "secret", "parameters"])
def test_flips_are_independent_between_values_collections_and_secrets(change):
    """Both flip with 1/16; 1000 clients, |z| < 5.1. Nothing is shared, so a second collection teaches nothing more."""
    other = {"collection": RapporParams("work", bits=64, hashes=2, cohorts=8, **HALF)}
    other["parameters"] = RapporParams("home", bits=64, hashes=2, cohorts=9, **HALF)
    both = 0
    for secret in secrets(1000):
        second = bytes(reversed(secret)) if change == "secret" else secret
        changed = flips(other.get(change, HOME), second, "b" if change == "value" else "a")
        both += np.count_nonzero(flips(HOME, secret, "a") & changed)
    if change == "secret":  # the secret 0 reads the same from both ends
        both -= np.count_nonzero(flips(HOME, bytes(32), "a"))
    n = 64_000
    assert abs(both - n / 16) < 5.1 * np.sqrt(n / 16 * 15 / 16)


def test_cohorts_are_even_and_belong_to_the_collection():
    """χ² of 8 cells over 4000 secrets above 44: 2e-7."""
    cohorts = np.array([RapporClient(HOME, secret).cohort for secret in secrets(4000)])
    assert ((np.bincount(cohorts, minlength=8) - 500) ** 2 / 500).sum() < 44
    work = RapporParams("work", bits=64, hashes=2, cohorts=8, **HALF)
    assert any(RapporClient(work, secret).cohort != cohorts[i] for i, secret in enumerate(secrets(20)))


def test_one_time_rappor_sends_one_report_for_ever():
    bits, client = SeededBits(3), RapporClient(ONCE, SECRET)
    assert len({client.report("a", bits=bits).tobytes() for _ in range(100)}) == 1
    assert client.report("a", bits=bits).tolist() != client.report("b", bits=bits).tolist()


def test_the_first_report_of_one_time_rappor_has_the_stated_law():
    """2000 clients; bits outside the string are 1 with p = 1/4, the string's with q = 3/4; |z| < 5.1."""
    zeros, ones = [], []
    for secret in secrets(2000):
        client = RapporClient(ONCE, secret)
        report = client.report("a", bits=SeededBits(0))
        held = np.isin(np.arange(64), bloom_bits(ONCE, "a", client.cohort))
        zeros.append(report[~held])
        ones.append(report[held])
    for found, chance in ((np.concatenate(zeros), 0.25), (np.concatenate(ones), 0.75)):
        assert abs(found.mean() - chance) < 5.1 * np.sqrt(3 / 16 / len(found))


def test_basic_rappor_takes_declared_values_only():
    basic = RapporParams("b", bits=2, hashes=1, cohorts=1, **HALF, values=("no", "é"))
    client = RapporClient(basic, SECRET)
    assert client.permanent("e\u0301").tolist() == client.permanent("é").tolist()
    assert flips(basic, SECRET, "no").shape == (2,)
    with pytest.raises(ParameterError):
        client.report("maybe", bits=SeededBits(0))


def test_half_a_surrogate_pair_is_reported_like_its_replacement():
    client = RapporClient(HOME, SECRET)
    assert client.permanent("\ud800").tolist() == client.permanent("\ufffd").tolist()


def test_the_secret_is_checked_and_never_shown():
    for secret in (b"short", bytes(65), "x" * 32):
        with pytest.raises(ParameterError):
            RapporClient(HOME, secret)
    assert repr(SECRET) not in repr(RapporClient(HOME, SECRET))
