"""The hash family of local hashing, and how its reports are counted."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from sfumato.guarantee.local_dp import epsilon_of_matrix
from sfumato.mechanism.local.blh import BLH
from sfumato.mechanism.local.coin import Coin
from sfumato.mechanism.local.hashing import Hashing, count_compiled, count_plain
from sfumato.mechanism.local.olh import OLH, best_buckets
from sfumato.testing.seeded_bits import SeededBits

CASES = [
    Hashing(9, 2),
    Hashing(100, 7),
    Hashing(2**17, 256),
    Hashing(2**17 + 1, 3),
    Hashing(50, 1000),
    Hashing(5, 65536),
]


def bucket(x, a, b, hashing):
    """The bucket of a value by Python's whole numbers."""
    half = hashing.word_bits // 2
    place = (a * x + b) % 2**hashing.word_bits >> half
    return place * hashing.n_buckets >> half


@pytest.mark.parametrize(("x", "y"), [(0, 1), (3, 5), (0, 16), (7, 23), (31, 15), (30, 31)])
def test_multiply_shift_is_pairwise_independent(x, y):
    """All functions of 8-bit words: each pair of 4-bit places comes up equally often, for x < 2⁵."""
    pairs = Counter(
        ((a * x + b) % 256 >> 4, (a * y + b) % 256 >> 4) for a, b in itertools.product(range(256), repeat=2)
    )
    assert set(pairs.values()) == {256}
    assert len(pairs) == 256


def test_it_is_not_for_values_beyond_its_range():
    """The check above can fail: with x - y = 32 the places are not independent."""
    pairs = Counter(((a * 32 + b) % 256 >> 4, b >> 4) for a, b in itertools.product(range(256), repeat=2))
    assert set(pairs.values()) != {256}


@pytest.mark.parametrize("hashing", CASES)
def test_the_collision_probability_is_the_sum_of_squared_bucket_shares(hashing):
    half, g = hashing.word_bits // 2, hashing.n_buckets
    if half == 16:
        sizes = Counter(place * g >> half for place in range(2**half))
        assert sorted(sizes) == list(range(g))
        assert hashing.collision == sum(Fraction(c, 2**half) ** 2 for c in sizes.values())
    assert Fraction(1, g) <= hashing.collision <= Fraction(1, g) * (1 + Fraction(g, 2**half) ** 2)


@pytest.mark.parametrize("hashing", CASES)
def test_bucket_starts_part_the_places_as_the_hash_does(hashing):
    starts, half = [int(s) for s in hashing.starts()], hashing.word_bits // 2
    assert starts[0] == 0
    assert starts[-1] == 2**half
    for j in {1, 2, hashing.n_buckets // 2, hashing.n_buckets - 1} - {0}:
        assert starts[j] * hashing.n_buckets >> half == j
        assert (starts[j] - 1) * hashing.n_buckets >> half == j - 1


@pytest.mark.parametrize(("make", "epsilon", "size"), [(BLH, 1.0, 9), (OLH, 1.0, 20), (OLH, 3.0, 7), (OLH, 7.0, 12)])
def test_counts_are_those_of_the_obvious_loop(make, epsilon, size):
    oracle = make(epsilon, size)
    reports = oracle.randomize(np.arange(150) % size, bits=SeededBits(8))
    slow = [
        sum(bucket(x, int(r["a"]), int(r["b"]), oracle.encoding) == int(r["bucket"]) for r in reports)
        for x in range(size)
    ]
    assert oracle.count_support(reports).tolist() == slow


@pytest.mark.parametrize(("epsilon", "size"), [(0.5, 33), (2.0, 64), (7.0, 40), (1.0, 2**17 + 3)])
def test_the_compiled_count_is_the_same(epsilon, size):
    pytest.importorskip("numba")
    oracle = OLH(epsilon, size)
    reports = oracle.randomize(np.arange(70) % size, bits=SeededBits(9))
    assert np.array_equal(count_plain(reports, oracle.encoding), count_compiled(reports, oracle.encoding))


@pytest.mark.parametrize(("make", "epsilon"), [(BLH, 1.0), (OLH, 0.2), (OLH, 1.0), (OLH, 2.0), (BLH, 50.0)])
def test_given_any_hash_functions_epsilon_is_that_of_all_reports(make, epsilon):
    """The hash is drawn without looking at the value, so each function's reports enter with equal weight."""
    oracle, functions = make(epsilon, 4), [(1, 0), (2**31 + 5, 77), (123456789, 987654321), (2**32 - 1, 3)]
    g, s = oracle.encoding.n_buckets, oracle.coin.noise
    matrix = [
        [
            (s / g + (1 - s) * (bucket(v, a, b, oracle.encoding) == y)) / len(functions)
            for a, b in functions
            for y in range(g)
        ]
        for v in range(4)
    ]
    assert epsilon_of_matrix(matrix) == oracle.epsilon <= epsilon


def test_without_noise_the_bucket_is_the_values_own():
    oracle = OLH(700.0, 30)
    values = np.arange(300) % 30
    for value, report in zip(values, oracle.randomize(values, bits=SeededBits(1)), strict=True):
        assert bucket(int(value), int(report["a"]), int(report["b"]), oracle.encoding) == int(report["bucket"])


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 2.0, 4.0, 8.0])
def test_no_other_number_of_buckets_has_less_variance(epsilon):
    def loss(g):
        return (np.exp(epsilon) - 1 + g) ** 2 / (g - 1)

    assert loss(best_buckets(epsilon)) == min(loss(g) for g in range(2, 10_000))


def own_buckets(oracle, n):
    """How many of n reports hold the value's own bucket, against its law: deviation over Bernstein's bound.

    The bound is exceeded with probability at most 1e-6.
    """
    values = np.arange(n) % oracle.domain_size
    reports = oracle.randomize(values, bits=SeededBits(12))
    half = np.uint64(oracle.encoding.word_bits // 2)
    word = reports["a"].dtype.type
    place = (reports["a"] * values.astype(word) + reports["b"]).astype(np.uint64) >> half
    hits = int(np.count_nonzero((place * np.uint64(oracle.encoding.n_buckets) >> half) == reports["bucket"]))
    p, log = float(oracle.support.p), np.log(2 / 1e-6)
    return abs(hits - n * p) / (log / 3 + np.sqrt((log / 3) ** 2 + 2 * log * n * p * (1 - p)))


@pytest.mark.parametrize(("make", "epsilon"), [(BLH, 0.5), (BLH, 2.0), (OLH, 0.5), (OLH, 1.0), (OLH, 6.0)])
def test_the_own_bucket_comes_as_often_as_stated(make, epsilon):
    assert own_buckets(make(epsilon, 50), 100_000) <= 1


@pytest.mark.parametrize("make", [BLH, OLH])
def test_half_the_noise_is_caught(make):
    """The broken twin randomizes with a coin of half the noise and states the whole."""

    class Broken:
        def __init__(self):
            self.right, self.loud = make(1.0, 50), make(1.0, 50)
            noise = float(self.right.coin.noise) / 2
            object.__setattr__(self.loud, "coin", Coin(noise, rare_is_noise=True))
            self.domain_size, self.encoding, self.support = 50, self.right.encoding, self.right.support

        def randomize(self, values, *, bits):
            return self.loud.randomize(values, bits=bits)

    assert own_buckets(Broken(), 100_000) > 1
