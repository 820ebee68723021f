"""The stages of a run that releases statistics of a graph: read, counted with noise, written, read again.

Nothing that is exact of the edges leaves this module: no number of rows, loops or doubles, and no figure of the original.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sfumato.account.event import to_data
from sfumato.document.result.graph import GraphFound
from sfumato.document.result.release import Done, Person, Promise, ReleaseResult, Worth
from sfumato.document.result.trace_statistics import StatisticTold
from sfumato.errors import InternalError
from sfumato.frozen import dataclass
from sfumato.release.graph.reading import edges_of, handle_again
from sfumato.release.promised import promised
from sfumato.release.record import column_entries, envelope, source_table, told, written_files
from sfumato.summary.fixes import FixesOf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.graph import GraphTable
    from sfumato.document.result.release import SourceTable
    from sfumato.engine.base import Receipt
    from sfumato.guarantee.base import Guarantee
    from sfumato.release.graph.plan import Asked
    from sfumato.release.graph.statistic import Found
    from sfumato.release.pipeline import Outcome, Run
    from sfumato.table.named_graph import NamedGraph
    from sfumato.types import FloatArray

_GREATEST = 20
"""Numbers of each table that the result tells; the table has them all."""
PUBLIC_VERTICES = "The vertices are public; nothing else than their edges is protected."
OF_EDGES = "No table lists the vertices: that somebody has an edge at all is public, and is told by the release."
PRIVATE = (
    "Numbers of rows, edges, loops and doubles are private, and told nowhere; loops are left out, and edges between the "
    "same two vertices are one edge."
)


@dataclass(frozen=True, slots=True)
class Measured:
    """How wrong the numbers are."""

    worth: tuple[Worth, ...] = ()
    risk_after: tuple[()] = ()


GraphOutcome: TypeAlias = "Outcome[Asked, NamedGraph, tuple[Found, ...], None]"
"""A run that released statistics of a graph."""


def promise_of(asked: Asked) -> Guarantee:
    """What all statistics together promise, and which vertices are public.

    Raises:
        PlanError: prices with a δ or a ρ, and no δ at which they can be told together.
    """
    return with_vertices(promised(asked.event, asked.unit, asked.said.answers.delta), asked.said.graph)


def with_vertices(found: Guarantee, said: GraphTable) -> Guarantee:
    """A promise with what is public of a graph."""
    which = OF_EDGES if said.vertices is None else PUBLIC_VERTICES
    return replace(found, assumptions=(*found.assumptions, which))


def summarize(run: Run[Asked]) -> NamedGraph:
    """The table as a graph."""
    return edges_of(run.engine, run.table, run.built.said.graph, run.plan.vertices).named


def decide(run: Run[Asked], counted: NamedGraph) -> tuple[Found, ...]:
    """The noisy numbers of all statistics."""
    confidence = run.built.said.answers.confidence
    return tuple(one.found(counted, confidence=confidence, bits=run.tools.bits) for one in run.built.statistics)


def tables(run: Run[Asked], counted: NamedGraph, decided: tuple[Found, ...]) -> tuple[Any, ...]:
    """One table for each statistic: its keys, and its numbers with their intervals."""
    del counted
    return tuple(run.engine.make(one.columns()) for one in decided)


def verify(run: Run[Asked], counted: NamedGraph, decided: tuple[Found, ...], receipts: Sequence[Receipt]) -> None:
    """Read again what was written.

    Raises:
        InternalError: it is not what was decided.
    """
    del counted
    for one, receipt in zip(decided, receipts, strict=True):
        again = handle_again(run, receipt)
        names, number = list(one.columns()), one.statistic.number
        found = run.engine.summarize(again, FixesOf(names[0], names[0], number, names[-1]))
        written, high = np.stack([found.latitude, found.longitude]), one.values if names[-1] == number else one.high
        if receipt.n_rows != len(one.values) or not _same(np.stack([one.values, high]), written):
            raise InternalError("The written statistics differ from those decided; they must not be used.")


def _same(one: FloatArray, other: FloatArray) -> bool:
    """Whether two tables hold the same rows in any order; a number that is not finite is written as missing."""
    first, second = (np.where(np.isfinite(x), x, -1e300) for x in (one, other))
    if first.shape != second.shape:
        return False
    return np.array_equal(first[:, np.lexsort(first)], second[:, np.lexsort(second)])


def measure(outcome: GraphOutcome) -> Measured:
    """How wide the intervals of each statistic are: half of one, on average."""
    return Measured(tuple(_worth(i, one) for i, one in enumerate(outcome.decided) if np.isfinite(one.confidence)))


def _worth(place: int, one: Found) -> Worth:
    """Half the width of an interval."""
    return Worth(
        f"half_width_{place}",
        f"Half width of intervals, {one.statistic.title}",
        float(np.mean(one.high - one.low) / 2) if len(one.values) else 0.0,
        "Half the width of an interval of one number, on average over the numbers: by how much noise may have moved it.",
        "computed from the law of the noise",
        "lower",
        before=0.0,
    )


def record(outcome: GraphOutcome, measured: Measured) -> ReleaseResult:
    """The documented result of a run, which tells nothing of the edges that was not paid for."""
    plan, method, asked = outcome.plan, outcome.run.method, outcome.run.built
    source = told_source(outcome)
    checked = "the written numbers were read again and are those that were drawn"
    return ReleaseResult(
        **envelope(plan),
        source=source,
        unit=Person(person=None, persons=None),
        columns=column_entries(plan, ()),
        done=Done(method=method.name, summary=method.done, why=method.why),
        paid=outcome.paid,
        promise=(Promise(**told(promise_of(asked)), holds=True, checked=checked),),
        graph=GraphFound(
            unit=asked.unit.sentence,
            vertices=outcome.counted.graph.vertices,
            listed=outcome.counted.listed,
            tables=tuple(map(_told, outcome.decided)),
        ),
        worth=measured.worth,
        notes=(PRIVATE,),
        files=written_files(outcome.receipts),
    )


def told_source(outcome: Outcome[Any, Any, Any, Any]) -> SourceTable:
    """The source without what is private of its edges."""
    return replace(source_table(outcome.header, outcome.plan.source), rows=None, sha256=None)


def _told(one: Found) -> StatisticTold:
    """One table by its greatest numbers; those that are counted up stand in their order."""
    order = np.arange(len(one.values))
    if all(of != "counted" for _, of in one.statistic.axes):
        order = np.argsort(-np.nan_to_num(one.values, nan=-np.inf), kind="stable")
    chosen = order[:_GREATEST].tolist()

    def rows(given: FloatArray) -> tuple[tuple[float | None, ...], ...]:
        return tuple((float(given[i]) if np.isfinite(given[i]) else None,) for i in chosen)

    statistic = one.statistic
    return StatisticTold(
        title=statistic.title, by=tuple(name for name, _ in statistic.axes), cells=(statistic.number,),
        shown=len(one.values), mechanism=one.mechanism.name, price=statistic.price, cost=to_data(one.mechanism.event),
        sensitivity=one.mechanism.argument, confidence=one.confidence if np.isfinite(one.confidence) else None,
        keys=tuple(tuple(str(key[i]) for key in one.keys) for i in chosen),
        values=rows(one.values), low=rows(one.low), high=rows(one.high), notes=statistic.notes,
    )  # fmt: skip
