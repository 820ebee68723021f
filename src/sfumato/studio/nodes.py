"""Nodes of a lattice as pages show them: which are chosen by filters, in which order, and where a diagram puts them."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sfumato.document.result.codec import read
from sfumato.document.result.lattice import LatticeNode, LatticeResult
from sfumato.frozen import dataclass
from sfumato.mechanism.recode.full_domain.method import Lattice
from sfumato.mechanism.recode.full_domain.space import FAILS, HOLDS, MUST_FAIL, MUST_HOLD, OPEN
from sfumato.release.sweep.lattice import states_of
from sfumato.table.values import table_in

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sfumato.release.sweep.lattice import OpenedNode
    from sfumato.studio.shelf import Project
    from sfumato.summary.figure import Figure
    from sfumato.table.values import Table
    from sfumato.types import BoolArray, FloatArray, IntArray

MOST_HELD = 200_000
"""Nodes of a lattice that is shown whole; of a larger one the judged nodes are."""
STATES = {OPEN: "open", HOLDS: "holds", FAILS: "fails", MUST_HOLD: "must-hold", MUST_FAIL: "must-fail"}
_STEP, _RANK, _LETTER = 18, 58, 8
"""Pixels between two nodes of a rank, between two ranks, and of a letter."""

Levels = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """Nodes as arrays of one length.

    Args:
        levels: (n, m).
        states: keys of STATES.
        loss: nan where it is not known.
        at_least: nan where nothing is known.
        rows: suppressed rows; -1: not known.
    """

    levels: IntArray
    states: IntArray
    loss: FloatArray
    at_least: FloatArray
    rows: IntArray

    def taken(self, which: IntArray) -> Nodes:
        """Some of them."""
        return Nodes(self.levels[which], self.states[which], self.loss[which], self.at_least[which], self.rows[which])


@dataclass(frozen=True, slots=True)
class Drawn:
    """Where a diagram puts its nodes, in pixels.

    Args:
        width, height: of the whole.
        box: width of a node.
        places: left and top of each node.
        edges: from each node to those that are one level coarser in one column: x1, y1, x2, y2.
    """

    width: int
    height: int
    box: int
    places: tuple[tuple[int, int], ...]
    edges: tuple[tuple[int, int, int, int], ...]


def lattice_of(project: Project) -> LatticeResult | None:
    """The last lattice of a project; None: none was searched."""
    path = project.hidden / "lattice" / "lattice.json"
    return read(LatticeResult, path.read_text("utf-8"), "`sfumato sweep --lattice`") if path.is_file() else None


def opened_json(opened: OpenedNode) -> str:
    """What is kept of an opened node; it holds cells, so it stays in the hidden folder."""
    figures = {kind: [_figure(one) for one in getattr(opened, kind)] for kind in ("worth", "risk")}
    said = {"node": asdict(opened.node), "names": opened.names, "rows": opened.rows, **figures}
    return json.dumps(said, ensure_ascii=False)


def _figure(one: Figure) -> Table:
    return {
        "name": one.name,
        "label": one.label,
        "value": one.value,
        "better": one.better,
        "definition": one.definition,
    }


def key_of(levels: Sequence[int]) -> str:
    """A node in an address.

    Example:
        >>> key_of((0, 12))
        '0-12'
    """
    return "-".join(map(str, levels))


def nodes_of(found: LatticeResult) -> Nodes:
    """Every node, or the judged ones of a lattice that is too large."""
    m, is_whole = len(found.columns), found.size <= MOST_HELD
    lowest = np.array([column.lowest for column in found.columns], np.int64)
    judged = np.array([one.levels for one in found.nodes], np.int64).reshape(-1, m)
    loss = np.array([np.nan if one.loss is None else one.loss for one in found.nodes])
    at_least = np.array([one.loss_at_least for one in found.nodes], np.float64)
    rows = np.array([-1 if one.suppressed_rows is None else one.suppressed_rows for one in found.nodes], np.int64)
    if not is_whole:
        return Nodes(judged, np.array([HOLDS if one.anonymous else FAILS for one in found.nodes]), loss, at_least, rows)
    lattice = Lattice(tuple(column.highest - column.lowest for column in found.columns))
    places = np.array([lattice.index(one) for one in (judged - lowest).tolist()], np.int64)
    out = Nodes(
        lattice.levels() + lowest, states_of(found), np.full(found.size, np.nan), np.full(found.size, np.nan),
        np.full(found.size, -1),
    )  # fmt: skip
    out.loss[places], out.at_least[places], out.rows[places] = loss, at_least, rows
    return out


def wanted(
    nodes: Nodes, state: str, most: float | None, levels: Mapping[int, int], kept: Collection[Levels]
) -> IntArray:
    """Which nodes the filters let through.

    Args:
        nodes: all of them.
        state: "anonymous", "not", "open", "kept" or "" for all.
        most: largest loss; nodes whose loss is not known are then left out.
        levels: by place of a column, its level.
        kept: levels of those with a note.
    """
    fits: BoolArray = np.ones(len(nodes.states), bool)
    if state in _NAMED:
        fits &= np.isin(nodes.states, _NAMED[state])
    if state == "kept":
        fits &= np.array([tuple(row) in kept for row in nodes.levels.tolist()], bool)
    if most is not None:
        fits &= nodes.loss <= most
    for place, level in levels.items():
        fits &= nodes.levels[:, place] == level
    return np.flatnonzero(fits)


_NAMED = {"anonymous": (HOLDS, MUST_HOLD), "not": (FAILS, MUST_FAIL), "open": (OPEN,)}


def ordered(nodes: Nodes, by: str, *, down: bool) -> IntArray:
    """Nodes in an order; those without a value come last.

    Args:
        nodes: them.
        by: "loss", "rows", "sum", or the place of a column.
        down: the largest first.
    """
    if by.isdecimal():
        value = nodes.levels[:, int(by)].astype(np.float64)
    elif by == "rows":
        value = np.where(nodes.rows < 0, np.nan, nodes.rows)
    else:
        value = nodes.levels.sum(axis=1).astype(np.float64) if by == "sum" else nodes.loss
    tie = np.where(np.isnan(nodes.at_least), np.inf, nodes.at_least)
    return np.lexsort((*nodes.levels.T[::-1], nodes.levels.sum(axis=1), tie, -value if down else value))


def drawn(levels: Sequence[Levels]) -> Drawn:
    """A Hasse diagram: the finest nodes at the bottom, each rank in the order of levels.

    Example:
        >>> drawn([(0,), (1,)]).edges
        ((33, 58, 33, 30),)
    """
    box = 40 + _LETTER * max((len(key_of(one)) for one in levels), default=1)
    ranks: dict[int, list[Levels]] = {}
    for one in sorted(levels):
        ranks.setdefault(sum(one), []).append(one)
    tops = {rank: i * _RANK for i, rank in enumerate(sorted(ranks, reverse=True))}
    widest = max(map(len, ranks.values()), default=1)
    width = widest * (box + _STEP)
    at: dict[Levels, tuple[int, int]] = {}
    for rank, inside in ranks.items():
        left = (width - len(inside) * (box + _STEP) + _STEP) // 2
        at |= {one: (left + i * (box + _STEP), tops[rank]) for i, one in enumerate(inside)}
    edges = [
        (at[one][0] + box // 2, at[one][1], at[up][0] + box // 2, at[up][1] + _RANK // 2 + 1)
        for one in at
        for up in ((*one[:j], one[j] + 1, *one[j + 1 :]) for j in range(len(one)))
        if up in at
    ]
    return Drawn(width, len(ranks) * _RANK, box, tuple(at[one] for one in levels), tuple(edges))


def opened_of(said: Table) -> LatticeNode:
    """The node of what is kept of an opened one."""
    node = cast("Mapping[str, Any]", table_in(said, "node"))
    return LatticeNode(**{**node, "levels": tuple(node["levels"])})
