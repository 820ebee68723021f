"""How a released table leaves the cluster: beside its final name first, then renamed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engine.base import Receipt
from sfumato.engine.duckdb.write_frame import as_kind
from sfumato.engine.select import refuse_password
from sfumato.engine.spark.faults import guarded
from sfumato.engine.spark.order import in_order
from sfumato.engine.spark.table import ROW
from sfumato.errors import SourceError
from sfumato.table.source import FileSink, FrameSink, SqlSink, kind_of_frame

if TYPE_CHECKING:
    from sfumato.engine.spark.table import SparkTable
    from sfumato.table.source import Sink


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
            from sfumato.engine.spark.write_files import write_files

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
