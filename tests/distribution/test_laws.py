"""Do the samplers follow their laws, and are samplers that nearly do caught?

Every check has a false-alarm rate of at most 1e-6 (see `laws`); seeds are fixed. The twins that must fail
differ from the law by what real libraries got wrong.
"""

import math
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from tests.distribution.laws import follows

from sfumato.noise.bernoulli import bernoulli, bernoulli_exp, bernoulli_exp_many, bernoulli_many
from sfumato.noise.bits import narrow
from sfumato.noise.categorical import categorical
from sfumato.noise.discrete_gaussian import discrete_gaussian
from sfumato.noise.discrete_laplace import discrete_laplace, geometric
from sfumato.noise.exponential_mechanism import exponential_mechanism, permute_and_flip
from sfumato.noise.grid import uniform_grid
from sfumato.noise.integers import uniform_integers
from sfumato.noise.permutation import permutation
from sfumato.noise.subsets import subsets
from sfumato.testing.seeded_bits import SeededBits

N = 1_000_000
SEED = SeededBits
RNG = np.random.default_rng(20)


def coin(p):
    return {0: 1 - p, 1: p}


def geometric_law(scale):
    q = math.exp(-1 / scale)
    return {x: (1 - q) * q**x for x in range(int(30 * scale) + 2)}


def laplace_law(scale):
    q = math.exp(-1 / scale)
    reach = int(30 * scale) + 2
    return {x: (1 - q) / (1 + q) * q ** abs(x) for x in range(-reach, reach + 1)}


def gaussian_law(sigma):
    reach = int(9 * sigma) + 2
    weights = {x: math.exp(-((x / sigma) ** 2) / 2) for x in range(-reach, reach + 1)}
    return {x: weight / sum(weights.values()) for x, weight in weights.items()}


def coarse(draws, law, step):
    """Draws and law by steps of a width, where outcomes are too many to list."""
    merged = {}
    for x, share in law.items():
        merged[x // step] = merged.get(x // step, 0.0) + share
    return draws // step, merged


@pytest.mark.parametrize("p", [0.3, 1e-4, 0.5, 1 - 1e-5, Fraction(1, 3), 255 / 256])
def test_coins(p):
    assert follows(bernoulli(N, p, bits=SEED(1)), coin(float(p)))
    assert follows(bernoulli_many(np.full(N, float(p)), bits=SEED(2)), coin(float(p)))


def test_a_probability_rounded_to_eight_bits_is_caught():
    """0.3 becomes 77/256: wrong by 0.0008, seen in 4·10⁷ coins."""
    wrong = narrow(40 * N, np.uint8, bits=SEED(3)) < round(0.3 * 256)
    assert not follows(wrong, coin(0.3))
    assert follows(bernoulli(40 * N, 0.3, bits=SEED(3)), coin(0.3))


@pytest.mark.parametrize("x", [0.01, 1, Fraction(5, 3), 8])
def test_coins_of_an_exponential(x):
    law = coin(math.exp(-float(x)))
    assert follows(bernoulli_exp(N, x, bits=SEED(4)), law)
    assert follows(bernoulli_exp_many(np.full(N, float(x)), lambda _: Fraction(x), bits=SEED(5)), law)


@pytest.mark.parametrize("high", [1, 2, 3, 100, 256])
def test_integers(high):
    assert follows(uniform_integers(N, high, bits=SEED(6)), dict.fromkeys(range(high), 1 / high))


def test_the_remainder_of_a_byte_is_caught():
    wrong = narrow(N, np.uint8, bits=SEED(6)) % 100
    assert not follows(wrong, dict.fromkeys(range(100), 0.01))


@pytest.mark.parametrize("high", [2**33 + 1, 3 * 2**61, 2**63])
def test_integers_beyond_32_bits_fill_their_range_evenly(high):
    """Sixteen equal cells (to 2⁻²⁹) and the parity."""
    draws = uniform_integers(N, high, bits=SEED(7))
    assert follows([int(x) * 16 // high for x in draws], dict.fromkeys(range(16), 1 / 16))
    assert follows(draws % 2, coin(0.5))


def test_a_modulo_without_rejection_is_caught():
    """2⁶⁴ mod 3·2⁶¹: the lower third comes half as often again."""
    high = 3 * 2**61
    wrong = SEED(7).words(N) % np.uint64(high)
    assert not follows([int(x) * 16 // high for x in wrong], dict.fromkeys(range(16), 1 / 16))


def test_grid_numbers():
    draws = (uniform_grid(N, bits=SEED(8)) * 64).astype(np.int64)
    assert follows(draws, dict.fromkeys(range(64), 1 / 64))
    assert follows(uniform_grid(N, bits=SEED(8), digits=3) * 8, dict.fromkeys(range(8), 1 / 8))


@pytest.mark.parametrize("size_k", [(5, 2), (5, 3), (6, 1), (4, 4), (70, 2)])
def test_subsets(size_k):
    size, k = size_k
    drawn = subsets(N // 4, size, k, bits=SEED(9)) @ size ** np.arange(k)
    sets = [int(np.array(s) @ size ** np.arange(k)) for s in combinations(range(size), k)]
    assert follows(drawn, dict.fromkeys(sets, 1 / len(sets)))


def test_subsets_whose_repeats_become_the_next_value_are_caught():
    """A repeated element is moved up by one: neighbors come together too often."""
    first, second = (uniform_integers(N // 4, 5, bits=SEED(seed)) for seed in (10, 11))
    second = np.where(first == second, (second + 1) % 5, second)
    wrong = np.minimum(first, second) + 5 * np.maximum(first, second)
    sets = [a + 5 * b for a, b in combinations(range(5), 2)]
    assert not follows(wrong, dict.fromkeys(sets, 0.1))


def test_permutations():
    draws = [int("".join(map(str, permutation(4, bits=bits)))) for bits in [SEED(12)] for _ in range(20_000)]
    orders = [int("".join(map(str, order))) for order in permutations(range(4))]
    assert follows(draws, dict.fromkeys(orders, 1 / 24))


def test_categorical():
    weights = np.array([0.5, 0.0, 1e-3, 2.0, 0.1])
    law = {i: w / weights.sum() for i, w in enumerate(weights) if w}
    assert follows(categorical(N, weights, bits=SEED(13)), law)
    assert not follows(categorical(N, weights * [1, 1, 1.5, 1, 1], bits=SEED(13)), law)


def test_categorical_of_many_outcomes():
    law = {i: (i + 1) / 12_502_500 for i in range(5000)}
    draws = categorical(N, np.arange(1, 5001), bits=SEED(14))
    assert follows(*coarse(draws, law, 100))


@pytest.mark.parametrize("scale", [0.2, 1, 7.5, Fraction(100, 3)])
def test_geometric(scale):
    assert follows(geometric(N, scale, bits=SEED(15)), geometric_law(float(scale)))


@pytest.mark.parametrize("scale", [31.9, 32.1, 1000])
def test_geometric_of_several_digits(scale):
    draws, law = geometric(N, scale, bits=SEED(16)), geometric_law(scale)
    assert follows(*coarse(draws, law, 50))
    low = {x: sum(share for y, share in law.items() if y % 64 == x) for x in range(64)}
    assert follows(draws % 64, low)


@pytest.mark.parametrize("scale", [0.1, 0.5, 1, 2.5, 10])
def test_discrete_laplace(scale):
    assert follows(discrete_laplace(N, scale, bits=SEED(17)), laplace_law(scale))


def test_discrete_laplace_of_a_large_scale():
    assert follows(*coarse(discrete_laplace(N, 500, bits=SEED(18)), laplace_law(500), 50))


def test_zero_drawn_with_both_signs_is_caught():
    """The magnitude is geometric and the sign even, but -0 is not drawn again."""
    sign = 1 - 2 * uniform_integers(N, 2, bits=SEED(19))
    assert not follows(sign * geometric(N, 10, bits=SEED(19)), laplace_law(10))


def test_a_rounded_float_is_caught():
    assert not follows(np.round(RNG.laplace(scale=1, size=N)).astype(int), laplace_law(1))


def test_a_scale_wrong_by_three_percent_is_caught():
    assert not follows(discrete_laplace(N, 10.3, bits=SEED(20)), laplace_law(10))


@pytest.mark.parametrize("sigma", [0.2, 0.5, 1, 3.3, 20])
def test_discrete_gaussian(sigma):
    assert follows(discrete_gaussian(N // 2, sigma, bits=SEED(21)), gaussian_law(sigma))


def test_a_rounded_normal_is_caught():
    """σ = 1/2: the rounded one has 0 with 0.683 instead of 0.787."""
    assert not follows(np.round(RNG.normal(scale=0.5, size=N // 2)).astype(int), gaussian_law(0.5))


def selections(select, rate, n=20_000):
    scores, bits = np.array([0, 3, 1, 2]), SEED(22)
    return [select(scores, rate, bits=bits) for _ in range(n)]


def selection_law(rate):
    weights = [math.exp(rate * score) for score in (0, 3, 1, 2)]
    return {i: weight / sum(weights) for i, weight in enumerate(weights)}


def test_exponential_mechanism():
    draws = selections(exponential_mechanism, 0.7)
    assert follows(draws, selection_law(0.7))
    assert not follows(draws, selection_law(0.8))


def flip_law(rate):
    """Permute-and-flip by enumeration of all orders."""
    chance = [math.exp(-rate * (3 - score)) for score in (0, 3, 1, 2)]
    law = dict.fromkeys(range(4), 0.0)
    for order in permutations(range(4)):
        left = 1 / 24
        for i in order:
            law[i] += left * chance[i]
            left *= 1 - chance[i]
    return law


def test_permute_and_flip():
    draws = selections(permute_and_flip, 0.7)
    assert follows(draws, flip_law(0.7))
    assert not follows(draws, selection_law(0.7))
