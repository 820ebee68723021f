"""The one way from a plan to a release that is there, with its report and result, or is not.

Paths are checked before anything is read. The price is charged; what the method needs is summarized; it decides. Tables,
result and report are written where only their owner looks, the tables are read again, verified and measured; a price is
settled; then all files get their places at once (see `pipeline` and `stage`). What differs between methods is declared by
each (`release.method`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from sfumato.document.loading import about, lines_of
from sfumato.document.result.codec import drawn
from sfumato.engine.duckdb.write import kind_of_sink
from sfumato.errors import InternalError, PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.recode.decision import silent
from sfumato.noise.bits import SystemBits
from sfumato.release.accounted import settle
from sfumato.release.engines import engine_of, is_cluster
from sfumato.release.method.registry import method_named
from sfumato.release.pipeline import carry_out
from sfumato.release.places import Place, beside, check_places, plan_reads, sink_places
from sfumato.release.plan import Plan
from sfumato.release.plan_reader import read_plan
from sfumato.release.reread import formula_notes
from sfumato.release.stage import staged
from sfumato.release.tools import Tools
from sfumato.table.hierarchy.groups import Groups
from sfumato.table.source import FileSink, SqlSink, uri_of

if TYPE_CHECKING:
    from sfumato.document.result.release import ReleaseResult
    from sfumato.engine.base import Receipt
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.release.pipeline import Outcome
    from sfumato.release.stage import Stage
    from sfumato.table.source import Sink

Page = Callable[["ReleaseResult", Path], str | bytes]
"""The report page of a result, as its file name says."""


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A release: the table, and everything known about it.

    Args:
        plan: what was asked.
        result: the documented result, `sfumato.release/1`.
        frame: the released table when the source was a table in memory; None when it was written.
        path: the released file, if any.
        values_frame: the second table in memory, of methods that publish two; None otherwise.
        values_path: the second file, if any.
    """

    plan: Plan
    result: ReleaseResult
    frame: object
    path: Path | None
    values_frame: object = None
    values_path: Path | None = None

    def _repr_html_(self) -> str | None:
        """The report, in a notebook."""
        return drawn(self)


def publish(  # noqa: PLR0913
    plan: Plan | Path | str,
    frame: object = None,
    *,
    page: Page | None = None,
    engine: object = None,
    memory_limit: str | None = None,
    progress: Progress = silent,
    replay: str = "sfumato run plan.toml",
) -> Release:
    """Carry out a plan and measure the release, as `front.run.run` does.

    Args:
        plan: a plan, or the path of one.
        frame: the table when it is in memory.
        page: makes the report, if the plan asks for one; None: it asks for none.
        engine: where the work is done.
        memory_limit: most memory the engine may use.
        progress: called now and then.
        replay: the command that repeats this run, for the record.

    Raises:
        SfumatoError: of every kind; what stood at the places before is then untouched.
    """
    plan = plan if isinstance(plan, Plan) else read_plan(plan)
    with lines_of(plan.file):
        cluster = is_cluster(engine or plan.engine, frame)
        sink = plan.output.sink if frame is None else None
        with about("output"):
            check_plan(plan, sink, parts=cluster)
        tools = Tools(SystemBits(), monotonic, progress, os.environ)
        with staged(shared=cluster) as stage:
            with engine_of(engine or plan.engine, frame, memory_limit=memory_limit) as where:
                draft = _draft(plan, sink, stage)
                outcome = _named(carry_out(plan, engine=where, tools=tools, frame=frame, draft=draft), sink)
                stages, receipts = outcome.run.stages, outcome.receipts
                result = stages.record(outcome, stages.measure(outcome))
            notes = (*result.notes, *formula_notes(plan, receipts), *value_notes(plan))
            result = replace(result, replay=replay, notes=notes)
            _documents(plan, result, page, stage)
            if plan.account is not None:
                stage.pay(lambda: settle(plan, receipts[0], bits=tools.bits))
            stage.commit()
        return _release(plan, result, receipts, sink)


def check_plan(plan: Plan, sink: Sink | None, *, parts: bool = False) -> None:
    """Refuse a plan that would overwrite what it reads, or write where no file can be.

    Args:
        plan: what is asked.
        sink: where the release goes; None: into memory.
        parts: whether the release is a folder that a cluster writes.

    Raises:
        SourceError: it would. Remedy: another path.
        PlanError: cells shall be quoted that no spreadsheet runs.
    """
    kept, written = sink_places("the release", sink, parts=parts)
    if isinstance(sink, FileSink):
        others = method_named(plan.method.name).beside_of(plan)
        written += [Place(role, beside(sink.path, word), parts) for word, role in others.items()]
    if isinstance(sink, FileSink) and sink.formulas == "quoted" and (parts or kind_of_sink(sink) != "csv"):
        raise PlanError(
            "Only cells of CSV files are quoted; this release is no CSV file.", "remove [output] `formulas`."
        ).below("output", "formulas")
    documents = (("the report", plan.output.report), ("the result", plan.output.result))
    written += [Place(role, path) for role, path in documents if path is not None]
    check_places([*plan_reads(plan), *kept], written)


def value_notes(plan: Plan) -> list[str]:
    """Which hierarchies of the plan list values, which result and report then hold, also those that no row publishes."""
    named = [column.name for column in plan.schema.columns if isinstance(column.hierarchy, Groups)]
    if not named:
        return []
    listed = ", ".join(map(repr, named))
    held = "result and report hold them all, also those that the release does not publish"
    return [f"The plan lists values of {listed}; {held}. Keep both inside, or put the hierarchy into a file."]


def _draft(plan: Plan, sink: Sink | None, stage: Stage) -> Sink | None:
    """Where the release is written until it is verified; None: at its place, in memory or on shared storage."""
    if isinstance(sink, SqlSink):
        return stage.draft_table(sink)
    if not isinstance(sink, FileSink) or uri_of(sink.path) is not None:
        return None
    draft = stage.draft(sink.path)
    for word in method_named(plan.method.name).beside_of(plan):
        stage.beside(beside(draft, word), beside(sink.path, word))
    return replace(sink, path=draft)


def _named(outcome: Outcome[Any, Any, Any, Any], sink: Sink | None) -> Outcome[Any, Any, Any, Any]:
    """The outcome with the name that a table of a database will have."""
    if not isinstance(sink, SqlSink):
        return outcome
    return replace(outcome, receipts=tuple(replace(receipt, table=sink.table) for receipt in outcome.receipts))


def _documents(plan: Plan, result: ReleaseResult, page: Page | None, stage: Stage) -> None:
    """The result and the report that the plan asks for, beside their places; the release gets its place before them."""
    output = plan.output
    if output.result is not None:
        stage.write(output.result, result.to_json())
    if output.report is None:
        return
    if page is None:
        raise InternalError("A plan that asks for a report must be run where one can be made.")
    stage.write(output.report, page(result, output.report))


def _release(plan: Plan, result: ReleaseResult, receipts: tuple[Receipt, ...], sink: Sink | None) -> Release:
    """What is handed back, with the final places of the files."""
    paths: list[Path | None] = [None] * len(receipts)
    if isinstance(sink, FileSink):
        paths = [sink.path, *(beside(sink.path, word) for word in method_named(plan.method.name).beside_of(plan))]
    first, second = receipts[0], receipts[1] if len(receipts) > 1 else None
    return Release(plan, result, first.frame, paths[0], second and second.frame, paths[1] if second else None)
