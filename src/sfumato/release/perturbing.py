"""Perturbed columns of a plan: methods by name, what they decide, and what is measured of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.document.loading import about
from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.perturb.coding import coded_pairs
from sfumato.mechanism.perturb.column_method import TupleMethod
from sfumato.recipe.recipe import Recipe
from sfumato.recipe.steps import Assign, Round
from sfumato.release.binding import in_order
from sfumato.risk.perturbed import guess_risk, unchanged, value_risk
from sfumato.summary.ask import MarginalOf, Tuples
from sfumato.summary.blur import Alike, Pairs
from sfumato.table.attribute import bind
from sfumato.table.schema import Role
from sfumato.utility.perturbed import value_worth
from sfumato.utility.sse import of_pairs

if TYPE_CHECKING:
    from sfumato.engine.base import Engine
    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.perturb.column_method import ColumnMethod
    from sfumato.noise.bits import Bits
    from sfumato.recipe.steps import ColumnStep, TopBottom
    from sfumato.release.plan import PerturbChoice, Plan
    from sfumato.release.tools import Tools
    from sfumato.summary.blur import Blur
    from sfumato.summary.figure import Figure
    from sfumato.table.attribute import Attribute
    from sfumato.table.schema import Column
    from sfumato.table.values import Item, Table
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
    parameters: Table
    step: ColumnStep | Assign | None
    guarantee: Guarantee | None
    worth: tuple[Figure, ...]
    risk: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """One column to perturb and its method, ready to decide.

    Args:
        choice: as written.
        columns: the column, and those that the method reads beside it.
        method: all of its options read.
    """

    choice: PerturbChoice
    columns: tuple[Column, ...]
    method: ColumnMethod | TupleMethod


def wanted_of(plan: Plan, tools: Tools) -> tuple[Wanted, ...]:
    """The methods of a plan's perturbed columns, built before any data are read.

    Raises:
        PlanError: an unknown method or option, or a column whose role does not allow it.
    """
    from sfumato.release.perturb_methods import column_method

    out = []
    for choice in plan.perturb:
        with about("columns", choice.column, "perturb"):
            method = column_method(choice, plan.schema[choice.column], tools)
        beside = method.beside if isinstance(method, TupleMethod) else ()
        out.append(Wanted(choice, tuple(plan.schema[name] for name in (choice.column, *beside)), method))
    _check_beside(out)
    return tuple(out)


def _check_beside(wanted: Sequence[Wanted]) -> None:
    """What a method reads beside its column is not changed by another that works on tuples."""
    changed = {one.choice.column for one in wanted if isinstance(one.method, TupleMethod)}
    for one in wanted:
        twice = [column.name for column in one.columns[1:] if column.name in changed]
        if twice:
            raise PlanError(
                "[columns.{column}.perturb] reads {twice!r}, which is itself changed row by row.",
                "read a column that is not, or leave one of the two out.",
                column=one.choice.column,
                twice=twice[0],
            )


def changed_tuples(engine: Engine[T], table: T, perturbed: Sequence[PerturbedColumn], *, bits: Bits) -> T:
    """The table with those columns changed that are decided beside others; the rest is up to one recipe."""
    for one in perturbed:
        if isinstance(one.step, Assign):
            table = engine.apply(table, Recipe(classes=one.step), bits=bits)
    return table


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


def code_first(engine: Engine[T], table: T, plan: Plan, *, bits: Bits) -> tuple[T, tuple[PerturbedColumn, ...]]:
    """The table after top and bottom coding and rounding, and what they leave of each column that is published.

    Args:
        engine: where data live.
        table: the source.
        plan: its `first` steps.
        bits: not read: nothing is drawn.
    """
    out = []
    for name in dict.fromkeys(step.column for step in plan.first):
        steps = [step for step in plan.first if step.column == name]
        column = plan.schema[name]
        if column.kind.is_ordered and (column.role is not Role.IDENTIFYING or name in plan.perturbed):
            out.append(_coded(*counted(engine, table, column), steps))
        for step in steps:
            table = engine.apply(table, Recipe(columns=(step,)), bits=bits)
    return table, tuple(out)


def _coded(attribute: Attribute, counts: IntArray, steps: Sequence[TopBottom | Round]) -> PerturbedColumn:
    """What coding leaves of one column of numbers."""
    numbers = np.full(len(counts), np.nan) if attribute.positions is None else attribute.positions
    left = Left.of(attribute, counts, coded_pairs(numbers, counts, steps))
    options: dict[str, Item] = {}
    for step in steps:
        options |= {"round": step.base} if isinstance(step, Round) else {"bottom": step.low, "top": step.high}
    given = {name: value for name, value in options.items() if value is not None}
    return PerturbedColumn(attribute.name, "coding", given, None, None, left.worth, left.risk)


def _decide(engine: Engine[T], table: T, one: Wanted, tools: Tools) -> PerturbedColumn:
    bound = [counted(engine, table, column) for column in one.columns]
    attribute, counts = bound[0]
    if isinstance(one.method, TupleMethod):
        attributes = tuple(each for each, _ in bound)
        decision = one.method.decide_tuples(attributes, engine.summarize(table, Tuples(attributes)), bits=tools.bits)
    else:
        decision = one.method.decide(attribute, counts, bits=tools.bits)
    left = Left.of(attribute, counts, decision.blur)
    return PerturbedColumn(
        column=attribute.name,
        method=one.choice.method,
        parameters=one.choice.options,
        step=decision.step,
        guarantee=decision.guarantee,
        worth=(*left.worth, *decision.worth),
        risk=(*left.risk, *decision.risk),
    )


@dataclass(frozen=True, slots=True)
class Left:
    """What follows from where published values lie.

    Args:
        worth: errors of numbers.
        risk: cells unchanged, near, linked and guessed.
    """

    worth: tuple[Figure, ...]
    risk: tuple[Figure, ...]

    @staticmethod
    def of(attribute: Attribute, counts: IntArray, blur: Blur | None) -> Left:
        """Measure it; nothing where published values mean nothing."""
        if blur is None:
            return Left((), ())
        known = np.array([label is not None for label in attribute.hierarchy.labels[0]])
        cells = np.where(known, counts, 0)
        worth: tuple[Figure, ...] = ()
        risk: tuple[Figure, ...] = (unchanged(cells, blur),)
        if attribute.positions is not None:
            worth = value_worth(attribute.positions, cells, blur)
            risk += value_risk(attribute.positions, cells, blur)
            if isinstance(blur, Pairs):
                worth += of_pairs(attribute.name, attribute.positions, blur)
        return Left(worth, risk + (guess_risk(cells, blur) if isinstance(blur, (Pairs, Alike)) else ()))


def counted(engine: Engine[T], table: T, column: Column) -> tuple[Attribute, IntArray]:
    """A column bound to its values without its hierarchy, and (n_leaves,) cells of each."""
    marginal = engine.summarize(table, MarginalOf(column.name))
    attribute = bind(replace(column, hierarchy=None), in_order(marginal.values))
    place = {label: i for i, label in enumerate(attribute.hierarchy.labels[0])}
    counts = np.zeros(len(place), np.int64)
    counts[[place[value] for value in marginal.values]] = marginal.counts
    return attribute, counts
