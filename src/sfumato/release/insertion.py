"""The stages of a run that publishes a set of tuples: counted, drawn, written, read again, estimated from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from sfumato.document.result.release import (
    Done,
    Estimate,
    InsertedTuples,
    Person,
    ReleaseResult,
    Risks,
    SizesOfClasses,
    Suppressed,
)
from sfumato.errors import InternalError
from sfumato.frozen import dataclass
from sfumato.mechanism.recode.decision import Search
from sfumato.recipe.recipe import Recipe
from sfumato.release.binding import flat
from sfumato.release.measure import SEED
from sfumato.release.record import (
    column_entries,
    envelope,
    finite,
    promise_of,
    size_counts,
    source_table,
    worth_of,
    written_files,
)
from sfumato.release.reread import read_again
from sfumato.risk.profile import risk_profile
from sfumato.summary.ask import MarginalOf, Tuples
from sfumato.summary.classes import Classes
from sfumato.table.source import Dialect
from sfumato.utility.inserted import count_query_error, true_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Engine, Receipt
    from sfumato.mechanism.central.tuple_insertion import TupleInsertion
    from sfumato.release.insertion_choice import ColumnDomain, Insertion
    from sfumato.release.pipeline import Outcome, Run
    from sfumato.summary.figure import Figure
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

T = TypeVar("T")

_SHOWN = 8
"""Values of each column whose count is estimated in the result: the most frequent published ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """What is known of a source before tuples are drawn.

    Args:
        attributes: the columns, bound to the values of the source.
        finest: the distinct tuples of the source.
        true: (n, m) int64, distinct tuples of the source inside the domain, as labels of it; only for the judge.
    """

    attributes: tuple[Attribute, ...]
    finest: Classes
    true: IntArray


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything measured of a set of tuples.

    Args:
        worth: utility, against the table.
        risk_before: what an intruder gains from the original.
        risk_after: nothing: a unique tuple means nothing.
    """

    worth: tuple[Figure, ...]
    risk_before: tuple[Figure, ...]
    risk_after: tuple[Figure, ...] = ()


InsertedOutcome: TypeAlias = "Outcome[Insertion, Counted, IntArray, IntArray]"
"""A run that published a set of tuples."""


def summarize(run: Run[Insertion]) -> Counted:
    """The distinct tuples, and those inside the domain."""
    table = run.table
    for step in run.plan.first:
        table = run.engine.apply(table, Recipe(columns=(step,)), bits=run.tools.bits)
    attributes, finest = _counted(run.engine, table, run.built.domains)
    return Counted(attributes, finest, _inside(attributes, finest, run.built.domains))


def decide(run: Run[Insertion], counted: Counted) -> IntArray:
    """(n, m) int64: the published tuples."""
    return run.built.mechanism.decide(counted.true, bits=run.tools.bits)


def tables(run: Run[Insertion], counted: Counted, decided: IntArray) -> tuple[Any]:
    """The set, as columns of text."""
    del counted
    labels = {one.column: [one.labels[code] for code in decided[:, j]] for j, one in enumerate(run.built.domains)}
    return (run.engine.make(labels),)


def verify(run: Run[Insertion], counted: Counted, decided: IntArray, receipts: Sequence[Receipt]) -> IntArray:
    """(n, m) int64: the written tuples.

    Raises:
        InternalError: they are not those drawn.
    """
    del counted
    domains, plainly = run.built.domains, replace(run.header, dialect=Dialect())
    written = read_again(run.engine, run.plan, plainly, receipts[0], bits=run.tools.bits)
    again = _inside(*_counted(run.engine, written, domains), domains, is_published=True)
    if receipts[0].n_rows != len(decided) or not np.array_equal(again, decided):
        raise InternalError("The written tuples differ from those drawn; they must not be used.")
    return again


def measure(outcome: InsertedOutcome) -> Measured:
    """What the set is worth, measured against the table, and what an intruder gains from the table itself."""
    plan, mechanism, published = outcome.plan, outcome.run.built.mechanism, outcome.published
    risk = risk_profile(
        outcome.counted.finest, threshold=plan.measures.risk_threshold, population_size=plan.population.size
    )
    share, n = true_share(outcome.counted.true, published), plan.measures.queries
    if not n:
        return Measured((share,), risk)

    def estimate(found: int, domain: int) -> float:
        return mechanism.estimate(found, domain).value

    rng = np.random.default_rng(SEED)
    errors = count_query_error(estimate, mechanism.sizes, outcome.counted.true, published, n, rng=rng)
    return Measured((share, *errors), risk)


def _counted(engine: Engine[T], table: T, domains: Sequence[ColumnDomain]) -> tuple[tuple[Attribute, ...], Classes]:
    """The columns as texts without meaning, and their distinct tuples."""
    bound = tuple(flat(domain.column, engine.summarize(table, MarginalOf(domain.column)).values) for domain in domains)
    return bound, engine.summarize(table, Tuples(bound))


def _inside(
    attributes: Sequence[Attribute], finest: Classes, domains: Sequence[ColumnDomain], *, is_published: bool = False
) -> IntArray:
    """(n, m) int64: the distinct tuples inside the domain, sorted; others are left out without a word."""
    columns = [
        domain.codes_of(attribute.hierarchy.labels[0], is_published=is_published)[finest.codes[:, j]]
        for j, (attribute, domain) in enumerate(zip(attributes, domains, strict=True))
    ]
    codes = np.stack(columns, axis=1)
    return np.unique(codes[(codes >= 0).all(axis=1)], axis=0)


def record(outcome: InsertedOutcome, measured: Measured) -> ReleaseResult:
    """The documented result of a run."""
    plan, finest, published = outcome.plan, outcome.counted.finest, outcome.published
    ones = np.ones(len(published), np.int64)
    classes = Classes(published, ones, ones)
    return ReleaseResult(
        **envelope(plan),
        source=source_table(outcome.header, plan.source),
        unit=Person(person=None, persons=finest.n_rows),
        columns=column_entries(plan, outcome.counted.attributes),
        done=_done(outcome),
        paid=outcome.paid,
        promise=tuple(promise_of(promise, classes) for promise in plan.promises),
        insertion=_insertion(outcome),
        worth=tuple(worth_of(figure) for figure in measured.worth),
        risk=Risks(before=finite(measured.risk_before)),
        class_sizes=SizesOfClasses(before=size_counts(finest.rows)),
        notes=(*outcome.header.notes, _NOTE),
        files=written_files(outcome.receipts[:1]),
    )


_NOTE = (
    "Published tuples are a set in the order of the domain: some are of the table, others were inserted, and nobody can "
    "tell which. A unique tuple means nothing, so no risk was read off class sizes. Count with the estimator."
)


def _done(outcome: InsertedOutcome) -> Done:
    """What was done and why."""
    method, mechanism = outcome.run.method, outcome.run.built.mechanism
    text = (
        f"A tuple of the table was published with probability {float(mechanism.alpha + mechanism.beta):.6g}, any other of the "
        f"{mechanism.domain_size} tuples of the domain with {float(mechanism.beta):.6g}."
    )
    return Done(
        method=method.name,
        summary=method.done,
        why=method.why,
        search=Search(lattice_size=None, checked=1, optimal=False, statement=text),
        suppressed=Suppressed(rows=0, share=0.0),
    )


def _insertion(outcome: InsertedOutcome) -> InsertedTuples:
    """Both chances, exactly, and estimated counts: all from the published set."""
    method, published = outcome.run.built.mechanism, outcome.published
    every = [_estimate(method, "", "", len(published), method.domain_size)]
    for j, domain in enumerate(outcome.run.built.domains):
        counts = np.bincount(published[:, j], minlength=len(domain.labels))
        share = method.domain_size // len(domain.labels)
        best = np.argsort(-counts, kind="stable")[:_SHOWN].tolist()
        every += [_estimate(method, domain.column, domain.labels[i], int(counts[i]), share) for i in best]
    return InsertedTuples(
        alpha=str(method.alpha),
        beta=str(method.beta),
        domain=method.domain_size,
        published=len(published),
        estimates=tuple(every),
    )


def _estimate(method: TupleInsertion, column: str, value: str, published: int, domain: int) -> Estimate:
    """The estimated number of distinct tuples of the table with one value; of all of them where none is named."""
    found = method.estimate(published, domain)
    return Estimate(
        column=column,
        value=value,
        published=published,
        domain=domain,
        estimate=found.value,
        deviation=found.variance**0.5,
    )
