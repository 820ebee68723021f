"""Coins tossed eight to a byte."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from sfumato.errors import ParameterError
from sfumato.noise.packed import bernoulli_packed
from sfumato.testing.seeded_bits import SeededBits


class Recorded:
    """Words that are kept, so that the slow twin can read them again."""

    is_secure = False

    def __init__(self):
        self.source, self.given = SeededBits(5), []

    def words(self, n):
        self.given.append(self.source.words(n))
        return self.given[-1]


@pytest.mark.parametrize("p", [Fraction(1, 3), 0.27, Fraction(1, 256), 2**-20, 0.5, 1 - 2**-30])
def test_each_coin_is_the_comparison_of_its_digits(p):
    """The slow twin builds every U from its planes, digit by digit, and compares it with p."""
    source, n = Recorded(), 30
    coins = np.unpackbits(bernoulli_packed(8 * n, p, bits=source), bitorder="little")
    at = list(range(n))
    equal = {(w, b): [] for w in range(n) for b in range(64)}
    for words in source.given:
        planes = words.reshape(8, len(at))
        for place, word in enumerate(at):
            for bit in range(64):
                equal[word, bit] += [int(plane[place]) >> bit & 1 for plane in planes]
        at = [w for w in at if any(all(equal[w, b]) for b in range(64))]
    for (word, bit), digits in equal.items():
        rest, expected = Fraction(p), 0
        for same in digits:
            rest *= 2
            own, rest = int(rest >= 1), rest - int(rest >= 1)
            if not same:
                expected = own
                break
        assert coins[64 * word + bit] == expected


@pytest.mark.parametrize("p", [Fraction(1, 3), 0.25, 0.3775406687981454, 1e-3, 0.999, 2**-12 + 2**-60])
def test_ones_come_up_as_often_as_they_should(p):
    """Exact binomial tails of 8 million coins; a right sampler fails with probability 1e-6."""
    n = 1_000_000
    ones = int(np.bitwise_count(bernoulli_packed(n, p, bits=SeededBits(3))).sum())
    tail = min(binom.cdf(ones, 8 * n, float(p)), binom.sf(ones - 1, 8 * n, float(p)))
    assert tail > 1e-6 / 2


def test_all_places_of_a_byte_are_alike():
    """Each of the 8 places, within 6 standard deviations."""
    rows = np.unpackbits(bernoulli_packed(400_000, 0.3, bits=SeededBits(4))).reshape(-1, 8)
    deviation = np.sqrt(0.3 * 0.7 / len(rows))
    assert np.abs(rows.mean(axis=0) - 0.3).max() < 6 * deviation


@pytest.mark.parametrize(("p", "byte"), [(0, 0), (1, 255), (0.0, 0), (1.0, 255)])
def test_certain_coins_draw_nothing(p, byte):
    assert bernoulli_packed(3, p, bits=None).tolist() == [byte] * 3


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 70_001])
def test_any_number_of_bytes_will_do(n):
    assert bernoulli_packed(n, 0.5, bits=SeededBits(0)).shape == (n,)


@pytest.mark.parametrize(("n", "p"), [(-1, 0.5), (1, 1.5), (1, float("nan")), (1.5, 0.5)])
def test_impossible_wishes_are_refused(n, p):
    with pytest.raises(ParameterError):
        bernoulli_packed(n, p, bits=SeededBits(0))
