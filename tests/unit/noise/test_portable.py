"""Keyed chance is exact, independent between keys and contexts, and follows its definition word by word."""

import hashlib
import hmac
from fractions import Fraction

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.noise import portable
from sfumato.noise.portable import PortableCoin, PortableKey, joined, portable_integers

KEY = bytes(range(32))


def coins(n, p, *context):
    return PortableCoin(p).tossed(n, PortableKey(KEY), joined(*context))


def words(n, key, *context):
    """The stream from its definition, one word at a time."""
    suffix = b"".join(len(part).to_bytes(4, "big") + part for part in context)
    out, block = [], 0
    while len(out) < n:
        digest = hmac.new(key, block.to_bytes(4, "big") + suffix, hashlib.sha256).digest()
        out += [int.from_bytes(digest[i : i + 4], "big") for i in range(0, 32, 4)]
        block += 1
    return out[:n]


def slow_integers(n, high, key, *context):
    """Rejection, one word at a time."""
    limit = 2**32 - 2**32 % high
    return [word % high for word in words(4 * n + 64, key, *context) if word < limit][:n]


@pytest.mark.parametrize("high", [1, 2, 3, 10, 1000, 2**31 - 1, 2**31, 2**30 + 1])
def test_integers_equal_the_slow_twin(high):
    assert portable_integers(50, high, KEY, b"a", b"bc").tolist() == slow_integers(50, high, KEY, b"a", b"bc")


def test_every_small_coin_is_exact_over_all_words(monkeypatch):
    """With words of 4 bits, all sixteen once: of those that are kept, exactly a of b say True."""
    monkeypatch.setattr(portable, "_RANGE", 16)

    def all_words(_key, blocks, _context):
        """Blocks whose words run through 0 … 15."""
        return b"".join(((8 * block + i) % 16).to_bytes(4, "big") for block in blocks for i in range(8))

    monkeypatch.setattr(PortableKey, "stream", all_words)
    for b in range(1, 9):
        kept = 16 - 16 % b
        for a in range(b + 1):
            exact = Fraction(a, b)
            assert Fraction(int(coins(kept, exact, b"x").sum()), kept) == exact


@pytest.mark.parametrize("b", [1, 2, 4, 8, 256, 512, 3, 255, 257])
def test_a_coin_is_whether_an_integer_below_its_denominator_is_below_its_numerator(b):
    """Also where the coin of each byte is looked up, that is where b divides 256."""
    for a in {0, 1, b // 2, b - 1, b}:
        exact = Fraction(a, b)
        expected = [one < exact.numerator for one in slow_integers(50, exact.denominator, KEY, b"a", b"bc")]
        assert coins(50, exact, b"a", b"bc").tolist() == expected


def test_tossed_coins_are_the_callers():
    for p in (Fraction(1, 4), Fraction(1, 3)):
        first = coins(9, p, b"x")
        first[:] = ~first
        assert coins(9, p, b"x").tolist() == (~first).tolist()


def test_a_key_is_not_shown():
    assert "key" not in repr(PortableKey(KEY))


@pytest.mark.parametrize("p", ["1/4", "1/3", "999/1000", "1/7"])
def test_coins_have_their_frequency(p):
    """100 000 coins, |z| < 5.1: 4e-7."""
    chance = float(Fraction(p))
    found = coins(100_000, Fraction(p), p.encode())
    assert abs(found.mean() - chance) < 5.1 * np.sqrt(chance * (1 - chance) / 100_000)


def test_keys_and_contexts_have_streams_of_their_own():
    """Also where the parts join to the same bytes."""
    streams = [
        portable_integers(8, 2**31, key, *context).tolist()
        for key, context in ((KEY, (b"ab", b"c")), (KEY, (b"a", b"bc")), (KEY, (b"abc",)), (KEY[::-1], (b"abc",)))
    ]
    assert len({tuple(one) for one in streams}) == 4
    assert portable_integers(3, 5, KEY, b"x").tolist() == portable_integers(8, 5, KEY, b"x").tolist()[:3]


def test_no_coin_and_sure_coins():
    for p in (Fraction(1, 2), Fraction(1, 3)):
        assert coins(0, p, b"x").shape == (0,)
    assert coins(9, 1, b"x").all()
    assert not coins(9, 0, b"x").any()


@pytest.mark.parametrize(
    ("n", "high", "key"), [(-1, 2, KEY), (1, 0, KEY), (1, 2**31 + 1, KEY), (1, 2, b"short"), (1, 2, bytes(65))]
)
def test_numbers_outside_their_range_are_refused(n, high, key):
    with pytest.raises(ParameterError):
        portable_integers(n, high, key, b"x")


@pytest.mark.parametrize("p", [Fraction(1, 2**31 + 1), -1, 2])
def test_other_probabilities_are_refused(p):
    with pytest.raises(ParameterError):
        PortableCoin(p)
