"""The rows that a question can concern, so that answers about disjoint ones may share a price."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from sfumato.errors import SchemaError
from sfumato.summary.ask import Canonical
from sfumato.table.domain import Categories

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sfumato.engine.base import Engine
    from sfumato.table.domain import Domain

Keys: TypeAlias = "Mapping[str, Mapping[str, str]]"
"""Of each column with declared categories, what each category is among its cells."""


def keys_of(engine: Engine[Any], table: Any, columns: Mapping[str, Domain]) -> Keys:
    """What the declared categories are among the cells of the table, by the types of its columns alone.

    Args:
        engine: where the table is.
        table: the private table, of which no cell is read.
        columns: declared domains; those of columns that the table lacks are left out.

    Raises:
        SchemaError: two categories of a column are one cell, as `5` and `5.0` in a column of numbers. Remedy: keep one.
    """
    here = set(engine.header(table).names)
    listed = {name: d.values for name, d in columns.items() if isinstance(d, Categories) and name in here}
    return {
        name: distinct_cells(name, values, engine.summarize(table, Canonical(name, values)))
        for name, values in listed.items()
    }


def distinct_cells(column: str, values: tuple[str, ...], cells: tuple[str, ...]) -> dict[str, str]:
    """Each public value with its cell, no cell twice.

    Raises:
        SchemaError: two are one cell. Remedy: keep one.

    Example:
        >>> distinct_cells("n", ("5.0", "7"), ("5", "7"))
        {'5.0': '5', '7': '7'}
    """
    found: dict[str, str] = {}
    for value, cell in zip(values, cells, strict=True):
        if cell in found:
            raise SchemaError(
                "Public values of {column!r} must be different cells; {found!r} and {value!r} are one in a "
                "column of this type.",
                "keep one of them.",
                column=column,
                found=found[cell],
                value=value,
            )
        found[cell] = value
    return {value: cell for cell, value in found.items()}


def immutable_of(columns: Collection[str], declared: Mapping[str, Domain]) -> tuple[str, ...]:
    """The immutable columns of a session.

    Raises:
        SchemaError: a column without declared categories, whose persons no condition could tell apart. Remedy: declare
            them.

    Example:
        >>> immutable_of(["sex"], {"sex": Categories(("F", "M"))})
        ('sex',)
    """
    named = (columns,) if isinstance(columns, str) else tuple(columns)
    for column in named:
        if not isinstance(declared.get(column), Categories):
            raise SchemaError(
                "An immutable column must have declared categories; {column!r} has none.",
                "declare its categories, or leave it out of `immutable`.",
                column=column,
            )
    return named
