"""What is kept of a run that published two tables: the same document as of any release; its classes are buckets."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

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
from sfumato.mechanism.recode.decision import Search
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

if TYPE_CHECKING:
    from sfumato.release.anatomy.measure import MeasuredTwo, Two
    from sfumato.table.attribute import Attribute

_OPEN = (
    "A class is a bucket here: the quasi-identifiers of its rows are published as they are, and who is in the table is told.",
    "Columns that go together in the world can be learned from the two tables and tell more than the buckets do: see risk.",
)


def result_of_two(outcome: Two, measured: MeasuredTwo) -> ReleaseResult:
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
