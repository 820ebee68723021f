"""A table in memory, opened: as Arrow, without its index, rows numbered as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from sfumato.engine.arrow_arrays import whole_numbers
from sfumato.engine.base import distinct_names
from sfumato.engine.duckdb.connect import Loaded, make_room, numbered, store_batches
from sfumato.engine.frames import in_memory

if TYPE_CHECKING:
    from sfumato.engine.duckdb.connect import Workspace
    from sfumato.engine.frames import InMemory

_POSITION = "position"


def load_frame(space: Workspace, frame: object) -> Loaded:
    """Open a pandas or Polars frame, an Arrow table, a DuckDB relation, or any Arrow stream.

    A pandas index is no column and does not matter; categories count as their labels. A DuckDB
    relation is streamed into the private store, because it lives in another connection.

    Raises:
        SourceError: no table; or a column of mixed types.
    """
    is_duckdb = type(frame).__module__.partition(".")[0] in {"duckdb", "_duckdb"}
    if is_duckdb and type(frame).__name__ == "DuckDBPyRelation":
        return _load_relation(space, frame)
    return _register(space, in_memory(frame))


def _register(space: Workspace, frame: InMemory) -> Loaded:
    """Show Arrow columns to DuckDB, not copied, with an explicit position."""
    names, notes = distinct_names(frame.names)
    cells = numbered(len(names))
    filled = [column.cast(pa.string()) if pa.types.is_null(column.type) else column for column in frame.columns]
    position = whole_numbers(np.arange(len(filled[0])))
    table = pa.Table.from_arrays([*filled, position], names=[*cells, _POSITION])
    space.connection.register("cells", table)
    loose = frozenset(names[position] for position in frame.loose)
    return Loaded("cells", _POSITION, cells, names, frame.kind, notes=notes, loose=loose)


def _load_relation(space: Workspace, relation: Any) -> Loaded:
    """Stream a relation of another connection into the store."""
    reader = relation.to_arrow_reader() if hasattr(relation, "to_arrow_reader") else relation.fetch_arrow_reader()
    names, notes = distinct_names(reader.schema.names)
    table = make_room(space, None)
    cells = store_batches(space, table, reader.schema, reader)
    return Loaded(table, "rowid", cells, names, "duckdb", notes=notes)
