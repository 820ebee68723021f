"""What was tried? Every run with what its plan said, what it is worth and what it risks; any plan can be taken back."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

from sfumato.errors import SfumatoError
from sfumato.frozen import dataclass
from sfumato.report.document import read_result
from sfumato.report.number import Toward, figure, number, toward_worse
from sfumato.studio import jobs
from sfumato.studio.pages.base import EVERY_KIND, Asked, Page, Turn
from sfumato.studio.plan_file import PlanFile

if TYPE_CHECKING:
    from sfumato.language.words import Words
    from sfumato.studio.shelf import Run


@dataclass(frozen=True, slots=True)
class ShownRun:
    """One run.

    Args:
        number: of the run.
        state: how it stands.
        promises: in words.
        method: its method.
        worth: the first figures of worth.
        risk: the first figures of risk, after.
        changes: lines of the plan that differ from the run before.
    """

    number: int
    state: str
    promises: tuple[str, ...]
    method: str
    worth: tuple[tuple[str, str], ...]
    risk: tuple[tuple[str, str], ...]
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class View:
    """All runs.

    Args:
        seen: of the plan.
        runs: the newest first.
    """

    seen: str
    runs: tuple[ShownRun, ...]


def view(asked: Asked) -> View:
    """Every run beside the one before it."""
    runs = asked.project.runs()
    before = [*runs[1:], None][: len(runs)]
    return View(
        asked.project.plan_file().seen,
        tuple(_shown(run, old, asked.words) for run, old in zip(runs, before, strict=True)),
    )


def _shown(run: Run, before: Run | None, say: Words) -> ShownRun:
    state = jobs.state(run.folder)
    name = state.name if state else "killed"
    changes = () if before is None else _changes(_text(before), _text(run))
    if not run.result.is_file():
        return ShownRun(run.number, name, (), "", (), (), changes)
    try:
        result = read_result(run.result.read_text("utf-8"))
    except SfumatoError:
        return ShownRun(run.number, "failed", (), "", (), (), changes)
    return ShownRun(
        run.number,
        name,
        tuple(say.say(promise.statement) for promise in result.promise),
        result.done.method,
        tuple((one.label, say.spelled(number(one.value, toward_worse(one.better)))) for one in result.worth[:3]),
        tuple((one.label, say.spelled(figure(one.value, None, Toward.UP))) for one in result.risk.after[:3]),
        changes,
    )


def _text(run: Run) -> str:
    path = run.folder / "plan.toml"
    return path.read_text("utf-8") if path.is_file() else ""


def _changes(before: str, after: str) -> tuple[str, ...]:
    """Lines that went and came."""
    lines = unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return tuple(line for line in lines if line[:1] in "+-" and line[:3] not in {"+++", "---"})[:40]


def take(asked: Asked) -> Turn:
    """The plan of a run becomes the plan."""
    run = asked.project.run(asked.posted.get("run", ""))
    made = PlanFile(asked.project.plan_path, _text(run))
    made.save(asked.posted.get("seen", ""))
    return Turn("promise")


PAGE = Page(
    name="history",
    place=90,
    title="History",
    command="sfumato compare ORIGINAL RELEASE",
    kinds=EVERY_KIND,
    view=view,
    acts={"take": take},
)
