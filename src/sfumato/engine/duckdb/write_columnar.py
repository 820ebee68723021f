"""How is a release written as Parquet or Arrow? In batches of a fixed size, so that the bytes repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from sfumato.engine.duckdb.quote import literal
from sfumato.engine.duckdb.rows import BATCH, batches, compact, in_order

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.engine.duckdb.table import DuckTable


def write_parquet(table: DuckTable, path: Path) -> None:
    """Write Parquet, zstd-compressed, row groups of 122,880 rows in row order."""
    table.connection.execute(
        f"COPY ({in_order(compact(table))}) TO {literal(str(path))} "
        f"(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {BATCH}, PRESERVE_ORDER true)"
    )


def write_arrow(table: DuckTable, path: Path) -> None:
    """Write an Arrow IPC file (Feather version 2), lz4-compressed."""
    reader = batches(table)
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, reader.schema, options=options) as writer:
        for batch in reader:
            writer.write_batch(batch)
