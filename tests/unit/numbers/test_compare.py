import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.numbers.check import as_whole
from sfumato.numbers.compare import compare, largest_quotient, product
from sfumato.numbers.exact import as_fraction, plain
from sfumato.numbers.logarithm import sign_of_logs
from sfumato.numbers.rounding import round_down, round_up

numbers = st.one_of(st.integers(0, 50), st.integers(0, 2**40))
fractions = st.fractions(0, 10**6, max_denominator=10**9)


def test_a_float_stands_for_its_shortest_decimal_text():
    assert as_fraction("t", 0.1, low=0) == Fraction(1, 10)


@pytest.mark.parametrize("value", [True, math.nan, math.inf, "many", "1/0", None, -0.1, 1.5, "2"])
def test_what_is_no_number_in_range_is_refused(value):
    with pytest.raises(ParameterError, match="`t` must be a number between 0 and 1"):
        as_fraction("t", value, low=0, high=1)


@pytest.mark.parametrize("value", [True, 2.0, "3", 0, None])
def test_what_is_no_whole_number_in_range_is_refused(value):
    with pytest.raises(ParameterError, match="`k` must be a whole number >= 1"):
        as_whole("k", value, low=1)


def test_a_numpy_integer_is_a_whole_number():
    assert as_whole("k", np.int64(5), low=1) == 5


@given(st.one_of(fractions, st.floats(0, 1e300)))
def test_a_plain_number_is_read_back_exactly(value):
    exact = as_fraction("x", value, low=0)
    assert as_fraction("x", plain(exact), low=0) == exact


@given(fractions)
def test_rounding_keeps_to_its_side_and_to_the_nearest_float(number):
    up, down = round_up(number), round_down(number)
    assert Fraction(repr(down)) <= number <= Fraction(repr(up))
    assert up <= math.nextafter(float(number), math.inf)
    assert down >= math.nextafter(float(number), -math.inf)


@given(fractions)
def test_rounding_strictly_never_gives_the_number_itself(number):
    assert Fraction(repr(round_up(number, strictly=True))) > number


@given(st.lists(st.tuples(numbers, st.integers(1, 2**40)), max_size=6), fractions)
def test_quotients_compare_as_fractions_do(pairs, limit):
    top, bottom = (np.array([pair[i] for pair in pairs], np.int64) for i in (0, 1))
    expected = [(Fraction(a, b) > limit) - (Fraction(a, b) < limit) for a, b in pairs]
    assert expected == compare(top, bottom, limit).tolist()


@given(st.integers(1, 2**60), st.integers(1, 2**60), st.integers(-1, 1))
def test_quotients_next_to_the_limit_are_told_apart_where_floats_cannot(a, b, step):
    big = 2**62
    limit = Fraction(a * big + step, b * big)
    assert compare(np.array([a]), np.array([b]), limit).tolist() == [-step]


@given(st.lists(st.tuples(numbers, st.integers(1, 2**40)), min_size=1, max_size=6))
def test_the_largest_quotient_is_that_of_fractions(pairs):
    top, bottom = (np.array([pair[i] for pair in pairs], np.int64) for i in (0, 1))
    assert max(Fraction(a, b) for a, b in pairs) == largest_quotient(top, bottom)


def test_the_largest_of_no_quotients_is_zero():
    none = np.zeros(0, np.int64)
    assert largest_quotient(none, none) == 0


@given(st.integers(0, 2**60), st.integers(0, 2**60))
def test_products_do_not_overflow(a, b):
    assert [a * b] == product(np.array([a]), np.array([b])).tolist()


def test_equal_products_of_powers_are_recognized():
    # 12^4 = 2^8 * 3^4
    assert sign_of_logs([(4, 12), (-8, 2), (-4, 3)]) == 0


@pytest.mark.parametrize("step", [-1, 1])
def test_logarithms_that_agree_to_sixty_digits_are_told_apart(step):
    big = 10**60
    assert sign_of_logs([(1, big + step), (-1, big)]) == step


@pytest.mark.parametrize(("shift", "sign"), [("-0.6931471805599453094", 1), ("-0.6931471805599453095", -1)])
def test_a_logarithm_is_compared_with_a_rational_number(shift, sign):
    # ln 2 = 0.69314718055994530941…
    assert sign_of_logs([(1, 2)], Fraction(shift)) == sign


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 40)), max_size=5))
def test_the_sign_of_logarithms_is_that_of_the_product_of_powers(terms):
    over = math.prod(b**a for a, b in terms if a > 0)
    under = math.prod(b**-a for a, b in terms if a < 0)
    assert (over > under) - (over < under) == sign_of_logs(terms)
