"""The values that a document may hold: those that mean something, whoever wrote it and whatever reads it.

No document means NaN, an infinity, a whole number beyond 64 bits, a text with a NUL character (no path, no cell and no
database holds one) or forty lists inside each other. They are refused once, here, before any reader meets them.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, time
from math import isfinite
from typing import TypeAlias

from sfumato.errors import PlanError, SourceError

Item: TypeAlias = "str | int | float | date | time | Sequence[Item] | Mapping[str, Item] | None"
"""One value; truth values are whole numbers, and moments are dates, as in Python."""
Table: TypeAlias = "Mapping[str, Item]"
"""Keys and values."""
Path: TypeAlias = "tuple[str | int, ...]"
"""Where a value stands: keys, and places in lists from 0."""
DEEPEST = 40
"""Levels of tables and lists inside each other at most."""
_LARGEST = 2**63


def parsed_toml(text: str, what: str) -> Table:
    """The tables of a text in TOML, with values that can mean something.

    Args:
        text: the document.
        what: what it is called in messages ("The plan").

    Raises:
        PlanError: it is no TOML, or holds a value that `check_values` refuses.

    Example:
        >>> parsed_toml("a = nan", "The plan")
        Traceback (most recent call last):
        sfumato.errors.PlanError: Every number of `a` must be finite and within 64 bits; one is not. Remedy: correct the value.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(
            "{what} must be TOML in UTF-8; {error}.", "correct that place.", what=what, error=error
        ) from error
    except RecursionError:
        raise PlanError(
            "{what} must nest at most {deepest} levels; it nests deeper.",
            "write it flatter.",
            what=what,
            deepest=DEEPEST,
        ) from None
    except ValueError:  # a number with more digits than Python reads, a date that no calendar has
        raise PlanError(
            "{what} must hold numbers and dates that exist; one does not.", "correct it.", what=what
        ) from None
    for key, value in document.items():
        check_values("a key", key)
        check_values(key, value)
    return document


def check_values(key: str, value: object, depth: int = 0) -> None:
    r"""Refuse values that no document means: NaN, infinity, whole numbers beyond 64 bits, NUL in a text, deep nesting.

    Args:
        key: the key at which the value stands, for messages.
        value: what stands there; tables and lists are looked through.
        depth: how deep it stands.

    Raises:
        PlanError: such a value.

    Example:
        >>> check_values("path", ["a\0b"])
        Traceback (most recent call last):
        sfumato.errors.PlanError: Every text of `path` must be without NUL characters; one has some. Remedy: remove them.
    """
    named = repr(key) if "\0" in key else f"`{key}`"
    if depth > DEEPEST:
        raise PlanError(
            "{named} must nest at most {deepest} levels; it nests deeper.",
            "write it flatter.",
            named=named,
            deepest=DEEPEST,
        )
    if isinstance(value, str) and "\0" in value:
        raise PlanError(
            "Every text of {named} must be without NUL characters; one has some.", "remove them.", named=named
        )
    if (isinstance(value, int) and not -_LARGEST <= value < _LARGEST) or (
        isinstance(value, float) and not isfinite(value)
    ):
        raise PlanError(
            "Every number of {named} must be finite and within 64 bits; one is not.", "correct the value.", named=named
        )
    if isinstance(value, Mapping):
        for inner, item in value.items():
            check_values(key, inner, depth)
            check_values(str(inner), item, depth + 1)
    elif isinstance(value, list | tuple):
        for item in value:
            check_values(key, item, depth + 1)


def parsed_json(text: str, what: str, remedy: str) -> object:
    """What a text in JSON says.

    Args:
        text: the document.
        what: what it is called in messages.
        remedy: where a right one comes from.

    Raises:
        SourceError: it is no JSON, nests too deep, or holds a number that nothing reads.

    Example:
        >>> parsed_json("[" * 100_000, "A result", "give another.")
        Traceback (most recent call last):
        sfumato.errors.SourceError: A result must be JSON that nests moderately; it nests too deep. Remedy: give another.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise SourceError(
            "{what} must be JSON; line {lineno}, column {colno} is not.",
            remedy,
            what=what,
            lineno=error.lineno,
            colno=error.colno,
        ) from None
    except RecursionError:
        raise SourceError("{what} must be JSON that nests moderately; it nests too deep.", remedy, what=what) from None
    except ValueError:
        raise SourceError(
            "{what} must be JSON with numbers that can be read; one is too long.", remedy, what=what
        ) from None


def table_in(table: Table, *path: str) -> Table:
    """The table at a path; an empty one where there is none.

    Example:
        >>> table_in({"method": {"name": "none"}}, "method"), table_in({}, "columns", "age")
        ({'name': 'none'}, {})
    """
    for step in path:
        inner = table.get(step)
        table = inner if isinstance(inner, Mapping) else {}
    return table
