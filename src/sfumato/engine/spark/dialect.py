"""What is Spark's own in the queries of `engine/sql`: keys are native cells, whose texts are made on the driver.

Bounded totals are those of the embedded engine, with one exception: where a person has rows in more groups than count,
and persons or keys without declared values are floats that are not whole, other groups of that person may be chosen,
because Spark writes such floats in its own way. More than 32 bins of uneven width are found by comparing with each.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sfumato.engine.duckdb.connect import literal as duck_literal
from sfumato.engine.duckdb.connect import open_workspace
from sfumato.engine.spark import quote
from sfumato.engine.spark.bounded_cells import SparkCell, checked
from sfumato.engine.spark.faults import refuse
from sfumato.engine.spark.lookup import as_frame
from sfumato.engine.spark.query import view_of
from sfumato.engine.spark.quote import identifier, literal
from sfumato.engine.spark.store import stored
from sfumato.engine.sql.bounded_check import check_column
from sfumato.engine.sql.marginals import published_mark
from sfumato.engine.sql.native import NativeKey, texts_of
from sfumato.frozen import dataclass
from sfumato.summary.ask import FirstRows
from sfumato.summary.bounded import BoundedAsk, Places
from sfumato.summary.distinct import BUCKET_BITS, BUCKETS
from sfumato.summary.edges import VerticesOf

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from sfumato.engine.spark.table import SparkTable
    from sfumato.summary.ask import Ask
    from sfumato.table.attribute import Attribute


_CAST = {
    "boolean": "BOOLEAN",
    "date": "DATE",
    "float": "FLOAT",
    "double": "DOUBLE",
    "timestamp": "TIMESTAMPTZ",
    "timestamp_ntz": "TIMESTAMP",
}
"""The DuckDB type of each Spark type whose texts DuckDB must tell."""

_BITS = {"tinyint": 7, "smallint": 15, "int": 31, "bigint": 63}
"""Bits of whole numbers beside their sign."""
_WHOLE_TEXT = re.compile(r"0|-?[1-9][0-9]{0,18}")
"""The canonical text of a whole number: that of DuckDB, which is not asked."""


def literals_of(texts: Sequence[str], kind: str) -> list[str]:
    """SQL of the native values whose canonical text is one of some texts; texts that no value has are left out.

    Args:
        texts: codes that mean "missing", for example.
        kind: Spark type of the column.

    Example:
        >>> literals_of(["99", "099", "x"], "int"), literals_of(["?"], "string")
        (['99'], ["'?'"])
    """
    if kind.startswith(("string", "varchar", "char")):
        return [literal(text) for text in texts]
    if kind in _BITS:
        end = 1 << _BITS[kind]
        return [text for text in texts if _WHOLE_TEXT.fullmatch(text) and -end <= int(text) < end]
    duck = _CAST.get(kind, kind.upper() if kind.startswith("decimal") else None)
    if duck is None or not texts:
        return []
    rows = ", ".join(f"({duck_literal(text)})" for text in texts)
    connection = open_workspace(threads=1).connection
    cast = f"SELECT t, TRY_CAST(t AS {duck}) AS v FROM (VALUES {rows}) s(t)"
    found = connection.sql(f"SELECT v FROM ({cast}) WHERE CAST(v AS VARCHAR) = t").to_arrow_table()
    return [_literal(value, kind) for value in found["v"].to_pylist()]


def _literal(value: Any, kind: str) -> str:
    """SQL of one native value."""
    if kind == "boolean":
        return str(value).lower()
    if kind == "timestamp":
        micros = pa.array([value], pa.timestamp("us", "UTC")).cast(pa.int64())[0].as_py()
        return f"timestamp_micros({micros})"
    name = {"date": "DATE", "timestamp_ntz": "TIMESTAMP_NTZ"}.get(kind)
    return f"CAST({literal(repr(value) if kind in ('float', 'double') else str(value))} AS {name or kind})"


def cell(table: SparkTable, column: str) -> str:
    """SQL of a cell in its native type, NULL where it is missing: two cells are equal if and only if their leaves are.

    Raises:
        SchemaError: the table has no such column.
    """
    codes = literals_of(table.missing_codes(column), table.header.type_of(column))
    name = identifier(column)
    return f"IF({name} IN ({', '.join(codes)}), NULL, {name})" if codes else name


_MASK = 62
"""Bits of a whole number that say which cells are NULL."""


@contextmanager
def dialect_of(table: SparkTable, ask: Ask[Any]) -> Iterator[SparkDialect]:
    """The table as a view of its session, while the context lasts; with positions where an ask is about the order of rows."""
    rows = ask.rows if isinstance(ask, Places) else ask
    is_ordered = isinstance(ask, (FirstRows, VerticesOf)) or (
        isinstance(rows, BoundedAsk) and rows.unit.person is not None
    )
    with view_of(table.frame if is_ordered else table.unordered) as name:
        yield SparkDialect(table, name)


@dataclass(frozen=True, slots=True, eq=False)
class SparkDialect:
    """A table of Spark as a `SqlDialect`; its methods are explained there."""

    table: SparkTable
    relation: str

    @property
    def names(self) -> tuple[str, ...]:
        """Columns of the table."""
        return self.table.header.names

    @property
    def keyed(self) -> str:
        """The same view."""
        return self.relation

    @property
    def weight(self) -> str | None:
        """Each row is one."""
        return None

    @property
    def n_rows(self) -> int:
        """Rows of the table."""
        return self.table.header.n_rows

    @property
    def most_listed(self) -> int:
        """A thousand: a lookup would be sent to every worker."""
        return 1000

    @property
    def groups_first(self) -> bool:
        """Spark plans a list of a thousand constants for as long as it groups ten million rows."""
        return True

    def cell(self, column: str) -> SparkCell:
        """The cells of a column of `t`."""
        check_column(self.names, column)
        native = self.table.header.types[self.names.index(column)]
        zone = self.table.session.conf.get("spark.sql.session.timeZone") if native == "timestamp" else "UTC"
        found = SparkCell(f"t.{quote.identifier(column)}", native, self.table.missing_codes(column))
        found = checked(found, column, str(zone))
        if column not in self.table.header.loose:
            return found
        return SparkCell(replace(found, codes=()).text, "string", found.codes)

    def texts(self, sql: str) -> SparkCell:
        """Cells that are texts."""
        return SparkCell(sql, "string")

    def type_of(self, column: str) -> str:
        """Native type of a column."""
        return self.table.header.type_of(column)

    def key(self, attributes: Sequence[Attribute]) -> NativeKey:
        """Native cells, so that the cluster computes what it would for the plainest query."""
        return NativeKey(tuple(attributes), tuple(cell(self.table, attribute.name) for attribute in attributes))

    def counts_of(self, attributes: Sequence[Attribute]) -> None:
        """None: a cluster groups."""

    def native(self, column: str) -> str:
        """The cell itself."""
        return cell(self.table, column)

    def value(self, column: str) -> str:
        """The cell itself: equality of native cells is that of their texts."""
        return cell(self.table, column)

    def texts_of(self, values: pa.Array) -> pa.Array:
        """Values are native cells."""
        return pa.array(texts_of(values), pa.string())

    def told_apart(self, person: str) -> str:
        """The person: to number them all would be the work of one machine."""
        return person

    def mark(self, column: str) -> str:
        """A cell that says neither stops the query."""
        self.table.header.type_of(column)
        return published_mark(column, quote.identifier(column), refuse)

    def sketch(self, cells: Sequence[str]) -> tuple[str, str, str]:
        """Hashes skip NULL, so one more number says which cells are."""
        nulls = " + ".join(f"IF({sql} IS NULL, {1 << i % _MASK}L, 0L)" for i, sql in enumerate(cells))
        hashed = f"xxhash64({', '.join(cells)}, {nulls})"
        return hashed, f"h & {BUCKETS - 1}", f"shiftrightunsigned(h, {BUCKET_BITS})"

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

    def kept(self, query: str) -> AbstractContextManager[str]:
        """A view of rows that are computed now and stored."""
        return view_of(stored(self.table.session.sql(query)))

    def apart(self, query: str) -> str:
        """Spark sends nothing down through a group by that was not asked for."""
        return query

    def run(self, query: str) -> pa.Table:
        """All rows of a query."""
        return self.table.session.sql(query).toArrow()
