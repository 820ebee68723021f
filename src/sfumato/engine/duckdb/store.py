"""Where do loaded cells lie, and under which names and numbers are they seen?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.engine.arrow_cells import holdable
from sfumato.engine.duckdb.quote import literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa

    from sfumato.engine.duckdb.connect import Workspace
    from sfumato.table.source import Dialect

_IN_MEMORY = 256 << 20


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a reader found, as SQL, and what is known about it.

    Args:
        origin: what stands after FROM.
        row: expression of the 0-based source position.
        cells: expression of each column.
        names: distinct column names, in order.
        kind: as in `Header.source_kind`.
        dialect: of a CSV file.
        sha256: of a file.
        notes: what a person should see.
        loose: names of the columns whose type was found by looking at their cells.
    """

    origin: str
    row: str
    cells: tuple[str, ...]
    names: tuple[str, ...]
    kind: str
    dialect: Dialect | None = None
    sha256: str | None = None
    notes: tuple[str, ...] = ()
    loose: frozenset[str] = frozenset()


def make_room(space: Workspace, n_bytes: int | None) -> str:
    """Name of a table that does not exist yet: in memory if it will be small, else on disk.

    Args:
        space: the workspace.
        n_bytes: size of the source; None: unknown.
    """
    if n_bytes is not None and n_bytes <= _IN_MEMORY:
        return "cells"
    space.connection.execute(f"ATTACH {literal(str(space.folder / 'store.duckdb'))} AS store")
    return "store.main.cells"


def numbered(width: int) -> tuple[str, ...]:
    """Names of stored columns: c0, c1 … (free of whatever the source calls them)."""
    return tuple(f"c{position}" for position in range(width))


def store_batches(
    space: Workspace, table: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch]
) -> tuple[str, ...]:
    """Stream Arrow batches into `table` as columns c0, c1 … in their order; a cell that cannot be held is missing.

    Returns:
        The stored columns.
    """
    import pyarrow as pa

    columns = numbered(len(schema))
    stored = pa.schema([(name, _stored_type(field.type)) for name, field in zip(columns, schema, strict=True)])
    reader = pa.RecordBatchReader.from_batches(stored, (_under(stored, batch) for batch in batches))
    space.connection.register("incoming", reader)
    try:
        space.connection.execute(f"CREATE TABLE {table} AS SELECT * FROM incoming")
    finally:
        space.connection.unregister("incoming")
    return columns


def _stored_type(kind: pa.DataType) -> pa.DataType:
    """The type that DuckDB reads; text for a column that never holds a value."""
    import pyarrow as pa

    return pa.string() if pa.types.is_null(kind) else holdable(pa.nulls(0, kind)).type


def _under(schema: pa.Schema, batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch under other names, without cells that cannot be held."""
    import pyarrow as pa

    held = map(holdable, batch.columns)
    columns = [
        column if column.type == field.type else column.cast(field.type)
        for column, field in zip(held, schema, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
