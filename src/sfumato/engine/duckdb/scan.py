"""A source as a DuckDB table with its rows in source order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb

from sfumato.engine.base import Header
from sfumato.engine.duckdb.connect import Workspace, identifier, literal, open_workspace
from sfumato.engine.duckdb.table import BY_A_CELL, ROW, DuckTable, guarded, was_stopped
from sfumato.errors import SfumatoError, SourceError
from sfumato.table.contents import check_regular
from sfumato.table.dialect_sniff import check_width
from sfumato.table.source import FileSource, FrameSource, SqlSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.engine.duckdb.connect import Loaded
    from sfumato.engine.duckdb.database import Databases
    from sfumato.table.source import FileKind, Source

BLANKS = " \t\u00a0"
"""What `trim` removes around a cell: blank, tab, no-break blank."""
_KINDS: dict[str, FileKind] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".geoparquet": "parquet",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xlsb": "excel",
    ".xls": "excel",
    ".ods": "excel",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
_MAGIC: tuple[tuple[bytes, FileKind], ...] = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"PK\x03\x04", "excel"),
    (b"\xd0\xcf\x11\xe0", "excel"),
)
_LOOKED_AT = 2_000
_SMALL = 4 << 20
_NAME, _CODED, _DISTINCT = "source", "source_in_codes", "source_of_distinct"


def scan(
    source: Source,
    *,
    memory_limit: str | None = None,
    threads: int | None = None,
    databases: Databases | None = None,
) -> DuckTable:
    """Open a source: its columns in order, its rows numbered from 0 in source order as `__row`.

    CSV, Excel and Arrow files and SQL results are loaded once into a private store, on disk unless
    small; Parquet files and tables in memory are read where they are.

    Args:
        source: what to open.
        memory_limit: most memory DuckDB may take ("4GB"); None: DuckDB's own choice.
        threads: None: one per core, for a small CSV file one: its rows fill a group or two, which is one thread's work,
            and reading it with more takes half as much time again.
        databases: in one of which it is opened, of those with these limits, unless it is a large file; None: in one of
            its own.

    Raises:
        SourceError: the source cannot be read as it is declared. The message says where and what
            to do, and shows no cell.
        EngineError: the memory limit or the disk is too small.

    Example:
        >>> import pyarrow as pa
        >>> table = scan(FrameSource(pa.table({"zip": ["01000", "75001"]})))
        >>> table.connection.sql(f"SELECT * FROM {table.name}").fetchall()
        [(0, '01000'), (1, '75001')]
    """
    try:
        return _open(source, memory_limit, threads, databases)
    except SfumatoError as error:
        failure = error
    failure.__context__ = None
    raise failure.with_traceback(None)


def _open(source: Source, memory_limit: str | None, threads: int | None, databases: Databases | None) -> DuckTable:
    """Scan; what DuckDB says of the cells is dropped.

    The caller also drops the chain of causes and the frames: both may hold cells.
    """
    with guarded():
        space = _space_for(source, memory_limit, threads, databases)
        try:
            return _seen(space, source)
        except (duckdb.OutOfMemoryException, duckdb.IOException):
            raise
        except duckdb.Error as error:
            if was_stopped(error):
                raise
            raise SourceError(
                "The source must be readable; DuckDB refuses it ({kind}).",
                "check that the file is complete and of the declared kind.",
                kind=type(error).__name__,
            ) from None


def _space_for(source: Source, memory_limit: str | None, threads: int | None, databases: Databases | None) -> Workspace:
    """Where a source is opened: a large file in a database of its own, whose memory goes with it."""
    if isinstance(source, FileSource):
        kind = kind_of(source)
        if source.path.stat().st_size > _SMALL:
            return open_workspace(memory_limit=memory_limit, threads=threads)
        threads = 1 if threads is None and kind == "csv" else threads
    return open_workspace(memory_limit=memory_limit, threads=threads, databases=databases)


def _seen(space: Workspace, source: Source) -> DuckTable:
    """The view of a source; of a Parquet file with a cell that DuckDB refuses, over the cells that it can hold."""
    loaded = _load(space, source)
    try:
        return view_of(space, source, loaded)
    except BY_A_CELL:
        if loaded.kind != "parquet" or not isinstance(source, FileSource):
            raise
        from sfumato.engine.duckdb.columnar import load_held

        return view_of(space, source, load_held(space, source.path))


def kind_of(source: FileSource) -> FileKind:
    """The kind of a file: as declared, else by its first bytes, else by its suffix, else CSV.

    Raises:
        SourceError: no such file, a folder, or a name whose suffix the bytes belie.
    """
    path = source.path
    if "\0" in str(path) or not path.exists():
        raise SourceError("The source must be a file; {name!r} is not there.", "check the path.", name=path.name)
    check_regular(path, "The source")
    if source.kind is not None:
        return source.kind
    start = _first_bytes(path)
    by_bytes = next((kind for magic, kind in _MAGIC if start.startswith(magic)), None)
    by_name = _KINDS.get(path.suffix.lower())
    if by_name is not None and by_name != by_bytes:
        raise SourceError(
            "{name!r} must be what its name says, {by_name}; its first bytes say it is {by_bytes}.",
            "check that the file is complete, or declare its `kind`.",
            name=path.name,
            by_name=by_name,
            by_bytes=by_bytes or "not",
        )
    return by_bytes or "csv"


def _first_bytes(path: Path) -> bytes:
    """The bytes by which kinds of files are known."""
    try:
        with path.open("rb") as file:
            return file.read(8)
    except OSError as error:
        raise SourceError(
            "{name!r} must be readable; the system says: {strerror}.",
            "check its permissions.",
            name=path.name,
            strerror=error.strerror,
        ) from None


def _load(space: Workspace, source: Source) -> Loaded:
    """Each reader is imported when it is needed."""
    match source:
        case FileSource():
            return _load_file(space, source)
        case FrameSource():
            from sfumato.engine.duckdb.frames import load_frame

            return load_frame(space, source.frame)
        case SqlSource():
            from sfumato.engine.duckdb.sql import load_sql

            return load_sql(space, source)


def _load_file(space: Workspace, source: FileSource) -> Loaded:
    match kind_of(source):
        case "csv":
            from sfumato.engine.duckdb.delimited import load_csv

            return load_csv(space, source)
        case "parquet":
            from sfumato.engine.duckdb.columnar import load_parquet

            return load_parquet(space, source.path)
        case "arrow":
            from sfumato.engine.duckdb.columnar import load_arrow_file

            return load_arrow_file(space, source.path)
        case "excel":
            from sfumato.engine.duckdb.excel import load_excel

            return load_excel(space, source)


def view_of(space: Workspace, source: Source, loaded: Loaded) -> DuckTable:
    """Name the columns, trim if declared, describe, count."""
    connection = space.connection
    check_width(len(loaded.names))
    bare = f"SELECT {', '.join(loaded.cells)} FROM {loaded.origin}"
    native = [str(row[1]) for row in connection.execute(f"DESCRIBE {bare}").fetchall()]
    cells = [_cell(cell, kind, trim=source.trim) for cell, kind in zip(loaded.cells, native, strict=True)]
    named = [f"{cell} AS {identifier(name)}" for cell, name in zip(cells, loaded.names, strict=True)]
    columns = ", ".join([f"{loaded.row} AS {identifier(ROW)}", *named])
    connection.execute(f"CREATE OR REPLACE VIEW {_NAME} AS SELECT {columns} FROM {loaded.origin}")
    described = connection.execute(f"DESCRIBE {_NAME}").fetchall()[1:]
    types = tuple(str(row[1]) for row in described)
    n_rows = int(connection.execute(f"SELECT count(*) FROM {loaded.origin}").fetchall()[0][0])
    distinct = _distinct(connection, loaded, cells)
    blanks = [] if source.trim else _blank_notes(space, distinct or _NAME, loaded.names, types)
    header = Header(
        names=loaded.names,
        types=types,
        n_rows=n_rows,
        source_kind=loaded.kind,
        dialect=loaded.dialect,
        sha256=loaded.sha256,
        notes=(*loaded.notes, *blanks),
        loose=loaded.loose,
    )
    if not loaded.labels:
        return DuckTable(connection, _NAME, header, source, distinct=distinct)
    coded = ", ".join(f"{cell} AS {identifier(name)}" for cell, name in zip(loaded.cells, loaded.names, strict=True))
    connection.execute(
        f"CREATE OR REPLACE VIEW {_CODED} AS SELECT {loaded.row} AS {identifier(ROW)}, {coded} FROM {loaded.origin}"
    )
    labels = {loaded.names[place]: texts for place, texts in loaded.labels.items()}
    return DuckTable(connection, _NAME, header, source, _CODED, labels)


def _distinct(connection: duckdb.DuckDBPyConnection, loaded: Loaded, cells: Sequence[str]) -> str | None:
    """The view of equal rows once, with how many they are as `__row`, a name that no column has."""
    if loaded.distinct is None:
        return None
    named = ", ".join(f"{cell} AS {identifier(name)}" for cell, name in zip(cells, loaded.names, strict=True))
    connection.execute(f"CREATE OR REPLACE VIEW {_DISTINCT} AS SELECT n AS {ROW}, {named} FROM {loaded.distinct}")
    return _DISTINCT


def _cell(cell: str, kind: str, *, trim: bool) -> str:
    """The expression of a cell: labels of enumerations as text, blanks removed if declared."""
    if kind.startswith("ENUM") or kind in {'"NULL"', "NULL"}:
        cell, kind = f"CAST({cell} AS VARCHAR)", "VARCHAR"
    return f"trim({cell}, {literal(BLANKS)})" if trim and kind == "VARCHAR" else cell


def _blank_notes(space: Workspace, origin: str, names: tuple[str, ...], types: tuple[str, ...]) -> list[str]:
    """A note where texts of the first rows of a view begin or end with blanks."""
    texts = [name for name, kind in zip(names, types, strict=True) if kind == "VARCHAR"]
    if not texts:
        return []
    padding = literal(rf"\A[{BLANKS}]|[{BLANKS}]\z")
    tests = [f"bool_or(regexp_matches({identifier(name)}, {padding}))" for name in texts]
    first = f"SELECT * FROM {origin} LIMIT {_LOOKED_AT}"
    found = space.connection.execute(f"SELECT {', '.join(tests)} FROM ({first})").fetchall()[0]
    padded = [name for name, is_padded in zip(texts, found, strict=True) if is_padded]
    if not padded:
        return []
    return [f"Cells of {padded} begin or end with blanks, which are kept; declare `trim = true` to remove them."]
