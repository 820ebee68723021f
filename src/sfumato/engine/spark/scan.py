"""A source as a Spark table with its rows in source order.

Nothing is copied: Parquet, catalog tables and JDBC tables are read where they are, each time they are asked.
A source that answers differently each time (a frame with chance in it) must be stored before.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sfumato.engine.base import ROW, Header, distinct_names
from sfumato.engine.frames import in_memory
from sfumato.engine.made import made
from sfumato.engine.object_cells import cell_text
from sfumato.engine.select import is_select, refuse_password
from sfumato.engine.spark.faults import guarded
from sfumato.engine.spark.query import fetch
from sfumato.engine.spark.quote import identifier, literal
from sfumato.engine.spark.table import SparkTable
from sfumato.engine.spark.types import fitted, native_name, plain_cell, refuse_nested
from sfumato.errors import InternalError, SfumatoError, SourceError
from sfumato.frozen import dataclass
from sfumato.table.source import FileSource, FrameSource, SqlSource, uri_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.recipe.columns import Cells
    from sfumato.table.source import Source

BLANKS = " \t\u00a0"
"""What `trim` removes around a cell: blank, tab, no-break blank."""
_LOOKED_AT = 2_000
_PARQUET = (".parquet", ".pq", ".geoparquet")
_OTHER = (
    ".csv",
    ".tsv",
    ".txt",
    ".gz",
    ".zst",
    ".xlsx",
    ".xlsm",
    ".xlsb",
    ".xls",
    ".ods",
    ".arrow",
    ".feather",
    ".ipc",
)
_MOST_FILES = 100
_ROOM = 1 << 40
"""Positions of each file: more than a Parquet file has rows."""
_ANY_ORDER = "monotonically_increasing_id()"


@dataclass(frozen=True, slots=True, eq=False)
class _Opened:
    """A frame as Spark found it.

    Args:
        frame: its columns c0, c1 … or whatever they are called there.
        kind: as in `Header.source_kind`.
        row: SQL of the position.
        names: names as they are written; None: those of the frame.
        loose: places of the columns whose type was found by looking at their cells.
        in_order: whether Spark reads the rows in the order of `row`; it reads the largest of several files first.
    """

    frame: Any
    kind: str
    row: str = _ANY_ORDER
    names: Sequence[str] | None = None
    in_order: bool = True
    loose: tuple[int, ...] = ()


def scan(session: Any, source: Source) -> SparkTable:
    """Open a source on a cluster.

    Args:
        session: `pyspark.sql.SparkSession`, classic or Connect.
        source: a Parquet file, folder or URI (`s3a://bucket/folder`); a Spark DataFrame or a table in memory; `spark:` with a catalog table or a
            SELECT; a `jdbc:` URL with a table or a SELECT.

    Returns:
        The table; `__row` grows in the order of file names and rows for up to 100 Parquet files, and else in the order
        in which Spark reads.

    Raises:
        SourceError: the source cannot be read as it is declared, or holds nested columns. The message shows no cell.
        EngineError: the cluster is away.
    """
    try:
        with guarded():
            return _table(_open(session, source), source)
    except InternalError:
        failure: SfumatoError = SourceError(
            "The source must be readable; Spark refuses it.", "check the names in the query, the path and your rights."
        )
    except SfumatoError as error:
        failure = error
    failure.__context__ = None
    raise failure.with_traceback(None)


def make(session: Any, columns: Mapping[str, Cells]) -> SparkTable:
    """Columns of equal length as a table of the engine."""
    return scan(session, FrameSource(made(columns)))


def _open(session: Any, source: Source) -> _Opened:
    """Each kind of source in its own way."""
    match source:
        case FrameSource(frame=frame) if type(frame).__module__.startswith("pyspark.sql"):
            return _Opened(frame, "spark")
        case FrameSource(frame=frame):
            return _from_memory(session, frame)
        case FileSource():
            return _from_parquet(session, source)
        case SqlSource(url=url) if url.startswith("jdbc:"):
            return _from_jdbc(session, source)
        case SqlSource():
            return _from_catalog(session, source)


def _from_memory(session: Any, frame: object) -> _Opened:
    """Send a table in memory to the cluster, its cells as they are; objects other than truth values as texts."""
    found = in_memory(frame)
    said = [_said(column) if place in found.loose else column for place, column in enumerate(found.columns)]
    columns = [fitted(column, name) for name, column in zip(found.names, said, strict=True)]
    cells = [f"c{position}" for position in range(len(columns))]
    declared = ", ".join(f"{cell} {native_name(column.type)}" for cell, column in zip(cells, columns, strict=True))
    sent = session.createDataFrame(pa.Table.from_arrays(columns, names=cells), schema=declared)
    return _Opened(sent, found.kind, names=found.names, loose=found.loose)


def _said(column: Any) -> Any:
    """What each cell says; truth values as they are."""
    return column if pa.types.is_boolean(column.type) else pa.array(map(cell_text, column.to_pylist()), pa.string())


def _from_parquet(session: Any, source: FileSource) -> _Opened:
    path = source.path
    suffix = path.suffix.lower()
    if source.kind not in {None, "parquet"} or source.sheet is not None or (source.kind is None and suffix in _OTHER):
        raise SourceError(
            "A cluster reads Parquet files; {name!r} is declared or called otherwise.",
            "write it as Parquet (`sfumato convert` does), or use the embedded engine.",
            name=path.name,
        )
    frame = session.read.parquet(_place(path))
    row = _position(frame)
    return _Opened(frame, "parquet", row, in_order="file_path" not in row)


def _place(path: Path) -> str:
    """A path as Spark reads it: a URI as it is; a file of this computer as one; any other for the cluster to find."""
    uri = uri_of(path)
    if uri is not None:
        return uri
    return f"file://{path.resolve()}" if path.exists() else str(path)


def _position(frame: Any) -> str:
    """SQL for the position of a row of Parquet files; in the order of reading where Spark cannot tell."""
    files = sorted({re.sub("^file:/+", "file:/", name) for name in frame.inputFiles()})
    if len(files) > _MOST_FILES or any(name.lower() == "_metadata" for name in frame.columns):
        return _ANY_ORDER
    whens = " ".join(f"WHEN {literal(name)} THEN {i * _ROOM}L" for i, name in enumerate(files))
    start = "0L" if len(files) < 2 else f"CASE _metadata.file_path {whens} END"
    sql = f"{start} + _metadata.row_index"
    return sql if _numbers_all(frame, sql, len(files)) else _ANY_ORDER


def _numbers_all(frame: Any, sql: str, n_files: int) -> bool:
    """Whether Spark knows the position of every row (Sail has no `_metadata`)."""
    try:
        numbered = frame.selectExpr(f"{sql} AS {ROW}")
        if not numbered.columns or n_files < 2:
            return True
        return not numbered.filter(f"{ROW} IS NULL").limit(1).toArrow().num_rows
    except Exception as error:
        if not type(error).__module__.startswith("pyspark"):
            raise
        return False


def _from_catalog(session: Any, source: SqlSource) -> _Opened:
    """A table of the catalog, or a SELECT."""
    if source.url != "spark:":
        raise SourceError(
            "On a cluster a table is named by the url `spark:` (its catalog) or `jdbc:…` (a database); this is another.",
            "correct the url, or use the embedded engine.",
        )
    query = source.query.strip().rstrip(";")
    return _Opened(session.sql(f"SELECT * FROM ({query})") if is_select(query) else session.table(query), "spark")


def _from_jdbc(session: Any, source: SqlSource) -> _Opened:
    """A table of a database, or a SELECT, through the cluster's own driver."""
    refuse_password(source.url)
    query = source.query.strip().rstrip(";")
    asked = "query" if is_select(query) else "dbtable"
    reader = session.read.format("jdbc").option("url", source.url).option(asked, query)
    return _Opened((reader.option("password", source.password) if source.password else reader).load(), "jdbc")


def _table(opened: _Opened, source: Source) -> SparkTable:
    """Name the columns, trim if declared, describe, count."""
    written = [field.name for field in opened.frame.schema.fields]
    if not written:
        raise SourceError("A table must have columns; the source has none, or is not there.", "check the path or name.")
    names, notes = distinct_names(written if opened.names is None else opened.names)
    kinds = [field.dataType.simpleString() for field in opened.frame.schema.fields]
    refuse_nested(names, [kind.replace("void", "string") for kind in kinds])
    bare = _renamed(opened, written, names, kinds, trim=source.trim)
    frame = _renamed(opened, written, names, kinds, trim=source.trim, row=opened.row)
    types = tuple(field.dataType.simpleString() for field in bare.schema.fields)
    n_rows = int(fetch(bare, lambda view: f"SELECT count(*) AS n FROM {view}")["n"][0].as_py())
    loose = frozenset(names[place] for place in opened.loose)
    header = Header(names, types, n_rows, opened.kind, notes=notes, loose=loose)
    table = SparkTable(frame, header, source, opened.in_order, (frame, bare))
    blanks = () if source.trim else _blank_notes(table)
    return replace(table, header=replace(header, notes=(*notes, *blanks)))


def _renamed(
    opened: _Opened,
    written: Sequence[str],
    names: Sequence[str],
    kinds: Sequence[str],
    *,
    trim: bool,
    row: str | None = None,
) -> Any:
    """The frame with its columns under the names that they get, after its position where that is named."""
    frame = opened.frame
    if len({name.lower() for name in written}) < len(written):
        written = [f"c{position}" for position in range(len(written))]
        frame = frame.toDF(*written)
    cells = [plain_cell(identifier(name), kind) for name, kind in zip(written, kinds, strict=True)]
    if trim:
        cells = [
            f"trim(BOTH {literal(BLANKS)} FROM {cell})" if _is_text(kind) else cell
            for cell, kind in zip(cells, kinds, strict=True)
        ]
    selected = [f"{cell} AS {identifier(name)}" for cell, name in zip(cells, names, strict=True)]
    return frame.selectExpr(*([] if row is None else [f"{row} AS {ROW}"]), *selected)


def _is_text(kind: str) -> bool:
    return kind.startswith(("string", "varchar", "char"))


def _blank_notes(table: SparkTable) -> list[str]:
    """A note where texts of the first rows begin or end with blanks."""
    texts = [name for name, kind in zip(table.header.names, table.header.types, strict=True) if _is_text(kind)]
    if not texts:
        return []
    blanks = literal(BLANKS)
    tests = [f"bool_or({c} <> trim(BOTH {blanks} FROM {c})) AS t{i}" for i, c in enumerate(map(identifier, texts))]
    found = fetch(
        table.unordered, lambda view: f"SELECT {', '.join(tests)} FROM (SELECT * FROM {view} LIMIT {_LOOKED_AT})"
    )
    padded = [name for name, column in zip(texts, found.columns, strict=True) if column[0].as_py()]
    if not padded:
        return []
    return [f"Cells of {padded} begin or end with blanks, which are kept; declare `trim = true` to remove them."]
