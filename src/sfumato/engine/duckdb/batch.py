"""Cells that another engine holds, as DuckDB reads them: the same SQL, on one column in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa

from sfumato.engine.base import Header
from sfumato.engine.duckdb.connect import identifier
from sfumato.engine.duckdb.leaves import cell_text, is_missing
from sfumato.engine.duckdb.query import cell
from sfumato.engine.duckdb.table import DuckTable
from sfumato.table.source import FrameSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

    from sfumato.recipe.steps import Round, TopBottom

_CELLS = "cells"


def open_batch() -> DuckDBPyConnection:
    """A private connection for columns in memory; close it.

    Example:
        >>> with open_batch() as connection:
        ...     one_column(connection, "age", pa.array([7, None]), missing=()).header.types
        ('BIGINT',)
    """
    connection = duckdb.connect(":memory:", config={"threads": 1, "python_enable_replacements": "false"})
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def one_column(connection: DuckDBPyConnection, column: str, cells: pa.Array, *, missing: Sequence[str]) -> DuckTable:
    """A table of one column; it replaces the one before.

    Args:
        connection: of `open_batch`.
        column: its name, which messages show.
        cells: (n,) native values.
        missing: texts that mean "missing", besides null.
    """
    frame = pa.table({column: cells})
    connection.register(_CELLS, frame)
    native = str(connection.sql(f"DESCRIBE {_CELLS}").fetchall()[0][1])
    return DuckTable(
        connection, _CELLS, Header((column,), (native,), len(frame), "arrow"), FrameSource(frame, tuple(missing))
    )


def texts_of(table: DuckTable) -> tuple[pa.Array, pa.Array]:
    """The canonical text of each cell (null: null), and whether it is missing.

    Example:
        >>> with open_batch() as connection:
        ...     texts, missing = texts_of(one_column(connection, "x", pa.array([5.0, None]), missing=("5.0",)))
        >>> texts.to_pylist(), missing.to_pylist()
        (['5.0', None], [True, True])
    """
    (column,) = table.header.names
    found = _read(table, f"{cell_text(column)} AS t, {is_missing(table, column)} AS m")
    return found["t"].combine_chunks(), found["m"].combine_chunks()


def cells_of(table: DuckTable, step: Round | TopBottom) -> pa.Array:
    """The published cells of the column.

    Raises:
        SchemaError: (inside `faults.guarded`) a cell that is no number.
    """
    (column,) = table.header.names
    return _read(table, f"{cell(table, column, step)} AS c")["c"].combine_chunks()


def written(cells: pa.Array, connection: DuckDBPyConnection) -> pa.Array:
    """The canonical text of each of some cells."""
    return texts_of(one_column(connection, "c", cells, missing=()))[0]


def _read(table: DuckTable, sql: str) -> pa.Table:
    """The values of SQL in the order of the rows."""
    return table.connection.sql(f"SELECT {sql} FROM {identifier(table.name)}").to_arrow_table()
