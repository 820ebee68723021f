"""Negative binomial numbers, and shares of noise."""

from collections import defaultdict
from fractions import Fraction
from math import exp, factorial, prod

import numpy as np
import pytest
from tests.distribution.laws import follows
from tests.unit.noise.sources import NoBits

from sfumato.errors import ParameterError
from sfumato.noise import negative_binomial as module
from sfumato.noise.discrete_laplace import LARGEST_SCALE
from sfumato.noise.integers import uniform_below
from sfumato.noise.negative_binomial import laplace_share, negative_binomial
from sfumato.testing.seeded_bits import SeededBits

MOST = 6


def rising(r, x):
    """C(x + r - 1, x), exactly."""
    return prod((r + i for i in range(x)), start=Fraction(1)) / factorial(x)


class Choices:
    """Chance that takes one branch of the tree of all draws, and knows its probability."""

    def __init__(self, path):
        self.path, self.taken, self.weight = path, [], Fraction(1)

    def choose(self, weights):
        at = len(self.taken)
        self.taken.append((self.path[at] if at < len(self.path) else 0, len(weights)))
        self.weight *= weights[self.taken[-1][0]]
        return self.taken[-1][0]

    def below(self, high, *, bits):
        return np.array([self.choose([Fraction(1, int(h))] * int(h)) for h in high], np.int64)

    def coin(self, n, p, *, bits):
        return np.array([self.choose([1 - p, p]) for _ in range(n)], bool)

    def next(self):
        while self.taken:
            taken, of = self.taken.pop()
            if taken + 1 < of:
                return [one for one, _ in self.taken] + [taken + 1]
        return None


def enumerated(total, shape, monkeypatch, sampler):
    """The exact law of what is kept of a geometric number, by all its draws."""
    law, path = defaultdict(Fraction), []
    while path is not None:
        tree = Choices(path)
        monkeypatch.setattr(module, "geometric", lambda n, scale, *, bits: np.full(n, total, np.int64))
        monkeypatch.setattr(module, "uniform_below", tree.below)
        monkeypatch.setattr(module, "bernoulli", tree.coin)
        law[int(sampler(1, 1, shape, bits=NoBits())[0])] += tree.weight
        path = tree.next()
    return law


def one_coin(n, scale, shape, *, bits):
    """A broken twin: the geometric number is kept whole or not at all."""
    return module.geometric(n, scale, bits=bits) * module.bernoulli(n, shape, bits=bits)


@pytest.mark.parametrize("shape", [Fraction(1), Fraction(1, 2), Fraction(2, 7)])
def test_what_is_kept_of_a_geometric_number_has_the_law(shape, monkeypatch):
    """Pr[y of x] = a_y(r) a_(x-y)(1-r): with (1-q) qˣ it is the product of the laws of two independent parts."""
    for total in range(MOST):
        law = enumerated(total, shape, monkeypatch, negative_binomial)
        for kept in range(total + 1):
            assert law[kept] == rising(shape, kept) * rising(1 - shape, total - kept)
        assert sum(law.values()) == 1
    broken = enumerated(3, Fraction(1, 2), monkeypatch, one_coin)
    assert broken[1] != rising(Fraction(1, 2), 1) * rising(Fraction(1, 2), 2)


@pytest.mark.parametrize("parties", [2, 3, 5])
def test_shares_add_up_to_the_geometric_law(parties):
    """The convolution of h laws of shape 1/h, exactly: its coefficient of (1-q) qˣ is 1 for every x."""
    share = [rising(Fraction(1, parties), x) for x in range(12)]
    total = [Fraction(1)] + [Fraction(0)] * 11
    for _ in range(parties):
        total = [sum(total[i] * share[x - i] for i in range(x + 1)) for x in range(12)]
    assert total == [1] * 12


def of_difference(q, shape, reach=150):
    law = np.array([float(rising(shape, x)) * q**x for x in range(reach)])
    both = np.convolve(law, law[::-1])
    return dict(zip(range(1 - reach, reach), both / both.sum(), strict=True))


@pytest.mark.parametrize(("scale", "among"), [(Fraction(1, 2), 2), (4, 3), (4, 1)])
def test_draws_follow_the_law(scale, among):
    law = of_difference(exp(-1 / scale), Fraction(1, among))
    drawn = laplace_share(40_000, scale, among, bits=SeededBits(among))
    assert follows(drawn, {x: p for x, p in law.items() if abs(x) < 40})
    assert not follows(drawn, {x: p for x, p in of_difference(exp(-1 / scale), Fraction(1, among + 1)).items() if abs(x) < 40})  # fmt: skip


@pytest.mark.parametrize("among", [2, 7])
def test_the_sum_of_shares_follows_the_discrete_laplace_law(among):
    q = exp(-1 / 5)
    law = {x: (1 - q) / (1 + q) * q ** abs(x) for x in range(-120, 121)}
    total = sum(laplace_share(40_000, 5, among, bits=SeededBits(100 * among + i)) for i in range(among))
    assert follows(total, law)
    without_one = sum(laplace_share(40_000, 5, among, bits=SeededBits(100 * among + i)) for i in range(among - 1))
    assert not follows(without_one, law)


def test_the_largest_scale_has_its_mean():
    """Mean s/2, standard deviation of the mean of 40,000 draws s√.5/200: 7 of them."""
    drawn = negative_binomial(40_000, LARGEST_SCALE, Fraction(1, 2), bits=SeededBits(1))
    assert abs(drawn.mean() / LARGEST_SCALE - 0.5) < 7 * 0.5**0.5 / 200


@pytest.mark.parametrize("shape", [0, -1, Fraction(3, 2)])
def test_wrong_shapes_are_refused(shape):
    with pytest.raises(ParameterError, match=r"shape|probability"):
        negative_binomial(1, 1, shape, bits=NoBits())


def test_shares_are_among_parties():
    with pytest.raises(ParameterError, match="among must be an integer from 1"):
        laplace_share(1, 1, 0, bits=NoBits())


def test_integers_below_many_numbers_agree_with_big_integers():
    """The slow twin reads the same words: 32 bits for small numbers, then 64 for large ones."""
    small, large = [1, 3, 1000, 2**32, 2**32 - 1, 7], [2**32 + 1, 3 * 2**61, 2**63 - 1]
    for seed in range(20):
        source = SeededBits(seed)
        first = [int(w) for w in source.words(3).view(np.uint32)]
        drawn = uniform_below(np.array(small + large), bits=SeededBits(seed)).tolist()
        expected = [w * h >> 32 if w * h % 2**32 >= 2**32 % h else None for w, h in zip(first, small, strict=True)]
        if None in expected:
            continue
        words = [int(w) for w in source.words(3)]
        expected += [w % h if w < 2**64 - 2**64 % h else None for w, h in zip(words, large, strict=True)]
        assert all(x in {y, None} for x, y in zip(expected, drawn, strict=True))


def test_each_of_many_numbers_is_uniform():
    """10 to 13 values: a refusal leaves every value as likely."""
    drawn = uniform_below(np.repeat(np.arange(10, 14), 20_000), bits=SeededBits(3)).reshape(4, -1)
    for high, row in zip(range(10, 14), drawn, strict=True):
        assert follows(row, dict.fromkeys(range(high), 1 / high))
    with pytest.raises(ParameterError, match="at least 1"):
        uniform_below(np.array([0]), bits=NoBits())
