"""Is this a result document of ours, and how is one written so that equal results are equal bytes?"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, cast

from sfumato.errors import ResultError, SourceError
from sfumato.report.field import Field
from sfumato.report.shape import FORMAT, SHAPE
from sfumato.table.values import parsed_json

if TYPE_CHECKING:
    from collections.abc import Mapping

_KINDS: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "count": (int,),
    "number": (int, float),
    "share": (int, float),
    "flag": (bool,),
    "object": (dict,),
    "map": (dict,),
    "list": (list, tuple),
    "pair": (list, tuple),
}


def to_json(result: Mapping[str, Any]) -> str:
    r"""The document as JSON text: keys sorted, two spaces, UTF-8 letters kept, one final line end.

    Raises:
        ResultError: a number is not finite. Remedy: state null and say why in the definition.

    Example:
        >>> to_json({"b": 1, "a": [True]})
        '{\n  "a": [\n    true\n  ],\n  "b": 1\n}\n'
    """
    try:
        return json.dumps(result, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    except ValueError as error:
        raise ResultError(
            "Every number of a result must be finite; one is infinite or not a number.",
            "state null and say why in the definition.",
        ) from error


def stable(value: Any) -> Any:
    """The same document with the keys of every object sorted, as a stored result has them.

    Example:
        >>> list(stable({"b": [{"d": 1, "c": 2}], "a": 0}))
        ['a', 'b']
    """
    if isinstance(value, dict):
        return {key: stable(value[key]) for key in sorted(value)}
    return [stable(item) for item in value] if isinstance(value, (list, tuple)) else value


def read_result(text: str) -> dict[str, Any]:
    """Read a result document and check its format.

    Raises:
        ResultError: it is no JSON, of another format, of a newer version, or its shape is wrong.

    Example:
        >>> read_result('{"format": "sfumato.release/2"}')
        Traceback (most recent call last):
        ...
        sfumato.errors.ResultError: The format must be 'sfumato.release/1'; ...
    """
    try:
        document = parsed_json(text, "A result", "give the file that `sfumato run` wrote as `result`.")
    except SourceError as error:
        raise ResultError.of(error) from None
    check_format(document)
    problems = check_result(document)
    if problems:
        more = f" (and {len(problems) - 3} more)" if len(problems) > 3 else ""
        raise ResultError(
            "A result must have the documented keys: {problems}{more}.",
            "make it again with `sfumato run`; the keys are listed in the reference.",
            problems="; ".join(problems[:3]),
            more=more,
        )
    return dict(cast("dict[str, Any]", document))


def check_format(document: object) -> None:
    """Refuse what is not a document of our format and version.

    Raises:
        ResultError: another format or version.
    """
    given = document.get("format") if isinstance(document, dict) else None
    if given == FORMAT:
        return
    if isinstance(given, str) and given.startswith("sfumato.release/"):
        raise ResultError(
            "The format must be {format!r}; got {given!r}.",
            "use the version of Sfumato that wrote it.",
            format=FORMAT,
            given=given[:40],
        )
    raise ResultError(
        "The document must be a result of the format {format!r}; {what_it_is}.",
        "give the file that `sfumato run` wrote as `result`.",
        format=FORMAT,
        what_it_is=_what_it_is(given),
    )


def _what_it_is(given: object) -> str:
    """What a document says of itself, if it is one of ours."""
    if isinstance(given, str) and given.startswith("sfumato."):
        return f"it is one of the format {given[:40]!r}"
    return "it does not say so in `format`"


def check_result(result: object) -> tuple[str, ...]:
    """Every way in which a document differs from the documented shape; () when it has it.

    A problem names the key and what it must be, never what stands there.

    Example:
        >>> check_result({"format": "sfumato.release/1", "sfumato": "1", "source": {"rows": -1}, "columns": [],
        ...     "done": {"method": "fixed", "summary": "None."}, "promise": [{}]})[:2]
        ('`source.rows` must be a whole number >= 0', '`promise[0].name` is missing')
    """
    return tuple(_check_object(result, SHAPE, ""))


def _check_object(value: object, shape: Mapping[str, Field], path: str) -> list[str]:
    """Problems of an object with named keys."""
    if not isinstance(value, dict):
        return [f"`{path or 'the document'}` must be an object"]
    problems: list[str] = []
    for name, key in shape.items():
        where = f"{path}.{name}" if path else name
        if name in value:
            problems += _check(value[name], key, where)
        elif key.required:
            problems.append(f"`{where}` is missing")
    return problems


def _check(value: object, key: Field, path: str) -> list[str]:
    """Problems of one value."""
    if value is None:
        return [] if key.nullable or key.kind == "any" else [f"`{path}` must not be null"]
    if key.kind == "any":
        return []
    if not isinstance(value, _KINDS[key.kind]) or (isinstance(value, bool) and key.kind != "flag"):
        return [f"`{path}` must be {_name(key)}"]
    if key.kind == "pair" and not _is_pair(value):
        return [f"`{path}` must be {_name(key)}"]
    if key.choices and value not in key.choices:
        return [f"`{path}` must be one of {', '.join(key.choices)}"]
    return _check_range(value, key, path) + _check_items(value, key, path)


def _is_pair(value: object) -> bool:
    """Whether this is a label, or null, and a finite number."""
    match value:
        case [str() | None, int() | float() as number]:
            return not isinstance(number, bool) and math.isfinite(number)
    return False


def _check_range(value: object, key: Field, path: str) -> list[str]:
    """Problems of a number's size."""
    if not isinstance(value, (int, float)):
        return []
    low, high = (0.0 if key.kind in {"count", "share"} else -math.inf), (1.0 if key.kind == "share" else math.inf)
    return [] if math.isfinite(value) and low <= value <= high else [f"`{path}` must be {_name(key)}"]


def _check_items(value: object, key: Field, path: str) -> list[str]:
    """Problems inside an object, a map or a list."""
    if key.of is None:
        return []
    if not isinstance(key.of, Field):
        return _check_object(value, key.of, path)
    inside = key.of
    if isinstance(value, dict):
        return [p for name in value for p in _check(value[name], inside, f"{path}[{name!r}]")]
    if isinstance(value, (list, tuple)):
        return [p for i, item in enumerate(value) for p in _check(item, inside, f"{path}[{i}]")]
    return []


def _name(key: Field) -> str:
    """The kind in words."""
    return {
        "text": "a text",
        "count": "a whole number >= 0",
        "number": "a finite number",
        "share": "a number in [0, 1]",
        "flag": "true or false",
        "object": "an object",
        "map": "an object",
        "pair": "a text or null and a finite number",
        "list": "a list",
    }[key.kind]
