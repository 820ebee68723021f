"""How is one point of a sweep run? A whole verified release in memory, and every figure of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sfumato.document.plan import Measures
from sfumato.errors import HierarchyError, NoSolution, ParameterError, PlanError, SchemaError
from sfumato.release.anatomy.choice import TWO_TABLES
from sfumato.release.anatomy.measure import measure_two
from sfumato.release.anatomy.run import publish_two
from sfumato.release.insertion import publish_tuples, result_of_tuples
from sfumato.release.measure import answers_of, original_of, worth_of
from sfumato.release.plan import MethodChoice, MethodName, Output, Plan
from sfumato.release.run import Prepared, complete, ends, prepare
from sfumato.release.sweep.common import as_buckets
from sfumato.risk.profile import risk_profile
from sfumato.summary.figure import Figure
from sfumato.table.source import FrameSink

if TYPE_CHECKING:
    from sfumato.engine.base import Engine
    from sfumato.release.methods import Tools
    from sfumato.release.perturbing import PerturbedColumn
    from sfumato.release.run import Outcome
    from sfumato.release.sweep.vary import Value

ATTACK = "attack."
"""Figures whose name begins so are tried, not computed; they cost seconds and are made when asked for."""
REFUSALS = (PlanError, ParameterError, SchemaError, HierarchyError)
"""What a value of a parameter can be to blame for; such a point is refused, and the others are run."""
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


@dataclass(frozen=True, slots=True)
class Extra:
    """Figures that are made only when they are needed.

    Args:
        buckets: whether classes are read as buckets, to be compared with two tables.
        attacks: whether attacks are tried.
    """

    buckets: bool
    attacks: bool


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
    held: list[tuple[Plan, Prepared[Any]]] = []
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


Figures = tuple[Sequence[Figure], Sequence[Figure]]


def _figures(
    plan: Plan, frame: object, held: list[tuple[Plan, Prepared[Any]]], extra: Extra, *, engine: Engine[Any], tools: Tools
) -> Figures:  # fmt: skip
    """Worth and risk of one plan."""
    if plan.method.name in TWO_TABLES:
        two = measure_two(publish_two(plan, engine=engine, tools=tools, frame=frame), engine=engine, tools=tools)
        return two.worth, two.risk_after
    if plan.method.name is MethodName.TUPLE_INSERTION:
        result = result_of_tuples(publish_tuples(plan, engine=engine, tools=tools, frame=frame))
        rows = cast("Sequence[dict[str, Any]]", result["worth"])
        return [Figure(**{k: v for k, v in row.items() if k != "before"}) for row in rows], _promised(plan)
    source, _ = ends(plan, frame)
    same = _counts_of(plan)
    ready = next((prepared for key, prepared in held if key == same), None)
    if ready is None:
        ready = prepare(plan, source, engine=engine, tools=tools)
        held.insert(0, (same, ready))
        del held[_KEPT:]
    outcome = complete(plan, ready, FrameSink(), engine=engine, tools=tools)
    worth, risk = _recoded(outcome, extra)
    return [*worth, *_columns(outcome.perturbed, "worth")], [
        *risk, *_columns(outcome.perturbed, "risk"), *_promised(plan),
    ]  # fmt: skip


def _counts_of(plan: Plan) -> Plan:
    """What of a plan tells how its table is counted; equal for plans that can share the counts."""
    fixed = plan.method.name in (MethodName.FIXED, MethodName.SAFEPUB)
    return replace(
        plan,
        document={},
        promises=(),
        method=MethodChoice(MethodName.FIXED if fixed else MethodName.FULL_DOMAIN),
        measures=Measures(),
        output=Output(),
        perturb=tuple(replace(choice, method="", options={}) for choice in plan.perturb),
    )


def _recoded(outcome: Outcome[Any], extra: Extra) -> Figures:
    """Figures that are read off classes; none where quasi-identifiers are perturbed."""
    plan = outcome.plan
    if plan.perturbs_quasi_identifiers:
        return (), ()
    original = original_of(outcome)
    profile = risk_profile(
        outcome.decision.published, threshold=plan.measures.risk_threshold, population_size=plan.population.size
    )
    shared = as_buckets(outcome) if extra.buckets else ()
    asked = [figure for figure in shared if "query" in figure.name]
    guessed = [figure for figure in shared if "query" not in figure.name]
    tried = _tried(outcome) if extra.attacks else []
    return [*worth_of(outcome, original), *asked], [*profile, *guessed, *tried]


def _tried(outcome: Outcome[Any]) -> list[Figure]:
    """The most successful attack of each of the three questions."""
    found: dict[str, Figure] = {}
    for answer in answers_of(outcome, original_of(outcome)):
        name = ATTACK + answer.criterion.replace(" ", "-")
        value = -1.0 if name not in found else found[name].value or 0.0
        if answer.by == "attack" and answer.value is not None and answer.value > value:
            label = f"Success of attacks: {answer.criterion}"
            text = "Risk of the most successful attack on this question, beside its control: " + answer.test
            found[name] = Figure(name, label, answer.value, text, "docs/how-to/attack-a-release.md")
    return list(found.values())


def _columns(perturbed: Sequence[PerturbedColumn], which: str) -> list[Figure]:
    """Figures of perturbed columns, each named after its column."""
    return [
        replace(figure, name=f"{one.column}.{figure.name}", label=f"{figure.label} ({one.column})")
        for one in perturbed
        for figure in cast("Sequence[Figure]", getattr(one, which))
    ]


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
