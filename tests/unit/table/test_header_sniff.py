"""Whether a first row names the columns."""

import pytest

from sfumato.table.header_sniff import looks_like_header


@pytest.mark.parametrize("names", [["1", "2", "3"], ["0", "1", "2"], ["", "1985", "1993", "2000"]])
def test_running_numbers_and_years_are_names(names):
    """R numbers its columns, statistics offices head them with years."""
    assert looks_like_header(names, [["5"] * len(names)])


def test_texts_that_come_again_below_are_no_names():
    """A value recurs in its column, a name does not."""
    assert not looks_like_header(["F", "yes"], [["F", "no"], ["M", "yes"]])


def test_texts_above_texts_are_names_unless_they_recur():
    """Without any other sign, the first row names the columns."""
    assert looks_like_header(["sex", "place"], [["F", "Rome"], ["M", "Oslo"]])


def test_a_number_is_no_name():
    """Nor is a row that holds one above texts."""
    assert not looks_like_header(["39", "Rome"], [["x", "Oslo"], ["y", "Bern"]])


def test_a_header_alone_is_a_header():
    """A table may have no rows."""
    assert looks_like_header(["a", "b"], [])
    assert not looks_like_header(["a", "5"], [])


NUMBERED = ["name", "place", "2", "5", "6", "17", "40"]


def test_rising_numbers_after_texts_are_names():
    """Columns named by the numbers of articles or days."""
    assert looks_like_header(
        NUMBERED, [["Ann", "Rome", "3", "0", "4", "3", "5"], ["Bob", "Oslo", "0", "4", "0", "3", "2"]]
    )
    assert looks_like_header(["user", "0", "1", "2", "3", "4"], [["7", "a", "b", "c", "a", "b"]])


def test_numbers_that_rise_in_every_row_are_no_names():
    """Cumulative counts rise below as above."""
    assert not looks_like_header(
        NUMBERED, [["Ann", "Rome", "1", "2", "3", "4", "5"], ["Bob", "Oslo", "0", "4", "5", "8", "9"]]
    )
