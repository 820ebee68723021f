"""What one cell says to a bounded aggregate: DuckDB's SQL for its text and its number.

Every expression reads its own row only, so the rows of one person cannot change what those of another say.
None of them can fail, whatever a cell holds: what cannot be read is missing, which is NULL here.

The type of a column must not matter either, because readers choose it after looking at the rows (pandas makes
a column of whole numbers a floating one when a cell of it is missing). So a whole number of a floating column
has the text of the whole number, NaN is missing there, and a number has one double whether it comes as text,
as an integer or as a float.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.engine.duckdb.connect import literal
from sfumato.engine.duckdb.query import number_text
from sfumato.engine.sql.cell_kinds import Kind, decimal_text, scale_of
from sfumato.engine.sql.dialect import EXACT, code_number, double, float_texts
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

_FLOATS = frozenset(("DOUBLE", "FLOAT"))
_NUMBERS = _FLOATS | {
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
}
_KINDS = {
    **dict.fromkeys((*_NUMBERS, "BIGNUM"), Kind.NUMBER),
    **dict.fromkeys(("VARCHAR", "JSON"), Kind.TEXT),
    "BOOLEAN": Kind.TRUTH,
    "DATE": Kind.DAY,
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"), Kind.MOMENT),
    **dict.fromkeys(("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ_NS"), Kind.ZONED),
    **dict.fromkeys(("TIME", "TIME_NS"), Kind.TIME),
}
_NAN = "'nan'::DOUBLE"


@dataclass(frozen=True, slots=True)
class DuckCell:
    """Where the cells of a column are found.

    Args:
        sql: what names them in a query.
        native: their type.
        codes: texts that mean missing.
    """

    sql: str
    native: str
    codes: tuple[str, ...] = ()

    def named(self, sql: str) -> DuckCell:
        """The same cells under another name, in an outer query."""
        return replace(self, sql=sql)

    def public(self, texts: Sequence[str]) -> list[str]:
        """The texts that public texts have among these cells.

        Example:
            >>> DuckCell("x", "DOUBLE").public(["5.0"]), DuckCell("x", "VARCHAR").public(["5.0"])
            (['5'], ['5.0'])
            >>> DuckCell("x", "BIGINT").public(["5.0"]), DuckCell("x", "DECIMAL(5,2)").public(["5.0"])
            (['5'], ['5.00'])
        """
        if self.native.startswith("DECIMAL"):
            return [decimal_text(text, scale_of(self.native)) for text in texts]
        return float_texts(texts) if self.native in _NUMBERS else list(texts)

    @property
    def kind(self) -> Kind:
        """What the column holds."""
        return Kind.DECIMAL if self.native.startswith("DECIMAL") else _KINDS.get(self.native, Kind.OTHER)

    @property
    def text(self) -> str:
        """SQL for the canonical text; NULL where missing."""
        raw = f"CAST({self.sql} AS VARCHAR)"
        if self.native == "VARCHAR":
            raw = self.sql
        if self.native in _FLOATS:
            whole = f"{self.sql} = trunc({self.sql}) AND abs({self.sql}) < {EXACT}"
            digits = f"CAST(CAST({self.sql} AS BIGINT) AS VARCHAR)"
            raw = f"CASE WHEN isnan({self.sql}) THEN NULL WHEN {whole} THEN {digits} ELSE {raw} END"
        if not self.codes:
            return raw
        codes = ", ".join(map(literal, self.public(self.codes)))
        return f"CASE WHEN ({raw}) NOT IN ({codes}) THEN {raw} END"

    @property
    def token(self) -> str:
        """SQL for what is compared: the text."""
        return self.text

    def shown(self, texts: Sequence[str]) -> Sequence[str]:
        """DuckDB's texts are the canonical ones."""
        return texts

    @property
    def number(self) -> str:
        """SQL for the number as a DOUBLE; NULL where the cell is missing, NaN, or no number."""
        if self.native not in _NUMBERS and not self.native.startswith("DECIMAL"):
            return f"nullif(TRY_CAST({number_text(self.text)} AS DOUBLE), {_NAN})"
        value = f"nullif(CAST({self.sql} AS DOUBLE), {_NAN})"
        for code in self.codes:
            if (number := code_number(code)) is not None:
                value = f"nullif({value}, {double(number)})"
        return value

    @property
    def is_present(self) -> str:
        """SQL, whether the cell names somebody: not missing, not NaN, not blank."""
        if self.native in _NUMBERS and self.native not in _FLOATS and not self.codes:
            return f"{self.sql} IS NOT NULL"
        return f"coalesce(trim({self.text}) <> '', false)"


def as_text(cell: DuckCell) -> DuckCell:
    """The same cells as texts, for a column whose type another cell might have changed.

    A cell says what it would say in a column of texts: a decimal number loses the zeros at its end; bytes, durations
    and nested cells say nothing.

    Example:
        >>> as_text(DuckCell("x", "BLOB")).sql
        'CAST(NULL AS VARCHAR)'
    """
    text = replace(cell, codes=()).text
    if cell.native.startswith("DECIMAL"):
        written = f"CAST(CAST({cell.sql} AS DECIMAL(38, {scale_of(cell.native)})) AS VARCHAR)"
        text = f"CASE WHEN contains({written}, '.') THEN rtrim(rtrim({written}, '0'), '.') ELSE {written} END"
    elif cell.kind is Kind.OTHER:
        text = "CAST(NULL AS VARCHAR)"
    return DuckCell(text, "VARCHAR", cell.codes)
