"""What an engine says in its own way so that the queries of this folder can be put to it: the joints `Cell`, `Key`, `SqlDialect`.

The queries are the same for every engine. What differs is small: how a cell becomes a text, a number, a key and
something to compare; how a few functions are called; where a small table stands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    import pyarrow as pa

    from sfumato.engine.sql.cell_kinds import Kind
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

EXACT = 10**18
"""Whole floats below it are written digit by digit; larger ones keep their usual text."""
_WHOLE = re.compile(r"-?[0-9]+\.0|-?[0-9](\.[0-9]+)?e\+[0-9]+")
_NUMBER = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*")
NUMERIC = re.compile(r"(?i)u?(tiny|small|big|huge)?int(eger)?|float|double|real|decimal.*")
"""Types of columns of numbers, as the engines name them."""
Public = str | float
"""What a public text is among the cells of a column: a text, or a double where cells are compared as doubles."""


class Cell(Protocol):
    """The cells of one column as SQL. Every expression reads its own row only and fails for no cell.

    The type of a column must not matter, because readers choose it after looking at the rows. So a whole number
    of a floating column has the text of the whole number, NaN is missing, and a number has one double whether it
    comes as text, as an integer or as a float.
    """

    @property
    def sql(self) -> str:
        """What names the cells in a query."""
        ...

    @property
    def kind(self) -> Kind:
        """What the column holds, by its public type."""
        ...

    @property
    def text(self) -> str:
        """Their text; NULL where missing. One value has one text."""
        ...

    @property
    def token(self) -> str:
        """What is compared with `public` values: equal just where the canonical texts are; NULL where missing."""
        ...

    @property
    def number(self) -> str:
        """Their number as a DOUBLE; NULL where a cell is missing, NaN, or no number."""
        ...

    @property
    def is_present(self) -> str:
        """Whether a cell names somebody: not missing, not NaN, not blank."""
        ...

    def named(self, sql: str) -> Cell:
        """The same cells under another name, in an outer query."""
        ...

    def public(self, texts: Sequence[str]) -> Sequence[Public]:
        """What each public text is among the tokens of these cells."""
        ...

    def shown(self, texts: Sequence[str]) -> Sequence[str]:
        """The canonical texts, from what `text` gave."""
        ...


class Key(Protocol):
    """How some attributes are read from a row: columns of a group-by, and what they mean."""

    @property
    def columns(self) -> tuple[str, ...]:
        """SQL of each column, at least one; two rows have equal columns if and only if their leaves are equal."""
        ...

    def in_order(self, found: pa.Table) -> pa.Table:
        """The rows of a result, sorted by their codes where its columns are sorted faster than codes are; else as they come."""
        ...

    def codes(self, found: pa.Table) -> IntArray:
        """(n, m) int64 leaf codes, from the columns k0, k1, … of a result.

        Raises:
            SchemaError: a cell without a leaf.
        """
        ...


class SqlDialect(Protocol):
    """A private table that answers SQL, in the words of its engine.

    Methods that take a column raise a `SchemaError` where the table has none of that name.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """Columns of the table."""
        ...

    @property
    def n_rows(self) -> int:
        """Rows of the table."""
        ...

    @property
    def most_listed(self) -> int:
        """Texts in a list with which every cell is compared at less cost than it is joined with them."""
        ...

    @property
    def groups_first(self) -> bool:
        """Whether rows are grouped in less time than a list of texts is read, so that it is tried without the list."""
        ...

    @property
    def relation(self) -> str:
        """What names the table in SQL; it has a column `__row` that grows in table order."""
        ...

    @property
    def keyed(self) -> str:
        """What names the table where keys are read (`key`); texts may have another type there that compares as they do."""
        ...

    @property
    def weight(self) -> str | None:
        """The column of `keyed` that says how many rows of the table each of its rows is; None: each is one."""
        ...

    def cell(self, column: str) -> Cell:
        """The cells of a column of the table, which queries call `t`.

        Raises:
            SchemaError: the table has no such column, or none that can be asked about.
        """
        ...

    def texts(self, sql: str) -> Cell:
        """Cells of a public table, which are texts."""
        ...

    def type_of(self, column: str) -> str:
        """Native type of a column."""
        ...

    def key(self, attributes: Sequence[Attribute]) -> Key:
        """How attributes are read from a row: their native cells, or numbers into which these are packed."""
        ...

    def counts_of(self, attributes: Sequence[Attribute]) -> pa.Table | None:
        """The distinct keys of all rows (k0, k1, …), sorted by their codes, and n, how many rows have each.

        None: a query is to group them.
        """
        ...

    def native(self, column: str) -> str:
        """The cells of a column in their own type; NULL where missing."""
        ...

    def value(self, column: str) -> str:
        """The cells of a column, equal if and only if their canonical texts are; NULL where missing."""
        ...

    def texts_of(self, values: pa.Array) -> pa.Array:
        """The canonical text of each of some of these values; null for null."""
        ...

    def told_apart(self, person: str) -> str:
        """What tells distinct persons apart: a number of each, or the person."""
        ...

    def mark(self, column: str) -> str:
        """Whether a row is published, BOOLEAN; a cell that says neither stops the query, or is NULL."""
        ...

    def sketch(self, cells: Sequence[str]) -> tuple[str, str, str]:
        """A hash of 64 bits of some cells, and of a hash `h` the lowest 14 bits and the 50 others."""
        ...

    def identifier(self, name: str) -> str:
        """A column name, quoted."""
        ...

    def literal(self, text: str) -> str:
        """A text constant."""
        ...

    def divided(self, place: str, width: int) -> str:
        """⌊place / width⌋ of a BIGINT >= 0."""
        ...

    def shifted(self, value: str, bits: int) -> str:
        """⌊value / 2^bits⌋ of a BIGINT of either sign."""
        ...

    def hashed(self, text: str) -> str:
        """The MD5 of a text, in the engine's form, which is worked out once."""
        ...

    def digest(self, hashed: str) -> str:
        """What orders MD5s by their last eight bytes, the last byte first."""
        ...

    def bin_join(self, starts: str, name: str, place: str) -> str:
        """A join that finds in `starts` (columns start, stop, code) the bin of a place, as relation `name`."""
        ...

    def stored(self, columns: Mapping[str, pa.Array]) -> AbstractContextManager[str]:
        """A small table and its name, while the context lasts."""
        ...

    def kept(self, query: str) -> AbstractContextManager[str]:
        """The name of a table with the rows of a query, computed once, while the context lasts."""
        ...

    def apart(self, query: str) -> str:
        """A query whose rows are computed before anything is done with them: a join with few of them sends no filter down."""
        ...

    def run(self, query: str) -> pa.Table:
        """All rows of a query, in memory."""
        ...


def double(number: float) -> str:
    """A number as a constant that an engine reads back as the same double; a negative zero is zero.

    Example:
        >>> double(0.1), double(-0.0)
        ("CAST('0.1' AS DOUBLE)", "CAST('0.0' AS DOUBLE)")
    """
    return f"CAST('{float(number) + 0.0!r}' AS DOUBLE)"


def constants(dialect: SqlDialect, values: Iterable[Public]) -> str:
    """Public values as constants, separated by commas."""
    return ", ".join(dialect.literal(value) if isinstance(value, str) else double(value) for value in values)


def float_text(text: str) -> str:
    """What a public text is among the texts of floats: a whole number loses its point and its exponent.

    Example:
        >>> float_text("5.0"), float_text("1e+17"), float_text("1.5"), float_text("1e+18")
        ('5', '100000000000000000', '1.5', '1e+18')
    """
    if _WHOLE.fullmatch(text) and abs(float(text)) < EXACT and float(text).is_integer():
        return str(int(float(text)))
    return text


def float_texts(texts: Sequence[str]) -> list[str]:
    """The same of several texts; where none of them has a point or an exponent, they are what they were.

    Example:
        >>> float_texts(["5.0", "6"]), float_texts(["5", "6"])
        (['5', '6'], ['5', '6'])
    """
    together = "".join(texts)
    return list(map(float_text, texts)) if "." in together or "e" in together else list(texts)


def code_number(code: str) -> float | None:
    """The number that a declared code for "missing" is written as; None for any other code.

    Example:
        >>> code_number("-999"), code_number("?")
        (-999.0, None)
    """
    return float(code) if _NUMBER.fullmatch(code) else None
