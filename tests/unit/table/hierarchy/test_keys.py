"""Keys are read by type; what nobody reads is refused."""

from datetime import date, datetime

import pytest

from sfumato.errors import PlanError
from sfumato.table.hierarchy.keys import Keys
from sfumato.table.hierarchy.match import Match


def keys(**items):
    return Keys("age", "form", items)


def test_absent_keys_are_none_or_empty():
    empty = keys()
    assert empty.maybe_text("a") is empty.maybe_number("a") is empty.maybe_whole("a") is empty.wholes("a") is None
    assert empty.numbers("a") == []
    assert empty.flag("a") is False
    assert empty.choice("a", Match.EXACT) is Match.EXACT


@pytest.mark.parametrize("read", [Keys.text, Keys.number, Keys.whole, Keys.items, Keys.table])
def test_required_keys_must_be_there(read):
    with pytest.raises(PlanError, match="`a` in the hierarchy of 'age'"):
        read(keys(), "a")


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (Keys.text, 1),
        (Keys.number, "1"),
        (Keys.whole, 1.0),
        (Keys.whole, True),
        (Keys.flag, 1),
        (Keys.items, "ab"),
        (Keys.table, []),
    ],
)
def test_values_of_another_type_are_refused(read, value):
    with pytest.raises(PlanError, match="`a`"):
        read(keys(a=value), "a")


def test_a_day_is_an_edge_and_a_moment_is_none():
    assert keys(a=date(2020, 1, 1)).maybe_edge("a") == date(2020, 1, 1)
    with pytest.raises(PlanError, match="numbers or dates"):
        keys(a=datetime(2020, 1, 1)).maybe_edge("a")  # noqa: DTZ001


def test_unread_keys_are_refused():
    with pytest.raises(PlanError, match="unknown key 'b'"):
        keys(b=1).finish()
