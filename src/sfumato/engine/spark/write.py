"""How does a released table leave the cluster? Beside its final name first, then renamed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engine.base import Receipt
from sfumato.engine.duckdb.write_frame import as_kind
from sfumato.engine.spark.faults import guarded
from sfumato.engine.spark.order import in_order
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
            from sfumato.engine.spark.write_sql import write_sql

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
