"""The solution space of a plan with full-domain generalization: what a search judges, and any node that somebody opens."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib.metadata import version
from math import floor, prod
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from sfumato.document.loading import load_toml
from sfumato.document.result.lattice import LatticeColumn, LatticeNode, LatticeResult
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import ParameterError, PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.recode.decision import silent
from sfumato.mechanism.recode.full_domain.method import LARGEST, FullDomain
from sfumato.mechanism.recode.full_domain.space import MUST_FAIL, MUST_HOLD, explore, judged_at, known
from sfumato.noise.bits import SystemBits
from sfumato.release.method.method import Extra
from sfumato.release.method.registry import method_named
from sfumato.release.pipeline import complete, opened
from sfumato.release.plan_reader import plan_from
from sfumato.release.tools import Tools
from sfumato.summary.ask import FirstRows
from sfumato.table.source import FrameSink, FrameSource, source_from
from sfumato.table.values import table_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sfumato.mechanism.recode.decision import Progress
    from sfumato.mechanism.recode.full_domain.space import Judged
    from sfumato.release.pipeline import Run
    from sfumato.release.plan import Plan
    from sfumato.release.recoding.run import Counted
    from sfumato.summary.figure import Figure
    from sfumato.table.values import Item, Table
    from sfumato.types import IntArray

SEARCHED = ("full-domain", "fixed")
"""Methods whose releases are nodes of the lattice."""
_SHARED = ("suppression_limit", "loss", "loss_options")
"""Options that both have."""
_SEARCH = (*_SHARED, "seconds", "nodes")


@dataclass(frozen=True, slots=True)
class OpenedNode:
    """A node that somebody looks at before it is taken.

    Args:
        node: as it was judged.
        names: columns of its release; (): it is not anonymous, so that there is none.
        rows: the first rows of its release.
        worth, risk: figures of its release.
    """

    node: LatticeNode
    names: tuple[str, ...] = ()
    rows: tuple[tuple[str | None, ...], ...] = ()
    worth: tuple[Figure, ...] = ()
    risk: tuple[Figure, ...] = ()


def lattice(
    plan: Plan | Path | str, frame: object = None, *, nodes: Sequence[Mapping[str, int]] = (), folder: Path | None = None,
    progress: Progress = silent,
) -> LatticeResult:  # fmt: skip
    """Search the lattice of a plan and keep every node that is judged: `sfumato.lattice/1`.

    Nothing is written. What comes out is measured on the private table: it is for those who hold it, and is not published.

    Args:
        plan: a plan, or the path of one; its method is full-domain generalization or fixed levels.
        frame: the table, when the plan names no source; or the database that it names, with a password.
        nodes: nodes that are judged in any case: by column, its level.
        folder: what relative paths in the plan are relative to; None: the folder of its file, else the current one.
        progress: told now and then how many nodes were judged.

    Raises:
        PlanError: another method.
        ParameterError: a node that is none.
    """
    document, place = _document(plan, folder)
    run, counted = _counted(plan_from(_with_method(document, _options(document)), folder=place), frame, progress)
    columns = _columns(counted)
    also = [tuple(x - c.lowest for x, c in zip(levels_of(columns, one), columns, strict=True)) for one in nodes]
    mechanism = cast("FullDomain", run.built.mechanism)
    space = explore(mechanism, counted.finest, counted.attributes, also)
    found = LatticeResult(
        sfumato=version("sfumato"),
        plan=document,
        loss=str(_options(document).get("loss", "loss")),
        rows=counted.finest.n_rows,
        suppression_limit=floor(mechanism.suppression_limit * counted.finest.n_rows),
        columns=columns,
        size=prod(height + 1 for height in space.heights),
        nodes=tuple(_node(one, columns) for one in space.judged),
        settled_anonymous=None,
        settled_not=None,
        optimum=None if space.best is None else _raised(space.best, columns),
        proved=space.optimal,
        statement=space.statement,
    )
    return with_nodes(found, ())


def with_nodes(found: LatticeResult, more: Iterable[LatticeNode]) -> LatticeResult:
    """The same with more judged nodes, and what they settle counted again."""
    nodes = {one.levels: one for one in (*found.nodes, *more)}
    whole = replace(found, nodes=tuple(nodes.values()))
    if found.size > LARGEST:
        return whole
    states = states_of(whole)
    return replace(
        whole,
        settled_anonymous=int((states == MUST_HOLD).sum()),
        settled_not=int((states == MUST_FAIL).sum()),
    )


def states_of(found: LatticeResult) -> IntArray:
    """What is known of every node, in lexicographic order of levels: see `mechanism.recode.full_domain.space.known`."""
    lowest = [column.lowest for column in found.columns]
    heights = tuple(column.highest - column.lowest for column in found.columns)
    judged = [
        (tuple(x - low for x, low in zip(one.levels, lowest, strict=True)), one.anonymous, one.settles)
        for one in found.nodes
    ]
    return known(heights, judged)


def levels_of(columns: Sequence[LatticeColumn], named: Mapping[str, int]) -> tuple[int, ...]:
    """Levels in the order of the columns.

    Raises:
        ParameterError: a column without a level, or a level that it does not have.

    Example:
        >>> levels_of([LatticeColumn(name="age", lowest=0, highest=3)], {"age": 2})
        (2,)
    """
    unknown = sorted(set(named) - {column.name for column in columns})
    for column in columns:
        if not column.lowest <= named.get(column.name, -1) <= column.highest or unknown:
            raise ParameterError(
                "A node must give each of {known} a level; {name!r} has levels {lowest} to {highest}.",
                "write such as --node {name}={highest}, with every column.",
                known=[one.name for one in columns],
                name=column.name,
                lowest=column.lowest,
                highest=column.highest,
            )
    return tuple(named[column.name] for column in columns)


def opened_node(plan: Plan | Path | str, levels: Mapping[str, int], frame: object = None, *, folder: Path | None = None, rows: int = 30, progress: Progress = silent) -> OpenedNode:  # fmt: skip
    """Judge one node and, where it is anonymous, make its release in memory.

    Args:
        plan: see `lattice`.
        levels: by column, its level.
        frame: the table, when the plan names no source; or the database that it names, with a password.
        folder: see `lattice`.
        rows: first rows that are kept of the release.
        progress: told now and then.

    Raises:
        PlanError: another method.
        ParameterError: there is no such node.
    """
    document, place = _document(plan, folder)
    options = _options(document)
    fixed = fixed_method(options, levels)
    run, counted = _counted(plan_from(_with_method(document, fixed), folder=place), frame, progress)
    columns = _columns(counted)
    wanted = levels_of(columns, levels)
    searched = plan_from(_with_method(document, options), folder=place)
    mechanism = method_named("full-domain").build(searched, run.tools).mechanism
    node = _node(judged_at(mechanism, counted.finest, counted.attributes, wanted), columns)
    if not node.anonymous:
        return OpenedNode(node)
    outcome = complete(run, counted)
    worth, risk = run.method.figures(outcome, Extra(False, False))
    table = run.engine.scan(FrameSource(outcome.receipts[0].frame))
    names = run.engine.header(table).names
    return OpenedNode(node, names, run.engine.summarize(table, FirstRows(names, rows)), tuple(worth), tuple(risk))


def fixed_method(options: Table, levels: Mapping[str, int]) -> dict[str, Item]:
    """[method] of a plan that takes a node, with the limit and the loss of the search.

    Example:
        >>> fixed_method({"name": "full-domain", "suppression_limit": 0.1, "nodes": 9}, {"age": 1})
        {'name': 'fixed', 'levels': {'age': 1}, 'suppression_limit': 0.1}
    """
    kept = {key: options[key] for key in _SHARED if key in options}
    return {"name": "fixed", "levels": dict(levels), **kept}


def _document(plan: Plan | Path | str, folder: Path | None) -> tuple[Table, Path]:
    if isinstance(plan, (str, Path)):
        return load_toml(Path(plan), "plan"), Path(plan).parent if folder is None else folder
    return plan.document, folder or Path()


def _options(document: Table) -> dict[str, Item]:
    """[method] of the search.

    Raises:
        PlanError: a method whose releases are no nodes of a lattice.
    """
    method = table_in(document, "method")
    if method.get("name") not in SEARCHED:
        raise PlanError(
            "A lattice needs the method full-domain, or fixed levels; the plan names {name!r}.",
            "choose full-domain.",
            name=method.get("name"),
        ).below("method", "name")
    return {"name": "full-domain", **{key: method[key] for key in _SEARCH if key in method}}


def _with_method(document: Table, method: Table) -> dict[str, Item]:
    return {**document, "method": dict(method)}


def _counted(plan: Plan, frame: object, progress: Progress) -> tuple[Run[Any], Counted[Any]]:
    """The table as its plan counts it, nothing decided."""
    source = plan.source if frame is None else source_from(frame)
    if source is None:
        raise PlanError("A lattice needs a table.", "add [source] with `path` or `url`, or give a frame.")
    tools = Tools(SystemBits(), monotonic, progress, os.environ)
    built = method_named(plan.method.name).build(plan, tools)
    run = opened(plan, built, (source, FrameSink()), engine=DuckDBEngine(), tools=tools)
    return run, run.stages.summarize(run)


def _columns(counted: Counted[Any]) -> tuple[LatticeColumn, ...]:
    return tuple(
        LatticeColumn(name=one.name, lowest=low, highest=low + one.hierarchy.height)
        for one, low in zip(counted.attributes, counted.base, strict=True)
    )


def _raised(levels: Sequence[int], columns: Sequence[LatticeColumn]) -> tuple[int, ...]:
    """Levels counted from those of the values."""
    return tuple(level + column.lowest for level, column in zip(levels, columns, strict=True))


def _node(one: Judged, columns: Sequence[LatticeColumn]) -> LatticeNode:
    holds = one.suppressed is not None
    return LatticeNode(
        levels=_raised(one.levels, columns),
        anonymous=holds,
        suppressed_rows=one.suppressed,
        loss=one.loss,
        loss_at_least=one.at_least,
        settles=one.passes_coarser if holds else one.refuses_finer,
    )
