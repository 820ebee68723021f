"""Is a release that somebody else made any good? It is dropped beside the table, and measured as our own releases are."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.document.plan import Measures
from sfumato.document.result.codec import read
from sfumato.document.result.judged import ComparisonResult
from sfumato.errors import PlanError, SfumatoError
from sfumato.frozen import dataclass
from sfumato.language.words import words
from sfumato.report.notebook import of_pair
from sfumato.report.number import count
from sfumato.report.panels import risk_chart, suppression_chart
from sfumato.report.section.breaks import headline_risk
from sfumato.studio import jobs
from sfumato.studio.databases import secret_of
from sfumato.studio.look import look_at
from sfumato.studio.pages.base import Asked, Page, Turn
from sfumato.studio.pages.result import sides_of
from sfumato.studio.shelf import COMPARED
from sfumato.studio.upload import kept
from sfumato.table.values import table_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.language.words import Words
    from sfumato.report.notebook import Judged
    from sfumato.report.section.breaks import ShownRisk
    from sfumato.studio.pages.result import Sides
    from sfumato.studio.plan_file import PlanFile
    from sfumato.studio.shelf import Comparison, Project


CAPTIONS = ("Risks before and after", "Suppressed cells")
"""Of the pictures."""


@dataclass(frozen=True, slots=True)
class ShownComparison:
    """One comparison of the list.

    Args:
        number: of it.
        name: of the release.
        state: how it stands.
    """

    number: int
    name: str
    state: str


@dataclass(frozen=True, slots=True)
class View:
    """A release made elsewhere, beside its original.

    Args:
        comparisons: all, the newest first.
        number: of the one that is shown; None: there is none.
        name: of its release.
        state: how it stands.
        result: what was measured; None: nothing yet.
        parts: the same as the report spells it.
        headline: the risk that stands on top; None: no share was measured.
        suppressed: suppressed cells by column.
        charts: captions and pictures: risks before and after, suppressed cells.
        sides: first rows of both; None: they cannot be shown.
        is_old: whether the plan has changed since.
        command: what does the same in a shell.
        most: of an upload at most, in GiB.
    """

    comparisons: tuple[ShownComparison, ...]
    number: int | None
    name: str
    state: jobs.State | None
    result: ComparisonResult | None
    parts: Judged | None
    headline: ShownRisk | None
    suppressed: tuple[tuple[str, str], ...]
    charts: tuple[tuple[str, str], ...]
    sides: Sides | None
    is_old: bool
    command: str
    most: int


def view(asked: Asked) -> View:
    """The comparison that the address names, else the newest."""
    from sfumato.studio.gate import MOST_UPLOAD

    file, made = asked.project.plan_file(), asked.project.comparisons()
    wanted, say = asked.query.get("release", ""), words(asked.words.language)
    one = asked.project.comparison(wanted) if wanted else next(iter(made), None)
    state = None if one is None else jobs.state(one.folder)
    result = _result(one, state)
    parts = None if result is None else of_pair(result, say)
    release = None if one is None else _release(one)
    return View(
        comparisons=tuple(_shown(each) for each in made),
        number=None if one is None else one.number,
        name="" if release is None else release.name,
        state=state,
        result=result,
        parts=parts,
        headline=None if parts is None else headline_risk(parts.risks),
        suppressed=_suppressed(result),
        charts=() if result is None or parts is None else _charts(result, parts.risks, say),
        sides=None if result is None or release is None else _sides(asked.project, release),
        is_old=one is not None and not jobs.is_of(one.folder, file.text),
        command=command(asked.project, file, release),
        most=MOST_UPLOAD >> 30,
    )


def _shown(one: Comparison) -> ShownComparison:
    state, release = jobs.state(one.folder), _release(one)
    return ShownComparison(one.number, "" if release is None else release.name, state.name if state else "killed")


def _release(one: Comparison) -> Path | None:
    """The file that was compared."""
    job = jobs.job_of(one.folder)
    return Path(job.source) if job is not None and job.source else None


def _result(one: Comparison | None, state: jobs.State | None) -> ComparisonResult | None:
    if one is None or state is None or state.name != "done" or not one.result.is_file():
        return None
    return read(ComparisonResult, one.result.read_text("utf-8"), "`sfumato compare --json`")


def _suppressed(result: ComparisonResult | None) -> tuple[tuple[str, str], ...]:
    """Suppressed cells of each column that has some."""
    cells = {} if result is None else result.suppressed.cells_by_column
    return tuple((name, count(n)) for name, n in cells.items() if n)


def _charts(result: ComparisonResult, risks: Sequence[ShownRisk], say: Words) -> tuple[tuple[str, str], ...]:
    drawn = (
        risk_chart([(r.label, r.before, r.after) for r in risks if r.is_share], say),
        suppression_chart(result.suppressed.cells_by_column, result.release.rows, say),
    )
    return tuple((caption, svg) for caption, svg in zip(CAPTIONS, drawn, strict=True) if svg is not None)


def _sides(project: Project, release: Path) -> Sides | None:
    """First rows of both; nobody knows whether others keep the order of rows."""
    look = look_at(project)
    try:
        return None if look is None else sides_of(look, release, is_in_order=False)
    except SfumatoError:
        return None


def command(project: Project, file: PlanFile, release: Path | None) -> str:
    """What does the same in a shell, in the folder of the project.

    Args:
        project: the project.
        file: its plan.
        release: what is compared; None: nothing yet.
    """
    path = str(table_in(file.tables, "source").get("path", "")) or "ORIGINAL"
    measure = table_in(file.tables, "measure")
    words = [
        "sfumato",
        "compare",
        path,
        "RELEASE" if release is None else _within(project, release),
        "--plan",
        "plan.toml",
    ]
    if measure.get("risk_threshold", Measures().risk_threshold) != Measures().risk_threshold:
        words += ["--risk-threshold", str(measure["risk_threshold"])]
    if measure.get("target"):
        words += ["--target", str(measure["target"])]
    return shlex.join(words)


def _within(project: Project, path: Path) -> str:
    """A path as it is named in the folder of a project."""
    return str(path.relative_to(project.folder)) if path.is_relative_to(project.folder) else str(path)


def add(asked: Asked) -> Turn:
    """Take a release, and begin to compare it with the table of the plan.

    Raises:
        PlanError: none was given, or the plan cannot be read yet.
        SourceError: it may not be read.
    """
    asked.project.plan_file().plan()
    path = asked.posted.get("path", "").strip()
    if asked.upload is None and (not path or asked.shelf is None):
        raise PlanError("A comparison needs a release.", "drop its file, or say where it is.")
    place = asked.shelf.allowed(path) if asked.upload is None and asked.shelf is not None else None
    secret, one = secret_of(asked), asked.project.new_comparison()
    if asked.upload is not None:
        one.dropped.mkdir()
        place = kept(asked.upload, one.dropped)
    return _begun(asked, one, str(place), secret)


def again(asked: Asked) -> Turn:
    """Compare a release again, with the plan as it is now."""
    one = asked.project.comparison(asked.posted.get("release", ""))
    release = _release(one)
    if release is None:
        raise PlanError("A comparison needs a release; this one has lost its own.", "drop the file again.")
    asked.project.plan_file().plan()
    return _begun(asked, one, str(release), secret_of(asked))


def _begun(asked: Asked, one: Comparison, source: str, secret: str) -> Turn:
    job = jobs.Job(kind="compare", project=str(asked.project.folder), source=source)
    jobs.start(one.folder, job, of=asked.project.plan_file().text, secret=secret)
    return Turn("wait", {"job": f"{COMPARED}{one.number}"})


PAGE = Page(
    name="compare", place=70, title="Compare", command="sfumato compare ORIGINAL RELEASE --plan plan.toml", view=view,
    acts={"add": add, "again": again}, uploads=("add",),
)  # fmt: skip
