"""How a released table leaves the cluster: beside its final name first, then renamed.

A release as a folder of Parquet files has each part in row order, and is there all at once. A folder of this computer is
written under a hidden name beside its final one, flushed to the disk and renamed. At a URI (`s3a:`, `hdfs:`, …) Spark's own
committer writes, and nothing may be there before; a write that fails there can leave a folder, which then lacks its file
`_SUCCESS`.
"""

from __future__ import annotations

import re
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from sfumato.engine.base import Receipt
from sfumato.engine.duckdb.table import from_system
from sfumato.engine.duckdb.write import flush, kind_of_sink
from sfumato.engine.duckdb.write_frame import as_kind
from sfumato.engine.folders import DRAFT, private_folder
from sfumato.engine.select import refuse_password
from sfumato.engine.spark.faults import guarded
from sfumato.engine.spark.store import runs_on_spark
from sfumato.engine.spark.table import ROW, in_order
from sfumato.errors import EngineError, SourceError
from sfumato.table.source import FileSink, FrameSink, SqlSink, kind_of_frame, uri_of

if TYPE_CHECKING:
    from sfumato.engine.spark.table import SparkTable
    from sfumato.table.source import Sink

_OURS = re.compile(r".*\.parquet|_SUCCESS|\..*\.crc", re.DOTALL)
"""Names of the files of a folder that Spark wrote."""


def write_files(table: SparkTable, sink: FileSink) -> Receipt:
    """Write a folder of Parquet files.

    Raises:
        SourceError: another kind of file, or a place that holds something else or may not be written.
        EngineError: Spark failed, or its workers write to another disk than this computer sees.
    """
    uri = uri_of(sink.path)
    if sink.kind != "parquet" and (uri is None or sink.kind is not None) and kind_of_sink(sink) != "parquet":
        raise SourceError(
            "A cluster publishes Parquet files; {path!r} is declared or called otherwise.",
            "publish to Parquet and convert it, or use the embedded engine.",
            path=sink.path.name,
        )
    return _write_local(table, sink) if uri is None else _write_uri(table, sink, uri)


def _write_local(table: SparkTable, sink: FileSink) -> Receipt:
    """Write beside, look whether all rows are there, then rename."""
    target = sink.path
    _refuse_other(target)
    try:
        folder = private_folder(target.parent, prefix=DRAFT[0], suffix=DRAFT[1])
    except OSError as failure:
        raise from_system(failure) from None
    draft = folder.path / target.name
    try:
        folder.path.chmod(stat.S_IMODE(target.parent.stat().st_mode))  # the machines of a cluster write there too
        with guarded():
            place = str(draft.absolute())
            in_order(table).write.mode("error").parquet(f"file:{place}" if runs_on_spark(table.session) else place)
        parts = sorted(draft.glob("*.parquet"))
        if sum(pq.read_metadata(part).num_rows for part in parts) != table.header.n_rows:
            raise EngineError(
                "The rows of the release must all be in its folder when it is written; some are not.",
                "name a folder that every machine of the cluster shares, or a URI such as s3a:// or hdfs://; "
                "and keep the source as it is while it is read.",
            )
        n_bytes = sum(part.stat().st_size for part in parts)
        _take_place(draft, target)
    except OSError as failure:
        raise from_system(failure) from None
    finally:
        folder.remove()
    return Receipt(table.header.n_rows, "parquet", path=target, n_bytes=n_bytes)


def _refuse_other(target: Path) -> None:
    """Only a release may be replaced, never anything else.

    Raises:
        SourceError: a file, or a folder with other files. Remedy: another name.
    """
    if not target.parent.is_dir():
        raise SourceError("The folder of the release must exist; it does not.", "make it, or correct the path.")
    if target.exists() and not (target.is_dir() and all(_OURS.fullmatch(entry.name) for entry in target.iterdir())):
        raise SourceError(
            "A cluster writes a folder of Parquet files; {name!r} is there and is something else.",
            "choose another name, or remove it first.",
            name=target.name,
        )


def _take_place(draft: Path, target: Path) -> None:
    """Bring the folder to the disk and give it its name; the release before it vanishes."""
    for part in draft.iterdir():
        flush(part)
    flush(draft)
    before = draft.with_name(f"{draft.name}.before")
    if target.exists():
        target.rename(before)
    try:
        draft.rename(target)
    except OSError:
        if before.exists():
            before.rename(target)
        raise
    flush(target.parent)
    shutil.rmtree(before, ignore_errors=True)


def _write_uri(table: SparkTable, sink: FileSink, uri: str) -> Receipt:
    """Let Spark's committer write, then count what is there.

    Raises:
        SourceError: something is there already.
    """
    with guarded():
        try:
            in_order(table).write.mode("error").parquet(uri)
        except Exception as failure:
            if "already exists" in str(failure).lower():
                raise SourceError(
                    "A release never replaces what is at a URI; {path!r} is already there.",
                    "choose another name, or remove it first.",
                    path=Path(sink.path).name,
                ) from None
            raise
        n_rows = int(table.session.read.parquet(uri).count())
    return Receipt(n_rows, "parquet", path=sink.path)


def write(table: SparkTable, sink: Sink) -> Receipt:
    """Write a table to a folder of Parquet files, to memory, to the catalog of the cluster or to a database.

    Raises:
        SourceError: the place may not be written, holds something else, or cannot hold the table.
        EngineError: Spark failed, or its workers do not see the folder.
        SchemaError: a cell that the recipe cannot publish.
        Interrupted: the user stopped the work. Whatever happens, no part of a folder is left under its name.
    """
    match sink:
        case FileSink():
            return write_files(table, sink)
        case FrameSink():
            return _write_frame(table, sink)
        case SqlSink():
            return write_sql(table, sink)


def _write_frame(table: SparkTable, sink: FrameSink) -> Receipt:
    """The table in memory of the driver; a Spark DataFrame is read when it is used."""
    kind = sink.kind or kind_of_frame(table.header.source_kind)
    with guarded():
        frame = in_order(table)
        if kind == "spark":
            return Receipt(table.header.n_rows, kind, frame=frame)
        rows = frame.toArrow()
    return Receipt(rows.num_rows, kind, frame=as_kind(rows, table.source, kind))


def write_sql(table: SparkTable, sink: SqlSink) -> Receipt:
    """Create the table: `spark:` in the catalog, `jdbc:…` in a database.

    A database gets all rows in one transaction of one worker, after the table itself: a failed write can leave an
    empty table, never a part of the rows.

    Raises:
        SourceError: the table is already there, or the place refuses it.
        EngineError: Spark failed.
    """
    if sink.url != "spark:" and not sink.url.startswith("jdbc:"):
        raise SourceError(
            "A cluster publishes to its catalog (the url `spark:`) or to a database (`jdbc:…`); this is another url.",
            "use one of these, or publish to Parquet files.",
        )
    refuse_password(sink.url)
    with guarded():
        try:
            if sink.url == "spark:":
                in_order(table).write.mode("error").saveAsTable(sink.table)
            else:
                rows = table.frame.repartition(1).sortWithinPartitions(ROW).drop(ROW)
                rows.write.mode("error").jdbc(sink.url, sink.table)
        except Exception as failure:
            if "already exists" in str(failure).lower() or "ALREADY_EXISTS" in str(failure):
                raise SourceError(
                    "A release never replaces a table; {table!r} is already there.",
                    "choose another name, or drop it first.",
                    table=sink.table,
                ) from None
            raise
    return Receipt(table.header.n_rows, "sql", table=sink.table)
