"""The values of an ordered column as exact whole numbers, and whole numbers as its texts again."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from sfumato.table.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.table.attribute import Attribute

_EPOCH = date(1970, 1, 1).toordinal()


def whole_numbers(attribute: Attribute) -> tuple[list[int], int]:
    """The values of an ordered column as whole multiples of 10^-places; 0 for a missing one. Dates count days.

    Args:
        attribute: an ordered column.

    Returns:
        One number per leaf; and the places after the point that the longest value has.

    Example:
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> whole_numbers(bind(Column("x", Role.QUASI_IDENTIFYING, Kind.DECIMAL), ["1.25", "3"]))
        ([125, 300], 2)
    """
    names = attribute.hierarchy.labels[0]
    if attribute.column.kind is Kind.DATE:
        where = np.zeros(0) if attribute.positions is None else attribute.positions
        return [0 if np.isnan(x) else int(x) for x in where.tolist()], 0
    numbers = [Decimal(0) if name is None else Decimal(name.strip().replace(",", ".")) for name in names]
    exponents = [number.normalize().as_tuple().exponent for number in numbers]
    places = max(0, *(-e for e in exponents if isinstance(e, int)))
    return [int(number.scaleb(places)) for number in numbers], places


def rounded_quotients(numerators: np.ndarray, denominators: np.ndarray) -> np.ndarray:
    """(n,) object: the nearest whole number of each quotient of Python integers, halves to even.

    Args:
        numerators: (n,) object, whole numbers.
        denominators: (n,) object, whole numbers >= 1.

    Example:
        >>> rounded_quotients(np.array([5, 7, -5], object), np.array([2, 2, 2], object)).tolist()
        [2, 4, -2]
    """
    low = numerators // denominators
    twice = 2 * (numerators - low * denominators)
    return np.asarray(low + ((twice > denominators) | ((twice == denominators) & (low % 2 == 1))), object)


def spelled(attribute: Attribute, wholes: Iterable[int], digits: int) -> list[str]:
    """Texts of whole multiples of 10^-digits in the form of the column: its decimal mark, its format of dates.

    Needless zeros are left out. Days before year 1 or after 9999 become the first or the last one.

    Args:
        attribute: an ordered column.
        wholes: whole multiples of 10^-digits; days since 1970-01-01 for dates.
        digits: digits after the point, >= 0.

    Example:
        >>> from sfumato.table.attribute import bind
        >>> from sfumato.table.schema import Column, Role
        >>> spelled(bind(Column("x", Role.SENSITIVE, Kind.DECIMAL), ["1,5"]), [-250, 300], 2)
        ['-2,5', '3']
    """
    column = attribute.column
    if column.kind is Kind.DATE:
        days = [date.fromordinal(min(max(int(day) + _EPOCH, 1), date.max.toordinal())) for day in wholes]
        return [day.strftime(column.format) if column.format else day.isoformat() for day in days]
    comma = any(name is not None and "," in name for name in attribute.hierarchy.labels[0])
    return [_decimal(int(whole), digits, "," if comma else ".") for whole in wholes]


def _decimal(whole: int, digits: int, mark: str) -> str:
    """A whole multiple of 10^-digits without needless zeros."""
    sign = "-" if whole < 0 else ""
    before, after = divmod(abs(whole), 10**digits)
    fraction = f"{after:0{digits}d}".rstrip("0") if digits else ""
    return f"{sign}{before}{mark}{fraction}" if fraction else f"{sign}{before}"
