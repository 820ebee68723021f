"""What can be published, and what does it cost? Many releases as points of worth against risk; each can be taken and run."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from sfumato.document.result.codec import read
from sfumato.document.result.sweep import SweepResult
from sfumato.document.spec import keys_of
from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.language.words import words
from sfumato.release.sweep.vary import grid, path_of, values_of
from sfumato.report.sweep import figure_text, picture
from sfumato.studio import jobs
from sfumato.studio.databases import secret_of
from sfumato.studio.pages.base import Asked, Page, Turn
from sfumato.studio.pages.promise import METHODS, start
from sfumato.studio.shelf import whole
from sfumato.table.values import table_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.document.result.sweep import SweptPoint
    from sfumato.language.words import Words
    from sfumato.release.sweep.vary import Value
    from sfumato.studio.shelf import Project
    from sfumato.table.values import Item, Table

LINES = 3
"""Keys that may be varied together."""
_USUAL = (("k", "2, 5, 10, 20"), ("method", "full-domain, local-recoding, mondrian"))
"""What is varied where nobody said it; keys that the plan lacks are left out."""
_VARIED = frozenset({"promise", "method", "columns", "unit", "sample", "population", "measure", "order", "most_tuples"})
"""Parts of a plan that name no place."""


@dataclass(frozen=True, slots=True)
class ShownPoint:
    """One release that could be made.

    Args:
        place: in the sweep, from 0.
        values: its value of each varied key.
        state: "done", or why there is none.
        worth, risk: its figures.
        is_best: whether none beats it.
        note: what somebody wrote beside it; "": nothing.
    """

    place: int
    values: tuple[str, ...]
    state: str
    worth: str
    risk: str
    is_best: bool
    note: str


@dataclass(frozen=True, slots=True)
class View:
    """Releases that could be made.

    Args:
        seen: of the plan.
        state: of the work; None: it was not begun.
        vary: keys and values of the form.
        result: what was found; None: nothing yet.
        keys: the varied keys.
        points: each release, those that none beats first.
        chart: worth against risk; None: too few were made.
        is_old: whether the plan has changed since.
        only: "best", "kept" or "": which points are listed.
        command: what does the same in a shell.
    """

    seen: str
    state: jobs.State | None
    vary: tuple[tuple[str, str], ...]
    result: SweepResult | None
    keys: tuple[str, ...]
    points: tuple[ShownPoint, ...]
    chart: str | None
    is_old: bool
    only: str
    command: str


def view(asked: Asked) -> View:
    """The last sweep, if there was one."""
    file, folder = asked.project.plan_file(), asked.project.hidden / "sweep"
    state, result = jobs.state(folder), _sweep_of(asked.project)
    vary = _vary(asked, file.tables, result)
    only = asked.query.get("only", "")
    told = " ".join(f"--vary {key}={values.replace(' ', '')}" for key, values in vary if key)
    is_drawn = (
        result is not None and sum(point.worth is not None and point.risk is not None for point in result.points) > 1
    )
    return View(
        seen=file.seen,
        state=state,
        vary=(*vary, *[("", "")] * (LINES - len(vary))),
        result=result,
        keys=tuple(result.vary) if result else (),
        points=_points(result, notes_of(asked.project), only, asked.words) if result else (),
        chart=picture(cast("SweepResult", result), words(asked.words.language)) if is_drawn else None,
        is_old=result is not None and not jobs.is_of(folder, file.text),
        only=only,
        command=f"sfumato sweep plan.toml {told}",
    )


def _vary(asked: Asked, plan: Table, result: SweepResult | None) -> tuple[tuple[str, str], ...]:
    """What the form shows: what was typed, else what was varied last, else what is usual."""
    posted = tuple((asked.posted.get(f"key-{i}", ""), asked.posted.get(f"values-{i}", "")) for i in range(LINES))
    if any(key for key, _ in posted):
        return tuple(pair for pair in posted if pair[0])
    if result is not None:
        return tuple((key, ", ".join(map(str, values))) for key, values in result.vary.items())
    return tuple((key, values) for key, values in _USUAL if _stands(plan, key))


def _stands(plan: Table, key: str) -> bool:
    try:
        path_of(plan, key)
    except PlanError:
        return False
    return True


def _points(result: SweepResult, notes: Mapping[str, str], only: str, say: Words) -> tuple[ShownPoint, ...]:
    """Each point of a sweep: the best first, then by risk."""
    shown = [_point(i, point, notes.get(_name(point), ""), say) for i, point in enumerate(result.points)]
    order = sorted(shown, key=lambda one: (not one.is_best, one.risk == "", result.points[one.place].risk or 0))
    if only == "best":
        return tuple(one for one in order if one.is_best)
    return tuple(one for one in order if one.note or only != "kept")


def _point(place: int, point: SweptPoint, note: str, say: Words) -> ShownPoint:
    state = point.state if point.why is None else f"{say.say(point.state)}: {say.say(point.why)}"
    values = tuple(map(str, point.values.values()))
    return ShownPoint(
        place,
        values,
        state,
        say.spelled(figure_text(point.worth)),
        say.spelled(figure_text(point.risk)),
        point.front,
        note,
    )


def _name(point: SweptPoint) -> str:
    """What a note is written to, also after another sweep."""
    return json.dumps(dict(point.values), sort_keys=True)


def notes_of(project: Project) -> Mapping[str, str]:
    """What somebody wrote beside releases and nodes, by what each is."""
    path = project.hidden / "notes.json"
    found: dict[str, str] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found


def keep_note(asked: Asked, name: str) -> None:
    """Write what was typed beside a release or node, or let it go where nothing was."""
    notes, text = dict(notes_of(asked.project)), asked.posted.get("note", "").strip()[:500]
    if text:
        notes[name] = text
    else:
        notes.pop(name, None)
    jobs.write_json(asked.project.hidden / "notes.json", cast("dict[str, Item]", notes))


def _sweep_of(project: Project) -> SweepResult | None:
    """The last sweep of a project; None: there was none."""
    path = project.hidden / "sweep" / "sweep.json"
    return read(SweepResult, path.read_text("utf-8"), "`sfumato sweep`") if path.is_file() else None


def sweep(asked: Asked) -> Turn:
    """Begin to make releases in memory."""
    vary = {key: values_of(values) for key, values in _vary(asked, {}, None) if key}
    grid(vary)
    file, folder = asked.project.plan_file(), asked.project.hidden / "sweep"
    file.plan()
    for key in vary:
        _check_is_no_place(path_of(file.tables, key))
    jobs.start(
        folder,
        jobs.Job(kind="sweep", project=str(asked.project.folder), vary=vary),
        of=file.text,
        secret=secret_of(asked),
    )
    return Turn("wait", {"job": "sweep"})


def _check_is_no_place(path: str) -> None:
    """Refuse keys that say where tables and files are, or which engine reads them: a form of this page opens nothing.

    Raises:
        PlanError: it is one.
    """
    steps = path.split(".")
    if steps[0] not in _VARIED or steps[-1] == "file":
        raise PlanError(
            "A key to vary must be one of a promise, the method, a column, the unit, the sample or what is measured; `{key}` is none.",
            "choose such as `k`; places of tables are changed in the plan itself.",
            key=path[:80],
        )


def _chosen(asked: Asked) -> SweptPoint:
    """The point that the form names."""
    result = _sweep_of(asked.project)
    place = whole(asked.posted.get("place", ""))
    if place is None or result is None or place >= len(result.points):
        raise PlanError("A release must be one of those that are shown.", "choose one of the list.")
    return result.points[place]


def take(asked: Asked) -> Turn:
    """The plan gets the values of a point, and is run."""
    point = _chosen(asked)
    values = cast("Mapping[str, Value]", point.values)
    made = asked.edited(lambda document: _set(document, asked.project.plan_file().tables, values))
    return start(replace(asked, posted={**asked.posted, "seen": made.seen}))


def _set(document: Any, plan: Table, values: Mapping[str, Value]) -> None:
    """Change the keys of a point; options that another method does not know go."""
    for key, value in values.items():
        here = document
        *path, last = path_of(plan, key).split(".")
        for step in path:
            here = here[int(step) if step.isdecimal() else step]
        here[int(last) if last.isdecimal() else last] = value
    name = str(table_in(document, "method").get("name", ""))
    known: Sequence[str] = ("name", *keys_of(METHODS[name])) if name in METHODS else ()
    for key in [key for key in document["method"] if known and key not in known]:
        del document["method"][key]


def note(asked: Asked) -> Turn:
    """Keep a point with a note, or let it go with none."""
    keep_note(asked, _name(_chosen(asked)))
    return Turn("explore", place=f"point-{asked.posted.get('place', '')}")


PAGE = Page(
    name="explore", place=50, title="Explore", command="sfumato sweep plan.toml", view=view,
    acts={"sweep": sweep, "take": take, "note": note},
)  # fmt: skip
