"""How exposed are the persons in the table as it is? What an intruder gains before anything is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.document.result.codec import read
from sfumato.document.result.judged import RiskResult
from sfumato.frozen import dataclass
from sfumato.language.words import words
from sfumato.report.number import Toward, figure, share
from sfumato.report.panels import class_size_chart
from sfumato.studio import jobs
from sfumato.studio.databases import secret_of
from sfumato.studio.pages.base import Asked, Page, Turn

if TYPE_CHECKING:
    from sfumato.document.result.release import SizesOfClasses
    from sfumato.language.words import Words
    from sfumato.summary.figure import Figure


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A figure with its definition."""

    label: str
    value: str
    definition: str
    source: str


@dataclass(frozen=True, slots=True)
class View:
    """What an intruder gains.

    Args:
        seen: of the plan.
        state: of the work that measures it; None: it was not begun.
        result: what was measured; None: nothing yet.
        figures: of the result.
        subsets: combinations of columns with the share of rows that they single out, the worst first.
        chart: rows by the size of their class.
        is_old: whether the plan has changed since.
    """

    seen: str
    state: jobs.State | None
    result: RiskResult | None
    figures: tuple[ShownFigure, ...]
    subsets: tuple[tuple[str, str, str], ...]
    chart: str | None
    is_old: bool


def view(asked: Asked) -> View:
    """What was measured, if it was."""
    from sfumato.document.result.release import SizesOfClasses

    file, folder = asked.project.plan_file(), asked.project.hidden / "risk"
    state, result = jobs.state(folder), None
    if state is not None and state.name == "done" and (folder / "risk.json").is_file():
        result = read(RiskResult, (folder / "risk.json").read_text("utf-8"), "`sfumato risk --json`")
    chart = None if result is None else _chart(SizesOfClasses(before=result.class_sizes), asked.words)
    return View(
        seen=file.seen,
        state=state,
        result=result,
        figures=() if result is None else tuple(_shown(one, asked.words) for one in result.risk),
        subsets=() if result is None else _subsets(result, asked.words),
        chart=chart,
        is_old=not jobs.is_of(folder, file.text),
    )


def _chart(sizes: SizesOfClasses, say: Words) -> str | None:
    return class_size_chart(sizes, None, words(say.language))


def _subsets(result: RiskResult, say: Words) -> tuple[tuple[str, str, str], ...]:
    worst = sorted(result.subsets, key=lambda one: -(one.distinction or 0))[:15]
    return tuple(
        (
            " + ".join(one.columns),
            say.spelled(share(one.distinction, Toward.UP)),
            say.spelled(share(one.separation, Toward.UP)),
        )
        for one in worst
    )


def _shown(one: Figure, say: Words) -> ShownFigure:
    return ShownFigure(one.label, say.spelled(figure(one.value, None, Toward.UP)), one.definition, one.source)


def measure(asked: Asked) -> Turn:
    """Begin to measure."""
    file, folder = asked.project.plan_file(), asked.project.hidden / "risk"
    file.plan()
    jobs.start(folder, jobs.Job(kind="risk", project=str(asked.project.folder)), of=file.text, secret=secret_of(asked))
    return Turn("wait", {"job": "risk"})


PAGE = Page(
    name="risk",
    place=30,
    title="Risk as it is",
    command="sfumato risk TABLE --plan plan.toml",
    view=view,
    acts={"measure": measure},
)
