"""JSON Schemas of results, made from what their classes say of their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.document.result.keys import Key, keys_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_TYPES: Mapping[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "count": {"type": "integer", "minimum": 0},
    "number": {"type": "number"},
    "share": {"type": "number", "minimum": 0, "maximum": 1},
    "flag": {"type": "boolean"},
    "any": {},
    "pair": {"type": "array", "minItems": 2, "maxItems": 2},
}


def properties_of(cls: type) -> dict[str, Any]:
    """The schema of an object of a class; keys that are not known are left to later versions."""
    keys = keys_of(cls)
    required = [name for name, key in keys.items() if key.required]
    return {
        "type": "object",
        "properties": {name: _key(key) for name, key in keys.items()},
        **({"required": required} if required else {}),
    }


def _key(key: Key) -> dict[str, Any]:
    """The schema of one key."""
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
    inner = _key(key.of) if isinstance(key.of, Key) else properties_of(key.of) if key.of else {}
    if key.kind == "list":
        return {"type": "array", "items": inner}
    return inner if key.kind == "object" else {"type": "object", "additionalProperties": inner}
