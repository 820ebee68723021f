"""Reading a table of a document."""

from enum import Enum

import pytest

from sfumato.errors import PlanError
from sfumato.release.document import Section


class Color(Enum):
    """Two choices."""

    RED = "red"
    BLUE = "blue"


def test_a_required_key_that_is_absent_is_named():
    """The message says the table and the key."""
    with pytest.raises(PlanError, match=r"\[source\] must say `path`"):
        Section("[source]", {}).required("path", str)


@pytest.mark.parametrize(("value", "kind"), [(True, int), (True, float), ("5", int), (5, str), ([], dict)])
def test_a_value_of_the_wrong_type_is_refused(value, kind):
    """Neither truth values nor texts pass as numbers."""
    with pytest.raises(PlanError, match="`x` in here must be"):
        Section("here", {"x": value}).required("x", kind)


def test_a_whole_number_passes_as_a_number():
    """`weight = 1` is a number."""
    assert 1.0 == Section("here", {"weight": 1}).required("weight", float)


def test_a_choice_outside_the_list_shows_the_list():
    """The message lists what is possible."""
    with pytest.raises(PlanError, match=r"red.*blue.*got 'green'"):
        Section("here", {"color": "green"}).choice("color", Color)


def test_a_choice_may_have_a_default():
    """Absent keys take it."""
    assert Color.BLUE is Section("here", {}).choice("color", Color, Color.BLUE)


def test_unknown_keys_are_refused_by_name():
    """What nobody read is named, beside what is known."""
    section = Section("here", {"k": 1, "kk": 2})
    section.required("k", int)
    with pytest.raises(PlanError, match=r"unknown: \['kk'\]; known here: \['k'\]"):
        section.finish()


def test_a_table_that_is_none_is_refused():
    """`columns = 3` is no table."""
    with pytest.raises(PlanError, match="must be a table"):
        Section("[columns]", 3)
