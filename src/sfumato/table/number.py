"""Where the texts of an ordered column lie on the number line, and where intervals of it begin and end.

An edge is what the plan says: a whole number, a decimal, or a date. Decimals are handled as the decimal number that was
written (0.3 is 3/10), never as sums of floats, so that an edge and a value with the same text are equal.
"""

from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.errors import HierarchyError, ParameterError, SchemaError
from sfumato.frozen import dataclass
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


Edge: TypeAlias = int | float | date
"""A whole number, a decimal or a date, as written in a plan."""

MOST_BINS = 100_000
"""Intervals of equal width at most."""
_MOST_LEAVES = 2_000_000
"""More leaves than this are refused: the arrays of one column should stay below a gigabyte."""


def exact(edge: float) -> Decimal:
    """The decimal number that was written.

    Example:
        >>> exact(0.1) * 3
        Decimal('0.3')
    """
    return Decimal(repr(edge))


def place(edge: Edge) -> float:
    """Where an edge lies: a number, or days since 1970-01-01."""
    return float(edge.toordinal() - _EPOCH) if isinstance(edge, date) else float(edge)


def spell(column: Column, edge: Edge) -> str:
    """The text of an edge: a date in the column's format, a number with a point and no exponent.

    Example:
        >>> from sfumato.table.schema import Column, Role
        >>> spell(Column("x", Role.QUASI_IDENTIFYING, Kind.DECIMAL), 1e-05)
        '0.00001'
    """
    if isinstance(edge, date):
        return edge.strftime(column.format) if column.format else edge.isoformat()
    return spell_number(exact(edge))


def spell_number(number: Decimal) -> str:
    """A decimal number without exponent and without closing zeros.

    Example:
        >>> spell_number(Decimal("20")), spell_number(Decimal("0.500"))
        ('20', '0.5')
    """
    text = f"{number:f}"
    return (text.rstrip("0").rstrip(".") or "0") if "." in text else text


def equal_edges(low: float, high: float, n_bins: int) -> tuple[Decimal, ...]:
    """Edges of `n_bins` intervals of equal width, exact, strictly increasing.

    Raises:
        ParameterError: no width, no bin, more than `MOST_BINS`, or floats that cannot tell the edges apart. Remedy: fewer
            bins or a wider range.

    Example:
        >>> [str(edge) for edge in equal_edges(0, 0.001, 4)]
        ['0', '0.00025', '0.0005', '0.00075', '0.001']
    """
    if n_bins < 1 or not low < high:
        raise ParameterError(
            "Bins need at least one bin and a range from low to high; got {n_bins} bins from {low} to {high}.",
            "give `bins` >= 1 and `from` < `to`.",
            n_bins=n_bins,
            low=low,
            high=high,
        )
    if n_bins > MOST_BINS:
        raise ParameterError(
            "`bins` must be at most {most_bins}; got {n_bins}.",
            "ask for fewer and wider bins.",
            most_bins=MOST_BINS,
            n_bins=n_bins,
        )
    first, last = exact(low), exact(high)
    edges = (first, *((first + (last - first) * i / n_bins) for i in range(1, n_bins)), last)
    floats = [float(edge) for edge in edges]
    if any(a >= b for a, b in pairwise(floats)):
        raise ParameterError(
            "The edges of bins must be strictly increasing; {n_bins} bins from {low} to {high} are too narrow.",
            "ask for fewer bins or a wider range.",
            n_bins=n_bins,
            low=low,
            high=high,
        )
    return edges


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """The leaves of an ordered column in ascending order, and where they lie.

    Args:
        texts: the values.
        places: (n,) float64.
    """

    texts: tuple[str, ...]
    places: FloatArray


def leaves_of(column: Column, values: Sequence[str | None]) -> Leaves:
    """The observed values; for whole numbers with declared bounds also every other number between them.

    A number that the table writes in its own way (`034`) keeps its way.

    Raises:
        SchemaError: a value is no number (or date). Remedy: declare the codes for missing.
        HierarchyError: the column has no order, or its bounds hold too many numbers.
    """
    if not column.kind.is_ordered:
        raise HierarchyError(
            "Intervals need an ordered column; {name!r} is declared as text.",
            "declare it as integer, decimal or date, or group its values by `groups` or `tree`.",
            name=column.name,
        )
    texts = in_order(column, list(dict.fromkeys(value for value in values if value is not None)))
    if column.kind is Kind.INTEGER and column.bounds is not None:
        if not column.bounds[1] - column.bounds[0] < _MOST_LEAVES:
            raise HierarchyError(
                "The declared bounds of {name!r} must hold at most {most_leaves} numbers; "
                "they are {bounds} and {bounds2}.",
                "declare narrower bounds, or declare the column as decimal.",
                name=column.name,
                most_leaves=_MOST_LEAVES,
                bounds=column.bounds[0],
                bounds2=column.bounds[1],
            )
        low, high = math.ceil(column.bounds[0]), math.floor(column.bounds[1])
        seen = set(positions(column, texts).tolist())
        texts = in_order(column, [*texts, *(str(number) for number in range(low, high + 1) if number not in seen)])
    if not texts:
        raise HierarchyError(
            "{name!r} has no value to generalize.", "declare its bounds, or leave it out.", name=column.name
        )
    return Leaves(tuple(texts), positions(column, texts).astype(np.float64))
