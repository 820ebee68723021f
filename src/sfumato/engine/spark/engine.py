"""The distributed engine behind the joint of `engine/base.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from sfumato.engine.base import answer
from sfumato.engine.spark.adding import add_up
from sfumato.engine.spark.apply import apply
from sfumato.engine.spark.bounded import canonical, check, places, totals
from sfumato.engine.spark.estimate import estimate_tuples
from sfumato.engine.spark.marginal import marginal, marginals
from sfumato.engine.spark.scan import make, scan
from sfumato.engine.spark.summarize import summarize
from sfumato.engine.spark.write import write
from sfumato.summary.ask import Canonical, Counting, MarginalOf, Marginals, TupleEstimate, Tuples
from sfumato.summary.bounded import BoundedAsk, Places

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.engine.base import Header, Receipt
    from sfumato.engine.spark.table import SparkTable
    from sfumato.noise.bits import Bits
    from sfumato.recipe.recipe import Recipe
    from sfumato.summary.ask import Ask
    from sfumato.table.source import Sink, Source


S = TypeVar("S")

ANSWERS: Mapping[type[Ask[Any]], Callable[[SparkTable, Any], Any]] = {
    Tuples: summarize,
    TupleEstimate: estimate_tuples,
    MarginalOf: marginal,
    Marginals: marginals,
    BoundedAsk: totals,
    Places: places,
    Canonical: canonical,
    Counting: add_up,
}
"""What answers each ask."""


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
        check(table, ask)

    def summarize(self, table: SparkTable, ask: Ask[S]) -> S:
        """The summary that is asked for; see `ANSWERS`."""
        return answer(ANSWERS, table, ask)

    def apply(self, table: SparkTable, recipe: Recipe, *, bits: Bits) -> SparkTable:
        """The released table; see `apply.apply`."""
        return apply(table, recipe, bits=bits)

    def make(self, columns: Mapping[str, Sequence[object]]) -> SparkTable:
        """Columns of equal length as a table; see `scan.make`."""
        return make(self.session, columns)

    def write(self, table: SparkTable, sink: Sink) -> Receipt:
        """Write the table; see `write.write`."""
        return write(table, sink)
