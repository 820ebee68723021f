"""How worth and risk move with a plan's parameters: every combination run, and the Pareto front of all."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from sfumato.document.loading import load_toml
from sfumato.document.result.sweep import Axis, SweepResult, SweptPoint
from sfumato.document.spec import keys_of
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import Interrupted, NoSolution, ParameterError, PlanError, SfumatoError
from sfumato.mechanism.recode.decision import silent
from sfumato.noise.bits import SystemBits
from sfumato.release.method.method import ATTACK, Extra
from sfumato.release.method.registry import method_named
from sfumato.release.plan_reader import plan_from
from sfumato.release.record import plain
from sfumato.release.sweep.named import Named
from sfumato.release.sweep.points import REFUSALS, Point, Wanted, pareto_front, run_points
from sfumato.release.sweep.vary import grid, path_of, varied
from sfumato.release.tools import Tools
from sfumato.table.source import FrameSink, SqlSource
from sfumato.table.values import Table, table_in

if TYPE_CHECKING:
    from sfumato.engine.base import Engine
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.release.plan import Plan
    from sfumato.release.sweep.vary import Value
    from sfumato.summary.figure import Figure
    from sfumato.table.values import Item, Table

_WORTH = (
    "query_error_mean",
    "bucket_query_error_mean",
    "gcp",
    "information_loss",
    "tuple_query_mean",
    "traces_cells_f1",
)
_RISK = ("prosecutor_average", "bucket_guess_mean", "guess_after", "promised_epsilon", "persons_found")
_SECRETS = ("bucket_guess_mean", *_RISK)
"""Figures that are taken where none is named: the first that every point has and that is not the same for all. Where
some method leaves quasi-identifiers open, what is learned of the secret comes before who is found."""
_FIXED = ("source", "output", "account", "engine", "format", "sfumato", "measure")
"""Tables of a plan that are not varied: they change what is compared, or nothing."""
_PLACES = ("path", "kind", "url", "table", "report", "result")
"""Keys of [output] that say where something is written; nothing is."""


def sweep(  # noqa: PLR0913
    plan: Plan | Path | str,
    vary: Mapping[str, Sequence[Value]],
    frame: object = None,
    *,
    worth: str | None = None,
    risk: str | None = None,
    also: Sequence[str] = (),
    simulate: bool = False,
    folder: Path | None = None,
    progress: Progress = silent,
) -> SweepResult:
    """Run a plan with every combination of some values, in memory: `sfumato.sweep/1`.

    The table is read once, and counted once for all plans that need the same counts. Nothing is written. What comes out
    is measured on the private table: it is for those who hold the table, and is not published.

    Args:
        plan: a plan, or the path of one.
        vary: by key, its values. `k`, `l`, `t`, `epsilon` and other keys of a promise, a perturbed column or the
            method; `method`; or a path with points such as `columns.age.perturb.deviation`. Values that are `Named` change several
            keys at once, under a key of any name.
        frame: the table, when the plan names no source; or the database that it names, with a password.
        worth: name of a figure of worth; None: one that every point has (the document says which).
        risk: the same of risk; `attack.singling-out`, `attack.linkability` and `attack.inference` are tried; of traces,
            `attack.re-identification` and the other attacks.
        also: names of further figures whose meaning is told, for each point.
        simulate: the table is public or a stand-in: differential privacy is run without an account.
        folder: what relative paths in the plan are relative to; None: the folder of its file, else the current one.
        progress: called now and then.

    Raises:
        ParameterError: more than 400 combinations, or a figure that no point has.
        PlanError: every plan is refused (the first reason is given), or one would have to be paid.
        NoSolution: no plan has a solution.
    """
    if isinstance(plan, (str, Path)):
        document: Table = load_toml(Path(plan), "plan")
        place = Path(plan).parent if folder is None else folder
    else:
        document, place = plan.document, folder or Path()
    wanted = _wanted(document, grid(vary), place, simulate=simulate)
    tools, engine = Tools(SystemBits(), monotonic, silent, os.environ), DuckDBEngine()
    base = next(one.plan for one in wanted if one.plan is not None)
    held = _held(base, frame, engine)
    points, whole = _run(wanted, held, _extra(wanted, (worth, risk, *also)), engine, tools, progress)
    return _document(document, vary, points, (worth, risk), also, whole=whole)


def _wanted(document: Table, values: Sequence[Mapping[str, Value]], folder: Path, *, simulate: bool) -> list[Wanted]:
    """Every plan, read before any is run."""
    _check_keys(values)
    out = []
    first: SfumatoError | None = None
    for chosen in values:
        try:
            plan = _plan(document, chosen, folder, simulate=simulate)
        except REFUSALS as error:
            first = first or error
            out.append(Wanted(chosen, None, error.problem))
            continue
        _check_unpaid(plan, simulate=simulate)
        out.append(Wanted(chosen, plan))
    if first is not None and all(one.plan is None for one in out):
        raise first
    return out


def _check_keys(values: Sequence[Mapping[str, Value]]) -> None:
    """Refuse keys that would compare unlike things."""
    named = [key for chosen in values for one in chosen.values() if isinstance(one, Named) for key in one.changes]
    for key in [*(key for key, one in values[0].items() if not isinstance(one, Named)), *named]:
        if key.split(".")[0] in _FIXED:
            raise PlanError(
                "A sweep must vary what is done or promised; `{key}` is neither.",
                "make one plan for each of its values.",
                key=key,
            )


def _plan(document: Table, values: Mapping[str, Value], folder: Path, *, simulate: bool) -> Plan:
    """One plan; options that another method does not know are left out unless they are varied."""
    changed = varied(document, values)
    output = table_in(changed, "output")
    changed["output"] = {key: value for key, value in output.items() if key not in _PLACES}
    if simulate:
        changed.pop("account", None)
    before, options = table_in(document, "method").get("name"), table_in(changed, "method")
    name = options.get("name")
    if name != before and isinstance(name, str):
        kept = {
            "name",
            *(path_of(changed, key).removeprefix("method.") for key in values if not isinstance(values[key], Named)),
        }
        kept |= set(keys_of(method_named(name).options))
        changed["method"] = {key: value for key, value in options.items() if key in kept}
    return plan_from(changed, folder=folder)


def _check_unpaid(plan: Plan, *, simulate: bool) -> None:
    """Refuse a plan that would have to be paid at every point."""
    if not simulate and (plan.account is not None or method_named(plan.method.name).event(plan) is not None):
        raise PlanError(
            "A sweep must not look at a private table under differential privacy: each point would have to be paid.",
            "sweep on a public table or a stand-in and say so by --simulate (`simulate=True`); nothing is then charged.",
        )


def _held(plan: Plan, frame: object, engine: Engine[Any]) -> object:
    """The table in memory."""
    if isinstance(frame, SqlSource):
        return engine.write(engine.scan(frame), FrameSink()).frame
    if frame is not None:
        return frame
    if plan.source is None:
        raise PlanError("A sweep needs a table.", "add [source] with `path` or `url`, or give a frame.")
    return engine.write(engine.scan(plan.source), FrameSink()).frame


def _extra(wanted: Sequence[Wanted], names: Sequence[str | None]) -> Extra:
    """Which figures are needed beside the usual ones."""
    two = any(one.plan is not None and method_named(one.plan.method.name).in_buckets for one in wanted)
    named = any((name or "").startswith("bucket_") for name in names)
    return Extra(two or named, any((name or "").startswith(ATTACK) for name in names))


def _run(
    wanted: Sequence[Wanted], frame: object, extra: Extra, engine: Engine[Any], tools: Tools, progress: Progress
) -> tuple[list[Point], bool]:
    """All points; and whether nobody stopped the work before the last."""
    points: list[Point] = []
    progress(0, len(wanted), "running")
    try:
        for point in run_points(wanted, frame, extra, engine=engine, tools=tools):
            points.append(point)
            progress(len(points), len(wanted), "running")
    except (KeyboardInterrupt, Interrupted):
        rest = wanted[len(points) :]
        return [*points, *(Point(one.values, "not run", "stopped before its turn") for one in rest)], False
    return points, True


def _document(
    document: Table,
    vary: Mapping[str, Sequence[Value]],
    points: Sequence[Point],
    names: tuple[str | None, str | None],
    also: Sequence[str],
    *,
    whole: bool,
) -> SweepResult:
    done = [point for point in points if point.state == "done"]
    if whole and not done:
        raise _nothing(points)
    worth = _chosen("worth", [point.worth for point in done], names[0], _WORTH)
    open_rows = any("bucket_certain" in point.risk for point in done)
    risk = _chosen("risk", [point.risk for point in done], names[1], _SECRETS if open_rows else _RISK)
    every = [{**point.worth, **point.risk} for point in done]
    more = tuple(_axis_of(_named("worth or risk", every, name)) for name in also) if done else ()
    front = _front(points, worth, risk)
    return SweepResult(
        sfumato=version("sfumato"),
        plan=plain(document),
        vary={key: tuple(map(_told, values)) for key, values in vary.items()},
        worth=_axis(worth),
        risk=_axis(risk),
        also=more,
        points=tuple(_point(point, worth, risk, best) for point, best in zip(points, front, strict=True)),
        interrupted=not whole,
    )


def _nothing(points: Sequence[Point]) -> NoSolution | PlanError:
    """Why no point has a release: the first that found no solution, else the first that was refused."""
    unsolved = next((point for point in points if point.state == "no solution"), None)
    kind, why = (PlanError, points[0].why) if unsolved is None else (NoSolution, unsolved.why)
    return kind(
        f"A sweep needs a point with a release; there is none. {why}", "vary other values, or correct the plan."
    )


def _named(what: str, found: Sequence[Mapping[str, Figure]], name: str) -> Figure:
    """The figure of that name, as some point has it."""
    every = _every(found)
    if name not in every:
        raise ParameterError(
            "The {what} of a sweep must be a figure that its points have; got {name!r}.",
            "choose one of {every}.",
            what=what,
            name=name,
            every=sorted(every),
        )
    return every[name]


def _every(found: Sequence[Mapping[str, Figure]]) -> dict[str, Figure]:
    return {key: figure for figures in found for key, figure in figures.items()}


def _chosen(what: str, found: Sequence[Mapping[str, Figure]], name: str | None, usual: Sequence[str]) -> Figure | None:
    """The figure of an axis, as some point has it; None where nothing was run."""
    if not found:
        return None
    if name is not None:
        return _named(what, found, name)
    every = _every(found)
    if not every:
        raise ParameterError(
            "No point of this sweep has a figure of {what}.", "vary another plan, or name a {what}.", what=what
        )

    def rank(key: str) -> tuple[bool, bool, int]:
        values = [figures[key].value for figures in found if key in figures]
        known = key.rpartition(".")[2]  # figures of a column are named after it
        return len(values) < len(found), len(set(values)) == 1, usual.index(known) if known in usual else len(usual)

    return every[min(every, key=rank)]


def _front(points: Sequence[Point], worth: Figure | None, risk: Figure | None) -> list[bool]:
    """Which points no other beats; those without both figures are none."""
    costs = {}
    for i, point in enumerate(points):
        if worth is not None and risk is not None and worth.name in point.worth and risk.name in point.risk:
            costs[i] = (_cost(point.risk[risk.name]), _cost(point.worth[worth.name]))
    best = dict(zip(costs, pareto_front(list(costs.values())), strict=True))
    return [best.get(i, False) for i in range(len(points))]


def _cost(figure: Figure) -> float:
    """A figure turned so that less is better."""
    value = float(cast("float", figure.value))
    return value if figure.better == "lower" else -value


def _told(value: Value) -> Item:
    """A value as a document has it."""
    return value.name if isinstance(value, Named) else value


def _axis(figure: Figure | None) -> Axis | None:
    return None if figure is None else _axis_of(figure)


def _axis_of(figure: Figure) -> Axis:
    return Axis(
        name=figure.name,
        label=figure.label,
        better=figure.better,
        definition=figure.definition,
        source=figure.source,
    )


def _point(point: Point, worth: Figure | None, risk: Figure | None, best: bool) -> SweptPoint:
    figures = {name: figure.value for name, figure in {**point.worth, **point.risk}.items()}
    return SweptPoint(
        values={key: _told(value) for key, value in point.values.items()},
        state=point.state,
        why=point.why,
        worth=None if worth is None else figures.get(worth.name),
        risk=None if risk is None else figures.get(risk.name),
        front=best,
        seconds=round(point.seconds, 3),
        figures=plain(figures),
    )
