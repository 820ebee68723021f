"""The embedded engine behind the joint of `engine/base.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.engine.duckdb.apply import apply
from sfumato.engine.duckdb.bounded import canonical, check, places, totals
from sfumato.engine.duckdb.columns import add_up, table_of
from sfumato.engine.duckdb.scan import scan
from sfumato.engine.duckdb.summarize import estimate_tuples, marginal, marginals, summarize
from sfumato.engine.duckdb.write import write

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engine.base import Header, Marginal, Receipt
    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.noise.bits import Bits
    from sfumato.recipe.recipe import Recipe
    from sfumato.summary.ask import Ask
    from sfumato.summary.bounded import BoundedAsk, BoundedPlaces, BoundedTotals
    from sfumato.summary.classes import Classes
    from sfumato.summary.counting import Counting
    from sfumato.table.source import Sink, Source
    from sfumato.types import IntArray


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
        >>> engine.marginal(table, "zip").counts.tolist()
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

    def marginal(self, table: DuckTable, column: str) -> Marginal:
        """Distinct values of a column; see `summarize.marginal`."""
        return marginal(table, column)

    def marginals(self, table: DuckTable, columns: Sequence[str]) -> Mapping[str, Marginal]:
        """Distinct values of several columns; see `summarize.marginals`."""
        return marginals(table, columns)

    def estimate_tuples(self, table: DuckTable, columns: Sequence[str]) -> int:
        """About how many distinct tuples; see `summarize.estimate_tuples`."""
        return estimate_tuples(table, columns)

    def summarize(self, table: DuckTable, ask: Ask) -> Classes:
        """Count the distinct tuples; see `summarize.summarize`."""
        return summarize(table, ask)

    def check(self, table: DuckTable, ask: BoundedAsk) -> None:
        """Refuse an ask that cannot be answered; see `bounded_query.check`."""
        check(table, ask)

    def totals(self, table: DuckTable, ask: BoundedAsk) -> BoundedTotals:
        """Bounded totals by group; see `bounded.totals`."""
        return totals(table, ask)

    def places(self, table: DuckTable, ask: BoundedAsk, column: str) -> BoundedPlaces:
        """Grid places of one column in the bounded rows; see `bounded.places`."""
        return places(table, ask, column)

    def canonical(self, table: DuckTable, column: str, texts: Sequence[str]) -> tuple[str, ...]:
        """What public texts are among the cells of a column; see `bounded.canonical`."""
        return canonical(table, column, texts)

    def add_up(self, table: DuckTable, counting: Counting) -> IntArray:
        """Counts of all rows; see `columns.add_up`."""
        return add_up(table, counting)

    def apply(self, table: DuckTable, recipe: Recipe, *, bits: Bits) -> DuckTable:
        """The released table; see `apply.apply`."""
        return apply(table, recipe, bits=bits)

    def make(self, columns: Mapping[str, Sequence[object]]) -> DuckTable:
        """Columns of equal length as a table; see `columns.table_of`."""
        return table_of(columns)

    def write(self, table: DuckTable, sink: Sink) -> Receipt:
        """Write the table; see `write.write`."""
        return write(table, sink)
