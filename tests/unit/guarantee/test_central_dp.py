"""Promises of central differential privacy: words that agree with the numbers."""

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.guarantee.central_dp import ApproxCentralDP, ConcentratedCentralDP, PureCentralDP
from sfumato.table.unit import Neighbors, Unit

F = Fraction
ROW = Unit.row(Neighbors.ADD_REMOVE)
PERSON = Unit(Neighbors.REPLACE, "patient", 3, 2)


@pytest.mark.parametrize("unit", [ROW, PERSON])
@pytest.mark.parametrize("make", [lambda u: PureCentralDP(F(1), u), lambda u: ApproxCentralDP(F(1), F(1, 10**6), u),
                                  lambda u: ConcentratedCentralDP(F(1, 2), u)])  # fmt: skip
def test_unit_and_neighbors_are_said(make, unit):
    """In the statement and in the parameters."""
    promise = make(unit).guarantee()
    assert unit.sentence in promise.statement
    assert promise.parameters["neighbors"] == unit.neighbors.value
    assert promise.kind == "proved"
    assert promise.assumptions


def test_numbers_are_exact_in_the_parameters():
    """Fractions, not floats."""
    promise = ApproxCentralDP(F(1, 3), F(1, 10**6), ROW).guarantee()
    assert promise.parameters["epsilon"] == F(1, 3)
    assert promise.parameters["delta"] == F(1, 10**6)


@given(st.fractions(Fraction(1, 1000), 20, max_denominator=10**6))
def test_shown_numbers_are_never_smaller(epsilon):
    """ε and e^ε in the sentence are rounded up, by less than one unit of the last digit."""
    statement = PureCentralDP(epsilon, ROW).guarantee().statement
    shown, factor = re.search(r"e\^(\S+) = (\S+)\.$", statement).groups()
    assert epsilon <= Fraction(shown) <= epsilon * (1 + F(1, 10**5))
    assert math.exp(epsilon) * (1 - 1e-12) <= float(factor) <= math.exp(epsilon) * 1.0011


def test_extremes_can_be_said():
    """0 and 1 000."""
    assert "e^0 = 1." in PureCentralDP(F(0), ROW).guarantee().statement
    assert "e^1000." in PureCentralDP(F(1000), ROW).guarantee().statement


@pytest.mark.parametrize("delta", [F(0), F(1), 1, F(-1, 2)])
def test_delta_is_named(delta):
    """delta = 1 is refused by name."""
    with pytest.raises(ParameterError, match="`delta`"):
        ApproxCentralDP(F(1), delta, ROW)


@pytest.mark.parametrize("value", [F(-1), 0.5, True])
def test_only_exact_numbers_from_zero(value):
    """Floats and negative numbers are refused."""
    for make in (PureCentralDP, ConcentratedCentralDP):
        with pytest.raises(ParameterError, match="exact fraction"):
            make(value, ROW)
