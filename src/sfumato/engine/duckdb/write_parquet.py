"""A release written as Parquet: zstd-compressed, groups of 122,880 rows, in the order of the rows.

Threads of DuckDB read the groups of a source at once, and what one has ready waits for those before it: with groups of a
million rows, most of a table waits in memory. So what has many cells is written as it is read, one group after the other,
by PyArrow, to whom DuckDB hands batches in order and of which it keeps a few megabytes. DuckDB writes what has few, what it
must sort, of which all waits anyway, and types that PyArrow would write as others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from sfumato.engine.arrow_arrays import of_labels_in_use
from sfumato.engine.duckdb.connect import literal
from sfumato.engine.duckdb.table import BATCH, compact, groups, in_order, keeps_order

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.engine.duckdb.table import DuckTable

MOST_WAITING = 4 << 20
"""Cells that may wait to be written: of sixteen bytes, 64 MiB. To load PyArrow's writer takes longer than to write as many."""
_WHOLE = frozenset(f"{sign}{size}" for sign in ("", "U") for size in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT"))
_OTHERS = ("BOOLEAN", "FLOAT", "DOUBLE", "VARCHAR", "BLOB", "DATE")
_POINTS = ("TIMESTAMP", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE")
SAME = _WHOLE.union(_OTHERS, _POINTS)
"""Types whose cells both write as the same type of Parquet; decimals and ENUMs are too."""


def write_parquet(table: DuckTable, path: Path) -> None:
    """Write a table, large or small; cells, their types and which columns may lack one are the same."""
    view = compact(table)
    asked = in_order(view)
    if _is_large(table) and keeps_order(view, asked):
        _write_in_turn(view, asked, path)
    else:
        _write_at_once(view, asked, path)


def _is_large(table: DuckTable) -> bool:
    """Whether many cells would wait that PyArrow can write."""
    is_written = all(kind in SAME or kind.startswith(("DECIMAL", "ENUM")) for kind in table.header.types)
    return is_written and table.header.n_rows * len(table.header.names) > MOST_WAITING


def _write_at_once(table: DuckTable, asked: str, path: Path) -> None:
    """By DuckDB, whose threads hold what is not its turn."""
    table.connection.execute(
        f"COPY ({asked}) TO {literal(str(path))} "
        f"(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {BATCH}, PRESERVE_ORDER true)"
    )


def _write_in_turn(table: DuckTable, asked: str, path: Path) -> None:
    """By PyArrow, a group when it is read; a group's dictionary holds the labels of its rows and no other.

    That a column has all its cells is told as DuckDB would, which writes the first row.
    """
    import pyarrow.parquet as pq

    _write_at_once(table, f"{asked} LIMIT 1", path)
    may_lack = [field.nullable for field in pq.read_schema(path)]
    reader = table.connection.sql(asked).to_arrow_reader(BATCH)
    schema = pa.schema(map(pa.Field.with_nullable, reader.schema, may_lack))
    told = {"compression": "zstd", "store_schema": False, "store_decimal_as_integer": True}
    with pa.OSFile(str(path), "wb") as file, pq.ParquetWriter(file, schema, **told) as writer:
        for batch in groups(reader):
            writer.write_batch(pa.record_batch([*map(of_labels_in_use, batch.columns)], schema=schema))
