"""Published values are spelled so that they can be read again, exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.table import label
from sfumato.table.label import Range, Root, Value, ValueSet, format_range, format_set, format_value, parse_label

TEXTS = st.one_of(
    st.text(),
    st.text(alphabet='ab0 ,{}[]()"<>=*\\\n;', max_size=8),
    st.sampled_from(["*", "missing", "", "[1, 2]", "{a}", "< 5", ">= 5", '"', " Widowed", "{missing}", "[a, b["]),
)


@given(TEXTS)
def test_a_value_reads_back(text):
    assert parse_label(format_value(text)) == Value(text)


@given(TEXTS, TEXTS)
def test_a_closed_range_reads_back(low, high):
    expected = Value(low) if low == high else Range(low, high)
    assert parse_label(format_range(low, high)) == expected


@given(TEXTS, TEXTS)
def test_a_half_open_range_reads_back(low, high):
    assert parse_label(label.format_half_open(low, high)) == Range(low, high, high_in=False)


@given(TEXTS)
def test_half_lines_read_back(end):
    assert parse_label(label.format_below(end)) == Range(None, end, high_in=False)
    assert parse_label(label.format_from(end)) == Range(end, None)


@given(st.lists(st.one_of(st.none(), TEXTS), min_size=1, max_size=6))
def test_a_set_reads_back(values):
    texts = sorted({value for value in values if value is not None})
    expected = ValueSet((*texts, None)) if None in values else ValueSet(tuple(texts))
    read = parse_label(format_set(values))
    assert read == (Value(texts[0]) if len(expected.values) == 1 and texts else expected)


@given(TEXTS)
def test_any_text_parses(text):
    assert isinstance(parse_label(text), Value | Range | ValueSet | Root)


def test_a_set_does_not_depend_on_the_order_or_on_repeats():
    assert format_set(["b", "a", "b"]) == format_set(["a", "b"]) == "{a, b}"


def test_an_empty_set_is_refused():
    with pytest.raises(ParameterError):
        format_set([])


@pytest.mark.parametrize("text", ["[20, 30[", "[20,30[", "[20, 30)", "[ 20 , 30 )"])
def test_half_open_forms_of_other_tools_are_read(text):
    assert parse_label(text) == Range("20", "30", high_in=False)


@pytest.mark.parametrize("text", ["]20, 30]", "(20,30]"])
def test_ranges_without_their_lower_end_are_read(text):
    assert parse_label(text) == Range("20", "30", low_in=False)


@pytest.mark.parametrize("text", [">50K", "<=50K", "(Doe, John)", "0-4", "[20, 30", "{}", "[a]", "{a,,b}", "Widowed"])
def test_other_texts_are_values(text):
    assert parse_label(text) == Value(text)


def test_signs_and_dates_need_no_quotes():
    assert format_range("-9", "-1.5") == "[-9, -1.5]"
    assert format_range("2020-01-31", "2021-02-01") == "[2020-01-31, 2021-02-01]"
