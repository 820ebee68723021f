"""The stages of a run that publishes two tables: rows dealt into buckets, both tables written and read again.

What is kept of it is the same document as of any release; its classes are buckets.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from sfumato.document.result.release import (
    Done,
    Person,
    Promise,
    RecodedColumn,
    ReleaseResult,
    Risks,
    SizesOfClasses,
    Suppressed,
)
from sfumato.frozen import dataclass
from sfumato.mechanism.recode.decision import Search
from sfumato.recipe.recipe import Recipe, RowOrder
from sfumato.recipe.steps import Bucket, Drop
from sfumato.release.anatomy.choice import BUCKET, COUNT, sensitive_column
from sfumato.release.anatomy.measure import measure_two as measure
from sfumato.release.anatomy.reread import check_same, pair_from
from sfumato.release.binding import bind_role
from sfumato.release.method.method import Phase
from sfumato.release.record import (
    class_sizes,
    column_entries,
    envelope,
    finite,
    promise_of,
    shown_labels,
    size_counts,
    source_table,
    worth_of,
    written_files,
)
from sfumato.release.reread import check, read_again
from sfumato.summary.ask import Tuples
from sfumato.table.schema import Role
from sfumato.table.source import Dialect, FileSink

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Receipt
    from sfumato.mechanism.bucket.decision import BucketDecision, BucketMethod
    from sfumato.release.anatomy.measure import MeasuredTwo, Two
    from sfumato.release.pipeline import Run
    from sfumato.release.plan import Plan
    from sfumato.summary.classes import Classes
    from sfumato.summary.pair import Pair
    from sfumato.table.attribute import Attribute
    from sfumato.table.source import Sink

__all__ = ["decide", "measure", "record", "summarize", "tables", "verify"]

T = TypeVar("T")

_OPEN = (
    "A class is a bucket here: the quasi-identifiers of its rows are published as they are, and who is in the table is told.",
    "Columns that go together in the world can be learned from the two tables and tell more than the buckets do: see risk.",
)


def record(outcome: Two, measured: MeasuredTwo) -> ReleaseResult:
    """The documented result of a run."""
    plan, counted, buckets = outcome.plan, outcome.counted, outcome.published.classes()
    return ReleaseResult(
        **envelope(plan),
        source=source_table(outcome.header, plan.source),
        unit=Person(person=plan.schema.person, persons=counted.joint.n_rows),
        columns=column_entries(plan, counted.both),
        done=_done(outcome),
        promise=tuple(_of_buckets(promise_of(promise, buckets)) for promise in plan.promises),
        worth=tuple(worth_of(figure) for figure in measured.worth),
        risk=Risks(before=finite(measured.risk_before), after=finite(measured.risk_after)),
        wp216=measured.wp216,
        class_sizes=SizesOfClasses(before=size_counts(counted.finest.rows), after=size_counts(buckets.rows)),
        subsets=measured.subsets,
        notes=tuple(measured.notes),
        files=written_files(outcome.receipts),
    )


def _done(outcome: Two) -> Done:
    """What was done and why."""
    method, decision = outcome.run.method, outcome.decided
    return Done(
        method=method.name,
        summary=method.done,
        why=method.why,
        attributes=tuple(_as_it_is(outcome, j, attribute) for j, attribute in enumerate(outcome.counted.attributes)),
        search=Search(lattice_size=None, checked=decision.tried, optimal=False, statement=decision.statement),
        suppressed=Suppressed(rows=0, share=0.0),
        classes=class_sizes(outcome.published.sizes),
    )


def _as_it_is(outcome: Two, j: int, attribute: Attribute) -> RecodedColumn:
    """A quasi-identifier, published as it is."""
    leaves, pair = attribute.hierarchy.labels[0], outcome.published
    rows = np.bincount(pair.codes[:, j], weights=pair.rows, minlength=len(leaves))
    labels, n_labels = shown_labels(leaves, rows)
    return RecodedColumn(
        name=attribute.name, level=0, height=attribute.hierarchy.height, labels=labels, n_labels=n_labels
    )


def _of_buckets(promise: Promise) -> Promise:
    """A promise on buckets, with what that means."""
    return replace(promise, assumptions=(*promise.assumptions, *_OPEN))


@dataclass(frozen=True, slots=True, eq=False)
class Counted(Generic[T]):
    """What is known of a source before rows are dealt into buckets.

    Args:
        table: the source as the engine holds it, single-column steps done.
        attributes: the quasi-identifiers, bound to their values.
        sensitive: the sensitive column, bound.
        joint: the distinct tuples of the source with the sensitive column as the last.
        finest: the distinct tuples of the quasi-identifiers, with the histogram of the sensitive column.
    """

    table: T
    attributes: tuple[Attribute, ...]
    sensitive: Attribute
    joint: Classes
    finest: Classes

    @property
    def both(self) -> tuple[Attribute, ...]:
        """The quasi-identifiers and the sensitive column."""
        return (*self.attributes, self.sensitive)


def summarize(run: Run[BucketMethod]) -> Counted[Any]:
    """Count the distinct tuples, with the sensitive column and beside it."""
    engine, plan, table = run.engine, run.plan, run.table
    for step in plan.first:
        table = engine.apply(table, Recipe(columns=(step,)), bits=run.tools.bits)
    run.begin(Phase.COUNTING)
    attributes = bind_role(engine, table, plan, Role.QUASI_IDENTIFYING)
    (sensitive,) = bind_role(engine, table, plan, Role.SENSITIVE)
    joint = engine.summarize(table, Tuples((*attributes, sensitive), person=plan.schema.person))
    finest = engine.summarize(table, Tuples(attributes, (sensitive,), person=plan.schema.person))
    return Counted(table, attributes, sensitive, joint, finest)


def decide(run: Run[BucketMethod], counted: Counted[Any]) -> BucketDecision:
    """Deal rows into buckets that keep every promise."""
    decision = run.built.decide(counted.joint, counted.both, bits=run.tools.bits)
    check(decision.pair.classes(), run.plan.promises)
    return decision


def tables(run: Run[BucketMethod], counted: Counted[Any], decided: BucketDecision) -> tuple[Any, Any]:
    """The table of rows and the table of values."""
    released = run.engine.apply(counted.table, _recipe(run.plan, counted, decided), bits=run.tools.bits)
    return released, run.engine.make(value_columns(decided.pair, _missing_text(run.plan, run.sink)))


def verify(run: Run[BucketMethod], counted: Counted[Any], decided: BucketDecision, receipts: Sequence[Receipt]) -> Pair:
    """The two tables as they were written, row for row those decided."""
    plainly = replace(run.header, dialect=Dialect())
    first, second = (
        read_again(run.engine, run.plan, header, receipt, bits=run.tools.bits)
        for header, receipt in zip((run.header, plainly), receipts, strict=True)
    )
    pair = pair_from(run.engine, first, second, counted.attributes, counted.sensitive)
    check_same(decided.pair, pair)
    check(pair.classes(), run.plan.promises)
    return pair


def value_columns(pair: Pair, missing: str | None) -> dict[str, Sequence[object]]:
    """The second table, sorted by bucket and value: bucket, value, rows that have it.

    Args:
        pair: the two tables.
        missing: how a missing value is written; None: as null.

    Example:
        >>> from sfumato.testing.buckets import six_persons
        >>> value_columns(six_persons(), None)
        {'bucket': [0, 0, 0, 1, 1], 'use': ['50', '60', '90', '70', '75'], 'count': [1, 1, 1, 2, 1]}
    """
    labels = [missing if label is None else label for label in pair.sensitive.hierarchy.labels[0]]
    return {
        BUCKET: pair.values.owner.tolist(),
        pair.sensitive.name: [labels[value] for value in pair.values.value.tolist()],
        COUNT: pair.values.count.tolist(),
    }


def _recipe(plan: Plan, counted: Counted[Any], decision: BucketDecision) -> Recipe:
    """The first table: identifiers and the sensitive column left out, a bucket number in front, rows shuffled."""
    gone = (*plan.schema.with_role(Role.IDENTIFYING), sensitive_column(plan))
    return Recipe(
        columns=tuple(Drop(column.name) for column in gone),
        classes=Bucket(BUCKET, counted.both, counted.joint.codes, decision.splits),
        row_order=RowOrder.SHUFFLED,
    )


def _missing_text(plan: Plan, sink: Sink) -> str | None:
    """How a missing sensitive value is written: by its first declared code, in files of text."""
    if plan.source is None or not isinstance(sink, FileSink):
        return None
    codes = (*plan.source.missing_in.get(sensitive_column(plan).name, ()), *plan.source.missing)
    return codes[0] if codes else None
