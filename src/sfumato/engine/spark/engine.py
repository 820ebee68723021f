"""The distributed engine behind the joint of `engine/base.py`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from sfumato.engine.base import answer
from sfumato.engine.joined.apply import released
from sfumato.engine.spark.adding import add_up
from sfumato.engine.spark.dialect import SparkDialect, dialect_of
from sfumato.engine.spark.faults import guarded
from sfumato.engine.spark.rows import SparkRows
from sfumato.engine.spark.scan import make, scan
from sfumato.engine.spark.write import write
from sfumato.engine.sql.answers import ANSWERS
from sfumato.engine.sql.bounded_query import check
from sfumato.summary.ask import Counting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.engine.base import Header, Receipt
    from sfumato.engine.spark.table import SparkTable
    from sfumato.noise.bits import Bits
    from sfumato.recipe.recipe import Recipe
    from sfumato.summary.ask import Ask
    from sfumato.summary.bounded import BoundedAsk
    from sfumato.table.source import Sink, Source


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
            return answer(ANSWERS, dialect, ask)

    def apply(self, table: SparkTable, recipe: Recipe, *, bits: Bits) -> SparkTable:
        """The released table, read from the source whenever it is read itself; see `joined.apply.released`."""
        with guarded():
            rows, header = released(table, SparkRows.of(table), recipe, bits=bits)
        return replace(table, frame=rows.frame, header=header, in_order=rows.in_order)

    def make(self, columns: Mapping[str, Sequence[object]]) -> SparkTable:
        """Columns of equal length as a table; see `scan.make`."""
        return make(self.session, columns)

    def write(self, table: SparkTable, sink: Sink) -> Receipt:
        """Write the table; see `write.write`."""
        return write(table, sink)
