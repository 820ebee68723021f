"""The process of a job: `python -m sfumato.studio.child FOLDER` does what `job.json` says, and tells how far it is."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from sfumato.errors import Interrupted, SfumatoError, SourceError
from sfumato.studio import jobs, look
from sfumato.studio.shelf import Project, Run
from sfumato.studio.vault import key_in, opened_with
from sfumato.table.source import FileSink, FileSource, SqlSink, SqlSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.release.plan import Plan
    from sfumato.studio.plan_file import PlanFile

_OFTEN = 0.1
"""Least seconds between two words about progress."""


class Told:
    """Progress as a small file, rewritten now and then.

    Args:
        folder: of the job.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._last = folder, 0.0

    def __call__(self, done: int, total: int | None, message: str) -> None:
        """Tell `done` of `total`."""
        now = time.monotonic()
        if now - self._last >= _OFTEN:
            self._last = now
            jobs.write_json(self._folder / jobs.PROGRESS, {"done": done, "total": total, "message": message})


def draft(folder: Path, job: jobs.Job, secret: str) -> None:
    """Draft a plan, and keep what pages show of the table."""
    from sfumato.front.drafting import draft_plan
    from sfumato.release.plan_reader import declared_table

    project, told = Project(Path(job.project)), Told(folder)
    told(0, 2, "looking at the columns")
    table = (
        opened_with(secret, SqlSource(job.source, job.query))
        if job.query
        else FileSource(Path(job.source), dialect=job.dialect, sheet=job.sheet or None)
    )
    before = project.plan_file() if project.plan_path.is_file() else None
    made = draft_plan(cast("FileSource | SqlSource", table), project.plan_path, force=True, as_table=True)
    if before is not None and before.text != project.plan_file().text:
        _keep_past(before)
    if not made.rows:
        raise SourceError("A table must hold at least one row; this one has none.", "check the source.")
    told(1, 2, "counting values")
    source, schema = declared_table(project.plan_file().tables, folder=project.folder)
    look.keep(project, made, None if source is None else opened_with(secret, source), schema)


def _keep_past(file: PlanFile) -> None:
    """The plan before it was drafted anew, so that one click undoes it."""
    from sfumato.release.stage import staged

    with staged() as stage:
        stage.write(file.next_past(), file.text)
        stage.commit()


def run(folder: Path, job: jobs.Job, secret: str) -> None:
    """Carry out the plan that lies in the folder of the run; what it makes gets its place there."""
    from sfumato.front.run import run as carry_out
    from sfumato.studio.plan_file import PlanFile

    made, project = Run(folder), Project(Path(job.project))
    plan = replace(
        PlanFile(project.plan_path, (folder / "plan.toml").read_text("utf-8")).plan(), file=project.plan_path
    )
    sink = plan.output.sink
    name = sink.path.name if isinstance(sink, FileSink) else "release.csv"
    here = replace(sink, path=folder / name) if isinstance(sink, FileSink) else sink
    output = replace(plan.output, sink=here, report=made.report, result=made.result)
    carry_out(_opened(replace(plan, output=output), secret), progress=Told(folder))


def risk(folder: Path, job: jobs.Job, secret: str) -> None:
    """What an intruder gains from the table as it is."""
    from sfumato.front.tables import assess_risk
    from sfumato.release.stage import staged

    project = Project(Path(job.project))
    plan = _opened(project.plan_file().plan(), secret)
    if plan.source is None:
        return
    found = assess_risk(plan.source, plan=plan, risk_threshold=plan.measures.risk_threshold)
    with staged() as stage:
        stage.write(folder / "risk.json", found.to_json())
        stage.commit()


def compare(folder: Path, job: jobs.Job, secret: str) -> None:
    """What a release that was made elsewhere is worth, and what it risks, beside the table of the plan."""
    from sfumato.front.tables import compare as measure
    from sfumato.release.stage import staged

    plan, told = _opened(Project(Path(job.project)).plan_file().plan(), secret), Told(folder)
    told(0, None, "comparing")
    found = measure(
        plan.source, FileSource(Path(job.source)), plan=plan, risk_threshold=plan.measures.risk_threshold,
        target=plan.measures.target,
    )  # fmt: skip
    with staged() as stage:
        stage.write(folder / "comparison.json", found.to_json())
        stage.commit()


def sweep(folder: Path, job: jobs.Job, secret: str) -> None:
    """Many releases in memory, with worth and risk of each."""
    from sfumato.release.stage import staged
    from sfumato.release.sweep.sweep import sweep as run_all

    project = Project(Path(job.project))
    found = run_all(project.plan_path, job.vary, frame=_database(project, secret), progress=Told(folder))
    with staged() as stage:
        stage.write(folder / "sweep.json", found.to_json())
        stage.commit()


def lattice(folder: Path, job: jobs.Job, secret: str) -> None:
    """Every combination of levels that a search judges."""
    from sfumato.release.stage import staged
    from sfumato.release.sweep.lattice import lattice as search

    project = Project(Path(job.project))
    found = search(project.plan_path, _database(project, secret), progress=Told(folder))
    with staged() as stage:
        stage.write(folder / "lattice.json", found.to_json())
        stage.commit()


def node(folder: Path, job: jobs.Job, secret: str) -> None:
    """One combination of levels: judged, and its release looked at in memory; the lattice then knows it."""
    from sfumato.release.stage import staged
    from sfumato.release.sweep.lattice import opened_node, with_nodes
    from sfumato.studio.nodes import lattice_of, opened_json

    project = Project(Path(job.project))
    opened = opened_node(project.plan_path, job.levels, _database(project, secret), progress=Told(folder))
    found = lattice_of(project)
    with staged() as stage:
        stage.write(folder / "opened.json", opened_json(opened))
        if found is not None:
            stage.write(project.hidden / "lattice" / "lattice.json", with_nodes(found, [opened.node]).to_json())
        stage.commit()


def estimate(folder: Path, job: jobs.Job, secret: str) -> None:
    """What a promise would cost, in memory, where the table is large on a sample of it."""
    from sfumato.studio.estimate import plan_of, work

    place = Project(Path(job.project)).plan_path
    plan = _opened(plan_of(folder, place), secret)
    if plan.source is not None:
        work(folder, place.parent, plan.source, plan, Told(folder))


def _opened(plan: Plan, secret: str) -> Plan:
    """A plan each of whose databases gets the password that was handed over for it: of its table, release and ledger."""
    sink, account = plan.output.sink, plan.account
    if isinstance(sink, SqlSink):
        sink = replace(sink, password=key_in(secret, sink.url))
    if account is not None:
        account = replace(account, password=key_in(secret, account.ledger))
    source = None if plan.source is None else opened_with(secret, plan.source)
    return replace(plan, source=source, output=replace(plan.output, sink=sink), account=account)


def _database(project: Project, secret: str) -> SqlSource | None:
    """The database of a plan with its password; None: it needs none."""
    source = _opened(project.plan_file().plan(), secret).source if secret else None
    return source if isinstance(source, SqlSource) else None


WORK: dict[str, Callable[[Path, jobs.Job, str], None]] = {
    "draft": draft, "run": run, "risk": risk, "sweep": sweep, "compare": compare, "lattice": lattice, "node": node,
    "estimate": estimate,
}  # fmt: skip
"""What a job may be."""


def main() -> None:
    """Do the work; what goes wrong is told in the folder, for the page."""
    folder = Path(sys.argv[1])
    jobs.write_json(folder / jobs.PID, {"pid": os.getpid()})
    signal.signal(signal.SIGINT, signal.default_int_handler)
    job = jobs.Job(**json.loads((folder / jobs.JOB).read_text("utf-8")))
    os.chdir(job.project)
    try:
        WORK[job.kind](folder, job, sys.stdin.read())
    except KeyboardInterrupt:
        jobs.failure(folder, Interrupted("The work was stopped; nothing was published.", "start it again."))
    except SfumatoError as error:
        jobs.failure(folder, error)
    else:
        (folder / jobs.DONE).touch()


if __name__ == "__main__":
    main()
