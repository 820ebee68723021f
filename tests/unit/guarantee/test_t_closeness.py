from fractions import Fraction

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.guarantee.t_closeness import TCloseness, TClosenessOfRelease
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.examples import classes_with_illness
from sfumato.testing.strategies import histogram

PAY = "pay"


def salaries(counts, first=3, kind=Kind.INTEGER, suppressed=None):
    """Classes with the counts of the salaries first, first+1, …"""
    dense = np.array(counts)
    attribute = bind(Column(PAY, Role.SENSITIVE, kind), [str(first + i) for i in range(dense.shape[1])])
    size = dense.sum(axis=1)
    extra = None if suppressed is None else np.array(suppressed)
    return Classes(np.arange(len(dense))[:, None], size, size, histograms=(histogram(attribute, dense, extra),))


TEXTBOOK = salaries([[1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 1, 0, 0, 1], [0, 0, 0, 0, 1, 0, 1, 1, 0]])
"""Li, Li, Venkatasubramanian 2007, table 3: salaries 3k to 11k in three classes."""


def test_the_paper_s_class_of_low_salaries_is_three_eighths_away_in_order():
    assert TCloseness(PAY, 1, "ordered").measure(TEXTBOOK.select(np.array([True, False, False]))) == 0.375


def test_the_paper_s_class_of_mixed_salaries_is_one_sixth_away_in_order():
    """The paper prints 0.167 for {6, 8, 11}."""
    mixed = TEXTBOOK.select(np.array([False, True, False]))
    assert TCloseness(PAY, 1, "ordered").measure(mixed) == pytest.approx(1 / 6, abs=1e-15)


def test_the_paper_s_class_of_low_salaries_is_two_thirds_away_if_all_are_equally_far():
    measured = TCloseness(PAY, 1, "equal").measure(TEXTBOOK.select(np.array([True, False, False])))
    assert Fraction(repr(measured)) >= Fraction(2, 3)
    assert measured == pytest.approx(2 / 3, abs=1e-15)


@pytest.mark.parametrize("t", [0.375, "0.375", "3/8"])
def test_a_distance_equal_to_t_is_close_enough(t):
    """Users.md D2: floats are unreliable at the threshold."""
    assert TCloseness(PAY, t, "ordered").holds(TEXTBOOK).all()


def test_a_distance_just_above_t_is_not():
    assert TCloseness(PAY, "0.37499999999999999999", "ordered").holds(TEXTBOOK).tolist() == [False, True, True]


def test_two_thirds_as_a_decimal_is_not_two_thirds():
    low = TEXTBOOK.select(np.array([True, False, False]))
    assert not TCloseness(PAY, 0.6666666666666666, "equal").holds(low).any()
    assert TCloseness(PAY, "2/3", "equal").holds(low).all()


@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchical"])
def test_one_distinct_value_is_at_distance_zero(distance):
    """Users.md D4: pycanon divides by m - 1 = 0."""
    constant = salaries([[4], [1]])
    assert TCloseness(PAY, 0, distance).holds(constant).all()
    assert TCloseness(PAY, 0, distance).measure(constant) == 0


def test_suppressing_an_outlier_moves_the_released_reference_and_not_the_original_one():
    """Users.md D5: the reference is named, and both are right."""
    both = salaries([[1, 1, 0], [1, 1, 0]], suppressed=[0, 0, 4])
    assert TCloseness(PAY, 1, "equal").measure(both) == 0.5
    assert TClosenessOfRelease(PAY, 0, "equal").measure(both) == 0
    assert "whole original table" in TCloseness(PAY, 1, "equal").guarantee().statement
    assert "whole released table" in TClosenessOfRelease(PAY, 1, "equal").guarantee().statement


def test_suppression_can_break_closeness_to_the_release():
    """So that form is judged on all published classes together, and promises nothing under suppression."""
    three = salaries([[2, 2], [3, 1], [1, 3]])
    criterion = TClosenessOfRelease(PAY, 0.25, "equal")
    assert criterion.holds_together(three)
    assert not TClosenessOfRelease(PAY, 0.2, "equal").holds_together(three.select(np.array([False, True, True])))
    two = three.select(np.array([True, True, False]))
    assert TClosenessOfRelease(PAY, "0.125", "equal").holds_together(two)
    assert not TClosenessOfRelease(PAY, "0.124", "equal").holds_together(two)


def test_text_without_positions_is_ordered_as_its_hierarchy_lists_it():
    measured = TCloseness("illness", 1, "ordered").measure(classes_with_illness([[3, 0, 0], [0, 0, 3]]))
    assert measured == 0.5


def test_counts_beyond_the_range_of_products_are_compared_exactly():
    big = 2**40
    huge = salaries([[big, big + 1], [big + 1, big]])
    n, whole = 2 * big + 1, 4 * big + 2
    exact = Fraction(abs((big + 1) * whole - n * n * 1), n * whole)
    assert TCloseness(PAY, exact, "equal").holds(huge).all()
    assert not TCloseness(PAY, exact - Fraction(1, 2**200), "equal").holds(huge).any()


def test_a_class_without_values_is_not_close():
    attribute = bind(Column(PAY, Role.SENSITIVE, Kind.INTEGER), ["3", "4", None])
    size = np.array([2, 2])
    counts = histogram(attribute, np.array([[1, 1, 0], [0, 0, 2]]))
    both = Classes(np.array([[0], [1]]), size, size, histograms=(counts,))
    for distance in ("equal", "ordered", "hierarchical"):
        assert TCloseness(PAY, 1, distance).holds(both).tolist() == [True, False]


@pytest.mark.parametrize(("t", "distance"), [(1.5, "equal"), (-0.1, "equal"), (0.2, "euclidean")])
def test_parameters_outside_their_range_are_refused(t, distance):
    for model in (TCloseness, TClosenessOfRelease):
        with pytest.raises(ParameterError):
            model(PAY, t, distance)
