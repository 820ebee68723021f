"""The embedded engine behind the joint of `engine/base.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from sfumato.engine.duckdb.apply import apply
from sfumato.engine.duckdb.columns import table_of
from sfumato.engine.duckdb.dialect import DuckDialect
from sfumato.engine.duckdb.scan import scan
from sfumato.engine.duckdb.summarize import summarize
from sfumato.engine.duckdb.write import write
from sfumato.engine.sql.bounded_query import check

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engine.base import Header, Receipt
    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.noise.bits import Bits
    from sfumato.recipe.recipe import Recipe
    from sfumato.summary.ask import Ask
    from sfumato.summary.bounded import BoundedAsk
    from sfumato.table.source import Sink, Source


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class DuckDBEngine:
    """DuckDB inside this process; tables larger than memory are worked on from disk.

    Args:
        memory_limit: most memory that DuckDB takes ("3GB"); None: its own choice.
        threads: None: one per core.

    Example:
        >>> import pyarrow as pa
        >>> from sfumato.summary.ask import MarginalOf
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
        check(DuckDialect(table), ask)

    def summarize(self, table: DuckTable, ask: Ask[S]) -> S:
        """The summary that is asked for; see `summarize.summarize`."""
        return summarize(table, ask)

    def apply(self, table: DuckTable, recipe: Recipe, *, bits: Bits) -> DuckTable:
        """The released table; see `apply.apply`."""
        return apply(table, recipe, bits=bits)

    def make(self, columns: Mapping[str, Sequence[object]]) -> DuckTable:
        """Columns of equal length as a table; see `columns.table_of`."""
        return table_of(columns)

    def write(self, table: DuckTable, sink: Sink) -> Receipt:
        """Write the table; see `write.write`."""
        return write(table, sink)
