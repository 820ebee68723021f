"""Which texts mean the same is declared, never assumed."""

import pytest

from sfumato.errors import ValueFormMismatch, ValueNotInHierarchy
from sfumato.table.hierarchy.match import Match, key, match_values
from sfumato.table.schema import Column, Role

COLUMN = Column("x", Role.QUASI_IDENTIFYING)


@pytest.mark.parametrize(
    ("text", "same"), [("34", True), ("34.0", True), ('"34"', True), (" 3.4e1 ", True), ("43", False)]
)
def test_numbers_are_equal_in_any_form(text, same):
    assert (key(text, Match.NUMBER) == key("34", Match.NUMBER)) is same


def test_words_are_never_numbers():
    assert key("nan", Match.NUMBER) == "nan"
    assert key("1_0", Match.NUMBER) == "1_0"


def test_texts_of_the_table_win_over_those_of_the_hierarchy():
    assert match_values(COLUMN, ["1", "2"], ["1.0"], Match.NUMBER) == {"1": ["1.0"], "2": ["2"]}


def test_a_mixed_fault_names_the_form_first():
    with pytest.raises(ValueFormMismatch, match="3 of 3 distinct values are not; 1 of them"):
        match_values(COLUMN, ["1", "a"], ["1.0", " a", "zzz"], Match.EXACT)


def test_values_that_are_really_absent():
    with pytest.raises(ValueNotInHierarchy, match=r"1 of 1 distinct values are not\."):
        match_values(COLUMN, ["1"], ["2"], Match.EXACT)
