"""How does a release become a table of the cluster's catalog or of a database? Never over another table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engine.base import Receipt
from sfumato.engine.select import refuse_password
from sfumato.engine.spark.faults import guarded
from sfumato.engine.spark.order import in_order
from sfumato.engine.spark.table import ROW
from sfumato.errors import SourceError

if TYPE_CHECKING:
    from sfumato.engine.spark.table import SparkTable
    from sfumato.table.source import SqlSink


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
