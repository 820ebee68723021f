"""The query of a release while it is put together: what becomes of the cells of a column, and the small tables that rows are joined to."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import field
from decimal import Decimal
from typing import TYPE_CHECKING
from uuid import uuid4

import numpy as np
import pyarrow as pa

from sfumato.engine.arrow_arrays import texts, whole_numbers
from sfumato.engine.duckdb.connect import identifier, literal
from sfumato.engine.duckdb.leaves import cell_text, enum_type, is_missing
from sfumato.engine.duckdb.table import refuse
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.recipe.steps import Replace, Round, TopBottom
from sfumato.table.hierarchy.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import duckdb

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.types import BoolArray


@dataclass(frozen=True, slots=True)
class Label:
    """Where the label of a recoded column is found.

    Args:
        sql: an ENUM; NULL: the cell is published as it was written.
        enum: its type, which also holds `*`.
        is_total: whether it is never NULL.
    """

    sql: str
    enum: str
    is_total: bool


@dataclass(slots=True)
class Query:
    """Parts of the query of a release while they are put together; `r` are the rows of the table.

    Args:
        table: what is released.
        only: SQL conditions that a row must meet to be released at all.
        inner: further columns of `r`, over the columns of the table.
        joins: joins to `r`.
        labels: the label of each recoded column.
        added: new columns, each as SQL with its name; they come first.
        hides: the columns that a suppressed row hides.
        suppressed: SQL, whether a row is suppressed; None: none is.
        filters: conditions that every released row meets.
    """

    table: DuckTable
    only: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)
    joins: list[str] = field(default_factory=list)
    labels: dict[str, Label] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)
    hides: tuple[str, ...] = ()
    suppressed: str | None = None
    filters: list[str] = field(default_factory=list)

    @property
    def rows(self) -> str:
        """SQL for what stands after FROM."""
        return f"{self.table.coded} WHERE {' AND '.join(self.only)}" if self.only else self.table.coded

    def read(self, sql: str) -> str:
        """Compute an expression with each row; the name under which it is found."""
        if sql not in self.inner:
            self.inner.append(sql)
        return f"r.__x{self.inner.index(sql)}"


_INCOMING = "incoming_lookup"


def fresh(stem: str) -> str:
    """A table or view name that no other has."""
    return f"{stem}_{uuid4().hex}"


MOST_LISTED, MOST_FLAGS = 500, 1 << 23
"""What DuckDB copies for every vector of rows in less time than a join takes."""
_SPELLED, _NUMBERED = 1_000, 100_000
"""Most labels whose list stands in a query, which makes it anew for each vector of rows; and most whose list stands in a
table of one row, which is copied for each."""


def store(connection: duckdb.DuckDBPyConnection, columns: Mapping[str, pa.Array], types: Mapping[str, str]) -> str:
    """Copy columns into a new temporary table.

    Args:
        connection: where.
        columns: arrays of equal length.
        types: for some dictionary arrays the ENUM of their labels, in the order of the dictionary (`label_type`).

    Returns:
        The name of the table.
    """
    name = fresh("lookup")
    many = {c: enum for c, enum in types.items() if _SPELLED < len(columns[c].dictionary) <= _NUMBERED}
    with _handed_over(connection, columns, types) as told, _labels_in_a_row(connection, many) as row:
        told |= {c: f"list_extract({row}.{identifier(c)}, {_INCOMING}.{identifier(c)} + 1)" for c in many}
        cells = ", ".join(f"{sql} AS {identifier(c)}" for c, sql in told.items())
        connection.execute(f"CREATE TEMP TABLE {name} AS SELECT {cells} FROM {_INCOMING}{f', {row}' if many else ''}")
    return name


@contextmanager
def _labels_in_a_row(connection: duckdb.DuckDBPyConnection, enums: Mapping[str, str]) -> Iterator[str]:
    """A table of one row that holds the labels of some columns as lists, while the context lasts; of none, no table."""
    name = fresh("labels")
    if not enums:
        yield name
        return
    lists = ", ".join(f"{_labels(enum)} AS {identifier(c)}" for c, enum in enums.items())
    connection.execute(f"CREATE TEMP TABLE {name} AS SELECT {lists}")
    try:
        yield name
    finally:
        connection.execute(f"DROP TABLE {name}")


def _labels(enum: str) -> str:
    """SQL for the list of the labels of an ENUM."""
    return f"CAST(enum_range(CAST(NULL AS {enum})) AS {enum}[])"


def listed(connection: duckdb.DuckDBPyConnection, values: pa.Array, enum: str | None = None) -> str:
    """Keep values as a list, for look-ups that leave the rows in their order, as a join does not.

    DuckDB copies the list for every 2,048 rows: keep `MOST_LISTED` values at most.

    Args:
        connection: where.
        values: the values; a dictionary array has its `enum`.
        enum: as for `store`.

    Returns:
        SQL for the list.
    """
    place, types = whole_numbers(np.arange(len(values))), {} if enum is None else {"value": enum}
    with _handed_over(connection, {"place": place, "value": values}, types) as told:
        return _kept(connection, f"SELECT list({told['value']} ORDER BY place) FROM {_INCOMING}")


def flagged(connection: duckdb.DuckDBPyConnection, is_set: BoolArray) -> str:
    """Keep flags as bits, for look-ups that leave the rows in their order; at most `MOST_FLAGS`, as of `listed`.

    Returns:
        SQL for the bits; the first is bit 0.
    """
    digits = texts([np.where(is_set, b"1", b"0").tobytes().decode()])  # `pa.array` of a list would load pandas
    with _handed_over(connection, {"bits": digits}, {}):
        return _kept(connection, f"SELECT CAST(bits AS BIT) FROM {_INCOMING}")


def _kept(connection: duckdb.DuckDBPyConnection, asked: str) -> str:
    """SQL for what a query found, kept with the connection."""
    name = fresh("held")
    connection.execute(f"SET VARIABLE {name} = ({asked})")
    return f"getvariable({literal(name)})"


@contextmanager
def _handed_over(
    connection: duckdb.DuckDBPyConnection, columns: Mapping[str, pa.Array], types: Mapping[str, str]
) -> Iterator[dict[str, str]]:
    """Show columns to a connection as `_INCOMING`, with the SQL by which each is read; see `store`."""
    cells, read = dict(columns), {c: f"{_INCOMING}.{identifier(c)}" for c in columns}
    for c, enum in types.items():
        if len(columns[c].dictionary) <= _NUMBERED:
            cells[c] = columns[c].indices
            read[c] = f"list_extract({_labels(enum)}, {read[c]} + 1)"
        else:
            read[c] = f"CAST({read[c]} AS {enum})"
    connection.register(_INCOMING, pa.table(cells))
    try:
        yield read
    finally:
        connection.unregister(_INCOMING)


def label_type(connection: duckdb.DuckDBPyConnection, encoded: pa.DictionaryArray) -> str:
    """The DuckDB type that stores each label of a dictionary array, or `*`, in a few bytes."""
    texts = dict.fromkeys((*encoded.dictionary.to_pylist(), ROOT))
    return identifier(enum_type(connection, list(texts)))


_PLACES = 9
"""Decimals that rounding reads: DECIMAL(38, 9) holds 29 digits before the point."""


def cell(table: DuckTable, column: str, step: Replace | TopBottom | Round | None) -> str:
    """SQL for the published cell of a column, over the columns of the table.

    Raises:
        ParameterError: a rounding base that is not positive or has more than nine decimals.
    """
    match step:
        case None:
            return identifier(column)
        case Replace(label=label):
            return f"CAST({literal(label)} AS VARCHAR)"
        case TopBottom():
            return _top_bottom(table, step)
        case Round():
            return _rounded(table, step)


def number_text(text: str) -> str:
    """SQL for the text of a number, its decimal comma a point; `text` is SQL for the text of the cell."""
    return f"replace(trim({text}), ',', '.')"


def _no_number(column: str, sql_type: str) -> str:
    """SQL that refuses a cell which is no number."""
    return refuse(
        f"Every cell of {column!r} must be a number to be rounded or capped; some are not.",
        "declare the codes that mean missing in [source] missing, or leave the column as it is.",
        sql_type,
    )


def _top_bottom(table: DuckTable, step: TopBottom) -> str:
    """Labels below `low` and above `high`; the text as it was written elsewhere."""
    text = cell_text(step.column)
    number = f"coalesce(TRY_CAST({number_text(cell_text(step.column))} AS DOUBLE), {_no_number(step.column, 'DOUBLE')})"
    low = "" if step.low is None else f" WHEN {number} < {step.low!r}::DOUBLE THEN {literal(step.low_label)}"
    high = "" if step.high is None else f" WHEN {number} > {step.high!r}::DOUBLE THEN {literal(step.high_label)}"
    return f"CASE WHEN {is_missing(table, step.column)} THEN {text}{low}{high} ELSE {text} END"


def _rounded(table: DuckTable, step: Round) -> str:
    """The nearest multiple of `base` in exact decimal arithmetic, in the column's type.

    units = value · 10⁹; multiple = sign · ((2·|units| + base) // (2·base)) · base. Every result is
    written with the decimals of the base, so that it does not tell how exact the cell was.
    """
    base = Decimal(repr(step.base)).normalize()
    exponent = base.as_tuple().exponent
    places = max(0, -exponent) if isinstance(exponent, int) else _PLACES + 1
    if base <= 0 or places > _PLACES:
        raise ParameterError(
            "The rounding base of {column!r} must be > 0 with at most {places} decimals; got {base!r}.",
            "choose a base such as 5, 0.5 or 1000.",
            column=step.column,
            places=_PLACES,
            base=step.base,
        )
    scaled = int(base.scaleb(_PLACES))
    decimal = f"TRY_CAST({number_text(cell_text(step.column))} AS DECIMAL(38, {_PLACES}))"
    digits = f"replace(CAST({decimal} AS VARCHAR), '.', '')"
    units = f"coalesce(CAST({digits} AS HUGEINT), {_no_number(step.column, 'HUGEINT')})"
    multiple = f"((2 * abs({units}) + {scaled}) // {2 * scaled}) * {scaled}"
    sign = f"CASE WHEN {units} < 0 AND {multiple} > 0 THEN '-' ELSE '' END"
    whole = f"lpad(CAST({multiple} // {10 ** (_PLACES - places)} AS VARCHAR), CAST(greatest({places + 1}, length(CAST({multiple} // {10 ** (_PLACES - places)} AS VARCHAR))) AS INTEGER), '0')"
    written = f"{sign} || {whole}"
    if places:
        comma = "'.'" if _is_number(table.header.type_of(step.column)) else _comma(table, step.column)
        written = f"{sign} || left({whole}, length({whole}) - {places}) || {comma} || right({whole}, {places})"
    native = _rounded_type(table.header.type_of(step.column), places)
    missing = (
        identifier(step.column)
        if native == table.header.type_of(step.column)
        else f"CAST({identifier(step.column)} AS {native})"
    )
    return f"CASE WHEN {is_missing(table, step.column)} THEN {missing} ELSE CAST({written} AS {native}) END"


def _comma(table: DuckTable, column: str) -> str:
    """SQL for the decimal sign of a text cell: the table's, or a comma where the cell has one."""
    dialect = table.header.dialect
    usual = "." if dialect is None else dialect.decimal
    return f"CASE WHEN contains({cell_text(column)}, ',') THEN ',' ELSE {literal(usual)} END"


def _is_number(native: str) -> bool:
    """Whether a native type holds numbers."""
    return (
        native in ("DOUBLE", "FLOAT") or native.startswith("DECIMAL") or native.endswith("INT") or native == "INTEGER"
    )


def _rounded_type(native: str, places: int) -> str:
    """The type of rounded cells: the column's where it surely holds them."""
    if not _is_number(native):
        return "VARCHAR"
    if native in ("DOUBLE", "FLOAT"):
        return native
    if native.startswith("DECIMAL"):
        scale = int(native.rstrip(")").split(",")[1])
        return f"DECIMAL(38, {max(scale, places)})"
    if places:
        return "DOUBLE"
    return "BIGINT" if native in ("TINYINT", "SMALLINT", "UTINYINT", "USMALLINT", "INTEGER", "UINTEGER") else native
