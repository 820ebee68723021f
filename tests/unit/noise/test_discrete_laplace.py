"""Geometric noise, one-sided and two-sided."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.noise.sources import NoBits, RecordingBits, ScriptedBits, first_part, interval, law, packed
from tests.unit.numbers.slow_exp import exp

from sfumato.errors import ParameterError
from sfumato.noise import discrete_laplace as inversion
from sfumato.noise.discrete_laplace import LARGEST_SCALE, _cuts, _zero_bound, discrete_laplace, geometric, invert
from sfumato.numbers.enclosure import floors
from sfumato.testing.seeded_bits import SeededBits


@pytest.mark.parametrize("x", [Fraction(1), Fraction(1, 100), Fraction(1, 2**52), Fraction(12), Fraction(1, 3)])
@pytest.mark.parametrize("k", [16, 64, 192])
def test_cuts_are_the_cumulative_probabilities(x, k):
    """The slow twin has the exponentials to 240 digits."""
    rises = [1 - exp(-x * i) for i in range(1, 257)]
    assert _cuts(x, is_leading=True)(k) == [int(rise * 2**k) for rise in rises[:-1]]
    assert _cuts(x, is_leading=False)(k) == [int(rise / rises[-1] * 2**k) for rise in rises[:-1]]


def test_digits_are_independent():
    """(1 - q) qˣ is the product of the laws of the digits, for a rational q, in base 4."""
    q, base = Fraction(2, 3), 4

    def digit(i, ratio):
        return ratio**i * (1 - ratio) / (1 - ratio**base)

    for x in range(64):
        low, middle, leading = x % 4, x // 4 % 4, x // 16
        law = digit(low, q) * digit(middle, q**4) * (1 - q**16) * q ** (16 * leading)
        assert law == (1 - q) * q**x


def test_digits_are_put_together():
    """Scale 1000: the low digit from the first prefix, the leading one from the second."""
    low, leading = 2**15, 2**15
    bits = ScriptedBits(*packed([low], np.uint16), *packed([leading], np.uint16))
    first = sum((1 - exp(Fraction(-i, 1000))) / (1 - exp(Fraction(-256, 1000))) <= 0.5 for i in range(1, 256))
    second = sum(1 - exp(Fraction(-256 * i, 1000)) <= 0.5 for i in range(1, 256))
    assert first + 256 * second == geometric(1, 1000, bits=bits)[0]


def test_a_leading_digit_of_255_or_more_is_drawn_again_and_added():
    bits = ScriptedBits(*packed([2**16 - 1], np.uint16), *packed([0], np.uint16))
    assert [255] == geometric(1, 31, bits=bits).tolist()


def test_what_is_added_counts_in_units_of_the_leading_digit():
    """Scale 8166: low digit 0, leading digit 255 or more, then 1 (1 - e^(-1/31.9) = 0.031 < 10/256)."""
    bits = ScriptedBits(*[word for prefix in (0, 2**16 - 1, 10 << 8) for word in packed([prefix], np.uint16)])
    assert [(255 + 1) * 256] == geometric(1, 8166, bits=bits).tolist()


def test_endless_tails_are_refused_instead_of_wrapped():
    class Ones:
        is_secure = False

        def words(self, n):
            return np.full(n, 2**64 - 1, np.uint64)

    with pytest.raises(ParameterError, match="did not fit 64 bits"):
        geometric(1, LARGEST_SCALE, bits=Ones())


@pytest.mark.parametrize("scale", [5e-324, 1e-300, Fraction(1, 10**400)])
def test_tiny_geometric_scales_give_zero(scale):
    assert not geometric(10_000, scale, bits=SeededBits(1)).any()


def test_the_largest_scale_has_its_mean():
    """Mean 2⁵², standard deviation of the mean of 10⁵ draws 2⁵²/316: 7 of them."""
    drawn = geometric(100_000, LARGEST_SCALE, bits=SeededBits(1))
    assert abs(drawn.mean() / LARGEST_SCALE - 1) < 7 / 316


@pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf"), 2**52 + 1, 1e300])
def test_wrong_geometric_scales_are_refused(scale):
    with pytest.raises(ParameterError, match="scale"):
        geometric(1, scale, bits=NoBits())


def test_no_draws():
    assert (0,) == geometric(0, 1000, bits=SeededBits(1)).shape


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


THIRDS = [Fraction(1, 3), Fraction(1, 3), Fraction(2, 3)]


def cuts_of(law):
    """The cuts of rational cumulative probabilities."""
    return lambda k: [(f.numerator << k) // f.denominator for f in law]


@law
@given(st.lists(st.fractions(0, Fraction(999, 1000)), min_size=1, max_size=6).map(sorted), st.integers(0, 2**32))
def test_the_outcome_is_the_number_of_cuts_below_a_uniform_real(law, seed):
    """The slow twin: the interval of U that was drawn holds no cut inside."""
    bits = RecordingBits(seed)
    outcome = invert(1, cuts_of(law), bits=bits)[0]
    pieces = [(first_part(bits.calls[0], np.uint16), 16)]
    pieces += [(int(call[0]) >> 16, 48) for call in bits.calls[1:2]]
    pieces += [(int(call[0]), 64) for call in bits.calls[2:]]
    low, high = interval(pieces)
    assert sum(f <= low for f in law) == outcome == sum(f < high for f in law)


@pytest.mark.parametrize("n", [256, 1 << 16])
def test_every_prefix_decides_as_it_should(n):
    """All 16-bit prefixes, searched and looked up: 1/3 = 0x0.5555…, 2/3 = 0x0.AAAA…"""
    prefixes = np.arange(0, 1 << 16, (1 << 16) // n) + 0x55
    prefixes = prefixes[prefixes < 1 << 16]
    outcomes = invert(len(prefixes), cuts_of(THIRDS), bits=ScriptedBits(*packed(prefixes, np.uint16)))
    sure = ~np.isin(prefixes, [0x5555, 0xAAAA])
    expected = 2 * (prefixes > 0x5555) + (prefixes > 0xAAAA)
    assert np.array_equal(outcomes[sure], expected[sure])


@pytest.mark.parametrize(("last", "expected"), [(0x5555555555555554, 0), (0x5555555555555556, 2)])
def test_ties_of_sixty_four_bits_are_decided_by_more(last, expected):
    """U agrees with 1/3 in 128 bits less the last."""
    script = [*packed([0x5555], np.uint16), 0x5555555555550000, last]
    assert expected == invert(1, cuts_of(THIRDS), bits=ScriptedBits(*script))[0]


def test_a_tie_of_all_bits_goes_on():
    script = [*packed([0x5555], np.uint16), 0x5555555555550000, *[0x5555555555555555] * 9]
    assert 0 == invert(1, cuts_of(THIRDS), bits=ScriptedBits(*script, 0))[0]
    assert 2 == invert(1, cuts_of(THIRDS), bits=ScriptedBits(*script, 2**64 - 1))[0]


@law
@given(st.lists(st.integers(0, 2**16 - 1), min_size=1, max_size=40).map(sorted))
def test_looking_up_agrees_with_searching(coarse):
    """For every prefix, what is undecided too."""
    prefixes, cuts = np.arange(1 << 16).astype(np.uint16), np.array(coarse, np.uint16)
    found, undecided = inversion._by_table(prefixes, cuts)
    expected, slow = inversion._by_search(prefixes, cuts)
    assert np.array_equal(undecided, slow)
    decided = np.setdiff1d(prefixes, slow)
    assert np.array_equal(found[decided], expected[decided])


def test_a_law_of_many_outcomes_starts_with_whole_words():
    size = inversion._WIDE + 2
    law = [Fraction(i, size) for i in range(1, size)]
    words = SeededBits(3).words(500)
    expected = [int(word) * size >> 64 for word in words]
    assert expected == invert(500, cuts_of(law), bits=SeededBits(3)).tolist()


def test_one_outcome_is_certain():
    assert [0, 0] == invert(2, lambda _: [], bits=SeededBits(0)).tolist()


def test_no_draws_by_inversion():
    assert (0,) == invert(0, cuts_of(THIRDS), bits=SeededBits(0)).shape
