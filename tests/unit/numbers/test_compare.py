from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.numbers.compare import compare, largest_quotient, product

numbers = st.one_of(st.integers(0, 50), st.integers(0, 2**40))
fractions = st.fractions(0, 10**6, max_denominator=10**9)


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
