"""Attack files of pseudonyms: read strictly, and written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sfumato.table.lines import LineFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.contest.key import Guesses, Key

FORM = "must be an object of persons, each an object of periods, each a list of pseudonyms."


class _Repeated(ValueError):
    """A name that stands twice in one object."""


def read_guesses(text: bytes, key: Key, most: int, *, strict: bool) -> tuple[Guesses, tuple[LineFault, ...]]:
    """Guesses of an attack file in JSON: `{"17": {"2015-9": ["a4f0"]}}`.

    Args:
        text: of the file.
        key: whose persons and periods may be named.
        most: most guesses for a person and period.
        strict: whether persons and periods that do not exist, repeated ones and more guesses than `most` are faults.

    Returns:
        Guesses by person and period, or none and what is wrong.
    """
    try:
        said = json.loads(text.decode("utf-8"), object_pairs_hook=_once if strict else dict)
    except _Repeated:
        return {}, (LineFault(0, None, "must name each person, and each period of a person, once."),)
    except json.JSONDecodeError as error:
        return {}, (LineFault(error.lineno, None, "must be JSON."),)
    except (UnicodeDecodeError, ValueError, RecursionError):
        return {}, (LineFault(0, None, "must be JSON in UTF-8."),)
    if not _is_table_of(said, lambda periods: _is_table_of(periods, _is_list)):
        return {}, (LineFault(0, None, FORM),)
    if strict:
        faults = _strict(said, key, most)
        if faults:
            return {}, faults
    return {who: {period: tuple(names) for period, names in periods.items()} for who, periods in said.items()}, ()


def written(guesses: Guesses) -> bytes:
    """An attack file."""
    return json.dumps({who: {p: list(n) for p, n in said.items()} for who, said in guesses.items()}, indent=1).encode()


def _strict(said: dict[str, dict[str, list[str]]], key: Key, most: int) -> tuple[LineFault, ...]:
    """Faults of what is named; at most one of a kind."""
    if not set(said) <= set(key.who):
        return (LineFault(0, None, "must name persons of the original only."),)
    if not {period for periods in said.values() for period in periods} <= set(key.periods):
        return (LineFault(0, None, "must name periods of the original only, such as those of the example."),)
    if any(len(names) > most for periods in said.values() for names in periods.values()):
        return (LineFault(0, None, "must have no more guesses for a person and period than the contest allows."),)
    return ()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names differ."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Repeated
    return found


def _is_table_of(said: object, inner: Callable[[object], bool]) -> bool:
    """Whether it is an object whose values are right."""
    return isinstance(said, dict) and all(inner(one) for one in said.values())


def _is_list(said: object) -> bool:
    """Whether it is a list of texts."""
    return isinstance(said, list) and all(isinstance(one, str) for one in said)
