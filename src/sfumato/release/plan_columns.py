"""How do [columns.*] and [unit] of a plan become a schema, and what is done to single columns first?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from sfumato.errors import PlanError, SchemaError
from sfumato.recipe.steps import Round, TopBottom
from sfumato.release.document import Section
from sfumato.release.plan import PerturbChoice
from sfumato.table.hierarchy.spec import spec_from
from sfumato.table.number import positions
from sfumato.table.schema import Column, Kind, Role, Schema

if TYPE_CHECKING:
    from pathlib import Path

_FIRST_PIVOT, _LAST_PIVOT = 1900, 2200


def schema_from(top: Section, folder: Path) -> tuple[Schema, tuple[TopBottom | Round, ...], tuple[PerturbChoice, ...]]:
    """[columns.*] and [unit]."""
    columns: list[Column] = []
    first: list[TopBottom | Round] = []
    perturb: list[PerturbChoice] = []
    declared = top.required("columns", dict)
    for name in _order(top, declared):
        items = declared[name]
        section = Section(f"[columns.{name}]", items)
        columns.append(_column(name, section, folder))
        first += _first_steps(name, section)
        perturb += _perturb(name, section, folder)
        section.finish()
    unit = top.table("unit")
    person = unit.optional("person", str)
    unit.finish()
    return Schema(tuple(columns), person), tuple(first), tuple(perturb)


def _order(top: Section, declared: Mapping[str, object]) -> list[str]:
    """The columns in the order in which methods take them: `order`, or as they are written.

    Tables of JSON have no order, so that the plan inside a result says it.
    """
    order = top.optional("order", list)
    if order is None:
        return list(declared)
    if not all(isinstance(name, str) for name in order) or sorted(order) != sorted(declared):
        raise PlanError("`order` must name each declared column once.", "correct it, or leave it out.")
    return order


def _column(name: str, section: Section, folder: Path) -> Column:
    """One declared column."""
    hierarchy = section.optional("hierarchy", dict)
    bounds = section.optional("bounds", list)
    column = Column(
        name=name,
        role=section.choice("role", Role),
        kind=section.choice("kind", Kind, Kind.TEXT),
        hierarchy=None if hierarchy is None else spec_from(name, hierarchy, folder=folder),
        format=section.optional("format", str),
        weight=section.default("weight", float, 1.0),
        pivot=section.optional("pivot", int),
    )
    if column.pivot is not None and (column.kind is not Kind.DATE or "%y" not in (column.format or "")):
        raise PlanError("`pivot` in {where} needs a date whose `format` has %y.", "leave it out.", where=section.where)
    if column.pivot is not None and not _FIRST_PIVOT <= column.pivot <= _LAST_PIVOT:
        raise PlanError(
            "`pivot` in {where} must lie in {first_pivot} … {last_pivot}; got {pivot}.",
            "give the latest year that the column can hold.",
            where=section.where,
            first_pivot=_FIRST_PIVOT,
            last_pivot=_LAST_PIVOT,
            pivot=column.pivot,
        )
    return column if bounds is None else replace(column, bounds=_bounds(column, bounds, section))


def _bounds(column: Column, given: list[object], section: Section) -> tuple[float, float]:
    """Lowest and highest value; of a date column as dates, as texts in its format or ISO 8601, or as days since 1970."""
    wrong = PlanError(
        "`bounds` in {where} must be [lowest, highest].",
        "give two numbers in order; for dates two dates, such as [2009-01-01, 2013-12-31].",
        where=section.where,
    )
    if len(given) != 2:
        raise wrong
    try:
        low, high = (_place(column, value) for value in given)
    except (ValueError, TypeError, OverflowError, SchemaError):
        raise wrong from None
    if not low <= high or math.isinf(low) or math.isinf(high):
        raise wrong
    return low, high


def _place(column: Column, value: object) -> float:
    """One bound on the number line of its column."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str, date)):
        raise TypeError
    if isinstance(value, (int, float)):
        return float(value)
    if column.kind is not Kind.DATE:
        raise TypeError
    iso = value if isinstance(value, str) else value.isoformat()
    try:
        return float(positions(replace(column, format=None), [iso])[0])
    except SchemaError:
        return float(positions(column, [iso])[0])


def _first_steps(name: str, section: Section) -> list[TopBottom | Round]:
    """Top and bottom coding and rounding, in that order; the column stays numbers: 90 then means 90 or more."""
    steps: list[TopBottom | Round] = []
    low, high = section.optional("bottom", float), section.optional("top", float)
    if low is not None or high is not None:
        steps.append(TopBottom(name, low, _plain(low), high, _plain(high)))
    base = section.optional("round", float)
    if base is not None:
        if base <= 0:
            raise PlanError(
                "`round` in {where} must be positive; got {base}.",
                "give the base, such as 5.",
                where=section.where,
                base=base,
            )
        steps.append(Round(name, base))
    return steps


def _perturb(name: str, section: Section, folder: Path) -> list[PerturbChoice]:
    """[columns.NAME.perturb]: the name of the method; it reads its own options."""
    options = section.optional("perturb", dict)
    if options is None:
        return []
    inner = Section(f"[columns.{name}.perturb]", options)
    return [PerturbChoice(name, inner.required("method", str), inner.rest(), folder)]


def _plain(number: float | None) -> str:
    """A number without a needless point."""
    return "" if number is None else f"{number:.15g}"


def notes_on_reading(schema: Schema, first: tuple[TopBottom | Round, ...]) -> tuple[str, ...]:
    """What a reader of the release must know of how single columns are read and coded.

    Example:
        >>> notes_on_reading(Schema(()), (TopBottom("age", None, "", 89, "89"),))
        ("In 'age', 89 means 89 or more.",)
    """
    notes = []
    for step in first:
        if isinstance(step, TopBottom):
            ends = ((step.low, step.low_label, "less"), (step.high, step.high_label, "more"))
            means = [f"{label} means {label} or {how}" for end, label, how in ends if end is not None]
            notes.append(f"In {step.column!r}, {' and '.join(means)}.")
    for column in schema.columns:
        if column.kind is Kind.DATE and "%y" in (column.format or ""):
            span = (
                "1969 to 2068: no `pivot` is declared"
                if column.pivot is None
                else f"{column.pivot - 99} to {column.pivot}"
            )
            notes.append(f"Two-digit years of {column.name!r} are read as {span}.")
    return tuple(notes)
