"""What the classes of results say of their keys: kind, meaning, whether one must be there; and that as JSON Schema.

A class is a frozen dataclass; its fields are the keys, and the meaning of each stands in the docstring under `Args`. A
field whose metadata say `OMITTED` is left out of a document where it is None, one whose metadata are `omitted_with` a
second field where both are; any other is then written as null.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, Union, cast, get_args, get_origin, get_type_hints

from sfumato.document.spec import meanings
from sfumato.frozen import dataclass

_ANYTHING: Final = {"Item": Any, "Table": Mapping[str, Any]}
"""What a class says where a key may hold whatever a document holds."""

OMITTED: Final[Mapping[str, bool]] = {"omitted": True}
"""Metadata of a field that is left out where it is None; null is then no value of it."""


def omitted_with(other: str) -> Mapping[str, str]:
    """Metadata of a field that is left out where it and another field are None; beside a value of that it may be null."""
    return {"omitted": other}


FORMAT: Final = "format"
"""The key with which a document says what it is."""

_KINDS = {str: "text", int: "count", float: "number", bool: "flag", Any: "any"}


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a result, or one item of a list or map.

    Args:
        kind: "text", "count" (whole, >= 0), "number", "share" (in [0, 1]), "flag", "any", "object" (named keys),
            "list", "pair" (a text or null, and a number), "counts" (two whole numbers >= 0) or "map" (free names).
        meaning: one phrase.
        required: whether a document without it is refused.
        nullable: whether null is allowed.
        of: the class of an object; the item of a list or map.
        choices: the only texts allowed; () when free.
    """

    kind: str
    meaning: str = ""
    required: bool = False
    nullable: bool = False
    of: type | Key | None = None
    choices: tuple[str, ...] = ()


@cache
def keys_of(cls: type) -> Mapping[str, Key]:
    """Every key of a class, in order; of a document with `format` before all others."""
    hints, said = get_type_hints(cls, localns=_ANYTHING, include_extras=True), meanings(cls)
    found = {FORMAT: Key("text", "the format and its version", required=True, choices=(cls.tag[1],))} if hasattr(cls, "tag") else {}  # fmt: skip
    for one in fields(cast("Any", cls)):
        required = one.default is MISSING and one.default_factory is MISSING
        nullable = one.metadata.get("omitted") is not True
        found[one.name] = _key(
            hints[one.name], said.get(one.name, "").removesuffix("."), required=required, nullable=nullable
        )
    return found


def lines(cls: type, prefix: str = "") -> Iterator[tuple[str, Key]]:
    """Every key with its dotted path, `[]` for items of lists and `.*` for free names.

    Example:
        >>> from sfumato.document.result.release import ReleaseResult
        >>> [path for path, _ in lines(ReleaseResult)][:6]
        ['format', 'sfumato', 'plan', 'plan_sha256', 'replay', 'versions']
    """
    for name, key in keys_of(cls).items():
        yield f"{prefix}{name}", key
        inner, mark = key, ""
        while isinstance(inner.of, Key):
            mark += "[]" if inner.kind == "list" else ".*"
            inner = inner.of
        if inner.of is not None:
            yield from lines(inner.of, f"{prefix}{name}{mark}.")


def _key(hint: Any, meaning: str = "", *, required: bool = False, nullable: bool = True) -> Key:
    """What a type says of a key."""
    members = [member for member in get_args(hint) if member is not type(None)]
    is_optional = get_origin(hint) in (Union, types.UnionType) and len(members) == 1
    kind, of, choices = _kind(members[0] if is_optional else hint)
    return Key(kind, meaning, required, nullable and is_optional, of, choices)


def _kind(hint: Any) -> tuple[str, type | Key | None, tuple[str, ...]]:
    """The kind of a type, what is inside it, and the only texts that it allows."""
    origin, args = get_origin(hint) or hint, get_args(hint)
    if origin in (tuple, Mapping):
        if origin is tuple and args[-1] is not Ellipsis:
            return "counts" if set(args) == {int} else "pair", None, ()
        return ("list", _key(args[0]), ()) if origin is tuple else ("map", _key(args[1]), ())
    if isinstance(origin, type) and is_dataclass(origin):
        return "object", origin, ()
    if origin is Literal:
        return "text", None, args
    return "share" if origin is Annotated else _KINDS[origin], None, ()


_TYPES: Mapping[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "count": {"type": "integer", "minimum": 0},
    "number": {"type": "number"},
    "share": {"type": "number", "minimum": 0, "maximum": 1},
    "flag": {"type": "boolean"},
    "any": {},
    "pair": {"type": "array", "minItems": 2, "maxItems": 2},
    "counts": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2},
}


def properties_of(cls: type) -> dict[str, Any]:
    """The schema of an object of a class; keys that are not known are left to later versions."""
    keys = keys_of(cls)
    required = [name for name, key in keys.items() if key.required]
    return {
        "type": "object",
        "properties": {name: _schema(key) for name, key in keys.items()},
        **({"required": required} if required else {}),
    }


def _schema(key: Key) -> dict[str, Any]:
    found = _inside(key)
    if key.choices:
        found = {"enum": list(key.choices)}
    if key.nullable:
        found = {"anyOf": [found, {"type": "null"}]} if found else {}
    return found | ({"description": key.meaning} if key.meaning else {})


def _inside(key: Key) -> dict[str, Any]:
    """The same without what may stand in its place."""
    if key.kind in _TYPES:
        return dict(_TYPES[key.kind])
    inner = _schema(key.of) if isinstance(key.of, Key) else properties_of(key.of) if key.of else {}
    if key.kind == "list":
        return {"type": "array", "items": inner}
    return inner if key.kind == "object" else {"type": "object", "additionalProperties": inner}
