"""The distributed engine behind the joint of `engine/base.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.engine.spark.marginal import marginal
from sfumato.engine.spark.scan import make, scan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engine.base import Header, Marginal
    from sfumato.engine.spark.table import SparkTable
    from sfumato.table.source import Source


@dataclass(frozen=True, slots=True, eq=False)
class SparkEngine:
    """A Spark cluster, through a session of PySpark 4 (classic or Connect).

    Args:
        session: `pyspark.sql.SparkSession`; see `session.open_session`. It is not stopped here.
    """

    session: Any

    def scan(self, source: Source) -> SparkTable:
        """Open a source; see `scan.scan`."""
        return scan(self.session, source)

    def header(self, table: SparkTable) -> Header:
        """Names, types and size."""
        return table.header

    def marginal(self, table: SparkTable, column: str) -> Marginal:
        """Distinct values of a column; see `marginal.marginal`."""
        return marginal(table, column)

    def make(self, columns: Mapping[str, Sequence[object]]) -> SparkTable:
        """Columns of equal length as a table; see `scan.make`."""
        return make(self.session, columns)
