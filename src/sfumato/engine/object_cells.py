"""What Python objects say as cells: the texts that typed columns of the same values have.

A column of objects has no type: who reads it must look at its cells. Here every cell is read by itself, so that one
odd object does not change what the others say. Where all cells are of one kind Arrow reads them at once, to the same
end: the canonical text of a value and its number do not depend on the type of its column.
"""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALIKE: tuple[frozenset[str], ...] = tuple(
    frozenset(kinds.split())
    for kinds in (
        "str", "bool bool_", "date", "time", "int Decimal", "bytes", "dict", "list", "timedelta", "Timedelta",
        "int float int8 int16 int32 int64 uint8 uint16 uint32 uint64 float64 float16 float32",
    )
)  # fmt: skip
"""Kinds that Arrow reads together without changing what a cell says; nested and binary ones say nothing anyway."""
_EXACT = 10**18
_MOST_DIGITS = 400


def object_column(cells: Sequence[Any], absent: Sequence[bool]) -> pa.Array:
    """Python objects as an Arrow column.

    Args:
        cells: (n,) objects.
        absent: (n,) whether a cell is missing (None, NaN, NaT).

    Example:
        >>> object_column([True, 5.0, "x", [1]], [False] * 4).to_pylist()
        ['true', '5', 'x', None]
        >>> object_column([1, None], [False, True]).to_pylist()
        [1, None]
    """
    present = [None if is_absent else cell for cell, is_absent in zip(cells, absent, strict=True)]
    if _are_alike(present):
        try:
            return _widened(pa.array(present))
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            pass
    return pa.array(map(cell_text, present), pa.string())


def _are_alike(cells: Sequence[Any]) -> bool:
    """Whether Arrow reads each of the cells as it would read it alone."""
    kinds = {kind.__name__ for kind in set(map(type, cells)) - {type(None)}}
    if kinds == {"datetime"}:
        return all(cell is None or cell.tzinfo is None for cell in cells)
    return any(kinds <= alike for alike in _ALIKE)


def _widened(column: pa.Array) -> pa.Array:
    """Floats as doubles: the type must not matter.

    Raises:
        ArrowInvalid: a type whose texts would be others than those of the cells one by one.
    """
    kind = column.type
    if pa.types.is_floating(kind):
        return column.cast(pa.float64())
    if pa.types.is_decimal256(kind) or isinstance(kind, pa.BaseExtensionType):
        raise pa.ArrowInvalid("read the cells one by one")
    return column


def cell_text(cell: object) -> str | None:
    """The canonical text of one object; None where it says nothing (bytes, lists, anything unknown).

    Example:
        >>> from datetime import datetime
        >>> [cell_text(x) for x in (2.50, 1e17, datetime(2020, 1, 1, 8), b"x", math.nan)]
        ['2.5', '100000000000000000', '2020-01-01 08:00:00', None, None]
    """
    try:
        if type(cell).__module__ == "numpy" and getattr(cell, "ndim", None) == 0:
            cell = cell.item()  # type: ignore[attr-defined]
        return None if cell is None else _told(cell)
    except Exception:  # noqa: BLE001 (an object of the caller may raise anything, and one cell stops nothing)
        return None


def _told(cell: object) -> str | None:  # noqa: PLR0911
    """The text of an object that is a single value."""
    match cell:
        case str():
            return str(cell).encode().decode()
        case bool():
            return "true" if cell else "false"
        case int():
            return str(int(cell)) if abs(cell) < 10**_MOST_DIGITS else f"{'-' * (cell < 0)}inf"
        case float():
            return _float_text(float(cell))
        case Decimal():
            return _decimal_text(cell)
        case datetime():
            return _moment_text(cell)
        case date():
            return cell.isoformat()
        case time():
            return _trimmed(cell.replace(tzinfo=None).isoformat())
        case UUID():
            return str(cell)
    return None


def _float_text(number: float) -> str | None:
    """The text of a double: NaN says nothing, a whole number loses its point."""
    if math.isnan(number):
        return None
    return str(int(number)) if abs(number) < _EXACT and number.is_integer() else repr(number)


def _decimal_text(number: Decimal) -> str | None:
    """The text of a decimal number without the zeros at its end."""
    if number.is_nan():
        return None
    if number.is_infinite() or abs(number.adjusted()) > _MOST_DIGITS:
        return str(number).lower().replace("inity", "")
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if not number else text


def _moment_text(moment: datetime) -> str:
    """The text of a point in time; in UTC, and marked so, where it has a zone."""
    if moment.tzinfo is None:
        return _trimmed(moment.isoformat(sep=" "))
    bare = moment.astimezone(UTC).replace(tzinfo=None).isoformat(sep=" ")
    return f"{_trimmed(bare)}+00"


def _trimmed(text: str) -> str:
    """A time without zeros at the end of its fraction."""
    return text.rstrip("0") if "." in text else text
