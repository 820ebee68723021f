"""How are the rows of a table read in order, a batch at a time?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.engine.duckdb.quote import identifier, identifiers
from sfumato.engine.duckdb.table import ROW

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.engine.duckdb.table import DuckTable

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
