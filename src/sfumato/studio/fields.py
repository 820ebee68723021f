"""Forms from the classes of documents: a field for each key, with its meaning; and what was filled in as a table again.

Nothing here knows a method, a promise or a hierarchy: their keys, types and meanings are read off their classes, as the
reference pages and the JSON Schemas are. A new key appears in the form by itself.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields
from enum import Enum
from typing import TYPE_CHECKING, Any, cast, get_args, get_origin

from sfumato.document.codec import plain_value
from sfumato.document.spec import hints_of, is_required, is_union, key_of, keys_of_criterion, meanings, words_in
from sfumato.errors import PlanError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.spec import Class, Hint
    from sfumato.table.values import Item, Table

_NUMBERS = (int, float)
MANY = "names"
"""A field with a line `name = value` for each entry."""
LINES = "lines"
"""A field with a line for each text; texts that are no line stand in a list of TOML."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One key of a table, as a form shows it.

    Args:
        name: of the input.
        label: the key.
        meaning: one sentence about it.
        kind: "words" (one of some), "yes" (true or false), "number", "text", "list" (separated by commas), "lines" (a text
            in each line), "names" (a line `name = value` for each), "toml" (a value of TOML).
        value: what stands there; "": nothing.
        usual: what holds where nothing stands there.
        words: those that may be chosen.
        is_required: whether the key must be there.
    """

    name: str
    label: str
    meaning: str
    kind: str
    value: str = ""
    usual: str = ""
    words: tuple[str, ...] = ()
    is_required: bool = False


def fields_of(cls: Class, given: Table, columns: Sequence[str] = ()) -> tuple[Field, ...]:
    """The fields of a class of a document.

    Args:
        cls: its class; tables inside it are written as TOML.
        given: the keys that are there.
        columns: names that a key called `column` may hold.
    """
    hints, said = _hints(cls), meanings(cls)
    return tuple(
        _field(key_of(one), hints[key_of(one)], said.get(key_of(one), ""), given.get(key_of(one)), one, columns)
        for one in fields(cls)
        if "old" not in one.metadata
    )


def read_fields(cls: Class, posted: Mapping[str, str]) -> dict[str, Item]:
    """The table that somebody filled in; keys that were left empty are absent.

    Args:
        cls: class of the table.
        posted: texts by name of the input.

    Raises:
        PlanError: a text is no value of its kind. Whether the value is allowed is said where the document is read.
    """
    out: dict[str, Item] = {}
    hints = _hints(cls)
    for one in fields(cls):
        name = key_of(one)
        text = posted.get(name, "").strip()
        if name in posted and text:
            out[name] = _value(name, _kind(hints[name]), text)
    return out


def _hints(cls: Class) -> Mapping[str, Hint]:
    return keys_of_criterion(cls) if hasattr(cls, "model") else hints_of(cls)


def _field(name: str, hint: Hint, meaning: str, value: Item, one: Any, columns: Sequence[str]) -> Field:
    usual = one.default if one.default is not MISSING and one.default not in (None, ()) else ""
    kind = _kind(hint)
    words = tuple(map(str, words_in(hint)))
    if name == "column" and columns:
        kind, words = "words", tuple(columns)
    return Field(
        name=name,
        label=name,
        meaning=_sentence(meaning),
        kind=kind,
        value=_text(kind, value),
        usual=_text(kind, plain_value(usual)),
        words=words,
        is_required=is_required(one),
    )


def _sentence(meaning: str) -> str:
    """A meaning with a capital; a symbol of mathematics keeps its own.

    Example:
        >>> _sentence("least share."), _sentence("ε, above 0.")
        ('Least share.', 'ε, above 0.')
    """
    return meaning[:1].upper() + meaning[1:] if meaning[:1].isascii() else meaning


def _kind(hint: Hint) -> str:
    """How values of a type are filled in.

    Example:
        >>> _kind(bool), _kind(int | str), _kind(tuple[int, ...]), _kind(Mapping[str, int])
        ('yes', 'text', 'list', 'names')
    """
    origin: object = get_origin(hint)
    if words_in(hint):
        return "words"
    if hint is bool:
        return "yes"
    if origin is Mapping:
        return MANY
    if origin is tuple:
        return LINES if get_args(hint)[0] is str else "list" if _is_simple(get_args(hint)[0]) else "toml"
    members = get_args(hint) if is_union(hint) else (hint,)
    if not all(_is_simple(member) for member in members):
        return "toml"
    return "text" if str in members else "number"


def _is_simple(hint: Hint) -> bool:
    members = get_args(hint) if is_union(hint) else (hint,)
    return all(
        isinstance(member, type) and (issubclass(member, (*_NUMBERS, str, Enum)) or _is_exact(member))
        for member in members
    )


def _is_exact(kind: type) -> bool:
    return kind.__name__ in {"Fraction", "date"}


def _text(kind: str, value: Item) -> str:
    """A value as its input shows it."""
    if value is None or value in ("", (), [], {}):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if kind == LINES and isinstance(value, (list, tuple)):
        return "\n".join(map(str, value)) if all(map(_is_line, value)) else _toml(list(value))
    if kind == "list" and isinstance(value, (list, tuple)):
        return ", ".join(_text("text", item) for item in value)
    if kind == MANY and isinstance(value, Mapping):
        return "\n".join(f"{_toml(name)} = {_toml(item)}" for name, item in value.items())
    return _toml(value) if kind == "toml" else str(value)


def _is_line(value: Item) -> bool:
    r"""Whether a text can be typed into a line of its own.

    Example:
        >>> _is_line("yes, often"), _is_line("a\nb"), _is_line(" a"), _is_line("[a]")
        (True, False, False, False)
    """
    text = str(value)
    return text.strip().splitlines() == [text] and not text.startswith("[")


def _toml(value: Item) -> str:
    """A value in TOML."""
    import tomlkit

    return tomlkit.item(value).as_string() if not isinstance(value, Mapping) else _inline(value)


def _inline(value: Table) -> str:
    return "{ " + ", ".join(f"{_toml(name)} = {_toml(item)}" for name, item in value.items()) + " }"


def _value(name: str, kind: str, text: str) -> Item:
    """What a text means."""
    if kind == "yes":
        return text == "true"
    if kind == "number":
        return _number(text)
    if kind == LINES:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return _parsed(name, f"value = {text}")["value"] if text.startswith("[") else cast("Item", lines)
    if kind == "list":
        return [_number(part.strip()) for part in text.split(",") if part.strip()]
    if kind == MANY:
        return _parsed(name, text)
    return _parsed(name, f"value = {text}")["value"] if kind == "toml" else text


def _number(text: str) -> Item:
    """A number where the text is one; a decimal comma is a point.

    Example:
        >>> _number("5"), _number("0,02"), _number("1/3"), _number("age")
        (5, 0.02, '1/3', 'age')
    """
    plain = text.replace(",", ".").replace("\u202f", "").replace("\u00a0", "")
    for kind in _NUMBERS:
        try:
            return kind(plain)
        except ValueError:
            continue
    return text


def _parsed(name: str, text: str) -> dict[str, Item]:
    """TOML that somebody typed into a field."""
    try:
        return tomllib.loads(text)
    except ValueError:  # no TOML, or an integer of thousands of digits
        raise PlanError(
            "`{name}` must be written as in TOML.",
            'put texts in quotes, lists in [ ], and give one "name" = value a line.',
            name=name,
        ).below(name) from None
