"""The spelling of a published value, and how it is read again.

Five forms::

    Divorced               one value, as it stands in the table
    [17, 25]               a closed range; its ends are values or declared bounds
    [20, 25[   [20, 25)    a range without its upper end (`]20, 25]`, `(20, 25]` without its lower)
    < 18   >= 65           a range without a lower or an upper end
    {Divorced, Widowed}    a set of values; the bare word `missing` in it is the missing value
    *                      any value

Inside ranges and sets a text that could be misread stands between double quotes, a double quote in
it is doubled: `{"Paris, France", Rome}`. A value that itself looks like one of these forms is
written as a set of one, `{"[17, 25]"}`, and is read back as that value.

A table that we did not write may hold such texts as plain values. Whoever measures it asks first
whether a text is a value of the column, and only then what `parse_label` makes of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.table.hierarchy.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence

MISSING = "missing"
"""The missing value inside a set; the text `missing` is quoted there."""

_BARE = r'[^\s,{}\[\]()"](?:[^,{}\[\]()"]*[^\s,{}\[\]()"])?'
_ITEM = rf'(?:"(?:[^"]|"")*"|{_BARE})'
_RANGE = re.compile(rf"([\[\](])\s*({_ITEM})\s*,\s*({_ITEM})\s*([\[\])])")
_SET = re.compile(rf"\{{\s*{_ITEM}(?:\s*,\s*{_ITEM})*\s*\}}")
_HALF_LINE = re.compile(rf"(<=?|>=?) ({_ITEM})")
_BARE_TEXT, _ITEMS = re.compile(_BARE), re.compile(_ITEM)


@dataclass(frozen=True, slots=True)
class Value:
    """One value, told exactly."""

    text: str


@dataclass(frozen=True, slots=True)
class Range:
    """Every value between two ends.

    Args:
        low: text of the lower end; None: there is none.
        high: text of the upper end; None: there is none.
        low_in: whether the lower end belongs to the range.
        high_in: whether the upper end belongs to the range.
    """

    low: str | None
    high: str | None
    low_in: bool = True
    high_in: bool = True


@dataclass(frozen=True, slots=True)
class ValueSet:
    """One of several values, sorted; None (last) is the missing value."""

    values: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Root:
    """Any value of the column."""


Label: TypeAlias = Value | Range | ValueSet | Root


def format_value(text: str) -> str:
    """Spell one value: itself, or a quoted set of one where it would read as another form.

    Example:
        >>> format_value("Divorced"), format_value("*"), format_value("[1, 2]")
        ('Divorced', '{"*"}', '{"[1, 2]"}')
    """
    return text if parse_label(text) == Value(text) else f"{{{_quoted(text)}}}"


def format_range(low: str, high: str) -> str:
    """Spell the closed range between two values; one value alone is that value.

    Example:
        >>> format_range("17", "25"), format_range("17", "17"), format_range("3,5", "4")
        ('[17, 25]', '17', '["3,5", 4]')
    """
    return format_value(low) if low == high else join_ends(_item(low), _item(high))


def format_half_open(low: str, high: str) -> str:
    """Spell the range from `low` up to, but without, `high`.

    Example:
        >>> format_half_open("20", "25")
        '[20, 25['
    """
    return f"[{_item(low)}, {_item(high)}["


def format_below(high: str) -> str:
    """Spell everything below `high`.

    Example:
        >>> format_below("18")
        '< 18'
    """
    return f"< {_item(high)}"


def format_from(low: str) -> str:
    """Spell everything from `low` on.

    Example:
        >>> format_from("65")
        '>= 65'
    """
    return f">= {_item(low)}"


def format_set(values: Sequence[str | None]) -> str:
    """Spell a set of values, sorted, each once; one value alone is that value.

    Raises:
        ParameterError: the set is empty. Remedy: a published cell stands for at least one value.

    Example:
        >>> format_set(["Widowed", "Divorced"]), format_set(["Widowed"]), format_set([None, "a, b"])
        ('{Divorced, Widowed}', 'Widowed', '{"a, b", missing}')
    """
    distinct = _sorted(values)
    if not distinct:
        raise ParameterError("A set of published values must hold a value; got none.", "publish `*` for any value.")
    if len(distinct) == 1 and distinct[0] is not None:
        return format_value(distinct[0])
    return join_items([item_of(value) for value in distinct])


def item_of(value: str | None) -> str:
    """Spell a value as it stands inside a range or a set.

    Example:
        >>> item_of("Rome"), item_of("Paris, France"), item_of(None)
        ('Rome', '"Paris, France"', 'missing')
    """
    return MISSING if value is None else _item(value)


def join_items(items: Sequence[str]) -> str:
    """Spell the set of two or more values from their items, in the order of their texts, the missing value last.

    Example:
        >>> join_items(["Divorced", "Widowed"])
        '{Divorced, Widowed}'
    """
    return "{" + ", ".join(items) + "}"


def join_ends(low: str, high: str) -> str:
    """Spell the closed range between two values from their items.

    Example:
        >>> join_ends("17", "25")
        '[17, 25]'
    """
    return f"[{low}, {high}]"


def parse_label(text: str) -> Label:
    """Read a published value. A text of no other form is a value; nothing is refused.

    Example:
        >>> parse_label("[17, 25]")
        Range(low='17', high='25', low_in=True, high_in=True)
        >>> parse_label("{Divorced, Widowed}")
        ValueSet(values=('Divorced', 'Widowed'))
        >>> parse_label("[20,30)") == parse_label("[20, 30["), parse_label("*"), parse_label(">50K")
        (True, Root(), Value(text='>50K'))
    """
    if text == ROOT:
        return Root()
    first = text[:1]
    if first in ("[", "]", "("):
        return _parse_range(text)
    if first == "{":
        return _parse_set(text)
    if first in ("<", ">"):
        return _parse_half_line(text)
    return Value(text)


def _parse_range(text: str) -> Label:
    """`[a, b]` and its half-open forms; a pair in round brackets alone is a value."""
    found = _RANGE.fullmatch(text)
    if found is None or (found[1] == "(" and found[4] == ")"):
        return Value(text)
    return Range(_unquoted(found[2]), _unquoted(found[3]), low_in=found[1] == "[", high_in=found[4] == "]")


def _parse_set(text: str) -> Label:
    """`{a, b}`; a set of one value is that value."""
    if _SET.fullmatch(text) is None:
        return Value(text)
    items = [found[0] for found in _ITEMS.finditer(text[1:-1])]
    values = _sorted([None if item == MISSING else _unquoted(item) for item in items])
    return Value(values[0]) if len(values) == 1 and values[0] is not None else ValueSet(values)


def _parse_half_line(text: str) -> Label:
    """`< a`, `<= a`, `> a`, `>= a`: the blank tells them from values such as `>50K`."""
    found = _HALF_LINE.fullmatch(text)
    if found is None:
        return Value(text)
    end, closed = _unquoted(found[2]), found[1].endswith("=")
    return Range(None, end, high_in=closed) if found[1][0] == "<" else Range(end, None, low_in=closed)


def _sorted(values: Sequence[str | None]) -> tuple[str | None, ...]:
    """Each value once, texts sorted, the missing value last."""
    texts = sorted({value for value in values if value is not None})
    return (*texts, None) if None in values else tuple(texts)


def _item(text: str) -> str:
    """A text inside a range or set, quoted where it could be misread."""
    return text if text != MISSING and _BARE_TEXT.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    """The text between double quotes, its own doubled."""
    return '"' + text.replace('"', '""') + '"'


def _unquoted(item: str) -> str:
    """The text that an item of a range or set stands for."""
    return item[1:-1].replace('""', '"') if item.startswith('"') else item
