"""JSON Schemas of documents, made from their classes: keys complete and mistakes show while somebody types.

They speak draft 7 without its newest words (one word is an `enum` of one, definitions are `definitions`), which is what
editors of TOML understand. What a schema cannot say (that a column exists, that bounds are in order) is said by Sfumato.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, get_args, get_origin

from sfumato.document.codec import plain_value
from sfumato.document.header import FORMAT
from sfumato.document.hierarchy import Members, Tree
from sfumato.document.spec import (
    Promise,
    bare,
    criteria,
    hints_of,
    is_required,
    is_union,
    key_of,
    keys_of_criterion,
    meanings,
    tag_of,
    words_in,
)

if TYPE_CHECKING:
    from sfumato.document.header import Header
    from sfumato.document.spec import Class, Hint

Json: TypeAlias = "dict[str, Any]"
DRAFT = "http://json-schema.org/draft-07/schema#"

_SIMPLE: Mapping[object, Json] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    Fraction: {"type": ["number", "string"]},
    date: {"type": "string"},  # editors hold a date of TOML against a text
    Members: {"type": "array", "items": {"$ref": "#/definitions/Member"}},
    Tree: {"type": "object", "additionalProperties": {"$ref": "#/definitions/Branch"}},
}
_NESTED: Mapping[str, Json] = {
    "Member": {
        "anyOf": [
            {"type": "string"},
            {"type": "array", "items": {"$ref": "#/definitions/Member"}},
            {
                "type": "object",
                "properties": {
                    "label": {"type": "string"},
                    "members": {"type": "array", "items": {"$ref": "#/definitions/Member"}},
                },
                "required": ["label", "members"],
                "additionalProperties": False,
            },
        ]
    },
    "Branch": {
        "anyOf": [
            {"type": "string"},
            {"type": "array", "items": {"$ref": "#/definitions/Branch"}},
            {"type": "object", "additionalProperties": {"$ref": "#/definitions/Branch"}},
        ]
    },
}


def schema_of(cls: Class, header: Header) -> Json:
    """The schema of a kind of document.

    Args:
        cls: class of the document.
        header: what its first line says.
    """
    found = _Definitions()
    whole = found.table(cls)
    first = {FORMAT: {"enum": [header.format], "description": "What this document is, and its version."}}
    old = {header.old: {"enum": [1], "description": f"The same, as version 0.1.0 wrote it; now `{FORMAT}`."}}
    whole["properties"] = first | old | whole["properties"]
    whole["oneOf"] = [{"required": [FORMAT]}, {"required": [header.old]}]
    return {"$schema": DRAFT, "title": header.format, **whole, "definitions": {**_NESTED, **found.made}}


class _Definitions:
    """Schemas of classes, each made once and named."""

    def __init__(self) -> None:
        self.made: dict[str, Json] = {}

    def table(self, cls: Class) -> Json:
        """A table of one class, with its tag if it has one."""
        hints, said, tag = hints_of(cls), meanings(cls), tag_of(cls)
        properties: dict[str, Json] = {} if tag is None else {tag[0]: {"enum": [tag[1]], "description": _line(cls)}}
        for one in fields(cls):
            name = key_of(one)
            properties[name] = self._key(hints[name], said.get(name, ""), one)
            if "old" in one.metadata:
                properties[one.metadata["old"]] = self.of(hints[name]) | {"description": f"Now `{name}`."}
        required = [key_of(one) for one in fields(cls) if is_required(one) and "old" not in one.metadata]
        needed = {"required": [*([tag[0]] if tag else []), *required]} if tag or required else {}
        either = [{"anyOf": [{"required": [key_of(one)]}, {"required": [one.metadata["old"]]}]}
                  for one in fields(cls) if "old" in one.metadata and is_required(one)]  # fmt: skip
        return {"type": "object", "description": _line(cls), "properties": properties, **needed,
                **({"allOf": either} if either else {}), "additionalProperties": False}  # fmt: skip

    def of(self, hint: Hint) -> Json:
        """Whatever a type allows."""
        hint = bare(hint)
        origin: object = get_origin(hint)
        if hint == Promise:
            return self._promise()
        if is_union(hint):
            return self._union(get_args(hint))
        if origin is tuple:
            return {"type": "array", "items": self.of(get_args(hint)[0])}
        if origin is Mapping:
            return {"type": "object", "additionalProperties": self.of(get_args(hint)[1])}
        if words := words_in(hint):
            return {"enum": words}
        return dict(_SIMPLE[hint]) if hint in _SIMPLE else self._named(hint)

    def _key(self, hint: Hint, meaning: str, one: Any) -> Json:
        """One key with its meaning, and what it holds when absent."""
        found: Json = self.of(hint)
        if "$ref" in found:
            found = {"allOf": [found]}
        usual = one.default
        if usual is not MISSING and usual is not None and not is_dataclass(usual):
            found = found | {"default": plain_value(usual)}
        return found | ({"description": _sentence(meaning)} if meaning else {})

    def _named(self, cls: Class) -> Json:
        """A reference to the schema of a class."""
        if cls.__name__ not in self.made:
            self.made[cls.__name__] = {}
            self.made[cls.__name__] = self.table(cls)
        return {"$ref": f"#/definitions/{cls.__name__}"}

    def _union(self, members: tuple[Hint, ...]) -> Json:
        """One of several types; simple ones in one list of types."""
        simple = [dict(_SIMPLE[member]) for member in members if member in _SIMPLE]
        names = list(dict.fromkeys(kind for one in simple for kind in ([one["type"]] if isinstance(one["type"], str) else one["type"])))  # fmt: skip
        if "number" in names:
            names = [name for name in names if name != "integer"]
        others = [self.of(member) for member in members if member not in _SIMPLE]
        if not others:
            return {"type": names}
        return {"anyOf": [*([{"type": names}] if names else []), *others]}

    def _promise(self) -> Json:
        """Every criterion that can be promised."""
        name = "Promise"
        self.made[name] = {"anyOf": [self._criterion(cls) for cls in criteria()]}
        return {"$ref": f"#/definitions/{name}"}

    def _criterion(self, cls: Class) -> Json:
        given, said, variant = keys_of_criterion(cls), meanings(cls), dict(getattr(cls, "variant", {}))
        told = {"model": cls.model, **variant}
        properties = {name: {"enum": [value], "description": _line(cls)} for name, value in told.items()}
        for name, hint in given.items():
            properties[name] = self.of(hint) | {"description": _sentence(said.get(name, ""))}
        return {"type": "object", "description": _line(cls), "properties": properties,
                "required": [*told, *given], "additionalProperties": False}  # fmt: skip


def _line(cls: Class) -> str:
    """The first line of a docstring."""
    return " ".join((cls.__doc__ or "").split("\n\n")[0].split())


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
