"""What a promise would cost, before it is made: the plan with what is typed, tried in memory by a process of its own.

A table of many rows is tried on a sample, which the page says: on fewer rows classes are smaller, so that loss is rather too
high. What is promised is never judged here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import Interrupted, SfumatoError
from sfumato.frozen import dataclass
from sfumato.report.sweep import figure_text
from sfumato.studio import jobs
from sfumato.studio.databases import secret_of
from sfumato.studio.plan_file import PlanFile, put_entry
from sfumato.table.source import FileSource

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.document.result.sweep import SweepResult
    from sfumato.release.plan import Plan
    from sfumato.studio.pages.base import Asked
    from sfumato.table.source import Source
    from sfumato.table.values import Item

MOST = 50_000
"""Rows on which a promise is tried."""
NAME = "estimate"
_PLAN, _TRIED, _FOUND = "plan.toml", "tried.json", "estimate.json"
_END = 5.0
"""Seconds that an earlier estimate has to stop."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What trying a promise found.

    Args:
        promise: what was tried, such as `k-anonymity, k = 5`.
        state: how the work stands.
        figures: label and value of each figure.
        rows: on which it was tried.
        of: rows of the table.
    """

    promise: str
    state: jobs.State
    figures: tuple[tuple[str, str], ...] = ()
    rows: int = 0
    of: int = 0


def begin(asked: Asked, name: str, table: Mapping[str, Item], place: int | None) -> None:
    """Try the plan with a promise in the place of another, or with one more; an earlier try is stopped.

    Args:
        asked: whoever wants to know.
        name: of the promise.
        table: its keys.
        place: in the plan, from 0; None: it is added.

    Raises:
        PlanError: the plan cannot be run with it, or an earlier try does not stop.
        Locked: the password of its database must be typed first.
    """
    file, folder = asked.project.plan_file(), asked.project.hidden / NAME
    tried = file.changed(lambda document: put_entry(document, "promise", place, dict(table)))
    tried.plan()
    secret = secret_of(asked)
    _stop(folder)
    said = ", ".join([name, *(f"{key} = {value}" for key, value in table.items() if key not in {"model", "variant"})])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _PLAN).write_text(tried.text, "utf-8")
    jobs.write_json(folder / _TRIED, {"promise": said, "on": jobs.digest_of(file.text)})
    jobs.start(folder, jobs.Job(kind=NAME, project=str(asked.project.folder)), of=tried.text, secret=secret)


def _stop(folder: Path) -> None:
    """Stop an earlier try: nobody waits for it any more."""
    found = jobs.state(folder)
    if found is not None and found.is_going:
        jobs.stop(folder)
        jobs.wait(folder, _END)


def estimate_of(asked: Asked, text: str) -> Estimate | None:
    """What the last try found; None: there was none on this plan.

    Args:
        asked: whoever looks.
        text: of the plan: an estimate holds for the plan on which it was tried, and for the one that it became.
    """
    folder = asked.project.hidden / NAME
    state = jobs.state(folder)
    if state is None or not (folder / _TRIED).is_file():
        return None
    tried = json.loads((folder / _TRIED).read_text("utf-8"))
    if tried["on"] != jobs.digest_of(text) and not jobs.is_of(folder, text):
        return None
    found: dict[str, Any] = {}
    if state.name == "done":
        found = json.loads((folder / _FOUND).read_text("utf-8"))
    say = asked.words
    figures = tuple((say.say(label), say.spelled(figure_text(value))) for label, value in found.get("figures", ()))
    return Estimate(tried["promise"], state, figures, found.get("rows", 0), found.get("of", 0))


def work(folder: Path, project: Path, source: Source, plan: Plan, progress: Any) -> None:
    """Try the plan of a folder in memory, and keep what it is worth and what it risks.

    Args:
        folder: of the job.
        project: folder of the project, to which places in the plan are relative.
        source: the table, with its password.
        plan: the plan that is tried.
        progress: called now and then.

    Raises:
        SfumatoError: it has no solution, is refused, or was stopped.
    """
    from sfumato.release.method.registry import method_named
    from sfumato.release.sweep.sweep import sweep

    progress(0, 2, "reading the table")
    frame, of = _sample(folder, source, plan.schema.person)
    progress(1, 2, "running")
    usual = {} if method_named(plan.method.name).in_buckets else {"worth": "gcp", "also": ("suppressed_share",)}
    found = sweep(folder / _PLAN, {"method": [plan.method.name]}, frame, folder=project, **usual)  # type: ignore[arg-type]
    if found.interrupted:
        raise Interrupted("The work was stopped; nothing was published.", "start it again.")
    jobs.write_json(folder / _FOUND, {"figures": _figures(found), "rows": len(frame), "of": of})


def _figures(found: SweepResult) -> list[Item]:
    """Label and value of worth, of what was asked beside it, and of risk."""
    (point,) = found.points
    axes = [found.worth, *found.also, found.risk]
    return [[axis.label, point.figures[axis.name]] for axis in axes if axis is not None]


def _sample(folder: Path, source: Source, person: str | None) -> tuple[Any, int]:
    """At most `MOST` rows of a table, or all rows of as many of its persons; and how many rows it has.

    That of a large file is kept, so that only the first estimate reads the file.
    """
    from sfumato.engine.duckdb.drawn import drawn_rows

    if not isinstance(source, FileSource):
        return drawn_rows(source, MOST, person)
    kept = folder / f"sample-{_key(source, person)}.parquet"
    for old in folder.glob("sample-*"):
        if old != kept:
            old.unlink()
    return drawn_rows(source, MOST, person, kept)


def _key(source: FileSource, person: str | None) -> str:
    """What a sample was drawn from: how the file is read, when it was written, and how long it is."""
    stat = source.path.stat()
    return jobs.digest_of(repr((source, person, stat.st_mtime_ns, stat.st_size)))[:16]


def refused(asked: Asked, name: str, error: SfumatoError) -> None:
    """Tell on the page, where the estimate would stand, why there is none."""
    file, folder = asked.project.plan_file(), asked.project.hidden / NAME
    _stop(folder)
    folder.mkdir(parents=True, exist_ok=True)
    jobs.write_json(folder / _TRIED, {"promise": name, "on": jobs.digest_of(file.text)})
    jobs.refuse(folder, error)


def plan_of(folder: Path, place: Path) -> Plan:
    """The plan that is tried.

    Args:
        folder: of the job.
        place: of the plan of the project.
    """
    return PlanFile(place, (folder / _PLAN).read_text("utf-8")).plan()
