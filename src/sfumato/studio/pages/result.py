"""What was done, what is promised, what it is worth, what breaks it: one run, beside its original."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.frozen import dataclass
from sfumato.language import words as language
from sfumato.report.document import read_result
from sfumato.report.section.base import all_sections
from sfumato.studio import jobs
from sfumato.studio.look import look_at
from sfumato.studio.pages.base import EVERY_KIND, Asked, Page
from sfumato.table.source import FileSource

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.document.result.release import ReleaseResult
    from sfumato.studio.look import Look
    from sfumato.studio.shelf import Run

_ROWS = 30


@dataclass(frozen=True, slots=True)
class Sides:
    """First rows of original and release.

    Args:
        names: columns of the original.
        before: its rows.
        released: columns of the release.
        after: its rows.
        changed: for each cell of the release, whether it differs; None: rows are not in the same order.
    """

    names: tuple[str, ...]
    before: tuple[tuple[str | None, ...], ...]
    released: tuple[str, ...]
    after: tuple[tuple[str | None, ...], ...]
    changed: tuple[tuple[bool, ...], ...] | None


@dataclass(frozen=True, slots=True)
class View:
    """One run.

    Args:
        runs: numbers of all runs, the newest first.
        number: of this one; None: there is none.
        state: how it stands.
        result: what it made; None: nothing.
        parts: the parts of its report, by name.
        sections: names of the parts that have something to show.
        sides: original and release; None: the release cannot be shown.
        release: name of the released file; "": it is no file.
    """

    runs: tuple[int, ...]
    number: int | None
    state: jobs.State | None
    result: ReleaseResult | None
    parts: Mapping[str, Any]
    sides: Sides | None
    release: str


def view(asked: Asked) -> View:
    """The run that the address names, else the newest."""
    runs = asked.project.runs()
    wanted = asked.query.get("run", "")
    run = asked.project.run(wanted) if wanted else next(iter(runs), None)
    numbers = tuple(one.number for one in runs)
    if run is None:
        return View(numbers, None, None, None, {}, None, "")
    state = jobs.state(run.folder)
    if not run.result.is_file():
        return View(numbers, run.number, state, None, {}, None, "")
    result = read_result(run.result.read_text("utf-8"))
    say = language.words(asked.words.language)
    parts = {section.name: section.shown(result, say) for section in all_sections()}
    release = _release(run, result)
    return View(
        numbers, run.number, state, result, parts, _sides(asked, result, release), release.name if release else ""
    )


def _release(run: Run, result: ReleaseResult) -> Path | None:
    """The released file."""
    names = [file.path for file in result.files if file.path]
    found = run.folder / names[0].replace("\\", "/").split("/")[-1] if names else None
    return found if found is not None and found.is_file() else None


def _sides(asked: Asked, result: ReleaseResult, release: Path | None) -> Sides | None:
    """First rows of both."""
    look = look_at(asked.project)
    if release is None or look is None:
        return None
    return sides_of(look, release, is_in_order=_is_in_order(result))


def _is_in_order(result: ReleaseResult) -> bool:
    """Whether the release has the rows of the table, in the same order."""
    is_of_graph = any(one is not None for one in (result.graph, result.graph_release, result.graph_drawn))
    return result.sample is None and not result.unit.person and not is_of_graph


def sides_of(look: Look, release: Path, *, is_in_order: bool) -> Sides:
    """First rows of a table and of a release.

    Args:
        look: what is kept of the table.
        release: the file.
        is_in_order: whether the release has the rows of the table, in the same order.

    Raises:
        SourceError: the release cannot be read.
    """
    from sfumato.front.preview import first_rows

    names, after = first_rows(FileSource(release), _ROWS)
    mine = tuple(one.name for one in look.columns)
    before = look.first[:_ROWS]
    changed = changed_cells(mine, before, names, after) if is_in_order and len(after) == len(before) else None
    return Sides(mine, before, names, after, changed)


def changed_cells(
    mine: tuple[str, ...],
    before: tuple[tuple[str | None, ...], ...],
    names: tuple[str, ...],
    after: tuple[tuple[str | None, ...], ...],
) -> tuple[tuple[bool, ...], ...]:
    """Which cells of the release are not those of the original."""
    places = [mine.index(name) if name in mine else None for name in names]
    return tuple(
        tuple(place is None or old[place] != new[i] for i, place in enumerate(places))
        for old, new in zip(before, after, strict=True)
    )


PAGE = Page(name="result", place=60, title="Result", command="sfumato report result.json", kinds=EVERY_KIND, view=view)
