"""The values that a TOML or JSON document is made of, before anything is read from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import TypeAlias

Item: TypeAlias = "str | int | float | date | time | Sequence[Item] | Mapping[str, Item] | None"
"""One value; truth values are whole numbers, and moments are dates, as in Python."""
Table: TypeAlias = "Mapping[str, Item]"
"""Keys and values."""
Path: TypeAlias = "tuple[str | int, ...]"
"""Where a value stands: keys, and places in lists from 0."""


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
