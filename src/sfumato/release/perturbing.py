"""How are single columns of a plan perturbed? Methods by name, what they decide, and what is measured of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.errors import PlanError
from sfumato.release.binding import in_order
from sfumato.release.document import Section
from sfumato.table.attribute import bind
from sfumato.table.schema import Role

if TYPE_CHECKING:
    from sfumato.engine.base import Engine
    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.perturb.column_method import ColumnMethod
    from sfumato.recipe.steps import ColumnStep
    from sfumato.release.methods import Tools
    from sfumato.release.plan import PerturbChoice, Plan
    from sfumato.summary.figure import Figure
    from sfumato.table.attribute import Attribute
    from sfumato.table.schema import Column
    from sfumato.types import IntArray

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class PerturbedColumn:
    """What was done to one column beside recoding, and what that leaves.

    Args:
        column: its name.
        method: name of the method.
        parameters: its public options, as written.
        step: what the engine does; None: it was done before anything was counted.
        guarantee: what is promised of one cell; None: nothing.
        worth: what the column is still worth.
        risk: what an intruder gains from it.
    """

    column: str
    method: str
    parameters: Mapping[str, object]
    step: ColumnStep | None
    guarantee: Guarantee | None
    worth: tuple[Figure, ...]
    risk: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """One column to perturb and its method, ready to decide."""

    choice: PerturbChoice
    column: Column
    method: ColumnMethod


Builder = Callable[["Column", Section, "PerturbChoice", "Tools"], "ColumnMethod"]


def wanted_of(plan: Plan, tools: Tools) -> tuple[Wanted, ...]:
    """The methods of a plan's perturbed columns, built before any data are read.

    Raises:
        PlanError: an unknown method or option, or a column whose role does not allow it.
    """
    return tuple(_wanted(choice, plan.schema[choice.column], tools) for choice in plan.perturb)


def perturb(engine: Engine[T], table: T, wanted: tuple[Wanted, ...], *, tools: Tools) -> tuple[PerturbedColumn, ...]:
    """Decide every perturbed column from its counts.

    Args:
        engine: where data live.
        table: the source, single-column steps done.
        wanted: from `wanted_of`.
        tools: secure chance.

    Raises:
        ParameterError: values that do not suit a method; none is shown.
    """
    return tuple(_decide(engine, table, one, tools) for one in wanted)


def _wanted(choice: PerturbChoice, column: Column, tools: Tools) -> Wanted:
    """One method, all of its options read."""
    if choice.method not in _BUILDERS:
        raise PlanError(
            f"`method` in [columns.{choice.column}.perturb] must be one of {sorted(_BUILDERS)}; got {choice.method!r}.",
            "choose one of them.",
        )
    if column.role is Role.IDENTIFYING and choice.method not in _NAMING:
        raise PlanError(
            f"An identifying column can be published as pseudonyms only; {choice.column!r} asks for {choice.method!r}.",
            "leave the column out, or give it a pseudonym.",
        )
    section = Section(f"[columns.{choice.column}.perturb]", choice.options)
    method = _BUILDERS[choice.method](column, section, choice, tools)
    section.finish()
    return Wanted(choice, column, method)


def _decide(engine: Engine[T], table: T, one: Wanted, tools: Tools) -> PerturbedColumn:
    """One column."""
    attribute, counts = counted(engine, table, one.column)
    decision = one.method.decide(attribute, counts, bits=tools.bits)
    return PerturbedColumn(
        column=one.column.name,
        method=one.choice.method,
        parameters=one.choice.options,
        step=decision.step,
        guarantee=decision.guarantee,
        worth=decision.worth,
        risk=decision.risk,
    )


def counted(engine: Engine[T], table: T, column: Column) -> tuple[Attribute, IntArray]:
    """A column bound to its values without its hierarchy, and (n_leaves,) cells of each."""
    marginal = engine.marginal(table, column.name)
    attribute = bind(replace(column, hierarchy=None), in_order(marginal.values))
    place = {label: i for i, label in enumerate(attribute.hierarchy.labels[0])}
    counts = np.zeros(len(place), np.int64)
    counts[[place[value] for value in marginal.values]] = marginal.counts
    return attribute, counts


_NAMING = frozenset[str]()
"""Methods that give pseudonyms."""

_BUILDERS: dict[str, Builder] = {}
