"""The schema in [columns.*] and [unit] of a plan, and what is done to single columns first."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.document.hierarchy_spec import spec_of
from sfumato.document.loading import under
from sfumato.errors import PlanError, SchemaError
from sfumato.recipe.steps import Round, TopBottom
from sfumato.release.plan import PerturbChoice
from sfumato.table.number import positions
from sfumato.table.schema import Column, Kind, Schema
from sfumato.table.values import table_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from pathlib import Path

    from sfumato.document.hierarchy import HierarchyTable
    from sfumato.document.plan import ColumnTable, PlanDocument
    from sfumato.table.schema import HierarchySpec
    from sfumato.table.values import Table

_FIRST_PIVOT, _LAST_PIVOT = 1900, 2200


def schema_from(
    said: PlanDocument, document: Table, folder: Path
) -> tuple[Schema, tuple[TopBottom | Round, ...], tuple[PerturbChoice, ...]]:
    """[columns.*] and [unit].

    Args:
        said: the plan's document.
        document: the same, as it was written.
        folder: what paths are relative to.
    """
    columns: list[Column] = []
    first: list[TopBottom | Round] = []
    perturb: list[PerturbChoice] = []
    for name in _order(said):
        with under("columns", name):
            one = said.columns[name]
            columns.append(_column(name, one, folder))
            first += _first_steps(name, one)
        if one.perturb is not None:
            written = dict(table_in(document, "columns", name, "perturb"))
            del written["method"]
            perturb.append(PerturbChoice(name, one.perturb, written, folder))
    return Schema(tuple(columns), said.unit.person), tuple(first), tuple(perturb)


def _order(said: PlanDocument) -> Sequence[str]:
    """The columns in the order in which methods take them: `order`, or as they are written.

    Tables of JSON have no order, so that the plan inside a result says it.
    """
    if said.order is not None and sorted(said.order) != sorted(said.columns):
        raise PlanError("`order` must name each declared column once.", "correct it, or leave it out.").below("order")
    return tuple(said.columns) if said.order is None else said.order


def _column(name: str, said: ColumnTable, folder: Path) -> Column:
    column = Column(
        name=name,
        role=said.role,
        kind=said.kind,
        hierarchy=None if said.hierarchy is None else _hierarchy(name, said.hierarchy, folder),
        format=said.format,
        weight=said.weight,
        pivot=said.pivot,
    )
    where = f"[columns.{name}]"
    if column.pivot is not None and (column.kind is not Kind.DATE or "%y" not in (column.format or "")):
        raise PlanError("`pivot` in {where} needs a date whose `format` has %y.", "leave it out.", where=where).below(
            "pivot"
        )
    if column.pivot is not None and not _FIRST_PIVOT <= column.pivot <= _LAST_PIVOT:
        raise PlanError(
            "`pivot` in {where} must lie in {first_pivot} … {last_pivot}; got {pivot}.",
            "give the latest year that the column can hold.",
            where=where,
            first_pivot=_FIRST_PIVOT,
            last_pivot=_LAST_PIVOT,
            pivot=column.pivot,
        ).below("pivot")
    return column if said.bounds is None else replace(column, bounds=_bounds(column, said.bounds))


def _hierarchy(name: str, said: HierarchyTable, folder: Path) -> HierarchySpec:
    with under("hierarchy"):
        return spec_of(name, said, folder)


def _bounds(column: Column, given: Sequence[int | float | str | date]) -> tuple[float, float]:
    """Lowest and highest value; of a date column as dates, as texts in its format or ISO 8601, or as days since 1970."""
    wrong = PlanError(
        "`bounds` in {where} must be [lowest, highest].",
        "give two numbers in order; for dates two dates, such as [2009-01-01, 2013-12-31].",
        where=f"[columns.{column.name}]",
    ).below("bounds")
    if len(given) != 2:
        raise wrong
    try:
        low, high = (_place(column, value) for value in given)
    except (ValueError, TypeError, OverflowError, SchemaError):
        raise wrong from None
    if not low <= high or math.isinf(low) or math.isinf(high):
        raise wrong
    return low, high


def _place(column: Column, value: float | str | date) -> float:
    """One bound on the number line of its column."""
    if isinstance(value, (int, float)):
        return float(value)
    if column.kind is not Kind.DATE:
        raise TypeError
    iso = value if isinstance(value, str) else value.isoformat()
    try:
        return float(positions(replace(column, format=None), [iso])[0])
    except SchemaError:
        return float(positions(column, [iso])[0])


def _first_steps(name: str, said: ColumnTable) -> list[TopBottom | Round]:
    """Top and bottom coding and rounding, in that order; the column stays numbers: 90 then means 90 or more."""
    steps: list[TopBottom | Round] = []
    low, high, base = said.bottom, said.top, said.round
    if low is not None or high is not None:
        steps.append(TopBottom(name, low, _plain(low), high, _plain(high)))
    if base is not None:
        if base <= 0:
            raise PlanError(
                "`round` in {where} must be positive; got {base}.",
                "give the base, such as 5.",
                where=f"[columns.{name}]",
                base=base,
            ).below("round")
        steps.append(Round(name, base))
    return steps


def _plain(number: float | None) -> str:
    """A number without a needless point."""
    return "" if number is None else f"{number:.15g}"
