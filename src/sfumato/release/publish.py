"""How does a plan become a release that is there, with its report and result, or is not? Checked, made, verified, named.

Paths are checked before anything is read. Everything is written where only its owner looks, read again, verified and
measured; a price is settled; then all files get their places at once (see `stage`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeVar, cast

from sfumato.engine.duckdb.write import kind_of_sink
from sfumato.errors import InternalError, PlanError
from sfumato.mechanism.recode.decision import silent
from sfumato.noise.bits import SystemBits
from sfumato.release.accounted import settle
from sfumato.release.anatomy.choice import TWO_TABLES, sensitive_path
from sfumato.release.engines import engine_of, is_cluster
from sfumato.release.measure import measure
from sfumato.release.methods import Tools
from sfumato.release.places import Place, check_places, plan_reads, sink_places
from sfumato.release.plan import MethodName, Plan
from sfumato.release.plan_reader import read_plan
from sfumato.release.record import result_of
from sfumato.release.reread import formula_notes
from sfumato.release.run import carry_out
from sfumato.release.stage import staged
from sfumato.table.hierarchy.groups import Groups
from sfumato.table.source import FileSink, uri_of

if TYPE_CHECKING:
    from sfumato.engine.base import Engine, Receipt
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.release.stage import Stage
    from sfumato.table.source import Sink

T = TypeVar("T")

Texts = Callable[[Mapping[str, object]], tuple[str, str]]
"""The stored result and the report page of a result."""


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
    result: dict[str, object]
    frame: object
    path: Path | None
    values_frame: object = None
    values_path: Path | None = None


def publish(  # noqa: PLR0913
    plan: Plan | Path | str,
    frame: object = None,
    *,
    texts: Texts | None = None,
    engine: object = None,
    memory_limit: str | None = None,
    progress: Progress = silent,
    replay: str = "sfumato run plan.toml",
) -> Release:
    """Carry out a plan and measure the release, as `front.run.run` does.

    Args:
        plan: a plan, or the path of one.
        frame: the table when it is in memory.
        texts: makes the documents that the plan asks for; None: it asks for none.
        engine: where the work is done.
        memory_limit: most memory the engine may use.
        progress: called now and then.
        replay: the command that repeats this run, for the record.

    Raises:
        SfumatoError: of every kind; what stood at the places before is then untouched.
    """
    plan = plan if isinstance(plan, Plan) else read_plan(plan)
    cluster = is_cluster(engine or plan.engine, frame)
    sink = plan.output.sink if frame is None else None
    check_plan(plan, sink, parts=cluster)
    tools = Tools(SystemBits(), monotonic, progress, os.environ)
    with staged(shared=cluster) as stage:
        with engine_of(engine or plan.engine, frame, memory_limit=memory_limit) as where:
            result, receipts = _made(plan, frame, _draft(plan, sink, stage), engine=where, tools=tools)
        notes = [*cast("list[str]", result["notes"]), *formula_notes(plan, receipts), *value_notes(plan)]
        result |= {"replay": replay, "notes": notes}
        _documents(plan, result, texts, stage)
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
    if isinstance(sink, FileSink) and plan.method.name in TWO_TABLES:
        written.append(Place("the second table", sensitive_path(sink.path), parts))
    if isinstance(sink, FileSink) and sink.formulas == "quoted" and (parts or kind_of_sink(sink) != "csv"):
        raise PlanError(
            "Only cells of CSV files are quoted; this release is no CSV file.", "remove [output] `formulas`."
        )
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
    """Where the release is written until it is verified; None: at its place, in memory, a database or shared storage."""
    if not isinstance(sink, FileSink) or uri_of(sink.path) is not None:
        return None
    draft = stage.draft(sink.path)
    if plan.method.name in TWO_TABLES:
        stage.beside(sensitive_path(draft), sensitive_path(sink.path))
    return replace(sink, path=draft)


def _made(
    plan: Plan, frame: object, draft: Sink | None, *, engine: Engine[T], tools: Tools
) -> tuple[dict[str, object], tuple[Receipt, ...]]:
    """The result, and what was written: one table, or two."""
    if plan.method.name in TWO_TABLES:
        from sfumato.release.anatomy.measure import measure_two
        from sfumato.release.anatomy.record import result_of_two
        from sfumato.release.anatomy.run import publish_two

        two = publish_two(plan, engine=engine, tools=tools, frame=frame, draft=draft)
        return result_of_two(two, measure_two(two, engine=engine, tools=tools)), two.receipts
    if plan.method.name is MethodName.TUPLE_INSERTION:
        from sfumato.release.insertion import publish_tuples, result_of_tuples

        inserted = publish_tuples(plan, engine=engine, tools=tools, frame=frame, draft=draft)
        return result_of_tuples(inserted), (inserted.receipt,)
    outcome = carry_out(plan, engine=engine, tools=tools, frame=frame, draft=draft)
    return result_of(outcome, measure(outcome, engine=engine, tools=tools)), (outcome.receipt,)


def _documents(plan: Plan, result: Mapping[str, object], texts: Texts | None, stage: Stage) -> None:
    """The result and the report that the plan asks for, beside their places; the release gets its place before them."""
    output = plan.output
    if output.result is None and output.report is None:
        return
    if texts is None:
        raise InternalError("A plan that asks for a report or a result must be run where they can be made.")
    stored, page = texts(result)
    for path, text in ((output.result, stored), (output.report, page)):
        if path is not None:
            stage.write(path, text)


def _release(plan: Plan, result: dict[str, object], receipts: tuple[Receipt, ...], sink: Sink | None) -> Release:
    """What is handed back, with the final places of the files."""
    paths: tuple[Path | None, Path | None] = (None, None)
    if isinstance(sink, FileSink):
        paths = (sink.path, sensitive_path(sink.path) if len(receipts) > 1 else None)
    second = receipts[1].frame if len(receipts) > 1 else None
    return Release(plan, result, receipts[0].frame, paths[0], second, paths[1])
