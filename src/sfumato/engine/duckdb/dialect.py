"""What is DuckDB's own in the queries of `engine/sql`: keys are packed into whole numbers, values are texts."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyarrow as pa

from sfumato.engine.duckdb import connect
from sfumato.engine.duckdb.key_counts import counts_of_keys, may_be_sorted
from sfumato.engine.duckdb.leaves import cell_text, digit_of, is_missing, pack
from sfumato.engine.duckdb.query import fresh
from sfumato.engine.duckdb.table import ROW, refuse
from sfumato.engine.sql.marginals import published_mark
from sfumato.frozen import dataclass
from sfumato.summary.distinct import BUCKET_BITS, BUCKETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.engine.duckdb.bounded_cells import DuckCell
    from sfumato.engine.duckdb.leaves import Key
    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.table.attribute import Attribute


@dataclass(frozen=True, slots=True)
class DuckDialect:
    """A table of DuckDB as a `SqlDialect`; its methods are explained there."""

    table: DuckTable

    @property
    def names(self) -> tuple[str, ...]:
        """Columns of the table."""
        return self.table.header.names

    @property
    def n_rows(self) -> int:
        """Rows of the table."""
        return self.table.header.n_rows

    @property
    def most_listed(self) -> int:
        """None: a list is planned more slowly than a join."""
        return 0

    @property
    def groups_first(self) -> bool:
        """There are no lists."""
        return False

    @property
    def relation(self) -> str:
        """The view that is read."""
        return connect.identifier(self.table.name)

    @property
    def keyed(self) -> str:
        """The same, perhaps with texts as codes, or with equal rows once."""
        return connect.identifier(self.table.distinct or self.table.coded)

    @property
    def weight(self) -> str | None:
        """Where equal rows are read once, how many they are."""
        return None if self.table.distinct is None else ROW

    def cell(self, column: str) -> DuckCell:
        """The cells of a column of `t`."""
        from sfumato.engine.duckdb.bounded_cells import DuckCell, as_text
        from sfumato.engine.sql.bounded_check import check_column

        check_column(self.names, column)
        native, codes = self.table.header.type_of(column), self.table.missing_codes(column)
        cell = DuckCell(f"t.{connect.identifier(column)}", native, codes)
        return as_text(cell) if column in self.table.header.loose else cell

    def texts(self, sql: str) -> DuckCell:
        """Cells that are texts."""
        from sfumato.engine.duckdb.bounded_cells import DuckCell

        return DuckCell(sql, "VARCHAR")

    def type_of(self, column: str) -> str:
        """Native type of a column."""
        return self.table.header.type_of(column)

    def key(self, attributes: Sequence[Attribute]) -> Key:
        """Packed into as few whole numbers as hold them."""
        return pack([digit_of(self.table, attribute) for attribute in attributes])

    def counts_of(self, attributes: Sequence[Attribute]) -> pa.Table | None:
        """By sorting the keys, where most differ."""
        return counts_of_keys(self.table, self.key(attributes)) if may_be_sorted(self.table) else None

    def native(self, column: str) -> str:
        """The cell itself."""
        self.table.header.type_of(column)
        return f"CASE WHEN {is_missing(self.table, column)} THEN NULL ELSE {connect.identifier(column)} END"

    def value(self, column: str) -> str:
        """The canonical text."""
        self.table.header.type_of(column)
        return f"CASE WHEN {is_missing(self.table, column)} THEN NULL ELSE {cell_text(column)} END"

    def texts_of(self, values: pa.Array) -> pa.Array:
        """Values are texts."""
        return values

    def told_apart(self, person: str) -> str:
        """Numbered in the order of their names."""
        return f"row_number() OVER (ORDER BY {person})"

    def mark(self, column: str) -> str:
        """A cell that says neither stops the query."""
        self.table.header.type_of(column)
        return published_mark(column, connect.identifier(column), refuse)

    def sketch(self, cells: Sequence[str]) -> tuple[str, str, str]:
        """A hash of DuckDB's hash, whose bits are not spread evenly."""
        return f"hash(hash({', '.join(cells)}))", f"h % {BUCKETS}", f"h >> {BUCKET_BITS}"

    def identifier(self, name: str) -> str:
        """A column name, quoted."""
        return connect.identifier(name)

    def literal(self, text: str) -> str:
        """A text constant."""
        return connect.literal(text)

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
        """The columns themselves, read where they lie; no other mapping has their address while they are there."""
        name = f"small_{id(columns):x}"
        self.table.connection.register(name, pa.table(dict(columns)))
        try:
            yield name
        finally:
            self.table.connection.unregister(name)

    @contextmanager
    def kept(self, query: str) -> Iterator[str]:
        """A table of the private store, which spills."""
        name = fresh("kept")
        self.table.connection.execute(f"CREATE TEMP TABLE {name} AS {query}")
        try:
            yield name
        finally:
            self.table.connection.execute(f"DROP TABLE IF EXISTS {name}")

    def apart(self, query: str) -> str:
        """DuckDB asks of each row whether its key may be among those of a small table, which takes longer than to group them."""
        return f"WITH apart AS MATERIALIZED ({query}) SELECT * FROM apart"

    def run(self, query: str) -> pa.Table:
        """All rows of a query."""
        return self.table.connection.sql(query).to_arrow_table()
