"""The distributed engine behind the joint of `engine/base.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.engine.spark.adding import add_up
from sfumato.engine.spark.apply import apply
from sfumato.engine.spark.bounded import canonical, check, places, totals
from sfumato.engine.spark.estimate import estimate_tuples
from sfumato.engine.spark.marginal import marginal
from sfumato.engine.spark.scan import make, scan
from sfumato.engine.spark.summarize import summarize
from sfumato.engine.spark.write import write

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engine.base import Header, Marginal, Receipt
    from sfumato.engine.spark.table import SparkTable
    from sfumato.noise.bits import Bits
    from sfumato.recipe.recipe import Recipe
    from sfumato.summary.ask import Ask
    from sfumato.summary.bounded import BoundedAsk, BoundedPlaces, BoundedTotals
    from sfumato.summary.classes import Classes
    from sfumato.summary.counting import Counting
    from sfumato.table.source import Sink, Source
    from sfumato.types import IntArray


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

    def marginals(self, table: SparkTable, columns: Sequence[str]) -> Mapping[str, Marginal]:
        """Distinct values of several columns, one by one."""
        return {column: marginal(table, column) for column in columns}

    def estimate_tuples(self, table: SparkTable, columns: Sequence[str]) -> int:
        """About how many distinct tuples; see `estimate.estimate_tuples`."""
        return estimate_tuples(table, columns)

    def summarize(self, table: SparkTable, ask: Ask) -> Classes:
        """Count the distinct tuples; see `summarize.summarize`."""
        return summarize(table, ask)

    def check(self, table: SparkTable, ask: BoundedAsk) -> None:
        """Refuse an ask that cannot be answered; see `bounded_query.check`."""
        check(table, ask)

    def totals(self, table: SparkTable, ask: BoundedAsk) -> BoundedTotals:
        """Bounded totals by group; see `bounded.totals`."""
        return totals(table, ask)

    def places(self, table: SparkTable, ask: BoundedAsk, column: str) -> BoundedPlaces:
        """Grid places of one column in the bounded rows; see `bounded.places`."""
        return places(table, ask, column)

    def canonical(self, table: SparkTable, column: str, texts: Sequence[str]) -> tuple[str, ...]:
        """What public texts are among the cells of a column; see `bounded.canonical`."""
        return canonical(table, column, texts)

    def add_up(self, table: SparkTable, counting: Counting) -> IntArray:
        """Counts of all rows; see `adding.add_up`."""
        return add_up(table, counting)

    def apply(self, table: SparkTable, recipe: Recipe, *, bits: Bits) -> SparkTable:
        """The released table; see `apply.apply`."""
        return apply(table, recipe, bits=bits)

    def make(self, columns: Mapping[str, Sequence[object]]) -> SparkTable:
        """Columns of equal length as a table; see `scan.make`."""
        return make(self.session, columns)

    def write(self, table: SparkTable, sink: Sink) -> Receipt:
        """Write the table; see `write.write`."""
        return write(table, sink)
