"""The Arrow columns of a table in memory: without its index, cells as they stand."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pyarrow as pa

from sfumato.engine.arrow_cells import holdable
from sfumato.engine.object_cells import object_column
from sfumato.errors import SourceError
from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class InMemory:
    """A table in memory as Arrow columns.

    Args:
        names: column names as they are written; they may repeat.
        columns: Arrow arrays of equal length.
        kind: "pandas", "polars" or "arrow".
        loose: places of the columns whose type was found by looking at their cells.
    """

    names: tuple[str, ...]
    columns: tuple[Any, ...]
    kind: str
    loose: tuple[int, ...] = ()


def in_memory(frame: object) -> InMemory:
    """The columns of a pandas or Polars frame, an Arrow table, or any Arrow stream.

    A pandas index is no column and does not matter; NaN and None of pandas are missing. A cell that no engine can
    hold is missing (`arrow_cells`); pandas columns of objects of several types are texts (`object_cells`).

    Raises:
        SourceError: no table, or no column. Remedy: in the message.

    Example:
        >>> in_memory(pa.table({"zip": ["01000"]})).names
        ('zip',)
    """
    match type(frame).__module__.partition(".")[0]:
        case "pandas" if type(frame).__name__ == "DataFrame":
            found = _from_pandas(frame)
        case "polars" if type(frame).__name__ in {"DataFrame", "LazyFrame"}:
            found = _from_table(_from_polars(frame), "polars")
        case _ if isinstance(frame, pa.Table):  # `pa.table` would import pandas, to see that it is no frame of it
            found = _from_table(frame, "arrow")
        case _ if isinstance(frame, pa.RecordBatch):
            found = _from_table(pa.Table.from_batches([frame]), "arrow")
        case _ if hasattr(frame, "__arrow_c_stream__"):
            found = _from_table(pa.table(frame), "arrow")
        case _:
            raise SourceError(
                "A frame must be a pandas, Polars or Arrow table or one of the engine's own; got {kind}.",
                "convert it, or write it to a file.",
                kind=type(frame).__name__,
            )
    if not found.names:
        raise SourceError("A table must have columns; the frame has none.", "check that it is the right frame.")
    return found


def _from_table(table: pa.Table, kind: str) -> InMemory:
    return InMemory(tuple(table.column_names), tuple(map(holdable, table.columns)), kind)


def _from_polars(frame: Any) -> pa.Table:
    """As Arrow; whole numbers of 128 bits, which Arrow lacks, as decimals, missing beyond 38 digits."""
    import polars as pl

    whole = frame.collect() if hasattr(frame, "collect") else frame
    wide = [name for name, kind in whole.schema.items() if str(kind) in {"Int128", "UInt128"}]
    return (
        whole.with_columns(pl.col(wide).cast(pl.Decimal(38, 0), strict=False)).to_arrow() if wide else whole.to_arrow()
    )


def _from_pandas(frame: Any) -> InMemory:
    """Names and Arrow columns; NaN and None are missing."""
    if frame.columns.nlevels > 1:
        raise SourceError("Columns must have one level of names; the frame has several.", "join the levels.")
    names = tuple(str(name) for name in frame.columns)
    series = [_dense(frame.iloc[:, position]) for position in range(len(names))]
    loose = tuple(place for place, one in enumerate(series) if _kind_of(one) in {"object", "bool"})
    return InMemory(names, tuple(holdable(_pandas_column(one)) for one in series), "pandas", loose)


def _dense(series: Any) -> Any:
    """A column with a cell in each row, also where pandas keeps only those that differ from a usual one."""
    return series.sparse.to_dense() if type(series.dtype).__name__ == "SparseDtype" else series


def _kind_of(series: Any) -> str:
    """The name of the type of the cells, or of the categories that they are of."""
    return str(getattr(series.dtype, "categories", series).dtype)


def _pandas_column(series: Any) -> Any:
    """A typed column as it stands; objects, alone or as categories, by what each of them says.

    A signaling NaN of `decimal` says nothing, and pandas cannot be asked about it.
    """
    if _kind_of(series) != "object":
        return _typed_column(series)
    if series.dtype == object:
        cells = [None if isinstance(cell, Decimal) and Decimal.is_snan(cell) else cell for cell in series.tolist()]
        return object_column(cells, type(series)(cells, dtype=object).isna().tolist())
    labels = series.cat.categories.tolist()
    codes = pa.array(series.cat.codes.to_numpy(), mask=(series.cat.codes < 0).to_numpy())
    return object_column(labels, [False] * len(labels)).take(codes)


def _typed_column(series: Any) -> Any:
    """A typed column as it stands.

    Raises:
        SourceError: Arrow has no such type, as for complex numbers; decided by the type, for no cell.
    """
    try:
        return pa.array(series, from_pandas=True)
    except pa.ArrowNotImplementedError as error:
        raise SourceError(
            "Every column of a frame must be of a type that Arrow has; column {name!r} is {kind_of}.",
            "convert it, or leave it out.",
            name=str(series.name),
            kind_of=_kind_of(series),
        ) from error
