"""The native types that the Spark engine reads, and Arrow columns made into them."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from sfumato.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Sequence

WHOLE = frozenset(("tinyint", "smallint", "int", "bigint"))
"""Native types of whole numbers."""
_FLOATS = frozenset(("float", "double"))
_PLAIN = WHOLE | _FLOATS | {"string", "boolean", "date", "timestamp", "timestamp_ntz", "binary"}
_MOST_DIGITS = 38
_OPEN = ("decimal(", "varchar(", "char(", "string collate ", "time(")
"""Beginnings of the other types that are read."""
_NAMES: tuple[tuple[Any, str], ...] = (
    (pa.types.is_boolean, "boolean"),
    (pa.types.is_int8, "tinyint"),
    (pa.types.is_int16, "smallint"),
    (pa.types.is_int32, "int"),
    (pa.types.is_int64, "bigint"),
    (pa.types.is_float32, "float"),
    (pa.types.is_float64, "double"),
    (pa.types.is_string, "string"),
    (pa.types.is_large_string, "string"),
    (pa.types.is_binary, "binary"),
    (pa.types.is_large_binary, "binary"),
    (pa.types.is_date32, "date"),
)
_WIDER: tuple[tuple[Any, pa.DataType], ...] = (
    (pa.types.is_null, pa.string()),
    (pa.types.is_string_view, pa.string()),
    (pa.types.is_binary_view, pa.binary()),
    (pa.types.is_fixed_size_binary, pa.binary()),
    (pa.types.is_uint8, pa.int16()),
    (pa.types.is_uint16, pa.int32()),
    (pa.types.is_uint32, pa.int64()),
    (pa.types.is_uint64, pa.decimal128(20, 0)),
    (pa.types.is_float16, pa.float32()),
    (pa.types.is_date64, pa.date32()),
)
"""Arrow types that Spark lacks, and the ones that hold all their values."""


def refuse_nested(names: Sequence[str], types: Sequence[str]) -> None:
    """Stop where a column is no single value.

    Raises:
        SourceError: names the columns. Remedy: take them apart.
    """
    odd = [n for n, kind in zip(names, types, strict=True) if kind not in _PLAIN and not kind.startswith(_OPEN)]
    if odd:
        raise SourceError(
            "Every cell must hold one text, number, truth value, date or time; the columns {odd} do not.",
            "select their parts as columns of their own, or leave them out.",
            odd=odd,
        )


def plain_cell(column: str, kind: str) -> str:
    """SQL for a cell whose equality is that of its canonical text.

    Minus zero becomes zero, because Spark groups them together; a text with a collation becomes one without.

    Args:
        column: SQL of the cell.
        kind: its native type.

    Example:
        >>> plain_cell("`height`", "double"), plain_cell("`zip`", "string")
        ('`height` + 0.0D', '`zip`')
    """
    if kind == "void":
        return f"CAST({column} AS STRING)"
    if kind.startswith(("string collate ", "varchar(", "char(")):
        return f"CAST({column} AS STRING)"
    return {"double": f"{column} + 0.0D", "float": f"{column} + CAST(0 AS FLOAT)"}.get(kind, column)


def native_name(kind: pa.DataType) -> str | None:
    """The name of the Spark type of an Arrow type; None where there is none.

    Example:
        >>> native_name(pa.decimal128(5, 2)), native_name(pa.list_(pa.int8()))
        ('decimal(5,2)', None)
    """
    if pa.types.is_decimal128(kind):
        return f"decimal({kind.precision},{kind.scale})"
    if pa.types.is_timestamp(kind):
        return "timestamp_ntz" if kind.tz is None else "timestamp"
    return next((name for holds, name in _NAMES if holds(kind)), None)


def fitted(column: Any, name: str) -> Any:
    """An Arrow column whose type Spark has; whether a cell is changed depends on that cell alone.

    A point in time loses what is finer than a microsecond, a date its time of day, and a decimal that needs more than
    38 digits is missing: one cell must not decide whether the column is read.

    Raises:
        SourceError: there is no such type. Remedy: in the message.
    """
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    kind = next((wider for holds, wider in _WIDER if holds(kind)), kind)
    if pa.types.is_timestamp(kind):
        kind = pa.timestamp("us", kind.tz)
    if pa.types.is_decimal(kind) and not pa.types.is_decimal128(kind):
        kind = pa.decimal128(min(kind.precision, _MOST_DIGITS), kind.scale)
    if native_name(kind) is None:
        raise SourceError(
            "Spark must have the type of every column; it has none for {name!r} ({type}).",
            "convert the column, take its parts as columns of their own, or leave it out.",
            name=name,
            type=column.type,
        )
    if column.type == kind:
        return column
    return (_within(column, kind) if pa.types.is_decimal256(column.type) else column).cast(kind, safe=False)


def _within(column: Any, kind: pa.DataType) -> Any:
    """Decimals, missing where they have more digits than the type."""
    most = pa.scalar(Decimal((0, (9,) * kind.precision, -kind.scale)), column.type)
    return pc.if_else(pc.greater(pc.abs(column), most), pa.scalar(None, column.type), column)
