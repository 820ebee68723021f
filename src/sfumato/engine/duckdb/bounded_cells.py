"""What does one cell say to a bounded aggregate? DuckDB's SQL for its text and its number.

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

from sfumato.engine.duckdb.cells import number_text
from sfumato.engine.duckdb.quote import literal

_FLOATS = frozenset(("DOUBLE", "FLOAT"))
_NUMBERS = _FLOATS | {
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
}
_NAN = "'nan'::DOUBLE"
_WHOLE = re.compile(r"-?\d+\.0|-?\d(\.\d+)?e\+\d+")
_EXACT = 10**18
"""Whole floats below it are written digit by digit; larger ones keep their usual text."""


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

    def public(self, text: str) -> str:
        """The text that a public text has among these cells.

        Example:
            >>> DuckCell("x", "DOUBLE").public("5.0"), DuckCell("x", "VARCHAR").public("5.0")
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
        return (
            f"CASE WHEN ({raw}) NOT IN ({', '.join(literal(self.public(code)) for code in self.codes)}) THEN {raw} END"
        )

    @property
    def token(self) -> str:
        """SQL for what is compared: the text."""
        return self.text

    def shown(self, text: str) -> str:
        """DuckDB's text is the canonical one."""
        return text

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


def _is_number(text: str) -> bool:
    """Whether a declared code is written as a number."""
    return re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", text) is not None
