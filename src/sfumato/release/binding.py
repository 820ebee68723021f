"""Which values do the columns of a role hold? Bound in an order that does not depend on the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sfumato.summary.ask import MarginalOf
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import shared_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Engine
    from sfumato.release.plan import Plan
    from sfumato.table.schema import Column, Role

T = TypeVar("T")


def bind_role(engine: Engine[T], table: T, plan: Plan, role: Role) -> tuple[Attribute, ...]:
    """The columns of a role, in table order, bound to the values that the table holds."""
    return tuple(
        bind(column, in_order(engine.summarize(table, MarginalOf(column.name)).values))
        for column in plan.schema.with_role(role)
    )


def bind_over(engine: Engine[T], tables: Sequence[T], column: Column) -> Attribute:
    """A column bound to the values that any of the tables holds."""
    values = {value for table in tables for value in engine.summarize(table, MarginalOf(column.name)).values}
    return bind(column, in_order(tuple(values)))


def shared_names(attributes: Sequence[Attribute]) -> list[str]:
    """What a reader should know of labels that stand for fewer values lower in their hierarchy."""
    return [
        f"In the hierarchy of {attribute.name!r} {n} labels are borne at several levels, for more values higher up: rows "
        "of both look alike in the release."
        for attribute in attributes
        if (n := len(shared_labels(attribute.hierarchy)))
    ]


def in_order(values: tuple[str | None, ...]) -> list[str | None]:
    """Values by text, the missing one last."""
    return sorted(values, key=lambda value: (value is None, value or ""))
