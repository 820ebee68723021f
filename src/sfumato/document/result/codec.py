"""Results as plain data and JSON, and back: every fault of a document is told by its key, never by what stands there."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import Field, fields, is_dataclass
from importlib import import_module
from itertools import chain
from typing import Any, ClassVar, TypeVar, cast

from sfumato.document.result.keys import FORMAT, Key, keys_of
from sfumato.errors import ResultError, SourceError
from sfumato.table.values import Item, Table, parsed_json

T = TypeVar("T")
D = TypeVar("D", bound="Document")

_TYPES: dict[str, tuple[type, ...]] = {
    "text": (str,), "count": (int,), "number": (int, float), "share": (int, float), "flag": (bool,),
    "object": (Mapping,), "map": (Mapping,), "list": (list, tuple), "pair": (list, tuple),
    "counts": (list, tuple),
}  # fmt: skip
_WORDS = {
    "text": "a text", "count": "a whole number >= 0", "number": "a finite number", "share": "a number in [0, 1]",
    "flag": "true or false", "object": "an object", "map": "an object", "pair": "a text or null and a finite number",
    "list": "a list", "counts": "two whole numbers >= 0",
}  # fmt: skip
_PAIRS = ("pair", "counts")
"""Kinds of two values, in a list of JSON."""


class Document:
    """What a command or a function gives: a frozen object that is a JSON document too."""

    __slots__ = ()
    tag: ClassVar[tuple[str, str]]
    """The key and the value by which the document says what it is."""

    def to_dict(self) -> dict[str, Any]:
        """The document as plain data."""
        return cast("dict[str, Any]", plain_of(self))

    def to_json(self) -> str:
        """The document as JSON text: keys sorted, two spaces, UTF-8 letters kept, one final line end.

        Raises:
            ResultError: a number is not finite. Remedy: state null and say why in the definition.
        """
        return json_of(self.to_dict())

    def _repr_html_(self) -> str | None:
        """What a notebook shows."""
        return drawn(self)


def drawn(thing: object) -> str | None:
    """What a notebook shows of an object; None: it has no page.

    The page is drawn by the room `report`, which knows of documents and not the other way round. So it is asked for by its
    name, when a notebook asks, and nothing else here knows of it.
    """
    shown = import_module("sfumato.report.notebook").shown(thing)
    return None if shown is None else str(shown)


def json_of(document: Table) -> str:
    """Plain data as JSON text.

    Raises:
        ResultError: a number is not finite. Remedy: state null and say why in the definition.
    """
    try:
        return json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    except ValueError as error:
        raise ResultError(
            "Every number of a result must be finite; one is infinite or not a number.",
            "state null and say why in the definition.",
        ) from error


def plain_of(value: object) -> object:
    """Objects as dictionaries and tuples as lists; keys that are left out where they are None are left out."""
    if is_dataclass(value):
        tag: dict[str, Item] = dict([value.tag]) if isinstance(value, Document) else {}
        shown = {one.name: getattr(value, one.name) for one in fields(value) if not _is_left_out(value, one)}
        return tag | {name: plain_of(item) for name, item in shown.items()}
    if isinstance(value, Mapping):
        return {str(name): plain_of(item) for name, item in value.items()}
    return [plain_of(item) for item in value] if isinstance(value, (list, tuple)) else value


def _is_left_out(thing: object, one: Field[Any]) -> bool:
    """Whether a field of an object is no key of its document."""
    omitted = one.metadata.get("omitted", False)
    names = (one.name, omitted) if isinstance(omitted, str) else (one.name,)
    return bool(omitted) and all(getattr(thing, name) is None for name in names)


def read(cls: type[D], text: str, made_by: str) -> D:
    """The document in a text.

    Args:
        cls: its class.
        text: JSON.
        made_by: what writes such documents, for messages.

    Raises:
        ResultError: it is no JSON, of another format, of a newer version, or its shape is wrong.
    """
    try:
        given = parsed_json(text, "A result", f"give the file that {made_by} wrote as `result`.")
    except SourceError as error:
        raise ResultError(error.problem, error.remedy) from None
    return document_from(cls, given, made_by)


def document_from(cls: type[D], given: object, made_by: str) -> D:
    """The document that plain data describe.

    Args:
        cls: its class.
        given: what JSON holds.
        made_by: what writes such documents, for messages.

    Raises:
        ResultError: it is of another format, of a newer version, or its shape is wrong.
    """
    _check_format(cls, given, made_by)
    found = problems(cls, given)
    if found:
        raise ResultError(
            "A result must have the documented keys: {problems}{more}.",
            "make it again with {made_by}; the keys are listed in the reference.",
            problems="; ".join(found[:3]),
            more=f" (and {len(found) - 3} more)" if len(found) > 3 else "",
            made_by=made_by,
        )
    return cast("D", _built(Key("object", of=cls), given))


def problems(cls: type, given: object) -> tuple[str, ...]:
    """Every way in which plain data differ from a class; () where they do not.

    A problem names the key and what it must be, never what stands there.

    Example:
        >>> from sfumato.document.result.release import ReleaseResult
        >>> problems(ReleaseResult, {"format": "sfumato.release/1", "sfumato": "1", "source": {"rows": -1},
        ...     "columns": [], "done": {"method": "fixed", "summary": "None."}, "promise": [{}]})[:2]
        ('`source.rows` must be a whole number >= 0', '`promise[0].name` is missing')
    """
    return tuple(_in_object(given, cls, ""))


def _check_format(cls: type[Document], given: object, made_by: str) -> None:
    """Refuse what is not a document of this format and version."""
    said, wanted = given.get(FORMAT) if isinstance(given, Mapping) else None, cls.tag[1]
    if said == wanted:
        return
    if isinstance(said, str) and said.startswith(wanted.rpartition("/")[0] + "/"):
        raise ResultError(
            "The format must be {wanted!r}; got {said!r}.", "use the version of Sfumato that wrote it.",
            wanted=wanted, said=said[:40],
        )  # fmt: skip
    is_ours = isinstance(said, str) and said.startswith("sfumato.")
    raise ResultError(
        "The document must be a result of the format {wanted!r}; {what_it_is}.",
        "give the file that {made_by} wrote as `result`.",
        wanted=wanted,
        what_it_is=f"it is one of the format {str(said)[:40]!r}" if is_ours else "it does not say so in `format`",
        made_by=made_by,
    )


def _in_object(value: object, cls: type, path: str) -> Iterator[str]:
    """Problems of an object with named keys."""
    if not isinstance(value, Mapping):
        yield f"`{path or 'the document'}` must be an object"
        return
    for name, key in keys_of(cls).items():
        where = f"{path}.{name}" if path else name
        if name in value:
            yield from _in_value(value[name], key, where)
        elif key.required:
            yield f"`{where}` is missing"


def _in_value(value: object, key: Key, path: str) -> Iterator[str]:
    if key.kind == "any" or (value is None and key.nullable):
        return
    if value is None:
        yield f"`{path}` must not be null"
    elif not _is_of(value, key):
        yield f"`{path}` must be {_WORDS[key.kind]}"
    elif key.choices and value not in key.choices:
        yield f"`{path}` must be one of {', '.join(key.choices)}"
    elif isinstance(key.of, type):
        yield from _in_object(value, key.of, path)
    elif isinstance(key.of, Key) and not (key.kind == "list" and _at_a_glance(value, key.of)):
        steps = value.items() if isinstance(value, Mapping) else enumerate(cast("list[object]", value))
        for step, item in steps:
            yield from _in_value(item, key.of, f"{path}[{step!r}]")


def _at_a_glance(items: Any, key: Key) -> bool:
    """Whether all items of a list are what they must be, told without a walk over them; False: each is looked at."""
    if key.kind == "any":
        return True
    types = set(map(type, items))
    if key.kind == "list" and isinstance(key.of, Key):
        return types <= {list, tuple} and _at_a_glance(tuple(chain.from_iterable(items)), key.of)
    if key.kind == "text":
        return types <= {str} and not key.choices
    return key.kind == "number" and types <= {int, float} and all(map(math.isfinite, items))


def _is_of(value: object, key: Key) -> bool:
    """Whether a value is of a kind, and in its range."""
    if not isinstance(value, _TYPES[key.kind]) or (isinstance(value, bool) and key.kind != "flag"):
        return False
    if isinstance(value, (int, float)):
        low = 0.0 if key.kind in {"count", "share"} else -math.inf
        return math.isfinite(value) and low <= value <= (1.0 if key.kind == "share" else math.inf)
    if key.kind not in _PAIRS:
        return True
    match value:
        case [int() as one, int() as other] if key.kind == "counts":
            return min(one, other) >= 0 and bool not in {type(one), type(other)}
        case [str() | None, int() | float() as number]:
            return key.kind == "pair" and not isinstance(number, bool) and math.isfinite(number)
    return False


def _built(key: Key, value: Any) -> Any:
    """A value that was checked, as the object that its key asks for."""
    if value is None or key.of is None:
        return tuple(value) if key.kind in _PAIRS else value
    if isinstance(key.of, Key):
        item = key.of
        if key.kind == "list" and item.of is None and item.kind not in _PAIRS:
            return tuple(value)
        if key.kind == "list":
            return tuple(_built(item, one) for one in value)
        return {str(name): _built(item, one) for name, one in value.items()}
    keys = keys_of(key.of)
    return key.of(**{name: _built(keys[name], item) for name, item in value.items() if name in keys and name != FORMAT})
