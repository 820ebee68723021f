"""Parquet and Arrow files, opened: Parquet where it is, Arrow files batch by batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sfumato.engine.arrow_cells import holdable
from sfumato.engine.base import distinct_names
from sfumato.engine.duckdb.connect import Loaded, identifier, make_room, path_literal, store_batches
from sfumato.engine.duckdb.survey import digest
from sfumato.errors import SourceError
from sfumato.table.dialect_sniff import check_width

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.engine.duckdb.connect import Workspace

_POSITION = "file_row_number"
_ENDLESS = 2**63 - 1
"""DuckDB reads a point in time that is this number, in any unit, as infinity."""


def load_parquet(space: Workspace, path: Path) -> Loaded:
    """Open a Parquet file where it is; nothing is loaded.

    A file with a column called `file_row_number` is loaded instead: DuckDB needs that name.

    Raises:
        SourceError: not a readable Parquet file.
    """
    try:
        written = _sound(path, pq.read_schema(path).names)
        if any(name.lower() == _POSITION for name in written):
            return load_held(space, path)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, "Parquet", error) from None
    names, notes = distinct_names(written)
    origin = f"read_parquet({path_literal(path)}, {_POSITION} = true, hive_partitioning = false)"
    described = [str(row[0]) for row in space.connection.execute(f"DESCRIBE SELECT * FROM {origin}").fetchall()]
    cells = tuple(identifier(name) for name in described if name != _POSITION)
    return Loaded(origin, _POSITION, cells, names, "parquet", sha256=digest(path), notes=notes)


def load_arrow_file(space: Workspace, path: Path) -> Loaded:
    """Load an Arrow IPC (Feather) file batch by batch.

    Raises:
        SourceError: not a readable Arrow file.
    """
    try:
        with pa.memory_map(str(path)) as file:
            reader = pa.ipc.open_file(file)
            names, notes = distinct_names(_sound(path, reader.schema.names))
            table = make_room(space, path.stat().st_size)
            batches = (reader.get_batch(position) for position in range(reader.num_record_batches))
            cells = store_batches(space, table, reader.schema, batches)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, "Arrow", error) from None
    return Loaded(table, "rowid", cells, names, "arrow", sha256=digest(path), notes=notes)


def load_held(space: Workspace, path: Path) -> Loaded:
    """Load a Parquet file through Arrow: cells that DuckDB cannot hold are missing, all others as DuckDB reads them.

    DuckDB reads points in time of Parquet in microseconds, durations as whole numbers, decimals of more than 38 digits
    as doubles.
    """
    table = make_room(space, None)
    with pq.ParquetFile(path) as file:
        names, notes = distinct_names(file.schema_arrow.names)
        schema = pa.schema([field.with_type(_read(pa.nulls(0, field.type)).type) for field in file.schema_arrow])
        batches = (pa.RecordBatch.from_arrays([*map(_read, b.columns)], schema=schema) for b in file.iter_batches())
        cells = store_batches(space, table, schema, batches)
    return Loaded(table, "rowid", cells, names, "parquet", sha256=digest(path), notes=notes)


def _read(column: pa.Array) -> pa.Array:
    """A column of Parquet in the type in which DuckDB reads it."""
    kind = column.type
    if pa.types.is_duration(kind):
        return column.cast(pa.int64())
    if pa.types.is_decimal256(kind):
        return column.cast(pa.float64())
    if pa.types.is_timestamp(kind) and kind.unit == "ms":
        held = holdable(column).cast(pa.timestamp("us", kind.tz)).view(pa.int64())
        stored = column.view(pa.int64())
        for endless in (_ENDLESS, -_ENDLESS):
            held = pc.if_else(pc.equal(stored, endless), endless, held)
        return held.view(pa.timestamp("us", kind.tz))
    return column


def _sound(path: Path, names: list[str]) -> list[str]:
    """The names of columns, which are texts without NUL and not too many.

    Raises:
        SourceError: one holds a NUL character, or there are too many.
    """
    check_width(len(names))
    if any("\0" in name for name in names):
        raise SourceError(
            "Names of columns in {name!r} must hold no NUL characters.", "rename these columns.", name=path.name
        )
    return names


def _unreadable(path: Path, kind: str, error: Exception) -> SourceError:
    return SourceError(
        "{name!r} must be a readable {kind} file; it is not ({kind2}).",
        "check that the file is complete and not encrypted.",
        name=path.name,
        kind=kind,
        kind2=type(error).__name__,
    )
