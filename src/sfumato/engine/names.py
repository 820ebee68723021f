"""Which names do columns get when the source repeats, omits or clashes with names?

Engines compare names without regard to case, so `a` and `A` would be one column. A repeated name
gets its position in the row of equals, an empty one its place in the table; nothing is overwritten
and each change is a note.
"""

from __future__ import annotations

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
