"""What the DuckDB engine holds of one table, a view in a private connection and its header, and its rows in order, in batches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sfumato.engine.duckdb.connect import identifier, identifiers
from sfumato.engine.names import ROW

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from sfumato.engine.base import Header
    from sfumato.table.source import Source


__all__ = ["ROW", "DuckTable"]


@dataclass(frozen=True, slots=True, eq=False)
class DuckTable:
    """A table that DuckDB can read, with its source position as column `__row`.

    The canonical text of a cell is DuckDB's cast of its native value to VARCHAR (`5.0`, `true`,
    `2020-01-31`, `2020-01-31 08:00:00`); a cell of a CSV file is its text, unchanged.

    Args:
        connection: private connection of this table; its temporary files live as long as it does.
            Use it itself: a table in memory is not visible to its cursors.
        name: view or table of `connection`; columns: `__row` BIGINT (0-based position in the
            source), then `header.names` with their native types.
        header: names, types, size, dialect.
        source: where it came from.
        compact: view with the same rows and columns whose labels are ENUMs, cheaper to sort and to
            write; None: `name` is as good.
    """

    connection: duckdb.DuckDBPyConnection
    name: str
    header: Header
    source: Source
    compact: str | None = None

    def missing_codes(self, column: str) -> tuple[str, ...]:
        """Texts that mean "missing" in that column, besides a native NULL."""
        return tuple(dict.fromkeys((*self.source.missing, *self.source.missing_in.get(column, ()))))


BATCH = 122_880
"""Rows of a batch, and of a Parquet row group."""


def in_order(table: DuckTable, columns: str | None = None) -> str:
    """A SELECT of the table's columns (or of given SQL) with the rows in order."""
    what = identifiers(table.header.names) if columns is None else columns
    return f"SELECT {what} FROM {identifier(table.name)} ORDER BY {ROW}"


def compact(table: DuckTable) -> DuckTable:
    """The table with labels as ENUMs, for writers to whom a label is a text anyway."""
    return table if table.compact is None else replace(table, name=table.compact)


def batches(table: DuckTable, columns: str | None = None) -> pa.RecordBatchReader:
    """The rows in order as Arrow batches."""
    return table.connection.sql(in_order(table, columns)).to_arrow_reader(BATCH)
