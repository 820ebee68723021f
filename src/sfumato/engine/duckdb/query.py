"""The query of a release while it is put together, and the small tables of the mathematics that its rows are joined to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa

from sfumato.engine.duckdb.connect import identifier
from sfumato.engine.duckdb.leaves import enum_type
from sfumato.table.hierarchy.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

    import duckdb

    from sfumato.engine.duckdb.table import DuckTable


@dataclass(frozen=True, slots=True)
class Label:
    """Where the label of a recoded column is found.

    Args:
        sql: an ENUM; NULL: the cell is published as it was written.
        enum: its type, which also holds `*`.
        is_total: whether it is never NULL.
    """

    sql: str
    enum: str
    is_total: bool


@dataclass(slots=True)
class Query:
    """Parts of the query of a release while they are put together; `r` are the rows of the table.

    Args:
        table: what is released.
        only: SQL conditions that a row must meet to be released at all.
        inner: further columns of `r`, over the columns of the table.
        joins: joins to `r`.
        labels: the label of each recoded column.
        added: new columns, each as SQL with its name; they come first.
        hides: the columns that a suppressed row hides.
        suppressed: SQL, whether a row is suppressed; None: none is.
        filters: conditions that every released row meets.
    """

    table: DuckTable
    only: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)
    joins: list[str] = field(default_factory=list)
    labels: dict[str, Label] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)
    hides: tuple[str, ...] = ()
    suppressed: str | None = None
    filters: list[str] = field(default_factory=list)

    @property
    def rows(self) -> str:
        """SQL for what stands after FROM."""
        return f"{self.table.name} WHERE {' AND '.join(self.only)}" if self.only else self.table.name

    def read(self, sql: str) -> str:
        """Compute an expression with each row; the name under which it is found."""
        if sql not in self.inner:
            self.inner.append(sql)
        return f"r.__x{self.inner.index(sql)}"


_INCOMING = "incoming_lookup"


def fresh(connection: duckdb.DuckDBPyConnection, stem: str) -> str:
    """A table or view name that the connection does not know yet."""
    known = "SELECT table_name FROM duckdb_tables() UNION SELECT view_name FROM duckdb_views()"
    names = {row[0] for row in connection.sql(known).fetchall()}
    return next(name for i in range(len(names) + 1) if (name := f"{stem}_{i}") not in names)


def store(connection: duckdb.DuckDBPyConnection, columns: Mapping[str, pa.Array], types: Mapping[str, str]) -> str:
    """Copy columns into a new temporary table; `types` names those to be cast. Returns its name."""
    name = fresh(connection, "lookup")
    cast = [f"CAST({identifier(c)} AS {types[c]}) AS {identifier(c)}" if c in types else identifier(c) for c in columns]
    connection.register(_INCOMING, pa.table(dict(columns)))
    try:
        connection.execute(f"CREATE TEMP TABLE {name} AS SELECT {', '.join(cast)} FROM {_INCOMING}")
    finally:
        connection.unregister(_INCOMING)
    return name


def label_type(connection: duckdb.DuckDBPyConnection, encoded: pa.DictionaryArray) -> str:
    """The DuckDB type that stores each label of a dictionary array, or `*`, in a few bytes."""
    texts = dict.fromkeys((*encoded.dictionary.to_pylist(), ROOT))
    return identifier(enum_type(connection, list(texts)))
