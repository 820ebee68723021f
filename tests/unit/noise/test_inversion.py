"""Any finite law, drawn by comparing a uniform real with its cumulative probabilities."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.noise.sources import RecordingBits, ScriptedBits, first_part, interval, law, packed

from sfumato.noise import inversion
from sfumato.noise.inversion import invert
from sfumato.testing.seeded_bits import SeededBits

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


def test_no_draws():
    assert (0,) == invert(0, cuts_of(THIRDS), bits=SeededBits(0)).shape
