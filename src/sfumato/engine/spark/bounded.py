"""How are bounded totals asked of Spark? What is Spark's own in the queries of `engine/bounded_query.py`."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sfumato.engine import bounded_query
from sfumato.engine.bounded_check import check_column
from sfumato.engine.spark import quote
from sfumato.engine.spark.bounded_cells import SparkCell, checked
from sfumato.engine.spark.faults import guarded
from sfumato.engine.spark.lookup import as_frame
from sfumato.engine.spark.query import view_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from contextlib import AbstractContextManager

    import pyarrow as pa

    from sfumato.engine.spark.table import SparkTable
    from sfumato.summary.ask import Canonical
    from sfumato.summary.bounded import BoundedAsk, BoundedPlaces, BoundedTotals, Places


def check(table: SparkTable, ask: BoundedAsk) -> None:
    """Refuse an ask that cannot be answered; see `bounded_query.check`. The cluster is asked for its time zone only."""
    with guarded():
        bounded_query.check(SparkBench(table, ""), ask)


def totals(table: SparkTable, ask: BoundedAsk) -> BoundedTotals:
    """The bounded totals of each term in each group; see `bounded_query.totals`.

    The cluster does the group-by; one row for each group comes to the driver. More than 32 bins of uneven width are
    found by comparing with each of them. The totals are those of the embedded engine, with one exception: where a
    person has rows in more groups than count, and persons or keys without declared values are floats that are not
    whole, other groups of that person may be chosen, because Spark writes such floats in its own way.
    """
    with guarded(), bench_of(table, ask.unit.person) as bench:
        return bounded_query.totals(bench, ask)


def places(table: SparkTable, ask: Places) -> BoundedPlaces:
    """The grid places of one column in the bounded rows; see `bounded_query.places`. All of them come to the driver."""
    with guarded(), bench_of(table, ask.rows.unit.person) as bench:
        return bounded_query.places(bench, ask)


def canonical(table: SparkTable, ask: Canonical) -> tuple[str, ...]:
    """What public texts are among the cells of a column; see `bounded_query.canonical`."""
    bench = SparkBench(table, "")
    check_column(bench.names, ask.column)
    native = table.header.types[bench.names.index(ask.column)]
    return bounded_query.canonical(bench, native, ask)


@contextmanager
def bench_of(table: SparkTable, person: str | None) -> Iterator[SparkBench]:
    """The table as a view of its session, while the context lasts; with positions where the rows of a person have them."""
    with view_of(table.unordered if person is None else table.frame) as name:
        yield SparkBench(table, name)


@dataclass(frozen=True, slots=True, eq=False)
class SparkBench:
    """A table of Spark as a `Bench`; its methods are explained there."""

    table: SparkTable
    relation: str

    @property
    def names(self) -> tuple[str, ...]:
        """Columns of the table."""
        return self.table.header.names

    def cell(self, column: str) -> SparkCell:
        """The cells of a column of `t`."""
        check_column(self.names, column)
        native = self.table.header.types[self.names.index(column)]
        zone = self.table.session.conf.get("spark.sql.session.timeZone") if native == "timestamp" else "UTC"
        cell = SparkCell(f"t.{quote.identifier(column)}", native, self.table.missing_codes(column))
        cell = checked(cell, column, str(zone))
        return (
            SparkCell(replace(cell, codes=()).text, "string", cell.codes) if column in self.table.header.loose else cell
        )

    def texts(self, sql: str) -> SparkCell:
        """Cells that are texts."""
        return SparkCell(sql, "string")

    def identifier(self, name: str) -> str:
        """A column name, quoted."""
        return quote.identifier(name)

    def literal(self, text: str) -> str:
        """A text constant."""
        return quote.literal(text)

    def divided(self, place: str, width: int) -> str:
        """A whole division."""
        return f"{place} div {width}"

    def shifted(self, value: str, bits: int) -> str:
        """A shift that keeps the sign."""
        return f"shiftright(CAST({value} AS BIGINT), {bits})"

    def hashed(self, text: str) -> str:
        """Hexadecimal digits."""
        return f"md5({text})"

    def digest(self, hashed: str) -> str:
        """The digits of the last eight bytes, the last byte first: their order is that of the number."""
        return f"concat({', '.join(f'substring({hashed}, {start}, 2)' for start in range(31, 16, -2))})"

    def bin_join(self, starts: str, name: str, place: str) -> str:
        """The bin that holds the place, by comparing with each."""
        return f" JOIN {starts} {name} ON {place} >= {name}.start AND {place} < {name}.stop"

    def stored(self, columns: Mapping[str, pa.Array]) -> AbstractContextManager[str]:
        """A small table as a view that is dropped at the end."""
        return view_of(as_frame(self.table.session, columns))

    def run(self, query: str) -> pa.Table:
        """All rows of a query."""
        return self.table.session.sql(query).toArrow()
