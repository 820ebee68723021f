"""How a released table leaves the engine: beside its final name first, then renamed.

A file is written into a hidden private folder beside its place, flushed to the disk and renamed,
so that whoever looks sees the old file or the whole new one. The rows are in the order of `__row`.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyarrow as pa

from sfumato.engine.base import Receipt
from sfumato.engine.duckdb.table import batches, groups, guarded
from sfumato.engine.folders import DRAFT, private_folder
from sfumato.errors import SourceError
from sfumato.table.source import FileSink, FrameSink, SqlSink

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.table.source import FileKind, Sink


_KINDS: dict[str, FileKind] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".gz": "csv",
    ".zst": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".geoparquet": "parquet",
    ".xlsx": "excel",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}


def write(table: DuckTable, sink: Sink) -> Receipt:
    """Write a table to a file, to memory or to an SQL database.

    Raises:
        SourceError: the place does not exist, may not be written, or cannot hold the table (rows of
            an Excel sheet, signs of an encoding, an SQL table that is already there).
        EngineError: no room on the disk, or the memory limit is too low.
        SchemaError: a cell that the recipe cannot publish.
        Interrupted: the user stopped the query. Whatever happens, no part of a file is left.
    """
    match sink:
        case FileSink():
            return _write_file(table, sink)
        case FrameSink():
            from sfumato.engine.duckdb.write_frame import write_frame

            return write_frame(table, sink)
        case SqlSink():
            from sfumato.engine.duckdb.write_sql import write_sql

            return write_sql(table, sink)


def kind_of_sink(sink: FileSink) -> FileKind:
    """The kind of file that is asked for, by word or by suffix.

    Raises:
        SourceError: an unknown suffix.

    Example:
        >>> from pathlib import Path
        >>> kind_of_sink(FileSink(Path("release.csv.gz")))
        'csv'
    """
    kind = sink.kind or _KINDS.get(sink.path.suffix.lower())
    if kind is None:
        raise SourceError(
            "A release file needs a kind that its name tells; {suffix!r} is none of {kinds}.",
            "choose one of these suffixes, or name the kind.",
            suffix=sink.path.suffix,
            kinds=sorted(_KINDS),
        )
    return kind


def _write_file(table: DuckTable, sink: FileSink) -> Receipt:
    """Write beside, then rename."""
    kind, formulas = kind_of_sink(sink), dict[str, int]()
    with guarded(), beside(sink.path) as draft:
        match kind:
            case "csv":
                from sfumato.engine.duckdb.write_csv import write_csv

                is_quoted, suffix = sink.formulas == "quoted", sink.path.suffix.lower()
                formulas = write_csv(table, draft, compression=suffix, quotes=is_quoted)
            case "parquet" if sink.path.suffix.lower() == ".geoparquet":
                write_geoparquet(table, draft)
            case "parquet":
                from sfumato.engine.duckdb.write_parquet import write_parquet

                write_parquet(table, draft)
            case "arrow":
                write_arrow(table, draft)
            case "excel":
                from sfumato.engine.duckdb.write_excel import write_excel

                write_excel(table, draft)
        digest, n_bytes = sha256_of(draft), draft.stat().st_size
    return Receipt(
        table.header.n_rows, kind, path=sink.path, sha256=digest, n_bytes=n_bytes, names=table.header.names,
        formulas=formulas,
    )  # fmt: skip


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """A hidden folder beside; what is written there gets its place on success, and is removed on any failure."""
    if path.is_dir():
        raise SourceError("A release is written to a file; {name!r} is a folder.", "name a file in it.", name=path.name)
    folder = private_folder(path.parent, prefix=DRAFT[0], suffix=DRAFT[1])
    try:
        draft = folder.path / path.name
        draft.touch(exist_ok=False)
        yield draft
        flush(draft)
        draft.replace(path)
        flush(path.parent)
    finally:
        folder.remove()


def flush(path: Path) -> None:
    """Bring a file or a folder entry to the disk; Windows does so through handles that may write, and for files alone."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(path, os.O_RDONLY)
    elif path.is_dir():
        return
    else:
        handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sha256_of(path: Path) -> str:
    """Digest of the bytes of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_geoparquet(table: DuckTable, path: Path) -> None:
    """Write GeoParquet: as Parquet, with a column of points made of those of latitude and longitude."""
    import pyarrow.parquet as pq

    from sfumato.engine.positions.geoparquet import with_geometry

    reader = batches(table)
    schema, rows = with_geometry(reader.schema, groups(reader))
    with pq.ParquetWriter(str(path), schema, compression="zstd") as writer:
        for batch in rows:
            writer.write_batch(batch)


def write_arrow(table: DuckTable, path: Path) -> None:
    """Write an Arrow IPC file (Feather version 2), lz4-compressed."""
    reader = batches(table)
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, reader.schema, options=options) as writer:
        for batch in groups(reader):
            writer.write_batch(batch)
