"""The embedded engine behind the joint of `engine/base.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from sfumato.engine.base import answer
from sfumato.engine.duckdb.apply import apply
from sfumato.engine.duckdb.bounded import canonical, check, places, totals
from sfumato.engine.duckdb.columns import add_up, table_of
from sfumato.engine.duckdb.scan import scan
from sfumato.engine.duckdb.summarize import estimate_tuples, marginal, marginals, summarize
from sfumato.engine.duckdb.write import write
from sfumato.summary.ask import Canonical, Counting, MarginalOf, Marginals, TupleEstimate, Tuples
from sfumato.summary.bounded import BoundedAsk, Places

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.engine.base import Header, Receipt
    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.noise.bits import Bits
    from sfumato.recipe.recipe import Recipe
    from sfumato.summary.ask import Ask
    from sfumato.table.source import Sink, Source


S = TypeVar("S")

ANSWERS: Mapping[type[Ask[Any]], Callable[[DuckTable, Any], Any]] = {
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


@dataclass(frozen=True, slots=True)
class DuckDBEngine:
    """DuckDB inside this process; tables larger than memory are worked on from disk.

    Args:
        memory_limit: most memory that DuckDB takes ("3GB"); None: its own choice.
        threads: None: one per core.

    Example:
        >>> import pyarrow as pa
        >>> from sfumato.table.source import FrameSource
        >>> engine = DuckDBEngine(memory_limit="1GB", threads=1)
        >>> table = engine.scan(FrameSource(pa.table({"zip": ["01000", "75001", "01000"]})))
        >>> engine.summarize(table, MarginalOf("zip")).counts.tolist()
        [2, 1]
    """

    memory_limit: str | None = None
    threads: int | None = None

    def scan(self, source: Source) -> DuckTable:
        """Open a source; see `scan.scan`."""
        return scan(source, memory_limit=self.memory_limit, threads=self.threads)

    def header(self, table: DuckTable) -> Header:
        """Names, types, size and dialect."""
        return table.header

    def check(self, table: DuckTable, ask: BoundedAsk) -> None:
        """Refuse an ask that cannot be answered; see `bounded_query.check`."""
        check(table, ask)

    def summarize(self, table: DuckTable, ask: Ask[S]) -> S:
        """The summary that is asked for; see `ANSWERS`."""
        return answer(ANSWERS, table, ask)

    def apply(self, table: DuckTable, recipe: Recipe, *, bits: Bits) -> DuckTable:
        """The released table; see `apply.apply`."""
        return apply(table, recipe, bits=bits)

    def make(self, columns: Mapping[str, Sequence[object]]) -> DuckTable:
        """Columns of equal length as a table; see `columns.table_of`."""
        return table_of(columns)

    def write(self, table: DuckTable, sink: Sink) -> Receipt:
        """Write the table; see `write.write`."""
        return write(table, sink)
