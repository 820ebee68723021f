"""The one way from a plan to a verified draft of its release: charge, summarize, decide, write, verify.

What differs between methods is declared by each of them (`release.method`); nothing here knows one. What was decided is
checked on the decision and again on what was written.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sfumato.document.loading import about
from sfumato.errors import PlanError, SourceError
from sfumato.frozen import dataclass
from sfumato.release.accounted import charge
from sfumato.release.method.method import Phase
from sfumato.release.method.registry import method_named
from sfumato.release.places import beside
from sfumato.table.source import FileSink, FrameSink, FrameSource, in_kind

if TYPE_CHECKING:
    from sfumato.document.result.release import Paid
    from sfumato.engine.base import Engine, Header, Receipt
    from sfumato.release.method.method import Method, Stages
    from sfumato.release.plan import Plan
    from sfumato.release.tools import Tools
    from sfumato.table.source import Sink, Source

B = TypeVar("B")
S = TypeVar("S")
D = TypeVar("D")
P = TypeVar("P")


@dataclass(frozen=True, slots=True, eq=False)
class Run(Generic[B]):
    """A run whose source was opened.

    Args:
        plan: what was asked.
        method: the method that the plan names.
        stages: what carries it out.
        built: what it made of the plan.
        engine: where data live.
        tools: secure chance, read only where the plan asks for it; the clock; and who is told of progress.
        table: the source as the engine holds it.
        header: what the source is.
        sink: where the release is written until it is verified.
    """

    plan: Plan
    method: Method[Any, B]
    stages: Stages[B, Any, Any, Any]
    built: B
    engine: Engine[Any]
    tools: Tools
    table: Any
    header: Header
    sink: Sink

    def begin(self, phase: Phase) -> None:
        """Tell that a phase begins, if the method has it."""
        phases = self.method.phases
        if phase in phases:
            self.tools.progress(list(phases).index(phase), len(phases), phases[phase])


@dataclass(frozen=True, slots=True, eq=False)
class Outcome(Generic[B, S, D, P]):
    """Everything that is known after a run whose release was written and verified.

    Args:
        run: what was carried out.
        counted: what the method counted.
        decided: what it decided.
        receipts: what was written, table by table.
        published: the release as read again from where it was written.
        paid: what was charged to a ledger; None: nothing.
    """

    run: Run[B]
    counted: S
    decided: D
    receipts: tuple[Receipt, ...]
    published: P
    paid: Paid | None = None

    @property
    def plan(self) -> Plan:
        """What was asked."""
        return self.run.plan

    @property
    def header(self) -> Header:
        """What the source is."""
        return self.run.header


def carry_out(
    plan: Plan, *, engine: Engine[Any], tools: Tools, frame: object = None, draft: Sink | None = None
) -> Outcome[Any, Any, Any, Any]:
    """Run a plan from source to a verified draft of the release.

    Args:
        plan: what to do.
        engine: where data live.
        tools: see `Run`.
        frame: the table, when the plan names no source.
        draft: where the release is written until it is verified and measured; None: at its place.

    Raises:
        SfumatoError: of every kind; whoever named the draft removes it.
    """
    source, sink = ends(plan, frame)
    method = method_named(plan.method.name)
    with about("method"):
        built = method.build(plan, tools)  # refuses a wrong plan before anything is charged
    paid = charge(plan, method.event(plan), method.unit(plan))
    run = opened(plan, built, (source, draft or sink), engine=engine, tools=tools)
    return replace(complete(run, run.stages.summarize(run)), paid=paid)


def opened(
    plan: Plan, built: B, ends: tuple[Source, Sink], *, engine: Engine[Any], tools: Tools, least_rows: int = 1
) -> Run[B]:
    """Open the source of a run.

    Args:
        plan: what was asked.
        built: what its method made of it.
        ends: where the table comes from, and where it is written until it is verified.
        engine: where data live.
        tools: see `Run`.
        least_rows: of the source.

    Raises:
        SourceError: the table has fewer than `least_rows` rows, or cannot be read.
        SchemaError: its columns are not those of the plan.
    """
    method = method_named(plan.method.name)
    stages = method.stages()
    tools.progress(0, len(method.phases), method.phases[Phase.READING])
    source, sink = ends
    table = engine.scan(source)
    header = engine.header(table)
    method.check_columns(plan, header.names)
    if header.n_rows < least_rows:
        raise SourceError("A table must hold at least one row; this one has none.", "check the source.")
    return Run(plan, method, stages, built, engine, tools, table, header, in_kind(sink, header.source_kind))


def complete(run: Run[B], counted: S) -> Outcome[B, S, Any, Any]:
    """Decide, write and verify.

    Args:
        run: what to do; where it shares counts with another, `Method.counts_of` of both plans is equal.
        counted: what the method counted.

    Raises:
        NoSolution: the method finds no release that keeps the promises.
    """
    stages = run.stages
    run.begin(Phase.DECIDING)
    decided = stages.decide(run, counted)
    run.begin(Phase.WRITING)
    tables = stages.tables(run, counted, decided)
    receipts = tuple(run.engine.write(table, sink) for table, sink in zip(tables, sinks_of(run), strict=True))
    run.begin(Phase.VERIFYING)
    return Outcome(run, counted, decided, receipts, stages.verify(run, counted, decided, receipts))


def sinks_of(run: Run[B]) -> tuple[Sink, ...]:
    """Where each table of a run is written."""
    first = run.sink
    if not isinstance(first, FileSink):
        return (first,) * (1 + len(run.method.beside_of(run.plan)))
    return (first, *(replace(first, path=beside(first.path, word)) for word in run.method.beside_of(run.plan)))


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
