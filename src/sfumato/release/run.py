"""How is a plan carried out? Scan, summarize, decide, apply, write, verify, measure.

The price of this family is information, not budget: nothing is charged. What was decided is checked
three times: by the mechanism, on its decision, and on the file that was written.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from sfumato.errors import InternalError, NoSolution, PlanError, SourceError
from sfumato.guarantee.base import Criterion
from sfumato.recipe.recipe import Recipe
from sfumato.recipe.steps import Assign, Drop
from sfumato.release.accounted import charge
from sfumato.release.binding import bind_role, shared_names
from sfumato.release.coarsen import countable
from sfumato.release.methods import method_of
from sfumato.release.personalized import taken, wish_attributes
from sfumato.release.perturbing import changed_tuples, code_first, perturb, wanted_of
from sfumato.release.plan_columns import notes_on_reading
from sfumato.release.promised import READABLE
from sfumato.release.reread import mark_of, published_of, read_again
from sfumato.release.sampling import with_population
from sfumato.summary.ask import Tuples
from sfumato.summary.centers import unread
from sfumato.table.schema import Role
from sfumato.table.source import FrameSink, FrameSource

if TYPE_CHECKING:
    from sfumato.engine.base import Engine, Header, Receipt
    from sfumato.guarantee.base import TableCriterion
    from sfumato.mechanism.recode.decision import Decision
    from sfumato.noise.bits import Bits
    from sfumato.release.accounted import Charge
    from sfumato.release.methods import Tools
    from sfumato.release.personalized import Wish
    from sfumato.release.perturbing import PerturbedColumn
    from sfumato.release.plan import Plan
    from sfumato.summary.classes import Classes
    from sfumato.summary.published import Published
    from sfumato.table.attribute import Attribute
    from sfumato.table.source import Sink, Source


T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Outcome(Generic[T]):
    """Everything that is known after a run; `record` turns it into the result that is published.

    Args:
        plan: what was asked.
        header: what the source is.
        table: the source as the engine holds it, single-column steps done.
        attributes: the quasi-identifiers, bound to their values.
        sensitive: the sensitive columns, bound.
        finest: the distinct tuples of the source.
        decision: what the mechanism decided.
        published: the release as read again from where it was written.
        receipt: what was written.
        perturbed: what was done to single columns beside recoding.
        base: levels at which columns were counted; (): as they are.
        notes: what a reader should know of the source and of how it was counted.
        paid: what was charged to a ledger.
        wishes: what persons asked for, each for themselves.
    """

    plan: Plan
    header: Header
    table: T
    attributes: tuple[Attribute, ...]
    sensitive: tuple[Attribute, ...]
    finest: Classes
    decision: Decision
    published: Published
    receipt: Receipt
    perturbed: tuple[PerturbedColumn, ...] = ()
    base: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    paid: Charge | None = None
    wishes: tuple[Wish, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Prepared(Generic[T]):
    """What is known of a source before anything is decided; the same for every method and every promise.

    Args:
        header: what the source is.
        table: the source as the engine holds it, single-column steps done.
        attributes: the quasi-identifiers, bound to their values.
        sensitive: the sensitive columns, bound.
        finest: the distinct tuples.
        coded: what top and bottom coding and rounding did.
        base: levels at which columns were counted.
        notes: what a reader should know of it.
        wishes: what persons asked for.
    """

    header: Header
    table: T
    attributes: tuple[Attribute, ...]
    sensitive: tuple[Attribute, ...]
    finest: Classes
    coded: tuple[PerturbedColumn, ...]
    base: tuple[int, ...]
    notes: tuple[str, ...]
    wishes: tuple[Wish, ...]


def carry_out(
    plan: Plan, *, engine: Engine[T], tools: Tools, frame: object = None, draft: Sink | None = None
) -> Outcome[T]:
    """Run a plan from source to a verified draft of the release.

    Args:
        plan: what to do.
        engine: where data live.
        tools: secure chance, read only where the plan asks for it; the clock; and who is told of progress.
        frame: the table, when the plan names no source.
        draft: where the release is written until it is verified and measured; None: at its place.

    Raises:
        SfumatoError: of every kind; whoever named the draft removes it.
    """
    source, sink = ends(plan, frame)
    sink = draft or sink
    wanted_of(plan, tools)
    method_of(plan, tools)  # both refuse a wrong plan before anything is charged
    paid = charge(plan)
    prepared = prepare(plan, source, engine=engine, tools=tools)
    outcome = complete(plan, prepared, sink, engine=engine, tools=tools)
    return replace(outcome, paid=paid)


def prepare(plan: Plan, source: Source, *, engine: Engine[T], tools: Tools) -> Prepared[T]:
    """Read a source and count its distinct tuples.

    Args:
        plan: for its columns, first steps, sample, wishes and limit of tuples; neither its promises nor its measures
            are read, and of its method only whether it fixes levels.
        source: the table.
        engine: where data live.
        tools: secure chance for a sample, and who is told of progress.

    Raises:
        SourceError: the table has no row, or cannot be read.
        SchemaError: its columns are not those of the plan.
    """
    bits = tools.bits
    tools.progress(0, 5, "reading")
    table = engine.scan(source)
    header = engine.header(table)
    plan.schema.check_covers(header.names)
    if header.n_rows == 0:
        raise SourceError("A table must hold at least one row; this one has none.", "check the source.")
    table, coded = code_first(engine, table, plan, bits=bits)
    tools.progress(1, 5, "counting classes")
    attributes = bind_role(engine, table, plan, Role.QUASI_IDENTIFYING)
    sensitive = tuple(a for a in bind_role(engine, table, plan, Role.SENSITIVE) if a.name not in plan.perturbed)
    coarse = countable(engine, table, attributes, plan, sensitive, bits)
    table, attributes = coarse.table, coarse.attributes
    counted = (*sensitive, *wish_attributes(engine, table, plan))
    table, finest = _counted(engine, table, plan, _ask(plan, attributes, counted), bits)
    finest, wishes = taken(finest, plan, len(sensitive))
    notes = (*header.notes, *([coarse.note] if coarse.note else []), *shared_names(attributes))
    notes = (*notes, *notes_on_reading(plan.schema, plan.first))
    return Prepared(header, table, attributes, sensitive, finest, coded, coarse.base, notes, wishes)


def complete(plan: Plan, ready: Prepared[T], sink: Sink, *, engine: Engine[T], tools: Tools) -> Outcome[T]:
    """Decide, apply, write and verify.

    Args:
        plan: what to do; it must agree with the one that `ready` was prepared for.
        ready: the table and its distinct tuples.
        sink: where the release goes.
        engine: where data live.
        tools: see `carry_out`.

    Raises:
        NoSolution: the method finds no release that keeps the promises.
    """
    bits, progress, table = tools.bits, tools.progress, ready.table
    wanted, method = wanted_of(plan, tools), method_of(plan, tools)
    progress(2, 5, "deciding")
    decision = method.decide(ready.finest, ready.attributes)
    check(decision.published, plan.promises)
    perturbed = (*ready.coded, *perturb(engine, table, wanted, tools=tools))
    progress(3, 5, "writing")
    changed = changed_tuples(engine, table, perturbed, bits=bits)
    released = engine.apply(changed, recipe_of(plan, decision, perturbed), bits=bits)
    receipt = engine.write(released, sink)
    progress(4, 5, "verifying and measuring")
    published = published_of(
        engine,
        read_again(engine, plan, ready.header, receipt, bits=bits),
        ready.attributes,
        ready.sensitive,
        suppressed=mark_of(plan, decision.suppressed_rows),
    )
    published = unread(published, decision.centers)
    _verify(plan, decision, published)
    return Outcome(
        plan, ready.header, table, ready.attributes, ready.sensitive, ready.finest, decision, published, receipt,
        perturbed, ready.base, ready.notes, None, ready.wishes,
    )  # fmt: skip


def _counted(engine: Engine[T], table: T, plan: Plan, ask: Tuples, bits: Bits) -> tuple[T, Classes]:
    """The rows that stay, and their distinct tuples; beside those of all rows where not all stay."""
    if plan.sample is None:
        return table, engine.summarize(table, ask)
    whole = engine.summarize(table, Tuples(ask.quasi_identifiers, person=ask.person))
    sample = engine.apply(table, Recipe(keep=plan.sample), bits=bits)
    return sample, with_population(engine.summarize(sample, ask), whole)


def check(classes: Classes, promises: tuple[Criterion | TableCriterion, ...]) -> None:
    """Refuse classes that break a promise.

    Raises:
        NoSolution: some published class (or all together) does not satisfy a criterion.
    """
    for promise in promises:
        good = bool(promise.holds(classes).all()) if isinstance(promise, Criterion) else promise.holds_together(classes)
        if not good:
            raise NoSolution(
                "The release must satisfy {guarantee}; the method found none that does.",
                "allow more suppression, ask for less, or choose another method.",
                guarantee=promise.guarantee().name,
            )


def recipe_of(plan: Plan, decision: Decision, perturbed: tuple[PerturbedColumn, ...] = ()) -> Recipe:
    """What the engine is told: leave identifiers out, recode, suppress, perturb."""
    left_out = [column for column in plan.schema.with_role(Role.IDENTIFYING) if column.name not in plan.perturbed]
    drops = tuple(Drop(column.name) for column in left_out)
    changes = tuple(one.step for one in perturbed if one.step is not None and not isinstance(one.step, Assign))
    return Recipe(
        columns=(*drops, *decision.columns, *changes),
        classes=decision.step,
        suppressed=plan.output.suppressed,
        row_order=plan.output.row_order,
        subset=plan.population.subset,
    )


def ends(plan: Plan, frame: object) -> tuple[Source, Sink]:
    """Where the table comes from and where it goes."""
    if frame is not None:
        missing, missing_in = ((), {}) if plan.source is None else (plan.source.missing, plan.source.missing_in)
        return FrameSource(frame, missing, missing_in), FrameSink()
    if plan.source is None:
        raise PlanError("A plan that is run from a file must name its source.", "add [source] with `path` or `url`.")
    if plan.output.sink is None:
        raise PlanError("A plan that is run from a file must say where the release goes.", "add [output] `path`.")
    return plan.source, plan.output.sink


def _ask(plan: Plan, attributes: tuple[Attribute, ...], sensitive: tuple[Attribute, ...]) -> Tuples:
    """What the promises and the measures of a plan need counted."""
    return Tuples(
        quasi_identifiers=attributes,
        sensitive=sensitive,
        person=plan.schema.person,
        personal_k=plan.personal_k,
        subset=plan.population.subset,
    )


def _verify(plan: Plan, decision: Decision, published: Published) -> None:
    """What was written must be what was decided, class by class; by number of rows where classes are perturbed."""
    if plan.perturbs_quasi_identifiers:
        if published.n_rows != decision.published.n_rows:
            raise InternalError("The written release differs in rows from the one decided; it must not be used.")
        return
    decided = Counter(decision.published.rows[decision.published.rows > 0].tolist())
    decided.subtract(published.classes.rows.tolist())
    extra = published.suppressed_rows - decision.suppressed_rows
    left = {size: count for size, count in decided.items() if count}
    if left and left != {extra: 1}:  # a class that is `*`, or missing, throughout reads like suppressed rows
        raise InternalError("The classes of the written release differ from those decided; it must not be used.")
    if plan.schema.person is None:
        own = tuple(promise for promise in plan.promises if not promise.needs - READABLE)
        check(published.classes, own)
