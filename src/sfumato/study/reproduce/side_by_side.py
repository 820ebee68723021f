"""All protections of traces side by side: what each leaves of the worth, and what each attack still finds."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from sfumato.document.traces import (
    Cloak,
    GeoIndistinguishability,
    MemoisedReports,
    NearPaths,
    Promesse,
    SharedPaths,
    TraceMeasures,
)
from sfumato.errors import SfumatoError
from sfumato.frozen import dataclass
from sfumato.mechanism.recode.decision import silent
from sfumato.numbers.distinct import distinct
from sfumato.release.tools import Tools
from sfumato.release.trace_trials.case import case_of
from sfumato.release.trace_trials.identity import IdentityJudge
from sfumato.release.traces.measures import MEASURES, RISKS, Case
from sfumato.release.traces.protections import Given, protection_of
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.study.reproduce.trace_data import SETS, traces_of

if TYPE_CHECKING:
    from sfumato.document.traces import Protect
    from sfumato.noise.bits import Bits
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.study.reproduce.trace_data import TraceSet
    from sfumato.table.traces import Traces

_GAP = 3600.0
_GUESSES = 300


@dataclass(frozen=True, slots=True)
class Side:
    """One protection, as a plan says it.

    Args:
        name: with its number.
        mark: the same for the picture, very short.
        protect: the tables of [[protect]].
        cells: side of its cells in multiples of 10 m.
    """

    name: str
    mark: str
    protect: tuple[Protect, ...]
    cells: int = 1


SIDES = (
    Side("as it is", "as is", ()),
    Side("Promesse 100 m", "Promesse", (Promesse(metres=100),)),
    Side("geo-ind .01", "ε .01", (GeoIndistinguishability(epsilon=Fraction(1, 100)),)),
    Side("geo-ind .001", "ε .001", (GeoIndistinguishability(epsilon=Fraction(1, 1000)),)),
    Side("memoised .01", "memory", (MemoisedReports(epsilon=Fraction(1, 100)),), cells=20),
    Side("cloak k 3", "cloak", (Cloak(k=3, seconds=3600),), cells=20),
    Side("near paths k 3", "near", (NearPaths(k=3, radius=20_000),)),
    Side("shared paths k 3", "shared", (SharedPaths(k=3, seconds=3600, widest=10_000, longest=14_400),), cells=20),
)
_QUICK = ("as it is", "Promesse 100 m", "geo-ind .01", "cloak k 3", "shared paths k 3")

_WORTH = {
    "traces_fixes": ("fixes", "fixes", "Fixes published over original fixes.", "percent"),
    "traces_fix_distance_median": ("metres", "metres", "From a published fix to the nearest original one, median.", "number"),
    "traces_cells_f1": ("cells", "cells", "Cells of 200 m of a person before and after, F1, mean.", "percent"),
    "traces_box_median": ("boxes", "box error", "Relative error of persons in random boxes of space and time, median.", "percent"),
    "traces_flows_common": ("flows", "flows", "Trips between cells of 1 km that are in both tables, as a share.", "percent"),
}  # fmt: skip
_RISKS = {
    "stays_retrieved": ("stays", "stays", "Stays found again within 100 m.", "percent"),
    "unicity": ("alone", "alone", "Persons who are alone with four random points of their own.", "percent"),
}
_COLUMNS = (
    Column("protection", "protection", "What was done to every fix.", "text"),
    *(Column(*said) for said in (*_WORTH.values(), *_RISKS.values())),  # type: ignore[arg-type]
    Column("found", "found", "Persons found again by places, Markov chain, heat map or any of the three: the most.", "percent"),
    Column("control", "control", "The same names, the persons shuffled.", "percent"),
)  # fmt: skip


def experiments() -> tuple[Experiment, ...]:
    """One for each table."""
    return tuple(
        Experiment(
            name=f"protections-{one.name}",
            what="all protections of traces side by side: what is left of the worth, and what attacks find",
            origin="the question of B. Nguyen's review of location privacy: how is protection to be evaluated?",
            duration="15 minutes",
            run=partial(run, one),
            data=one.data,
            runs=(1, 1),
            unit="releases",
        )
        for one in SETS
    )


def run(given: TraceSet, order: Order) -> Outcome:
    """Every protection once, measured and attacked alike."""
    traces, bits = traces_of(order, given), order.bits()
    sides = [side for side in SIDES if not order.quick or side.name in _QUICK]
    rows = list[dict[str, "Cell"]]()
    for done, side in enumerate(sides):
        order.progress(done, len(sides), side.name)
        rows.append({"protection": side.name, **_measured(given, side, traces, order, bits)})
    notes = (
        f"{len(distinct(traces.person))} persons with {given.least} fixes or more; worth and attacks are those of a release.",
        "A protection that leaves nothing has no figures. Worth is measured on what is left: read it beside the fixes kept.",
        "Whoever is found by a name that changes with the release is found by chance: read `found` beside its control.",
    )
    return Outcome(_COLUMNS, tuple(rows), (_figure(given, rows),), notes)


def _measured(given: TraceSet, side: Side, traces: Traces, order: Order, bits: Bits) -> dict[str, Cell]:
    """One line of the table."""
    region = given.region if side.cells == 1 else given.region.coarser(side.cells)
    after, tools = traces, Tools(bits, monotonic, silent)
    try:
        for one in side.protect:
            after = protection_of(one, Given(region, _GAP, by_day=True)).protect(after, tools)
    except SfumatoError:  # such as fewer than k persons
        after = traces.kept(np.zeros(len(traces), bool))
    keys = [key for key, *_ in (*_WORTH.values(), *_RISKS.values())]
    if not len(after):
        return dict.fromkeys([*keys, "found", "control"])
    case = _case(given, traces, after, order)
    figures = {one.name: one.value for measured in MEASURES for one in measured(case)}
    tried = {risk.name: risk.after for risk in (risk(case) for risk in RISKS)}
    worth: dict[str, Cell] = {said[0]: figures.get(name) for name, said in _WORTH.items()}
    for name, said in _RISKS.items():
        found = tried[name]
        worth[said[0]] = None if found is None else found.value
    return worth | _found(given, traces, after, order)


def _case(given: TraceSet, traces: Traces, after: Traces, order: Order) -> Case:
    """As a run has it; whoever attacks sees numbers that say nothing."""
    return Case(
        before=traces,
        after=after,
        seen=after,
        truth=np.arange(len(traces.persons)),
        region=given.region.coarser(20),
        said=TraceMeasures(trials=300 if order.quick else 1000),
        gap=_GAP,
        by_day=True,
        rng=np.random.default_rng(order.seed),
    )


def _found(given: TraceSet, traces: Traces, after: Traces, order: Order) -> dict[str, Cell]:
    """The attack that finds most persons, and its control."""
    case = case_of(traces, after, given.sight, guesses=_GUESSES, confidence=0.95, seed=order.seed)
    trials = [(one.main.value, one.control) for one in IdentityJudge().trials(case) if one.main is not None]
    if not trials:
        return {"found": None, "control": None}
    best, control = max(trials, key=lambda pair: pair[0])
    return {"found": best, "control": None if control is None else control.value}


def _figure(given: TraceSet, rows: list[dict[str, Cell]]) -> Figure:
    """Worth and risks of each protection, as shares."""
    shown = {"cells kept": "cells", "flows kept": "flows", "stays found": "stays", "alone with 4 points": "alone", "persons found": "found"}  # fmt: skip
    marks = {side.name: side.mark for side in SIDES}
    names = tuple(marks[str(row["protection"])] for row in rows)
    lines = tuple(
        Line(title, tuple(None if row[key] is None else float(row[key] or 0.0) for row in rows)) for title, key in shown.items()
    )  # fmt: skip
    return Figure(
        given.name,
        "What each protection leaves of cells and flows, and what attacks still find",
        ("protection", "share"),
        tuple(map(float, range(len(names)))),
        lines,
        marks=names,
    )
