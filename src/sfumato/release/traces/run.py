"""The stages of a run that releases fixes: read, protected, written, read again, attacked."""

from __future__ import annotations

from dataclasses import asdict, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sfumato.document.result.release import Done, Person, Promise, ReleaseResult, Risks
from sfumato.document.result.traces import TraceRows, TracesFound
from sfumato.errors import InternalError, NoSolution
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct
from sfumato.numbers.enclosure import round_up
from sfumato.release.measure import SEED
from sfumato.release.record import column_entries, envelope, finite, source_table, told, worth_of, written_files
from sfumato.release.reread import read_again
from sfumato.release.traces.maps import flow_map, heat_map
from sfumato.release.traces.measures import MEASURES, RISKS, Case
from sfumato.release.traces.protections import most_reports, piece_of
from sfumato.release.traces.reading import Read, read_table
from sfumato.release.traces.rows import read_rows, rows_of, unit_of
from sfumato.summary.figure import Figure
from sfumato.table.source import Dialect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.result.release import Worth
    from sfumato.document.result.traces import Bounded, TraceFlowMap, TraceMap, TriedRisk
    from sfumato.document.traces import TracesDocument
    from sfumato.engine.base import Receipt
    from sfumato.guarantee.base import Guarantee
    from sfumato.release.pipeline import Outcome, Run
    from sfumato.release.traces.protections import Given, Protection
    from sfumato.release.traces.rows import Rows
    from sfumato.table.plane import Region
    from sfumato.table.traces import Traces

MOST_MEASURED = 2_000_000
"""Fixes that are measured and attacked at most: persons are drawn at random until theirs are as many."""


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """What follows from the plan alone.

    Args:
        said: the plan.
        region: its cells.
        given: what protections know.
        protections: what is done, in turn.
    """

    said: TracesDocument
    region: Region
    given: Given
    protections: tuple[Protection, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """What will be released.

    Args:
        traces: protected.
        rows: what is written of them.
        promises: those of the protections that make one.
        reports: most fixes of a person, or person and week, before each protection.
    """

    traces: Traces
    rows: Rows
    promises: tuple[Guarantee, ...]
    reports: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything measured of a release of traces."""

    worth: tuple[Worth, ...]
    risk_before: tuple[Figure, ...]
    risk_after: tuple[Figure, ...]
    tried: tuple[TriedRisk, ...]
    map: TraceMap
    flows: TraceFlowMap
    persons: int


TracesOutcome: TypeAlias = "Outcome[Built, Read, Decided, Traces | None]"
"""A run that released fixes."""


def summarize(run: Run[Built]) -> Read:
    """The table as traces."""
    return read_table(run.engine, run.table, run.built.said.traces, run.built.region)


def decide(run: Run[Built], counted: Read) -> Decided:
    """Protect the fixes in turn, number the persons.

    Raises:
        NoSolution: no fix is left.
    """
    said, traces = run.built.said, counted.traces
    promises, reports = [], []
    for place, protection in enumerate(run.built.protections):
        reports.append(most_reports(traces, said.unit.per))
        promise = protection.guarantee(reports[-1])
        if promise is not None:
            promises.append(_of_unit(promise, said.unit.per, place))
        traces = protection.protect(traces, run.tools)
    if not len(traces):
        raise NoSolution(
            "A release must hold a fix; nothing is left of these traces.",
            "protect less (such as Promesse with fewer metres), or check the region.",
        )
    piece = piece_of(traces, run.built.given)
    rows = rows_of(traces, piece, said.persons, said.traces.written, bits=run.tools.bits)
    return Decided(traces, rows, tuple(promises), tuple(reports))


def _of_unit(promise: Guarantee, per: str, place: int) -> Guarantee:
    """A promise with what it is about: whose reports are counted, and of which positions."""
    more = []
    if per == "week":
        more.append("Reports of a person in one local week are counted; those of other weeks come on top.")
    if place:
        more.append("The promise is about the positions that the protection before it made, not about recorded ones.")
    return replace(promise, assumptions=(*promise.assumptions, *more))


def tables(run: Run[Built], counted: Read, decided: Decided) -> tuple[Any]:
    """Person (unless dropped), time, latitude, longitude."""
    del counted
    return (run.engine.make(decided.rows.columns(run.built.said.traces)),)


def verify(run: Run[Built], counted: Read, decided: Decided, receipts: Sequence[Receipt]) -> Traces | None:
    """The written traces, persons by released numbers; None where no person is told.

    Raises:
        InternalError: they are not those decided, or not as the last protection leaves traces.
    """
    del counted
    plain = replace(run.plan, source=None)  # texts that mean "missing" in the source mean nothing here
    written = read_again(run.engine, plain, replace(run.header, dialect=Dialect()), receipts[0], bits=run.tools.bits)
    said, rows = run.built.said, decided.rows
    again = read_rows(run.engine, written, said.traces, rows)
    if again is None or not rows.are(again):
        raise InternalError("The written fixes differ from those decided; they must not be used.")
    if said.persons == "dropped":
        return None
    seen = rows.traces(said.traces.zone)
    if run.built.protections:
        run.built.protections[-1].refuse(seen, unit_of(said.traces.written))
    return seen


def measure(outcome: TracesOutcome) -> Measured:
    """What the release is worth, and what attacks get, before and after; of many fixes on persons drawn at random."""
    case = case_of_run(outcome, np.random.default_rng(SEED))
    worth = tuple(figure for measured in MEASURES for figure in measured(case))
    tried = tuple(risk(case) for risk in RISKS)
    return Measured(
        worth=worth,
        risk_before=tuple(_figure(one, one.before) for one in tried),
        risk_after=tuple(_figure(one, one.after) for one in tried),
        tried=tried,
        map=heat_map(case),
        flows=flow_map(case),
        persons=len(distinct(case.before.person)),
    )


def case_of_run(outcome: TracesOutcome, rng: np.random.Generator) -> Case:
    """What is measured: persons with 2 000 000 fixes together at most, but at least one."""
    before, rows, seen = outcome.counted.traces, outcome.decided.rows, outcome.published
    said, truth = outcome.run.built.said, outcome.decided.rows.truth
    if len(before) > MOST_MEASURED:
        drawn = rng.permutation(len(before.persons))
        together = np.cumsum(np.diff(before.starts)[drawn])
        chosen = np.zeros(len(before.persons), bool)
        chosen[drawn[: max(1, int((together <= MOST_MEASURED).sum()))]] = True
        before, rows = before.kept(chosen[before.person]), rows.of(chosen)
        seen = None if seen is None else seen.kept(chosen[truth[seen.person]])
    return Case(
        before=before,
        after=rows.of_origin(before.zone, before.persons),
        seen=seen,
        truth=truth,
        region=outcome.run.built.region,
        said=said.measure,
        gap=said.traces.gap,
        by_day=said.traces.by_day,
        rng=rng,
    )


def _figure(one: TriedRisk, found: Bounded | None) -> Figure:
    """A tried risk as one number."""
    return Figure(one.name, one.label, None if found is None else found.value, one.definition, one.source)


def record(outcome: TracesOutcome, measured: Measured) -> ReleaseResult:
    """The documented result of a run."""
    plan, counted, decided, method = outcome.plan, outcome.counted, outcome.decided, outcome.run.method
    said = outcome.run.built.said
    return ReleaseResult(
        **envelope(plan),
        source=source_table(outcome.header, plan.source),
        unit=Person(person=said.traces.person, persons=len(counted.traces.persons)),
        columns=column_entries(plan, ()),
        done=Done(method=method.name, summary=method.done, why=method.why),
        paid=outcome.paid,
        promise=tuple(_promised(one) for one in decided.promises),
        worth=tuple(worth_of(figure, figure.before) for figure in measured.worth),
        risk=Risks(before=finite(measured.risk_before), after=finite(measured.risk_after)),
        traces=_found(outcome, measured),
        notes=(*outcome.header.notes, *_notes(outcome), *_sampled(outcome, measured)),
        files=written_files(outcome.receipts[:1]),
    )


def _promised(guarantee: Guarantee) -> Promise:
    """A promise by theorem; that the cells are those of the region was checked on the written table."""
    rounded = {key: round_up(n) if isinstance(n, Fraction) else n for key, n in guarantee.parameters.items()}
    checked = "on the written release, read again: it is the one that was drawn"
    return Promise(**told(replace(guarantee, parameters=rounded)), holds=True, checked=checked)


def _found(outcome: TracesOutcome, measured: Measured) -> TracesFound:
    """What is kept of traces beside what every release has."""
    counted, decided, built = outcome.counted, outcome.decided, outcome.run.built
    said = built.said
    return TracesFound(
        read=TraceRows(**asdict(counted.cleaning), outside=counted.outside),
        zone=said.traces.zone,
        latitude=said.region.latitude,
        longitude=said.region.longitude,
        persons_before=len(distinct(counted.traces.person)),
        persons_after=len(distinct(decided.rows.origin)),
        fixes_before=len(counted.traces),
        fixes_after=len(decided.rows.time),
        persons=said.persons,
        per=said.unit.per,
        reports=decided.reports[0] if decided.reports else most_reports(counted.traces, said.unit.per),
        protected=tuple(one.done for one in built.protections),
        tried=measured.tried,
        map=measured.map,
        flows=measured.flows,
    )


NO_PROMISE = "No formal promise is made of these traces: whoever knows more than the attacks that were tried may find persons in them."
_PERSONS = {
    "renamed": "Persons have numbers that were drawn anew; who they were is kept nowhere.",
    "renamed-by-piece": "Each piece of a trace has a number of its own, drawn anew; who they were is kept nowhere.",
    "kept": "Persons stand in the release as in the original.",
    "dropped": "No person is told; rows are sorted by time and place.",
}


def _notes(outcome: TracesOutcome) -> list[str]:
    """What a reader should know."""
    said, names = outcome.run.built.said, outcome.header.names
    others = [name for name in names if name not in {column.name for column in outcome.plan.schema.columns}]
    out = [_PERSONS[said.persons]]
    if not outcome.decided.promises:
        out.append(NO_PROMISE)
    if others:
        listed = ", ".join(map(repr, others))
        out.append(f"Columns that are none of the four are left out: {listed}.")
    return [*out, "Times are released as the protections leave them; that somebody was out at a time is not hidden."]


def _sampled(outcome: TracesOutcome, measured: Measured) -> list[str]:
    """That only some persons were measured."""
    every = len(distinct(outcome.counted.traces.person))
    if measured.persons == every:
        return []
    n = measured.persons
    return [
        f"Worth, maps and attacks were measured on {n} of {every} persons, drawn at random; among fewer, more are alone."
    ]
