"""The stages of a run that recodes: rows counted by distinct tuple, a decision applied, the written classes read again."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import numpy as np

from sfumato.errors import InternalError
from sfumato.frozen import dataclass
from sfumato.recipe.recipe import Recipe
from sfumato.recipe.steps import Assign, Drop, TopBottom
from sfumato.release.binding import Countable, bind_role, countable, shared_names
from sfumato.release.measure import measure
from sfumato.release.method.method import Phase
from sfumato.release.personalized import counted_beside, taken
from sfumato.release.record import result_of as record
from sfumato.release.reread import READABLE, check, mark_of, published_of, read_again
from sfumato.release.sampling import with_population
from sfumato.summary.ask import Tuples
from sfumato.summary.centers import unread
from sfumato.table.schema import Kind, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Engine, Receipt
    from sfumato.mechanism.recode.decision import Decision, RecodeMethod
    from sfumato.noise.bits import Bits
    from sfumato.recipe.steps import Round
    from sfumato.release.personalized import Wish
    from sfumato.release.perturbing import PerturbedColumn, Wanted
    from sfumato.release.pipeline import Outcome, Run
    from sfumato.release.plan import Plan
    from sfumato.summary.classes import Classes
    from sfumato.summary.published import Published
    from sfumato.table.attribute import Attribute
    from sfumato.table.schema import Schema
    from sfumato.types import IntArray

__all__ = ["decide", "measure", "record", "summarize", "tables", "verify"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Built:
    """What recodes and what perturbs, all options read.

    Args:
        wanted: the columns to perturb.
        mechanism: what decides the recoding.
        fixes_levels: whether the plan fixes the levels, so that no column may be generalized beforehand.
    """

    wanted: tuple[Wanted, ...]
    mechanism: RecodeMethod
    fixes_levels: bool


@dataclass(frozen=True, slots=True, eq=False)
class Counted(Generic[T]):
    """What is known of a source before anything is decided; the same for every mechanism and every promise.

    Args:
        table: the source as the engine holds it, single-column steps done.
        attributes: the quasi-identifiers, bound to their values.
        sensitive: the sensitive columns, bound.
        finest: the distinct tuples.
        coded: what top and bottom coding and rounding did.
        base: levels at which columns were counted.
        notes: what a reader should know of the source and of how it was counted.
        wishes: what persons asked for, each for themselves.
    """

    table: T
    attributes: tuple[Attribute, ...]
    sensitive: tuple[Attribute, ...]
    finest: Classes
    coded: tuple[PerturbedColumn, ...]
    base: tuple[int, ...]
    notes: tuple[str, ...]
    wishes: tuple[Wish, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Recoded:
    """What is done to the rows.

    Args:
        recoding: what the mechanism decided.
        perturbed: what is done to single columns beside recoding.
    """

    recoding: Decision
    perturbed: tuple[PerturbedColumn, ...]


RecodedOutcome: TypeAlias = "Outcome[Built, Counted[Any], Recoded, Published]"
"""A run that recoded rows."""


def summarize(run: Run[Built]) -> Counted[Any]:
    """Count the distinct tuples of a source.

    Neither the promises nor the measures of the plan are read, and of its method only whether it fixes levels.
    """
    engine, plan, bits = run.engine, run.plan, run.tools.bits
    table = run.table
    coded: tuple[PerturbedColumn, ...] = ()
    if plan.first:
        from sfumato.release.perturbing import code_first

        table, coded = code_first(engine, table, plan, bits=bits)
    run.begin(Phase.COUNTING)
    attributes = bind_role(engine, table, plan, Role.QUASI_IDENTIFYING)
    sensitive = tuple(a for a in bind_role(engine, table, plan, Role.SENSITIVE) if a.name not in plan.perturbed)
    coarse = Countable(table, attributes, (0,) * len(attributes))
    if run.header.n_rows > plan.most_tuples:
        coarse = countable(engine, table, attributes, plan, sensitive, bits, is_fixed=run.built.fixes_levels)
    table, attributes = coarse.table, coarse.attributes
    beside = counted_beside(engine, table, plan) if plan.counts_beside else ()
    table, finest = _counted(engine, table, plan, _ask(plan, attributes, (*sensitive, *beside)), bits)
    finest, wishes = taken(finest, plan, len(sensitive)) if beside else (finest, ())
    notes = (*run.header.notes, *([coarse.note] if coarse.note else []), *shared_names(attributes))
    notes = (*notes, *_notes_on_reading(plan.schema, plan.first))
    return Counted(table, attributes, sensitive, finest, coded, coarse.base, notes, wishes)


def decide(run: Run[Built], counted: Counted[Any]) -> Recoded:
    """How tuples are recoded, and every perturbed column."""
    decision = run.built.mechanism.decide(counted.finest, counted.attributes)
    check(decision.published, run.plan.promises)
    if not run.built.wanted:
        return Recoded(decision, counted.coded)
    from sfumato.release.perturbing import perturb

    perturbed = perturb(run.engine, counted.table, run.built.wanted, tools=run.tools)
    return Recoded(decision, (*counted.coded, *perturbed))


def tables(run: Run[Built], counted: Counted[Any], decided: Recoded) -> tuple[Any]:
    """The table that is published."""
    bits, table = run.tools.bits, counted.table
    if decided.perturbed:
        from sfumato.release.perturbing import changed_tuples

        table = changed_tuples(run.engine, table, decided.perturbed, bits=bits)
    return (run.engine.apply(table, _recipe(run.plan, decided), bits=bits),)


def verify(run: Run[Built], counted: Counted[Any], decided: Recoded, receipts: Sequence[Receipt]) -> Published:
    """What was written must be what was decided, class by class; by number of rows where classes are perturbed."""
    plan, decision = run.plan, decided.recoding
    published = published_of(
        run.engine,
        read_again(run.engine, plan, run.header, receipts[0], bits=run.tools.bits, is_unordered=True),
        counted.attributes,
        counted.sensitive,
        suppressed=mark_of(plan, decision.suppressed_rows),
    )
    if decision.centers:
        published = unread(published, decision.centers)
    _compare(plan, decision, published)
    return published


def _counted(engine: Engine[T], table: T, plan: Plan, ask: Tuples, bits: Bits) -> tuple[T, Classes]:
    """The rows that stay, and their distinct tuples; beside those of all rows where not all stay."""
    if plan.sample is None:
        return table, engine.summarize(table, ask)
    whole = engine.summarize(table, Tuples(ask.quasi_identifiers, person=ask.person))
    sample = engine.apply(table, Recipe(keep=plan.sample), bits=bits)
    return sample, with_population(engine.summarize(sample, ask), whole)


def _recipe(plan: Plan, decided: Recoded) -> Recipe:
    """What the engine is told: leave identifiers out, recode, suppress, perturb."""
    left_out = [column for column in plan.schema.with_role(Role.IDENTIFYING) if column.name not in plan.perturbed]
    drops = tuple(Drop(column.name) for column in left_out)
    changes = tuple(one.step for one in decided.perturbed if one.step is not None and not isinstance(one.step, Assign))
    return Recipe(
        columns=(*drops, *decided.recoding.columns, *changes),
        classes=decided.recoding.step,
        suppressed=plan.output.suppressed,
        row_order=plan.output.row_order,
        subset=plan.population.subset,
    )


def _ask(plan: Plan, attributes: tuple[Attribute, ...], sensitive: tuple[Attribute, ...]) -> Tuples:
    """What the promises and the measures of a plan need counted."""
    return Tuples(
        quasi_identifiers=attributes,
        sensitive=sensitive,
        person=plan.schema.person,
        personal_k=plan.personal_k,
        subset=plan.population.subset,
    )


def _compare(plan: Plan, decision: Decision, published: Published) -> None:
    """Refuse a written release that is not the one decided."""
    if plan.perturbs_quasi_identifiers:
        if published.n_rows != decision.published.n_rows:
            raise InternalError("The written release differs in rows from the one decided; it must not be used.")
        return
    decided = Counter(_sizes(decision.published.rows[decision.published.rows > 0]))
    decided.subtract(_sizes(published.classes.rows))
    extra = published.suppressed_rows - decision.suppressed_rows
    left = {size: count for size, count in decided.items() if count}
    if left and left != {extra: 1}:  # a class that is `*`, or missing, throughout reads like suppressed rows
        raise InternalError("The classes of the written release differ from those decided; it must not be used.")
    if plan.schema.person is None:
        own = tuple(promise for promise in plan.promises if not promise.needs - READABLE)
        check(published.classes, own)


def _sizes(rows: IntArray) -> dict[int, int]:
    """How many classes have each number of rows."""
    size, n = np.unique_counts(rows)
    return dict(zip(size.tolist(), n.tolist(), strict=True))


def _notes_on_reading(schema: Schema, first: tuple[TopBottom | Round, ...]) -> tuple[str, ...]:
    """What a reader of the release must know of how single columns are read and coded."""
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
