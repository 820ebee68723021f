"""How is a table in memory opened? As Arrow, without its index, rows numbered as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from sfumato.engine.duckdb.store import Loaded, make_room, numbered, store_batches
from sfumato.engine.names import distinct_names
from sfumato.errors import SourceError

if TYPE_CHECKING:
    from sfumato.engine.duckdb.connect import Workspace

_POSITION = "position"


def load_frame(space: Workspace, frame: object) -> Loaded:
    """Open a pandas or Polars frame, an Arrow table, a DuckDB relation, or any Arrow stream.

    A pandas index is no column and does not matter; categories count as their labels. A DuckDB
    relation is streamed into the private store, because it lives in another connection.

    Raises:
        SourceError: no table; or a column of mixed types.
    """
    match type(frame).__module__.partition(".")[0]:
        case "pandas" if type(frame).__name__ == "DataFrame":
            names, columns = _from_pandas(frame)
            return _register(space, names, columns, "pandas")
        case "polars" if type(frame).__name__ in {"DataFrame", "LazyFrame"}:
            return _register_table(space, _from_polars(frame), "polars")
        case "duckdb" | "_duckdb" if type(frame).__name__ == "DuckDBPyRelation":
            return _load_relation(space, frame)
        case _ if isinstance(frame, pa.RecordBatch):
            return _register_table(space, pa.Table.from_batches([frame]), "arrow")
        case _ if hasattr(frame, "__arrow_c_stream__"):
            return _register_table(space, pa.table(frame), "arrow")
    raise SourceError(
        f"A frame must be a pandas, Polars or Arrow table or a DuckDB relation; got {type(frame).__name__}.",
        "convert it, or write it to a file.",
    )


def _from_pandas(frame: Any) -> tuple[list[str], list[Any]]:
    """Names and Arrow columns; NaN and None are missing."""
    if frame.columns.nlevels > 1:
        raise SourceError("Columns must have one level of names; the frame has several.", "join the levels.")
    names = [str(name) for name in frame.columns]
    columns = []
    for position, name in enumerate(names):
        try:
            columns.append(pa.array(frame.iloc[:, position], from_pandas=True))
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            raise SourceError(
                f"Every column must hold values of one type; {name!r} mixes several.",
                "convert the column, for example with astype(str).",
            ) from None
    return names, columns


def _from_polars(frame: Any) -> pa.Table:
    return (frame.collect() if hasattr(frame, "collect") else frame).to_arrow()


def _register_table(space: Workspace, table: pa.Table, kind: str) -> Loaded:
    return _register(space, table.column_names, table.columns, kind)


def _register(space: Workspace, written: list[str], columns: list[Any], kind: str) -> Loaded:
    """Show Arrow columns to DuckDB, not copied, with an explicit position."""
    if not written:
        raise SourceError("A table must have columns; the frame has none.", "check that it is the right frame.")
    names, notes = distinct_names(written)
    cells = numbered(len(written))
    filled = [column.cast(pa.string()) if pa.types.is_null(column.type) else column for column in columns]
    position = pa.array(np.arange(len(columns[0]), dtype=np.int64))
    table = pa.Table.from_arrays([*filled, position], names=[*cells, _POSITION])
    space.connection.register("cells", table)
    return Loaded("cells", _POSITION, cells, names, kind, notes=notes)


def _load_relation(space: Workspace, relation: Any) -> Loaded:
    """Stream a relation of another connection into the store."""
    reader = relation.to_arrow_reader() if hasattr(relation, "to_arrow_reader") else relation.fetch_arrow_reader()
    names, notes = distinct_names(reader.schema.names)
    table = make_room(space, None)
    cells = store_batches(space, table, reader.schema, reader)
    return Loaded(table, "rowid", cells, names, "duckdb", notes=notes)
