"""What one cell says to a bounded aggregate: Spark's SQL for its text and its number.

Every expression reads its own row only, so the rows of one person cannot change what those of another say. None of
them can fail, whatever a cell holds: what cannot be read is missing, which is NULL here.

The words are those of the embedded engine (`duckdb/bounded_cells.py`), so that both give the same totals. Java reads
texts such as `5d`, `0x1p3` and `NaN` as numbers and Spark writes floats in its own way (`1.0E7`); so a text must
look like a number before it is read, and floats are compared as floats.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from sfumato.engine.spark.quote import literal
from sfumato.engine.spark.types import WHOLE
from sfumato.engine.sql.cell_kinds import Kind, decimal_text, scale_of
from sfumato.engine.sql.dialect import EXACT, code_number, double, float_text, float_texts
from sfumato.engine.sql.native import texts_of
from sfumato.errors import SchemaError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

_FLOATS = {"double": pa.float64(), "float": pa.float32()}
_TEXTS = ("string", "char", "varchar")
_OTHER = {"boolean": Kind.TRUTH, "date": Kind.DAY, "timestamp": Kind.ZONED, "timestamp_ntz": Kind.MOMENT}
_NAN = double(math.nan)
_BLANKS = "\u0020\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
"""What Unicode calls a space; all of them are cut off both ends of a text."""
_WHITE = " \t\n\v\f\r"
_DIGITS = "[0-9]+(_[0-9]+)*"
_NUMERAL = rf"^[+]?[+-]?({_DIGITS}([.]({_DIGITS})?)?|[.]{_DIGITS})([eE][+-]?{_DIGITS})?\z"
_INFINITE = tuple(sign + name for sign in ("", "+", "-", "+-") for name in ("inf", "infinity"))


@dataclass(frozen=True, slots=True)
class SparkCell:
    """Where the cells of a column are found.

    Args:
        sql: what names them in a query.
        native: their type as Spark's `simpleString`.
        codes: texts that mean missing.
    """

    sql: str
    native: str
    codes: tuple[str, ...] = ()

    def named(self, sql: str) -> SparkCell:
        """The same cells under another name, in an outer query."""
        return replace(self, sql=sql)

    def public(self, texts: Sequence[str]) -> list[str] | list[float]:
        """What public texts are among the tokens: for floats the ones with these texts, NaN where there is none.

        Example:
            >>> SparkCell("x", "double").public(["5.0", "5.00"]), SparkCell("x", "string").public(["5.0"])
            ([5.0, nan], ['5.0'])
        """
        if self.native.startswith("decimal"):
            return [decimal_text(text, scale_of(self.native)) for text in texts]
        if self.native not in _FLOATS:
            return float_texts(texts) if self.native in WHOLE else list(texts)
        numbers = pa.array([_float(text) for text in texts], pa.float64()).cast(_FLOATS[self.native])
        written = zip(numbers.to_pylist(), _written(numbers), map(float_text, texts), strict=True)
        return [number if mine == public else math.nan for number, mine, public in written]

    @property
    def kind(self) -> Kind:
        """What the column holds."""
        if self.native.startswith("decimal"):
            return Kind.DECIMAL
        if self.native in {*_FLOATS, *WHOLE}:
            return Kind.NUMBER
        return Kind.TEXT if self.native.startswith(_TEXTS) else _OTHER[self.native]

    def shown(self, texts: Sequence[str]) -> list[str]:
        """The canonical texts of what `text` gave: floats as the embedded engine writes them, not as Spark does.

        Example:
            >>> SparkCell("x", "double").shown(["1.0E-5", "12"])
            ['1e-05', '12']
        """
        return _written(pa.array(map(float, texts), _FLOATS[self.native])) if self.native in _FLOATS else list(texts)

    @property
    def text(self) -> str:
        """SQL for the text; NULL where missing. Equal texts are equal cells, but for floats see `shown`."""
        raw = f"CAST({self.sql} AS STRING)"
        if self.native == "timestamp":
            raw = f"{raw} || '+00'"
        if self.native in _FLOATS:
            whole = f"{self.sql} = floor({self.sql}) AND abs({self.sql}) < {EXACT}"
            raw = f"CASE WHEN {whole} THEN CAST(floor({self.sql}) AS STRING) ELSE {raw} END"
        if self.native in _FLOATS or self.codes:
            raw = f"CASE WHEN {self.token} IS NOT NULL THEN {raw} END"
        return raw

    @property
    def token(self) -> str:
        """SQL for what is compared with public values: the double of a float, else the text; NULL where missing."""
        if self.native not in _FLOATS:
            raw = replace(self, codes=()).text
            codes = ", ".join(literal(str(code)) for code in self.public(self.codes))
            return f"CASE WHEN ({raw}) NOT IN ({codes}) THEN {raw} END" if codes else raw
        value = _not_nan(self.sql)
        for code in self.public(self.codes):
            value = f"nullif({value}, {double(float(code))})"
        return value

    @property
    def number(self) -> str:
        """SQL for the number as a DOUBLE; NULL where the cell is missing, NaN, or no number."""
        if self.native not in {*_FLOATS, *WHOLE} and not self.native.startswith("decimal"):
            return _number(self.token) if self.native.startswith(_TEXTS) else "CAST(NULL AS DOUBLE)"
        value = _not_nan(self.sql)
        for code in self.codes:
            if (number := code_number(code)) is not None:
                value = f"nullif({value}, {double(number)})"
        return value

    @property
    def is_present(self) -> str:
        """SQL, whether the cell names somebody: not missing, not NaN, not blank."""
        if self.native in WHOLE and not self.codes:
            return f"{self.sql} IS NOT NULL"
        return f"coalesce({_trimmed(self.text)} <> '', false)"


def checked(cell: SparkCell, column: str, zone: str) -> SparkCell:
    """The cell, if questions can be asked about its type.

    Args:
        cell: where the cells are.
        column: their column.
        zone: time zone of the session.

    Raises:
        SchemaError: binary or nested cells; points in time where the session's zone is not UTC.
    """
    native = cell.native
    if native not in {*_FLOATS, *WHOLE, *_OTHER} and not native.startswith((*_TEXTS, "decimal")):
        raise SchemaError(
            "Column {column!r} must hold texts, numbers, dates or truth values to be asked about; it is {native}.",
            "cast it to a text before the table is read.",
            column=column,
            native=native,
        )
    if native == "timestamp" and zone not in {"UTC", "Etc/UTC", "GMT", "Z", "+00:00"}:
        raise SchemaError(
            "Points in time are compared as texts in UTC, but the session's zone is {zone!r} (column {column!r}).",
            "set spark.sql.session.timeZone to UTC, or cast the column to TIMESTAMP_NTZ.",
            zone=zone,
            column=column,
        )
    return cell


def _float(text: str) -> float:
    """The double of a text; NaN where it is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _written(numbers: pa.Array) -> list[str]:
    """The canonical texts of floats, whole ones below 10¹⁸ digit by digit."""
    usual = zip(numbers.to_pylist(), texts_of(numbers), strict=True)
    return [str(int(x)) if x.is_integer() and abs(x) < EXACT else str(text) for x, text in usual]


def _not_nan(sql: str) -> str:
    """SQL for the DOUBLE of a number, NULL for NaN; a negative zero is zero, which not every cluster knows."""
    return f"nullif(CAST({sql} AS DOUBLE) + {double(0)}, {_NAN})"


def _trimmed(text: str) -> str:
    """SQL for a text without spaces at its ends."""
    return f"trim(BOTH {literal(_BLANKS)} FROM {text})"


def _number(text: str) -> str:
    """SQL for the DOUBLE that a text says, with a decimal point or comma; NULL where it says none.

    It reads what the embedded engine reads: `1.50`, `1,5`, `.5`, `1e5`, `1_000`, `inf`; not `5d`, `0x10`, `1 000`.
    """
    bare = f"trim(BOTH {literal(_WHITE)} FROM replace({_trimmed(text)}, ',', '.'))"
    infinite = ", ".join(map(literal, _INFINITE))
    sign = f"CASE WHEN {bare} LIKE '%-%' THEN {double(-math.inf)} ELSE {double(math.inf)} END"
    numeral = f"try_cast(replace(replace({bare}, '_', ''), '+-', '-') AS DOUBLE) + {double(0)}"
    return (
        f"CASE WHEN {bare} RLIKE {literal(_NUMERAL)} THEN {numeral} WHEN lower({bare}) IN ({infinite}) THEN {sign} END"
    )
