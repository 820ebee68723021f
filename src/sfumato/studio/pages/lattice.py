"""Which levels? The solution space of a full-domain search; a node is judged and looked at before it is taken."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, cast

from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.release.sweep.lattice import SEARCHED, fixed_method, levels_of
from sfumato.report.number import Toward, toward_worse
from sfumato.report.number import figure as spell
from sfumato.report.sweep import figure_text
from sfumato.studio import jobs
from sfumato.studio.databases import secret_of
from sfumato.studio.look import look_at
from sfumato.studio.nodes import STATES, drawn, key_of, lattice_of, nodes_of, opened_of, ordered, wanted
from sfumato.studio.pages.base import Asked, Page, Turn
from sfumato.studio.pages.explore import keep_note, notes_of
from sfumato.studio.pages.result import Sides, changed_cells
from sfumato.studio.plan_file import set_table
from sfumato.studio.shelf import whole
from sfumato.table.values import table_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.document.result.lattice import LatticeNode, LatticeResult
    from sfumato.studio.nodes import Drawn, Nodes
    from sfumato.studio.shelf import Project
    from sfumato.table.values import Item, Table

MOST_DRAWN = 300
"""Nodes of a diagram."""
PER_PAGE = {"list": 50, "tiles": 300}
FILTERS = ("as", "state", "most", "by", "down")
_WAIT = 2.5
"""Seconds that a click waits for a node; what takes longer has a page of progress."""


@dataclass(frozen=True, slots=True)
class ShownNode:
    """A node of the page.

    Args:
        key: in an address.
        levels: of each column.
        state: a value of `nodes.STATES`.
        mark: the same as a sign.
        loss, rows: in words.
        is_optimum: whether the search chose it.
        is_chosen: whether the plan has its levels.
        note: what somebody wrote; "": nothing.
    """

    key: str
    levels: tuple[int, ...]
    state: str
    mark: str
    loss: str
    rows: str
    is_optimum: bool
    is_chosen: bool
    note: str


@dataclass(frozen=True, slots=True)
class OpenedView:
    """The node that was opened.

    Args:
        shown: it.
        sides: original (empty where nothing is kept of it) and release; None: there is none.
        worth, risk: label, number and definition of each figure.
    """

    shown: ShownNode
    sides: Sides | None
    worth: tuple[tuple[str, str, str], ...]
    risk: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class View:
    """The lattice.

    Args:
        seen: of the plan.
        able: whether the method of the plan has a lattice.
        state: of the search; trouble of the opened node stands in `node_state`.
        node_state: of the node that was opened last.
        found: the document; None: nothing yet.
        is_old: whether the plan has changed since.
        kind: "diagram", "list" or "tiles".
        filters: keys of the address that are kept.
        levels: by place of a column, the level that is asked for.
        count: nodes that the filters let through.
        nodes: those of this page.
        picture: where a diagram puts them.
        page: number of this page, from 1.
        pages: how many.
        opened: the node that was opened; None: none.
        command: what does the same in a shell.
    """

    seen: str
    able: bool
    state: jobs.State | None
    node_state: jobs.State | None
    found: LatticeResult | None
    is_old: bool
    kind: str
    filters: Mapping[str, str]
    levels: Mapping[int, int]
    count: int
    nodes: tuple[ShownNode, ...]
    picture: Drawn | None
    page: int
    pages: int
    opened: OpenedView | None
    command: str


def view(asked: Asked) -> View:
    """The last lattice, filtered."""
    file, hidden = asked.project.plan_file(), asked.project.hidden
    found, method = lattice_of(asked.project), table_in(file.tables, "method")
    filters = {key: asked.wanted(key)[:40] for key in FILTERS if asked.wanted(key)}
    levels = _levels(asked, found)
    kept = {} if found is None else _kept(asked, found)
    chosen = _chosen(method, found)
    kind, count, page, pages, picture = "diagram", 0, 1, 1, None
    nodes: tuple[ShownNode, ...] = ()
    if found is not None:
        every = nodes_of(found)
        some = every.taken(wanted(every, filters.get("state", ""), _number(filters.get("most", "")), levels, kept))
        by = filters.get("by", "loss")
        some = some.taken(ordered(some, by if not by.isdecimal() else _place(by, found), down="down" in filters))
        count, kind = len(some.states), filters.get("as", "diagram")
        if kind not in PER_PAGE and count > MOST_DRAWN:
            kind = "list"
        if kind in PER_PAGE:
            pages = max(1, math.ceil(count / PER_PAGE[kind]))
            page = min(max(whole(asked.wanted("part")) or 1, 1), pages)
            first = (page - 1) * PER_PAGE[kind]
            some = some.taken(cast("Any", slice(first, first + PER_PAGE[kind])))
        else:
            kind, picture = "diagram", drawn([tuple(row) for row in some.levels.tolist()])
        nodes = _shown(some, found, chosen, kept)
    return View(
        seen=file.seen, able=method.get("name") in SEARCHED, state=jobs.state(hidden / "lattice"),
        node_state=jobs.state(hidden / "node"), found=found,
        is_old=found is not None and not jobs.is_of(hidden / "lattice", _basis(asked.project)), kind=kind,
        filters=filters, levels=levels, count=count, nodes=nodes, picture=picture, page=page, pages=pages,
        opened=None if found is None else _opened(asked, found, chosen, kept), command=_command(asked, found),
    )  # fmt: skip


def _basis(project: Project) -> str:
    """All in the plan that a lattice depends on: neither the levels that were taken nor the name of the method."""
    tables: dict[str, Item] = dict(project.plan_file().tables)
    method = {key: value for key, value in table_in(tables, "method").items() if key not in ("name", "levels")}
    return json.dumps({**tables, "method": method}, sort_keys=True, default=str)


def _command(asked: Asked, found: LatticeResult | None) -> str:
    key = asked.wanted("node")
    levels = None if found is None else _named(found, key)
    told = "" if levels is None else " --node " + ",".join(f"{name}={level}" for name, level in levels.items())
    return f"sfumato sweep plan.toml --lattice{told}"


def _number(text: str) -> float | None:
    """A loss that was typed; None: none."""
    try:
        found = float(text.replace(",", "."))
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def _place(text: str, found: LatticeResult) -> str:
    place = whole(text)
    return text if place is not None and place < len(found.columns) else "loss"


def _levels(asked: Asked, found: LatticeResult | None) -> dict[int, int]:
    """By place of a column, the level that the address asks for."""
    columns = () if found is None else found.columns
    said = {i: whole(asked.wanted(f"level-{i}")) for i in range(len(columns))}
    return {i: level for i, level in said.items() if level is not None and level <= columns[i].highest}


def _named(found: LatticeResult, key: str) -> dict[str, int] | None:
    """Levels by column of a node in an address; None: there is no such node."""
    levels = [whole(part) for part in key.split("-")]
    if len(levels) != len(found.columns):
        return None
    pairs = list(zip(found.columns, levels, strict=True))
    if not all(level is not None and column.lowest <= level <= column.highest for column, level in pairs):
        return None
    return {column.name: cast("int", level) for column, level in pairs}


def _name(levels: Mapping[str, int]) -> str:
    """What a note is written to, also after another search."""
    return json.dumps({"levels": dict(levels)}, sort_keys=True)


def _kept(asked: Asked, found: LatticeResult) -> dict[tuple[int, ...], str]:
    """By levels, what was written beside nodes of this lattice."""
    out = {}
    for name, text in notes_of(asked.project).items():
        levels = json.loads(name).get("levels")
        if isinstance(levels, dict) and set(levels) == {column.name for column in found.columns}:
            out[tuple(levels[column.name] for column in found.columns)] = text
    return out


def _chosen(method: Table, found: LatticeResult | None) -> tuple[int, ...] | None:
    """Levels of the plan."""
    levels = table_in(method, "levels")
    if found is None or set(levels) != {column.name for column in found.columns}:
        return None
    return tuple(cast("int", levels[column.name]) for column in found.columns)


def _shown(
    nodes: Nodes, found: LatticeResult, chosen: tuple[int, ...] | None, kept: Mapping[tuple[int, ...], str]
) -> tuple[ShownNode, ...]:
    rows = zip(nodes.levels.tolist(), nodes.states.tolist(), nodes.loss.tolist(), nodes.at_least.tolist(), nodes.rows.tolist(), strict=True)  # fmt: skip
    return tuple(
        _one(found, tuple(row[0]), STATES[row[1]], row[2:], chosen, kept.get(tuple(row[0]), "")) for row in rows
    )


def _one(found: LatticeResult, levels: tuple[int, ...], state: str, told: Sequence[Any], chosen: tuple[int, ...] | None, note: str) -> ShownNode:  # fmt: skip
    loss, at_least, rows = told
    text = figure_text(loss) if loss == loss else f"≥ {figure_text(at_least)}" if at_least == at_least else ""  # noqa: PLR0124
    is_optimum, is_chosen = levels == found.optimum, levels == chosen
    sign = {"holds": "✓", "fails": "✗", "must-hold": "(✓)", "must-fail": "(✗)", "open": "?"}[state]
    mark = f"{'★' if is_optimum else ''}{'◆' if is_chosen else ''}" or sign
    return ShownNode(
        key_of(levels), levels, state, mark, text, "" if rows < 0 else str(rows), is_optimum, is_chosen, note
    )


def _opened(asked: Asked, found: LatticeResult, chosen: tuple[int, ...] | None, kept: Mapping[tuple[int, ...], str]) -> OpenedView | None:  # fmt: skip
    """The node that the address names, where it was opened last and the plan is the same."""
    folder, key = asked.project.hidden / "node", asked.wanted("node")
    path = folder / "opened.json"
    if not key or not path.is_file() or not jobs.is_of(folder, _basis(asked.project)):
        return None
    said = json.loads(path.read_text("utf-8"))
    node = opened_of(said)
    if key not in ("last", key_of(node.levels)) or len(node.levels) != len(found.columns):
        return None
    loss = math.nan if node.loss is None else node.loss
    rows = -1 if node.suppressed_rows is None else node.suppressed_rows
    state = "holds" if node.anonymous else "fails"
    shown = _one(found, node.levels, state, [loss, node.loss_at_least, rows], chosen, kept.get(node.levels, ""))
    figures = [
        tuple(
            (
                one["label"],
                spell(one["value"], unit, toward_worse(one.get("better")) if unit else Toward.UP),
                one["definition"],
            )
            for one in said[kind]
            if one["value"] is not None
        )
        for kind, unit in (("worth", "number"), ("risk", None))
    ]
    return OpenedView(shown, _sides(asked, said, node), figures[0], figures[1])


def _sides(asked: Asked, said: Mapping[str, Any], node: LatticeNode) -> Sides | None:
    """First rows of both."""
    look = look_at(asked.project)
    if not node.anonymous:
        return None
    names, after = tuple(said["names"]), tuple(tuple(row) for row in said["rows"])
    if look is None:
        return Sides((), (), names, after, None)
    mine, before = tuple(one.name for one in look.columns), look.first[: len(after)]
    is_kept = asked.project.plan_file().plan().output.suppressed.value != "drop"
    changed = changed_cells(mine, before, names, after) if is_kept and len(before) == len(after) else None
    return Sides(mine, before, names, after, changed)


def search(asked: Asked) -> Turn:
    """Search the lattice of the plan."""
    file, folder = asked.project.plan_file(), asked.project.hidden / "lattice"
    file.plan()
    jobs.start(
        folder,
        jobs.Job(kind="lattice", project=str(asked.project.folder)),
        of=_basis(asked.project),
        secret=secret_of(asked),
    )
    return Turn("wait", {"job": "lattice"})


def _node_posted(asked: Asked) -> tuple[LatticeResult, dict[str, int]]:
    found = lattice_of(asked.project)
    levels = None if found is None else _named(found, asked.posted.get("node", ""))
    if found is None or levels is None:
        raise PlanError("A node must be one of those that are shown.", "choose one of them.")
    return found, levels


def judge(asked: Asked) -> Turn:
    """Judge a node and look at its release; the filters stay."""
    found, levels = _node_posted(asked)
    folder, key = asked.project.hidden / "node", key_of(levels_of(found.columns, levels))
    job = jobs.Job(kind="node", project=str(asked.project.folder), levels=levels)
    jobs.start(folder, job, of=_basis(asked.project), secret=secret_of(asked))
    state = jobs.wait(folder, _WAIT)
    if state is not None and state.is_going:
        return Turn("wait", {"job": "node"})
    return _back(asked, key)


def _back(asked: Asked, key: str) -> Turn:
    names = (*FILTERS, "part", *(name for name in asked.posted if name.startswith("level-")))
    kept = {name: asked.posted[name] for name in names if asked.posted.get(name)}
    return Turn("lattice", {**kept, "node": key}, "opened")


def take(asked: Asked) -> Turn:
    """The plan gets the levels of a node that was judged anonymous."""
    found, levels = _node_posted(asked)
    place = levels_of(found.columns, levels)
    if not any(one.levels == place and one.anonymous for one in found.nodes):
        raise PlanError("A node that is taken must be anonymous, and judged.", "open it, or take another.")
    options = table_in(asked.project.plan_file().tables, "method")
    asked.edited(lambda document: set_table(document, ("method",), fixed_method(options, levels)))
    return Turn("promise", place="method")


def note(asked: Asked) -> Turn:
    """Keep a node with a note, or let it go with none."""
    found, levels = _node_posted(asked)
    keep_note(asked, _name(levels))
    return _back(asked, key_of(levels_of(found.columns, levels)))


PAGE = Page(
    name="lattice", place=52, title="All levels", command="sfumato sweep plan.toml --lattice", view=view,
    acts={"search": search, "judge": judge, "take": take, "note": note},
)  # fmt: skip
