"""How are bounded totals asked of DuckDB? What is DuckDB's own in the queries of `engine/bounded_query.py`."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.engine import bounded_query
from sfumato.engine.bounded_check import check_column
from sfumato.engine.duckdb import quote
from sfumato.engine.duckdb.bounded_cells import DuckCell, as_text
from sfumato.engine.duckdb.faults import guarded
from sfumato.engine.duckdb.held import answered
from sfumato.engine.duckdb.leaves import type_of
from sfumato.engine.duckdb.lookup import store

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyarrow as pa

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.summary.ask import Canonical
    from sfumato.summary.bounded import BoundedAsk, BoundedPlaces, BoundedTotals, Places


def check(table: DuckTable, ask: BoundedAsk) -> None:
    """Refuse an ask that cannot be answered; see `bounded_query.check`."""
    bounded_query.check(DuckBench(table), ask)


def totals(table: DuckTable, ask: BoundedAsk) -> BoundedTotals:
    """The bounded totals of each term in each group; see `bounded_query.totals`."""
    with guarded():
        return answered(table, lambda held: bounded_query.totals(DuckBench(held), ask))


def places(table: DuckTable, ask: Places) -> BoundedPlaces:
    """The grid places of one column in the bounded rows; see `bounded_query.places`."""
    with guarded():
        return answered(table, lambda held: bounded_query.places(DuckBench(held), ask))


def canonical(table: DuckTable, ask: Canonical) -> tuple[str, ...]:
    """What public texts are among the cells of a column; see `bounded_query.canonical`."""
    bench = DuckBench(table)
    check_column(bench.names, ask.column)
    return bounded_query.canonical(bench, type_of(table, ask.column), ask)


@dataclass(frozen=True, slots=True)
class DuckBench:
    """A table of DuckDB as a `Bench`; its methods are explained there."""

    table: DuckTable

    @property
    def names(self) -> tuple[str, ...]:
        """Columns of the table."""
        return self.table.header.names

    @property
    def relation(self) -> str:
        """The view that is read."""
        return quote.identifier(self.table.name)

    def cell(self, column: str) -> DuckCell:
        """The cells of a column of `t`."""
        check_column(self.names, column)
        native, codes = type_of(self.table, column), self.table.missing_codes(column)
        cell = DuckCell(f"t.{quote.identifier(column)}", native, codes)
        return as_text(cell) if column in self.table.header.loose else cell

    def texts(self, sql: str) -> DuckCell:
        """Cells that are texts."""
        return DuckCell(sql, "VARCHAR")

    def identifier(self, name: str) -> str:
        """A column name, quoted."""
        return quote.identifier(name)

    def literal(self, text: str) -> str:
        """A text constant."""
        return quote.literal(text)

    def divided(self, place: str, width: int) -> str:
        """A whole division."""
        return f"{place} // {width}"

    def shifted(self, value: str, bits: int) -> str:
        """A shift that keeps the sign."""
        return f"({value} >> {bits})"

    def hashed(self, text: str) -> str:
        """DuckDB reads the last eight bytes of an MD5 as a number, the last one first."""
        return f"md5_number_lower({text})"

    def digest(self, hashed: str) -> str:
        """The number itself."""
        return hashed

    def bin_join(self, starts: str, name: str, place: str) -> str:
        """The bin that starts last before the place."""
        return f" ASOF JOIN {starts} {name} ON {place} >= {name}.start"

    @contextmanager
    def stored(self, columns: Mapping[str, pa.Array]) -> Iterator[str]:
        """A temporary table that is dropped at the end."""
        name = store(self.table.connection, columns, {})
        try:
            yield name
        finally:
            self.table.connection.execute(f"DROP TABLE IF EXISTS {name}")

    def run(self, query: str) -> pa.Table:
        """All rows of a query."""
        return self.table.connection.sql(query).to_arrow_table()
