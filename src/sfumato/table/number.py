"""Where does the text of an ordered column lie on the number line?"""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import SchemaError
from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.schema import Column
    from sfumato.types import FloatArray

_EPOCH = date(1970, 1, 1).toordinal()
_CENTURY = 100


def positions(column: Column, values: Sequence[str | None]) -> FloatArray:
    """(n,) float64: the number each text stands for; dates count days since 1970-01-01.

    A decimal comma is read as a point. NaN stands for a missing value.

    Raises:
        SchemaError: some texts are no number (or no date in the column's format).
    """
    fast = _all_at_once(column, values)
    if fast is not None:
        return fast
    out = np.full(len(values), np.nan)
    bad = 0
    for i, value in enumerate(values):
        if value is None:
            continue
        try:
            out[i] = _position(column, value)
        except ValueError:
            bad += 1
    if bad:
        form = f" in the format {column.format!r}" if column.format else ""
        raise SchemaError(
            "Every value of {name!r} must read as {kind}{form}; {bad} distinct values do not.",
            "declare the codes that mean `missing` in [source] missing, or declare the column as text.",
            name=column.name,
            kind=column.kind.value,
            form=form,
            bad=bad,
        )
    return out


def in_order(column: Column, values: Sequence[str]) -> list[str]:
    """The values sorted by number or date where the column has an order, else (and then) by text.

    Example:
        >>> from sfumato.table.schema import Column, Role
        >>> in_order(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), ["34", "5"])
        ['5', '34']
    """
    by_text = sorted(values)
    if not column.kind.is_ordered:
        return by_text
    return [by_text[i] for i in np.argsort(positions(column, by_text), kind="stable").tolist()]


def _all_at_once(column: Column, values: Sequence[str | None]) -> FloatArray | None:
    """The numbers of a column without decimal commas and without bad texts; None: read one by one."""
    if column.kind is Kind.DATE or any(value is not None and "_" in value for value in values):
        return None
    try:
        numbers = np.array(values, dtype=object).astype(np.float64)
    except ValueError:
        return None
    absent = np.fromiter((value is None for value in values), np.bool_, len(values))
    real = numbers[~absent]
    whole = column.kind is not Kind.INTEGER or bool((real == np.floor(real)).all())
    return numbers if whole and np.isfinite(real).all() else None


def _position(column: Column, text: str) -> float:
    """One text as a number; ValueError if it is none."""
    if column.kind is Kind.DATE:
        day = datetime.strptime(text, column.format) if column.format else datetime.fromisoformat(text)
        if column.pivot is not None and "%y" in (column.format or ""):
            day = day.replace(year=column.pivot - (column.pivot - day.year) % _CENTURY)
        return float(day.toordinal() - _EPOCH)
    if "_" in text:  # Python would read 1_000
        raise ValueError
    number = float(text.strip().replace(",", "."))
    if not np.isfinite(number) or (column.kind is Kind.INTEGER and number != int(number)):
        raise ValueError
    return number
