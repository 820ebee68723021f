"""Values with given probabilities."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.noise.sources import NoBits, ScriptedBits, law, packed

from sfumato.errors import ParameterError
from sfumato.noise.categorical import categorical
from sfumato.testing.seeded_bits import SeededBits


@law
@given(st.lists(st.fractions(0, 5), min_size=1, max_size=8).filter(any), st.integers(0, 2**16 - 1))
def test_a_prefix_decides_by_the_cumulative_weights(weights, prefix):
    """The slow twin: U = prefix/2¹⁶ + 2⁻⁶⁵; no cut with these denominators lies between it and the grid."""
    bits = ScriptedBits(*packed([prefix], np.uint16), 0, 2**63)
    u = Fraction(prefix, 2**16) + Fraction(1, 2**65)
    cumulative = [sum(weights[: i + 1]) / sum(weights) for i in range(len(weights))]
    expected = next(i for i, total in enumerate(cumulative) if u < total)
    assert expected == categorical(1, weights, bits=bits)[0]


def test_values_of_weight_zero_never_come():
    drawn = categorical(10_000, np.array([0, 1, 0, 1, 0]), bits=SeededBits(1))
    assert {1, 3} == set(drawn.tolist())


def test_weights_far_apart_are_not_rounded():
    """5e-324 against 1: below the first cut lies U = 0, up to 2⁻¹⁰⁷⁴ only."""
    assert [0] == categorical(1, [5e-324, 1.0], bits=ScriptedBits(*[0] * 40)).tolist()
    assert [1] == categorical(1, [5e-324, 1.0], bits=ScriptedBits(0, 0, 1)).tolist()


@pytest.mark.parametrize("weights", [[], [0.0, 0.0], [1.0, -1.0], [1.0, float("nan")], [1.0, float("inf")]])
def test_wrong_weights_are_refused(weights):
    with pytest.raises(ParameterError, match="weight must be finite"):
        categorical(1, weights, bits=NoBits())


def test_a_refused_weight_is_not_shown():
    with pytest.raises(ParameterError) as caught:
        categorical(1, [1.0, -12345.0], bits=NoBits())
    assert "12345" not in str(caught.value)
    assert caught.value.__cause__ is None
