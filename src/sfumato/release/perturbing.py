"""How are single columns of a plan perturbed? Methods by name, what they decide, and what is measured of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.errors import PlanError
from sfumato.mechanism.perturb.noise import Noise
from sfumato.mechanism.perturb.noise_law import NoiseName
from sfumato.mechanism.perturb.pram_column import PramColumn
from sfumato.mechanism.perturb.rank_swap import RankSwapping
from sfumato.release.binding import in_order
from sfumato.release.document import Section
from sfumato.risk.perturbed import guess_risk, unchanged, value_risk
from sfumato.summary.blur import Pairs
from sfumato.table.attribute import bind
from sfumato.table.schema import Kind, Role
from sfumato.utility.perturbed import value_worth

if TYPE_CHECKING:
    from sfumato.engine.base import Engine
    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.perturb.column_method import ColumnMethod
    from sfumato.recipe.steps import ColumnStep
    from sfumato.release.methods import Tools
    from sfumato.release.plan import PerturbChoice, Plan
    from sfumato.summary.blur import Blur
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
    left = Left.of(attribute, counts, decision.blur)
    return PerturbedColumn(
        column=one.column.name,
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
        return Left(worth, risk + (guess_risk(cells, blur) if isinstance(blur, Pairs) else ()))


def counted(engine: Engine[T], table: T, column: Column) -> tuple[Attribute, IntArray]:
    """A column bound to its values without its hierarchy, and (n_leaves,) cells of each."""
    marginal = engine.marginal(table, column.name)
    attribute = bind(replace(column, hierarchy=None), in_order(marginal.values))
    place = {label: i for i, label in enumerate(attribute.hierarchy.labels[0])}
    counts = np.zeros(len(place), np.int64)
    counts[[place[value] for value in marginal.values]] = marginal.counts
    return attribute, counts


def _pram(column: Column, section: Section, choice: PerturbChoice, tools: Tools) -> ColumnMethod:
    """Post-randomization."""
    del column, choice, tools
    return PramColumn(section.texts("values"), section.required("keep", float), section.optional("invariant", float))


def _noise(column: Column, section: Section, choice: PerturbChoice, tools: Tools) -> ColumnMethod:
    """Added noise; its deviation in units of the column, or as a share of the declared range."""
    del choice, tools
    deviation, share = section.optional("deviation", float), section.optional("relative", float)
    if (deviation is None) == (share is None):
        raise PlanError(f"{section.where} must say either `deviation` or `relative`.", "give one of them.")
    clamp = section.default("clamp", bool, value=False)
    if (share is not None or clamp) and column.bounds is None:
        raise PlanError(
            f"`relative` and `clamp` in {section.where} need the declared range of the column.",
            f"add `bounds = [lowest, highest]` to [columns.{column.name}].",
        )
    low, high = (Fraction(str(end)) for end in column.bounds or (0.0, 0.0))
    spread = Fraction(str(deviation)) if share is None else Fraction(str(share)) * (high - low)
    return Noise(section.choice("law", NoiseName), spread, _step(column, section), (low, high) if clamp else None)


def _step(column: Column, section: Section) -> Decimal:
    """In which steps numbers are published: 1 for whole numbers and days."""
    if column.kind is Kind.DECIMAL:
        return Decimal(str(section.required("step", float)))
    step = section.default("step", float, 1.0)
    if step != int(step):
        raise PlanError(f"`step` in {section.where} must be whole for whole numbers and days.", "give such as 1.")
    return Decimal(int(step))


def _rank_swapping(column: Column, section: Section, choice: PerturbChoice, tools: Tools) -> ColumnMethod:
    """Exchange of values that are near in rank."""
    del column, choice, tools
    return RankSwapping(Fraction(str(section.required("share", float))))


_NAMING = frozenset[str]()
"""Methods that give pseudonyms."""

_BUILDERS: dict[str, Builder] = {"pram": _pram, "noise": _noise, "rank-swapping": _rank_swapping}
