"""Secrets in shares, beside a slow twin in whole numbers."""

from fractions import Fraction
from itertools import combinations, product
from math import prod

import numpy as np
import pytest

from sfumato.errors import ProtocolError
from sfumato.mechanism.secure_sum import shamir
from sfumato.mechanism.secure_sum.shamir import PRIME, joined, numbers_of, secret_of, shares_of, weights_of
from sfumato.noise.integers import uniform_integers
from sfumato.testing.seeded_bits import SeededBits


def slow_shares(secrets, threshold, n, bits):
    """The polynomials, term by term, from the same chance."""
    drawn = (
        uniform_integers((threshold - 1) * len(secrets), PRIME, bits=bits).reshape(threshold - 1, len(secrets)).tolist()
    )
    rows = [*drawn, list(secrets)]
    powers = range(threshold - 1, -1, -1)
    return [
        [sum(row[k] * x**power for row, power in zip(rows, powers, strict=True)) % PRIME for k in range(len(secrets))]
        for x in range(1, n + 1)
    ]


def slow_joined(places, shares):
    """Lagrange's formula in fractions, taken modulo the prime at the end."""
    total = Fraction(0)
    for i, share in zip(places, shares, strict=True):
        total += int(share) * prod((Fraction(j + 1, j - i) for j in places if j != i), start=Fraction(1))
    return total.numerator * pow(total.denominator, -1, PRIME) % PRIME


@pytest.mark.parametrize(("threshold", "n"), [(1, 1), (1, 3), (2, 3), (3, 5), (5, 5)])
def test_shares_are_those_of_the_slow_twin_and_any_threshold_of_them_gives_the_secrets(threshold, n):
    secrets = np.array([0, 1, PRIME - 1, 123_456_789])
    shares = shares_of(secrets, threshold, n, bits=SeededBits(n))
    assert shares.tolist() == slow_shares(secrets.tolist(), threshold, n, SeededBits(n))
    for places in combinations(range(n), threshold):
        given = shares[list(places)]
        assert joined(weights_of(places), given).tolist() == secrets.tolist()
        assert [slow_joined(places, column) for column in given.T] == secrets.tolist()


def test_fewer_shares_fit_every_secret_alike(monkeypatch):
    """Over a field of 5 every pair of shares of three is seen once for each secret, over all polynomials of degree 2."""
    monkeypatch.setattr(shamir, "PRIME", 5)
    seen = {secret: [] for secret in range(5)}
    for secret, (a, b) in product(range(5), product(range(5), repeat=2)):
        monkeypatch.setattr(shamir, "uniform_integers", lambda n, high, *, bits, drawn=(a, b): np.array(drawn))
        shares = shares_of(np.array([secret]), 3, 3, bits=None)[:, 0].tolist()
        seen[secret].append(shares)
    for pair in combinations(range(3), 2):
        views = [sorted((shares[pair[0]], shares[pair[1]]) for shares in seen[secret]) for secret in range(5)]
        assert views == [sorted(product(range(5), repeat=2))] * 5
    monkeypatch.setattr(shamir, "uniform_integers", lambda n, high, *, bits: np.zeros(n, np.int64))
    twin = [shares_of(np.array([secret]), 3, 3, bits=None)[0, 0] for secret in range(5)]
    assert twin == list(range(5)), "a twin without chance shows the secret in each share"


def test_five_hundred_holders():
    secrets = numbers_of(bytes(range(32)))
    shares = shares_of(secrets, 334, 500, bits=SeededBits(1))
    places = list(range(100, 434))
    assert secret_of(joined(weights_of(places), shares[places]), 32) == bytes(range(32))


@pytest.mark.parametrize("secret", [bytes(32), b"\xff" * 32, bytes(range(32)), b""])
def test_numbers_say_the_secret(secret):
    assert secret_of(numbers_of(secret), len(secret)) == secret
    assert len(numbers_of(secret)) == shamir.width_of(len(secret))


@pytest.mark.parametrize("numbers", [[0] * 8 + [1 << 16], [1 << 30] + [0] * 8])
def test_numbers_that_are_no_secret_are_refused(numbers):
    with pytest.raises(ProtocolError, match="wrong shares"):
        secret_of(np.array(numbers), 32)
