"""The front door for a plan: the release with its result and its report, from Python and from the command alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.mechanism.recode.decision import silent
from sfumato.release.plan import Plan
from sfumato.release.plan_reader import read_plan
from sfumato.release.publish import publish
from sfumato.report import check_page, page

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.mechanism.recode.decision import Progress
    from sfumato.release.publish import Release


def run(
    plan: Plan | Path | str,
    frame: object = None,
    *,
    engine: object = None,
    memory_limit: str | None = None,
    progress: Progress = silent,
    replay: str = "sfumato run plan.toml",
) -> Release:
    """Carry out a plan, measure the release, and write the report and the result that the plan asks for.

    Release, result and report get their places together, in this order, after everything was verified and measured.

    Args:
        plan: a plan, or the path of one.
        frame: the table (pandas, Polars, Arrow, DuckDB relation, Spark DataFrame) when it is in memory; the release
            then has the same kind, and only report and result are written.
        engine: where the work is done: "duckdb", "spark", the URL of a Spark cluster, or a `SparkSession`; None: as
            the plan says, Spark for a Spark DataFrame, else DuckDB.
        memory_limit: most memory the engine may use ("4GB"); None: the engine's own limit.
        progress: called now and then.
        replay: the command that repeats this run, for the record.

    Raises:
        SfumatoError: of every kind; what stood at the places before is then untouched.
    """
    plan = plan if isinstance(plan, Plan) else read_plan(plan)
    check_page(plan.output.report)
    return publish(plan, frame, page=page, engine=engine, memory_limit=memory_limit, progress=progress, replay=replay)
