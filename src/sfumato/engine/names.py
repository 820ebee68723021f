"""The names that columns get in every engine, and the words by which a row is refused in every engine.

Engines compare names without regard to case, so `a` and `A` would be one column. A repeated name
gets its position in the row of equals, an empty one its place in the table; nothing is overwritten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Sequence

ROW = "__row"
"""Name of the position column that every scanned table has; no source column keeps this name."""


def distinct_names(written: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names that differ even without regard to case, and a note for each that was changed.

    Blanks at the ends of a name are kept.

    Example:
        >>> distinct_names(["a", "A", "", "a "])[0]
        ('a', 'A (2)', 'column 3', 'a ')
    """
    taken = {ROW, *(name.lower() for name in written)}
    used: set[str] = {ROW}
    names: list[str] = []
    notes: list[str] = []
    for position, name in enumerate(written, start=1):
        new = name if name.strip() else f"column {position}"
        if new != name:
            notes.append(f"Column {position} has no name; it is called {new!r}.")
        if new.lower() in used or (new != name and new.lower() in taken):
            renamed = _numbered(new, used | taken)
            notes.append(f"Column {position} is called {renamed!r}, because another one is called {new!r}.")
            new = renamed
        used.add(new.lower())
        names.append(new)
    return tuple(names), tuple(notes)


def positional_names(width: int) -> tuple[str, ...]:
    """Names of the columns of a table without header.

    Example:
        >>> positional_names(2)
        ('column 1', 'column 2')
    """
    return tuple(f"column {position}" for position in range(1, width + 1))


def _numbered(name: str, taken: set[str]) -> str:
    """`name (2)`, or the next number that is free."""
    number = 2
    while f"{name} ({number})".lower() in taken:
        number += 1
    return f"{name} ({number})"


_MARK = "sfumato|"
"""Starts the messages that our own SQL and our own workers raise: mark, problem, bar, remedy, bar."""


def marked(problem: str, remedy: str) -> str:
    """The message by which SQL or a worker raises a `SchemaError`.

    Example:
        >>> marked("Ages must be numbers.", "declare text.")
        'sfumato|Ages must be numbers.|declare text.|'
    """
    return _MARK + "|".join(part.replace("|", "/") for part in (problem, remedy)) + "|"


def refusal_in(message: str) -> SchemaError | None:
    """The error that a message of a database or a cluster stands for; None where it is none of ours."""
    if _MARK not in message:
        return None
    problem, remedy = message.split(_MARK, 1)[1].split("|")[:2]
    return SchemaError(problem, remedy)
