"""What does one cell say to a bounded aggregate? SQL for its text, its number, its place on a grid, its bin.

Every expression reads its own row only, so the rows of one person cannot change what those of another say.
None of them can fail, whatever a cell holds: what cannot be read is missing, which is NULL here.

The type of a column must not matter either, because readers choose it after looking at the rows (pandas makes
a column of whole numbers a floating one when a cell of it is missing). So a whole number of a floating column
has the text of the whole number, NaN is missing there, and a number has one double whether it comes as text,
as an integer or as a float.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.engine.duckdb.cells import number_text
from sfumato.engine.duckdb.leaves import type_of
from sfumato.engine.duckdb.quote import identifier, literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.summary.bounded import Join
    from sfumato.table.domain import Range

_FLOATS = frozenset(("DOUBLE", "FLOAT"))
_NUMBERS = _FLOATS | {
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
}
_NAN = "'nan'::DOUBLE"
_WHOLE = re.compile(r"-?\d+\.0|-?\d(\.\d+)?e\+\d+")
_MOST_HALVED = 32
"""DuckDB plans more bins than this by expression more slowly than it joins them."""
_EXACT = 10**18
"""Whole floats below it are written digit by digit; larger ones keep their usual text."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Where the cells of a column are found.

    Args:
        sql: what names them in a query.
        native: their type.
        codes: texts that mean missing.
    """

    sql: str
    native: str
    codes: tuple[str, ...] = ()

    def named(self, sql: str) -> Cell:
        """The same cells under another name, in an outer query."""
        return replace(self, sql=sql)

    def public(self, text: str) -> str:
        """The text that a public text has among these cells.

        Example:
            >>> Cell("x", "DOUBLE").public("5.0"), Cell("x", "VARCHAR").public("5.0")
            ('5', '5.0')
        """
        if self.native in _FLOATS and _WHOLE.fullmatch(text) and abs(float(text)) < _EXACT:
            number = float(text)
            return str(int(number)) if number == int(number) else text
        return text

    @property
    def text(self) -> str:
        """SQL for the canonical text; NULL where missing."""
        raw = f"CAST({self.sql} AS VARCHAR)"
        if self.native == "VARCHAR":
            raw = self.sql
        if self.native in _FLOATS:
            whole = f"{self.sql} = trunc({self.sql}) AND abs({self.sql}) < {_EXACT}"
            digits = f"CAST(CAST({self.sql} AS BIGINT) AS VARCHAR)"
            raw = f"CASE WHEN isnan({self.sql}) THEN NULL WHEN {whole} THEN {digits} ELSE {raw} END"
        if not self.codes:
            return raw
        return f"CASE WHEN ({raw}) NOT IN ({listed(map(self.public, self.codes))}) THEN {raw} END"

    @property
    def number(self) -> str:
        """SQL for the number as a DOUBLE; NULL where the cell is missing, NaN, or no number."""
        if self.native not in _NUMBERS and not self.native.startswith("DECIMAL"):
            return f"nullif(TRY_CAST({number_text(self.text)} AS DOUBLE), {_NAN})"
        value = f"nullif(CAST({self.sql} AS DOUBLE), {_NAN})"
        for code in self.codes:
            if _is_number(code):
                value = f"nullif({value}, {literal(code.strip())}::DOUBLE)"
        return value

    @property
    def is_present(self) -> str:
        """SQL, whether the cell names somebody: not missing, not NaN, not blank."""
        if self.native in _NUMBERS and self.native not in _FLOATS and not self.codes:
            return f"{self.sql} IS NOT NULL"
        return f"coalesce(trim({self.text}) <> '', false)"


def cell_of(table: DuckTable, join: Join | None, column: str) -> Cell:
    """The cells of a private column (of `t`), or of a column of the joined public table (`j`).

    Raises:
        SchemaError: neither table has the column.
    """
    if join is not None and column in join.columns and column != join.on:
        return Cell(f"j.c{join.columns.index(column)}", "VARCHAR")
    native = type_of(table, column)
    return Cell(f"t.{identifier(column)}", native, table.missing_codes(column))


def listed(texts: Iterable[str]) -> str:
    """Text constants, separated by commas."""
    return ", ".join(map(literal, texts))


def double(number: float) -> str:
    """A number as a constant that DuckDB reads back as the same double.

    Example:
        >>> print(double(0.1))
        '0.1'::DOUBLE
    """
    return f"{literal(repr(float(number)))}::DOUBLE"


def place(number: str, domain: Range) -> str:
    """SQL for the grid place of a number: BIGINT in [0, size), half way upwards; NULL for NULL.

    place = ⌊(number - low) / step + 1/2⌋ in double precision, clamped. A number within a rounding error of the
    middle between two grid points may go to either of them, and always goes to the same one; so the place is a
    function of the cell, which is all that a sensitivity needs.

    Args:
        number: SQL, a DOUBLE or NULL.
        domain: the declared range.
    """
    low, high, step = (double(float(bound)) for bound in (domain.low, domain.high, domain.step))
    last = domain.size - 1
    nearest = f"least(CAST(floor(({number} - {low}) / {step} + 0.5) AS BIGINT), {last})"
    return (
        f"CASE WHEN {number} IS NULL THEN NULL WHEN {number} <= {low} THEN 0 "
        f"WHEN {number} >= {high} THEN {last} ELSE {nearest} END"
    )


def bin_of(place: str, edges: Sequence[int]) -> str | None:
    """SQL for the bin of a place: i where edges[i] <= place < edges[i+1]; NULL for NULL.

    Bins of one width (the last may be narrower) are divided; a few others are found by halving. None where there
    are too many of them for an expression: they belong into a table.

    Example:
        >>> print(bin_of("x", (0, 10, 20, 25)))
        x // 10
        >>> print(bin_of("x", (0, 1, 5)))
        CASE WHEN x IS NULL THEN NULL ELSE CASE WHEN x < 1 THEN 0 ELSE 1 END END
    """
    width = edges[1] - edges[0]
    if all(high - low == width for low, high in pairwise(edges[:-1])) and edges[-1] - edges[-2] <= width:
        return f"{place} // {width}"
    if len(edges) - 1 > _MOST_HALVED:
        return None
    return f"CASE WHEN {place} IS NULL THEN NULL ELSE {_halved(place, edges, 0, len(edges) - 1)} END"


def _halved(place: str, edges: Sequence[int], first: int, stop: int) -> str:
    """Bins first … stop - 1 as a balanced tree of comparisons."""
    if stop - first == 1:
        return str(first)
    middle = (first + stop) // 2
    left, right = _halved(place, edges, first, middle), _halved(place, edges, middle, stop)
    return f"CASE WHEN {place} < {edges[middle]} THEN {left} ELSE {right} END"


def _is_number(text: str) -> bool:
    """Whether a declared code is written as a number."""
    return re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", text) is not None
