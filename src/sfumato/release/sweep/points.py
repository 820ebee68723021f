"""What one point of a sweep is, how it is run, and which points no other beats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sfumato.errors import HierarchyError, NoSolution, ParameterError, PlanError, SchemaError
from sfumato.frozen import dataclass
from sfumato.release.method.registry import method_named
from sfumato.release.pipeline import complete, ends, opened
from sfumato.summary.figure import Figure

if TYPE_CHECKING:
    from sfumato.engine.base import Engine
    from sfumato.release.method.method import Extra, Figures
    from sfumato.release.pipeline import Run
    from sfumato.release.plan import Plan
    from sfumato.release.sweep.vary import Value
    from sfumato.release.tools import Tools


def pareto_front(costs: Sequence[tuple[float, float]]) -> list[bool]:
    """Which points no other beats.

    A point is beaten by another that is at most as costly in both ways and less in one. Equal points stand or fall
    together. Numbers are compared as they are, without tolerance.

    Args:
        costs: two finite costs of each point, less is better.

    Returns:
        One truth value for each point.

    Source:
        S. Börzsönyi, D. Kossmann, K. Stocker, "The skyline operator", ICDE 2001, section 1.

    Example:
        >>> pareto_front([(0.2, 0.1), (0.1, 0.3), (0.2, 0.2), (0.1, 0.3)])
        [True, True, False, True]
    """
    order = sorted(range(len(costs)), key=costs.__getitem__)
    kept = [False] * len(costs)
    least = float("inf")
    for _, tied in groupby(order, key=lambda i: costs[i][0]):
        same = list(tied)
        best = costs[same[0]][1]
        if best < least:
            for i in same:
                kept[i] = costs[i][1] == best
            least = best
    return kept


REFUSALS = (PlanError, ParameterError, SchemaError, HierarchyError)
"""What a value of a parameter can be to blame for; such a point is refused, and the others are run."""
Held = tuple["Plan", "Run[Any]", Any]
"""What tells how a table is counted, the run that counted it, and its counts."""
_KEPT = 4
"""Tables counted differently (other first steps, columns or samples) that are held at once."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """One point before it is run.

    Args:
        values: by varied key, its value.
        plan: what is run; None: refused.
        why: the reason when it is refused.
    """

    values: Mapping[str, Value]
    plan: Plan | None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """One point after it was run, or why it was not.

    Args:
        values: by varied key, its value.
        state: "done", "no solution", "refused" or "not run".
        why: the reason of any but the first.
        seconds: how long it took.
        worth, risk: every figure, by name.
    """

    values: Mapping[str, Value]
    state: str
    why: str | None = None
    seconds: float = 0.0
    worth: Mapping[str, Figure] = field(default_factory=dict)
    risk: Mapping[str, Figure] = field(default_factory=dict)


def run_points(
    wanted: Sequence[Wanted], frame: object, extra: Extra, *, engine: Engine[Any], tools: Tools
) -> Iterator[Point]:
    """Run points in their order; the table is counted once for all that need the same counts.

    Args:
        wanted: the points.
        frame: the table in memory.
        extra: which figures are made beside the usual ones.
        engine: where data live.
        tools: secure chance, clock and who is told of progress.
    """
    held: list[Held] = []
    for one in wanted:
        if one.plan is None:
            yield Point(one.values, "refused", one.why)
            continue
        begin = tools.clock()
        try:
            worth, risk = _figures(one.plan, frame, held, extra, engine=engine, tools=tools)
        except NoSolution as error:
            yield Point(one.values, "no solution", error.problem, tools.clock() - begin)
        except REFUSALS as error:
            yield Point(one.values, "refused", error.problem, tools.clock() - begin)
        else:
            yield Point(one.values, "done", None, tools.clock() - begin, _named(worth), _named(risk))


def _figures(
    plan: Plan, frame: object, held: list[Held], extra: Extra, *, engine: Engine[Any], tools: Tools
) -> Figures:  # fmt: skip
    """Worth and risk of one plan."""
    method = method_named(plan.method.name)
    run, counted = _counted(plan, frame, held, engine=engine, tools=tools)
    worth, risk = method.figures(complete(run, counted), extra)
    return worth, [*risk, *_promised(plan)]


def _counted(
    plan: Plan, frame: object, held: list[Held], *, engine: Engine[Any], tools: Tools
) -> tuple[Run[Any], Any]:  # fmt: skip
    """The table as the plan counts it; counted before where another plan needed the same."""
    method = method_named(plan.method.name)
    same, built = method.counts_of(plan), method.build(plan, tools)
    for key, run, counted in held:
        if key == same:
            return replace(run, plan=plan, method=method, stages=method.stages(), built=built), counted
    source, sink = ends(plan, frame)
    run = opened(plan, built, (source, sink), engine=engine, tools=tools)
    counted = run.stages.summarize(run)
    held.insert(0, (same, run, counted))
    del held[_KEPT:]
    return run, counted


def _promised(plan: Plan) -> list[Figure]:
    """The epsilon that is promised, as a risk."""
    found = [promise.guarantee().parameters.get("epsilon") for promise in plan.promises]
    return [
        Figure("promised_epsilon", "Promised ε", float(cast("float", epsilon)), "ε of the promise.", "the plan")
        for epsilon in found
        if epsilon is not None
    ]


def _named(figures: Sequence[Figure]) -> dict[str, Figure]:
    """Figures that could be computed, by name."""
    return {figure.name: figure for figure in figures if figure.value is not None and np.isfinite(figure.value)}
