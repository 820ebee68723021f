"""Two-sided geometric noise."""

from fractions import Fraction

import numpy as np
import pytest
from tests.unit.noise.sources import NoBits
from tests.unit.numbers.slow_exp import exp

from sfumato.errors import ParameterError
from sfumato.noise.discrete_laplace import _zero_bound, discrete_laplace
from sfumato.noise.geometric import geometric
from sfumato.numbers.certified import floors
from sfumato.testing.seeded_bits import SeededBits


@pytest.mark.parametrize("x", [Fraction(1), Fraction(1, 1000), Fraction(1, 2**52), Fraction(30), Fraction(1, 3)])
@pytest.mark.parametrize("k", [8, 64, 192])
def test_the_probability_of_zero_is_certified(x, k):
    q = exp(-x)
    assert [int((1 - q) / (1 + q) * 2**k)] == floors(lambda w: [_zero_bound(x, w)], k)


def test_the_parts_are_put_together():
    """Zero, or a sign and one more than a geometric number, drawn in that order from the same words."""
    n, scale = 4096, Fraction(10)
    bits = SeededBits(1)
    zero = int((1 - exp(-1 / scale)) / (1 + exp(-1 / scale)) * 256)
    first = SeededBits(1).words(n // 8).view(np.uint8)
    drawn = discrete_laplace(n, scale, bits=bits)
    assert np.all(drawn[first < zero] == 0)
    assert np.all(drawn[first > zero] != 0)
    assert {-1, 0, 1} == set(np.sign(drawn).tolist())


def test_magnitudes_are_one_more_than_geometric_numbers():
    """With every word zero: zero comes, whatever the rest says; with a late first byte, the geometric 0 is 1."""

    class Parts:
        is_secure = False

        def __init__(self, first):
            self.first = first

        def words(self, n):
            first, self.first = self.first, 0
            return np.full(n, first, np.uint64)

    assert [0] == discrete_laplace(1, 1, bits=Parts(0)).tolist()
    assert [0] == geometric(1, 1, bits=Parts(0)).tolist()
    assert [1] == discrete_laplace(1, 1, bits=Parts(2**64 - 1)).tolist()


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 0.001])
def test_tiny_scales_give_zero(scale):
    assert not discrete_laplace(10_000, scale, bits=SeededBits(1)).any()


def test_the_largest_scale_fits():
    """The mean magnitude is 2⁵², with standard deviation 2⁵²/316 over 10⁵ draws: 7 of them."""
    drawn = discrete_laplace(100_000, 2**52, bits=SeededBits(1))
    assert abs(np.abs(drawn).mean() / 2**52 - 1) < 7 / 316


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9])
def test_any_number_of_draws(n):
    assert (n,) == discrete_laplace(n, 3, bits=SeededBits(1)).shape


@pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf"), 2**52 + 1])
def test_wrong_scales_are_refused(scale):
    with pytest.raises(ParameterError, match="scale"):
        discrete_laplace(1, scale, bits=NoBits())
