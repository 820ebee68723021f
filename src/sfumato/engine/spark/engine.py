"""The distributed engine behind the joint of `engine/base.py`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyarrow as pa

from sfumato.engine.base import answer, marked
from sfumato.engine.duckdb.batch import open_batch, written
from sfumato.engine.joined.apply import released
from sfumato.engine.spark.dialect import SparkDialect, dialect_of
from sfumato.engine.spark.faults import guarded
from sfumato.engine.spark.quote import identifier
from sfumato.engine.spark.rows import SparkRows
from sfumato.engine.spark.scan import make, scan
from sfumato.engine.spark.write import write
from sfumato.engine.sql.answers import ANSWERS, LATER
from sfumato.engine.sql.bounded_query import check
from sfumato.errors import ReportError, SchemaError, SfumatoError
from sfumato.frozen import dataclass
from sfumato.summary.ask import Counting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sfumato.engine.base import Header, Receipt
    from sfumato.engine.spark.table import SparkTable
    from sfumato.noise.bits import Bits
    from sfumato.recipe.columns import Cells
    from sfumato.recipe.recipe import Recipe
    from sfumato.summary.ask import Ask
    from sfumato.summary.bounded import BoundedAsk
    from sfumato.table.source import Sink, Source
    from sfumato.types import IntArray


def add_up(table: SparkTable, counting: Counting) -> IntArray:
    """(size,) int64: the counts of all rows; a total of rows that a worker counted twice is used once.

    Raises:
        SchemaError: an absent column.
        ReportError: rows that cannot be counted.
        EngineError: the cluster failed.
    """
    for column in counting.columns:
        table.header.type_of(column)
    try:
        with guarded():
            rows = table.unordered.selectExpr(*map(identifier, counting.columns))
            parts = rows.mapInArrow(_Worker(counting), "place BIGINT, n BIGINT")
            found = parts.groupBy("place").sum("n").toArrow()
    except SchemaError as refusal:
        failure = ReportError(refusal.problem, refusal.remedy)
        raise failure from None
    out = np.zeros(counting.size, np.int64)
    out[found["place"].to_numpy()] = found[found.column_names[1]].to_numpy()
    return out


@dataclass(frozen=True, slots=True)
class _Worker:
    """Counts the rows of one partition."""

    counting: Counting

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The places with a count, once for the whole partition."""
        total = np.zeros(self.counting.size, np.int64)
        try:
            with open_batch() as connection:
                for batch in batches:
                    texts = [written(column, connection).to_pylist() for column in batch.columns]
                    total += self.counting.count(texts)
        except SfumatoError as refusal:
            raise RuntimeError(marked(refusal.problem, refusal.remedy)) from None
        except Exception as failure:  # noqa: BLE001
            raise RuntimeError(f"A worker of Sfumato failed: {type(failure).__name__}.") from None
        places = np.flatnonzero(total)
        yield pa.RecordBatch.from_arrays([pa.array(places), pa.array(total[places])], names=["place", "n"])


S = TypeVar("S")

OWN: Mapping[type[Ask[Any]], Callable[[SparkTable, Any], Any]] = {Counting: add_up}
"""What Spark answers in its own way."""


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

    def check(self, table: SparkTable, ask: BoundedAsk) -> None:
        """Refuse an ask that cannot be answered; see `bounded_query.check`."""
        with guarded():
            check(SparkDialect(table, ""), ask)

    def summarize(self, table: SparkTable, ask: Ask[S]) -> S:
        """The summary that is asked for. The cluster groups; one row for each group or place comes to the driver."""
        if type(ask) in OWN:
            return answer(OWN, table, ask)
        with guarded(), dialect_of(table, ask) as dialect:
            return answer(ANSWERS, dialect, ask, later=LATER)

    def apply(self, table: SparkTable, recipe: Recipe, *, bits: Bits) -> SparkTable:
        """The released table, read from the source whenever it is read itself; see `joined.apply.released`."""
        with guarded():
            rows, header = released(table, SparkRows.of(table), recipe, bits=bits)
        return replace(table, frame=rows.frame, header=header, in_order=rows.in_order)

    def make(self, columns: Mapping[str, Cells]) -> SparkTable:
        """Columns of equal length as a table; see `scan.make`."""
        return make(self.session, columns)

    def write(self, table: SparkTable, sink: Sink) -> Receipt:
        """Write the table; see `write.write`."""
        return write(table, sink)
