"""Guesses lose nothing and never show a value."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.table.guess import _NEGATIVE, _NINES, _WORDS, guess_kind, likely_missing
from sfumato.table.number import positions
from sfumato.table.schema import Column, Kind, Role


def kind_of(*texts):
    return guess_kind(list(texts), np.ones(len(texts), np.int64))


def missing_in(*texts):
    return likely_missing(list(texts), np.ones(len(texts), np.int64))


@pytest.mark.parametrize(
    "texts", [("01000", "0", "75001"), ("02116",), ("05112025", "093418"), ("-0", "1"), ("+5", "1")]
)
def test_a_leading_zero_makes_a_column_text(texts):
    """A7: leading zeros are not lost; a lone 0 among them does not change that."""
    assert kind_of(*texts) == (Kind.TEXT, None)


def test_a_lone_zero_stays_an_integer():
    """A7: `0` by itself has no leading zero."""
    assert kind_of("0", "12", "-3") == (Kind.INTEGER, None)


def test_numbers_too_long_for_exact_arithmetic_stay_text():
    assert kind_of("1234567890123456") == (Kind.TEXT, None)


@pytest.mark.parametrize("texts", [("5,3", "2"), ("0.5", "1"), ("1e-05", "2.5E3"), ("0,125", "1,250")])
def test_decimals_with_point_or_comma(texts):
    assert kind_of(*texts) == (Kind.DECIMAL, None)


def test_commas_that_could_mark_thousands_are_not_trusted():
    assert kind_of("1,234", "12,500", "7") == (Kind.TEXT, None)


def test_mixed_decimal_marks_are_text():
    assert kind_of("1.5", "1,5") == (Kind.TEXT, None)


@pytest.mark.parametrize(
    ("texts", "form"),
    [
        (("2020-01-31", "1999-12-01"), None),
        (("2020-01-31T12:30:00", "2020-01-31"), None),
        (("31/01/2020", "1/2/2020"), "%d/%m/%Y"),
        (("01/31/2020", "02/01/2020"), "%m/%d/%Y"),
        (("03/04/2020",), "%d/%m/%Y"),
        (("31.01.2020",), "%d.%m.%Y"),
        (("20200131", "19991201"), "%Y%m%d"),
    ],
)
def test_dates_are_recognized_and_readable_in_their_format(texts, form):
    """A2: ISO dates are accepted, as are the usual other forms."""
    assert kind_of(*texts) == (Kind.DATE, form)
    column = Column("d", Role.INSENSITIVE, Kind.DATE, format=form)
    assert np.isfinite(positions(column, texts)).all()


def test_impossible_dates_are_text():
    assert kind_of("2020-02-30") == (Kind.TEXT, None)


def test_a_column_without_values_is_text():
    assert guess_kind([None], np.array([3])) == (Kind.TEXT, None)


def test_words_and_codes_for_missing_are_suspected():
    assert missing_in("17", "80", "?", "", "-9") == ("", "?", "-9")


def test_the_code_of_namibia_is_not_suspected():
    """A16: `NA` among two-letter codes may be a country."""
    assert missing_in("NA", "FR", "DE") == ()


def test_na_among_words_is_suspected():
    """A16: elsewhere it is a guess, shown to the user."""
    assert missing_in("NA", "France") == ("NA",)


def test_real_answers_are_not_suspected():
    assert missing_in("None", "Some", "unknown") == ()


def test_negative_codes_are_suspected_only_among_numbers_that_are_none():
    assert missing_in("-9", "-20", "5") == ()


def test_nines_are_suspected_only_far_above_the_others():
    assert missing_in("1", "2", "999") == ("999",)
    assert missing_in("1", "998", "999") == ()


@given(
    st.lists(
        st.sampled_from([None, *_WORDS, *_NEGATIVE, *_NINES, "FR", "DE", "a", "1", "17", "-3", "1,5", "2e3", "250"]),
        unique=True,
    )
)
def test_codes_for_missing_are_those_that_every_value_was_asked_for(values):
    """The rule, written a second time."""
    rest = set(values) - {None, *_WORDS}
    words = [word for word in _WORDS if word in values]
    if rest and all(re.fullmatch("[A-Z]{2}", text) for text in rest):
        words = [word for word in words if word != "NA"]
    numbers = [text.replace(",", ".") for text in rest - {*_NEGATIVE, *_NINES}]
    if numbers and not {"FR", "DE", "a"} & rest:
        low, high = min(map(float, numbers)), max(map(float, numbers))
        words += [code for code in _NEGATIVE if code in rest and low >= 0]
        words += [code for code in _NINES if code in rest and 0 < high and 3 * high < float(code)]
    assert missing_in(*values) == tuple(words)
