"""A release back in memory: as the kind of table it was, rows numbered anew.

pandas gets a clean RangeIndex: the index of the source may name persons. Columns that the recipe
left alone get their source dtype back (categories with all their labels and their order); integers
with nulls become nullable integers, never floats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.engine.base import Receipt
from sfumato.engine.duckdb.table import guarded, in_order
from sfumato.errors import SourceError
from sfumato.table.source import FrameSource, kind_of_frame

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.table.source import FrameKind, FrameSink, Source


def write_frame(table: DuckTable, sink: FrameSink) -> Receipt:
    """The table in memory; a DuckDB relation is read when it is used."""
    kind = sink.kind or kind_of_frame(table.header.source_kind)
    with guarded():
        relation = table.connection.sql(in_order(table))
        frame: object = relation
        if kind != "duckdb":
            frame = as_kind(relation.to_arrow_table(), table.source, kind)
    return Receipt(table.header.n_rows, kind, frame=frame)


def as_kind(rows: pa.Table, origin: Source, kind: FrameKind) -> object:
    """An Arrow table as the frame that is asked for, with dtypes of the source's where that was such a frame.

    Raises:
        SourceError: a kind that needs another engine.
    """
    source = origin.frame if isinstance(origin, FrameSource) else None
    match kind:
        case "spark" | "duckdb":
            raise SourceError(
                "A table comes back as {kind!r} only from the engine of that name.",
                "ask for arrow, pandas or polars.",
                kind=kind,
            )
        case "pandas":
            return _to_pandas(rows, source)
        case "polars":
            return _to_polars(rows, source)
        case _:
            return rows


def _to_pandas(rows: pa.Table, source: object) -> object:
    """A pandas frame with source dtypes where they hold every cell."""
    import pandas as pd
    import pyarrow as pa

    nullable = {getattr(pa, t.lower())(): getattr(pd, f"{t}Dtype")() for t in _INTEGERS}
    with_nulls = {f.name for f in rows.schema if f.type in nullable and rows[f.name].null_count}
    plain = rows.to_pandas(split_blocks=True)
    for name in with_nulls:
        plain[name] = rows[name].to_pandas(types_mapper=nullable.get)
    if isinstance(source, pd.DataFrame):
        names = list(source.columns)
        for name in (n for n in plain.columns if names.count(n) == 1):
            if plain[name].dtype != source[name].dtype:
                plain[name] = _as_before(plain[name], source[name])
    return plain


_INTEGERS = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")


def _as_before(column: Any, before: Any) -> Any:
    """The column with its source dtype, if that changes no cell."""
    try:
        cast = column.astype(before.dtype)
    except (TypeError, ValueError):
        return column
    same = cast.isna().equals(column.isna()) and cast.dropna().astype(str).equals(column.dropna().astype(str))
    return cast if same else column


def _to_polars(rows: pa.Table, source: object) -> object:
    """A Polars frame with source dtypes where they hold every cell."""
    import polars as pl

    frame = pl.from_arrow(rows)
    if not isinstance(source, pl.DataFrame) or not isinstance(frame, pl.DataFrame):
        return frame
    for name, before in source.schema.items():
        if name in frame.columns and frame.schema[name] != before:
            cast = frame[name].cast(before, strict=False)
            if cast.null_count() == frame[name].null_count():
                frame = frame.with_columns(cast)
    return frame
