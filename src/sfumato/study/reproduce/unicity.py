"""How many points of a trace are those of one person only, by the size of cells and the length of times."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.traces.heat import cells_of_earth
from sfumato.attack.traces.unicity import unicity
from sfumato.errors import ParameterError
from sfumato.numbers.distinct import distinct
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.study.reproduce.trace_data import SETS, traces_of

if TYPE_CHECKING:
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.study.reproduce.trace_data import TraceSet
    from sfumato.table.traces import Traces
    from sfumato.types import IntArray

GRIDS = ((200, 1), (800, 1), (800, 24), (3200, 6), (3200, 24), (12800, 24))
"""Metres of a cell, hours of a time."""
_HOUR = 3_600_000
_TRIALS = (2000, 300)
_POINTS = 5

_COLUMNS = (
    Column("metres", "cell", "Side of a cell in metres.", "count"),
    Column("hours", "hours", "Length of a time.", "count"),
    Column("points", "points", "Random points of a person's own trace that are known.", "count"),
    Column("alone", "alone", "Share of trials in which one person only has them.", "percent"),
    Column("low", "from", "Lower end of Wilson's 95 % interval.", "percent"),
    Column("high", "to", "Upper end.", "percent"),
)


def experiments() -> tuple[Experiment, ...]:
    """One for each table."""
    return tuple(
        Experiment(
            name=f"unicity-{one.name}",
            what="share of persons who are alone with p random points of their trace, on coarser and coarser points",
            origin="Y.-A. de Montjoye, C. Hidalgo, M. Verleysen, V. Blondel, Scientific Reports 3, 2013",
            duration="1 minute",
            run=partial(run, one),
            data=one.data,
            runs=(1, 1),
            unit="samples",
        )
        for one in SETS
    )


def run(given: TraceSet, order: Order) -> Outcome:
    """All grids, 1 to 5 points."""
    traces, rng, rows = traces_of(order, given), order.rng(), list[dict[str, "Cell"]]()
    for done, (metres, hours) in enumerate(GRIDS):
        order.progress(done, len(GRIDS), f"{metres} m, {hours} h")
        point = points(traces, metres, hours)
        for p in range(1, _POINTS + 1):
            try:
                found = unicity(traces.person, point, p, trials=order.runs * _TRIALS[order.quick], rng=rng)
            except ParameterError:  # nobody has so many
                continue
            rows.append({"metres": metres, "hours": hours, "points": p, "alone": found.share, "low": found.low, "high": found.high})  # fmt: skip
    lines = [
        Line(f"{metres} m, {hours} h", tuple(_alone(rows, metres, hours, p) for p in range(1, _POINTS + 1)))
        for metres, hours in GRIDS
    ]
    figure = Figure(
        given.name, "Share of persons alone with p random points", ("points", "alone"),
        tuple(map(float, range(1, _POINTS + 1))), tuple(lines),
    )  # fmt: skip
    notes = (
        f"{len(distinct(traces.person))} persons with {given.least} fixes or more; a point is a cell and a time of local clocks.",
        f"{order.runs * _TRIALS[order.quick]} trials each; a person with fewer than p points is not tried.",
    )
    return Outcome(_COLUMNS, tuple(rows), (figure,), notes)


def points(traces: Traces, metres: int, hours: int) -> IntArray:
    """(n,) int64: the cell and the time of each fix as one code."""
    cell, time = cells_of_earth(traces.latitude, traces.longitude, metres), traces.clock // (hours * _HOUR)
    _, one = np.unique(cell, return_inverse=True)
    _, other = np.unique(time, return_inverse=True)
    return np.asarray(one.ravel() * (int(other.max(initial=0)) + 1) + other.ravel(), np.int64)


def _alone(rows: list[dict[str, Cell]], metres: int, hours: int, p: int) -> float | None:
    """The share of one cell of the table; None: nobody has so many points."""
    found = (row["alone"] for row in rows if (row["metres"], row["hours"], row["points"]) == (metres, hours, p))
    share = next(found, None)
    return None if share is None else float(share)
