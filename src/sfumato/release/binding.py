"""Which values do the columns of a role hold? Bound in an order that does not depend on the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sfumato.table.attribute import Attribute, bind

if TYPE_CHECKING:
    from sfumato.engine.base import Engine
    from sfumato.release.plan import Plan
    from sfumato.table.schema import Role

T = TypeVar("T")


def bind_role(engine: Engine[T], table: T, plan: Plan, role: Role) -> tuple[Attribute, ...]:
    """The columns of a role, in table order, bound to the values that the table holds."""
    return tuple(
        bind(column, in_order(engine.marginal(table, column.name).values)) for column in plan.schema.with_role(role)
    )


def in_order(values: tuple[str | None, ...]) -> list[str | None]:
    """Values by text, the missing one last."""
    return sorted(values, key=lambda value: (value is None, value or ""))
