import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.mechanism.local.several.epsilon import (
    Calibration,
    Epsilons,
    genuine_epsilon,
    published_amplification,
    published_epsilon,
    sum_up,
)
from sfumato.mechanism.local.several.faked import Variant, faked_attribute, uniform
from sfumato.mechanism.local.several.rs_fd import RSFD

ADULT = (7, 16, 7, 14, 6, 5, 2, 41, 2)
NURSERY = (3, 5, 4, 4, 3, 2, 3, 3, 5)
ACS = (92, 25, 5, 2, 2, 9, 4, 5, 5, 4, 2, 18, 2, 2, 3, 9, 3, 6)


@given(st.floats(1e-6, 500), st.integers(1, 100))
def test_the_two_directions_of_the_amplification_are_inverse(epsilon, d):
    assert published_epsilon(published_amplification(epsilon, d), d) == pytest.approx(epsilon, rel=1e-9)


@given(st.floats(0.01, 30), st.integers(1, 100))
def test_the_amplification_is_the_formula_of_the_paper(epsilon, d):
    assert published_amplification(epsilon, d) == pytest.approx(math.log(d * (math.exp(epsilon) - 1) + 1), rel=1e-9)


@pytest.mark.parametrize(
    ("sizes", "odds", "whole", "one"),
    [
        (ADULT, 2, 2.302586, 1.035223),
        (ADULT, 4, 3.332205, 2.126496),
        (ADULT, 7, 4.007334, 2.903686),
        (NURSERY, 2, 2.302586, 0.824103),
        (ACS, 2, 2.944439, 1.446295),
    ],
)
def test_published_values_have_these_true_epsilons(sizes, odds, whole, one):
    found = RSFD(math.log(odds), sizes, Variant.GRR, Calibration.AS_PUBLISHED).epsilons
    assert (found.tuple_level, found.one_attribute) == (pytest.approx(whole, abs=2e-6), pytest.approx(one, abs=2e-6))


@pytest.mark.parametrize("variant", [Variant.SUE_Z, Variant.OUE_Z])
def test_published_zeros_keep_their_epsilon_of_one_attribute_only(variant):
    found = RSFD(math.log(2), ADULT, variant, Calibration.AS_PUBLISHED).epsilons
    assert found.one_attribute == pytest.approx(math.log(2), rel=1e-12)
    assert found.tuple_level == pytest.approx(math.log(10), rel=1e-12)
    assert str(found).endswith("true of one attribute only")


@pytest.mark.parametrize("variant", list(Variant))
@pytest.mark.parametrize("epsilon", [0.1, math.log(2), 3.0])
def test_tuple_level_calibration_keeps_its_promise(variant, epsilon):
    assert RSFD(epsilon, (2, 5, 9), variant, Calibration.TUPLE_LEVEL).epsilons.tuple_level <= epsilon


@pytest.mark.parametrize("variant", list(Variant))
@pytest.mark.parametrize("epsilon", [0.1, math.log(2), 3.0])
def test_one_attribute_calibration_keeps_its_promise_and_wastes_nothing(variant, epsilon):
    found = RSFD(epsilon, (2, 5, 9), variant, Calibration.ONE_ATTRIBUTE).epsilons
    assert found.one_attribute <= epsilon
    assert found.one_attribute == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize("variant", list(Variant))
def test_calibration_asks_few_times(variant):
    asked = []

    def coordinates_at(spent):
        asked.append(spent)
        return [faked_attribute(variant, spent, uniform(k)).coordinate for k in (2, 5, 9, 41)]

    genuine_epsilon(math.log(2), 4, Calibration.ONE_ATTRIBUTE, coordinates_at)
    assert len(asked) <= 12


def test_the_smallest_epsilon_can_be_calibrated():
    found = RSFD(1e-9, (2, 3), Variant.GRR, Calibration.ONE_ATTRIBUTE).epsilons
    assert 0 < found.one_attribute <= 1e-9


@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.inf, math.nan, 800.0])
def test_an_epsilon_outside_its_range_is_refused(epsilon):
    with pytest.raises(ParameterError):
        RSFD(epsilon, (2, 3), Variant.GRR, Calibration.TUPLE_LEVEL)


@given(st.lists(st.floats(1e-9, 700), min_size=1, max_size=20))
def test_a_sum_of_epsilons_is_never_below_the_exact_sum(epsilons):
    exact = sum(Fraction(epsilon) for epsilon in epsilons)
    assert exact <= Fraction(sum_up(epsilons)) <= exact * (1 + Fraction(1, 2**51))


@pytest.mark.parametrize(
    ("epsilons", "text"),
    [
        (Epsilons(None, 9.0, 1.0), "epsilon of the whole record 9; of one attribute 1"),
        (Epsilons(0.5, 0.5, 0.5), "epsilon of the whole record 0.5; of one attribute 0.5; as published 0.5"),
        (
            Epsilons(0.5, 100.01, 0.50001),
            "epsilon of the whole record 100.1; of one attribute 0.5001; as published 0.5, true of neither",
        ),
        (Epsilons(None, math.inf, 10.0), "epsilon of the whole record inf; of one attribute 10"),
    ],
)
def test_epsilons_are_shown_rounded_up_with_what_is_true_of_the_published_one(epsilons, text):
    assert str(epsilons) == text
