"""Columns whose names repeat, lack or clash."""

from hypothesis import given
from hypothesis import strategies as st

from sfumato.engine.base import distinct_names, positional_names


@given(st.lists(st.sampled_from(["a", "A", "a (2)", "", " ", "column 1", "__row", "é", "É", "a "]), max_size=12))
def test_names_differ_without_regard_to_case(written):
    """An engine would merge `a` and `A`; nothing is ever merged, and each change has a note."""
    names, notes = distinct_names(written)
    assert len({name.lower() for name in names} | {"__row"}) == len(written) + 1
    assert len(notes) >= sum(1 for old, new in zip(written, names, strict=True) if old != new)


def test_different_names_are_untouched():
    """Blanks at the ends are part of a name."""
    assert distinct_names(["a ", " a", "a"]) == (("a ", " a", "a"), ())


def test_a_renamed_column_takes_no_name_that_comes_later():
    """`a (2)` is taken."""
    assert distinct_names(["a", "a", "a (2)"])[0] == ("a", "a (3)", "a (2)")


def test_columns_without_header_are_named_by_position():
    """Counted from one, as people count columns."""
    assert positional_names(3) == ("column 1", "column 2", "column 3")
