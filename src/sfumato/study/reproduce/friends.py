"""Whom somebody knows, by meetings: simulated pairs among real check-ins.

The cut of Gowalla that is used holds no friendships. So pairs are drawn, and some check-ins of the one are given to the
other a few minutes off; whoever really knows whom competes with them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, get_args

import numpy as np

from sfumato.attack.traces.meetings import Acquaintance, Weighing, meetings
from sfumato.numbers.distinct import distinct
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.study.reproduce.trace_data import GOWALLA, traces_of
from sfumato.summary.interval import wilson
from sfumato.table.clock import Moments
from sfumato.table.traces import traces_from

if TYPE_CHECKING:
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.table.traces import Traces
    from sfumato.types import IntArray

TOGETHER = (0, 1, 2, 3, 5, 10)
_PAIRS, _QUICK_PAIRS = 100, 20
_METRES, _SECONDS, _OFF = 100.0, 1800.0, 600

_COLUMNS = (
    Column("together", "together", "Check-ins that each simulated pair has together; 0 is the control.", "count"),
    Column("weighing", "meetings count by", "How meetings count.", "text"),
    Column("persons", "persons", "Persons of simulated pairs.", "count"),
    Column("found", "found", "Share of them whose partner is named among all persons.", "percent"),
    Column("low", "from", "Lower end of Wilson's 95 % interval.", "percent"),
    Column("high", "to", "Upper end.", "percent"),
)


def experiment() -> Experiment:
    """Simulated pairs."""
    return Experiment(
        name="acquaintances-gowalla",
        what="simulated pairs among real check-ins, found by their meetings",
        origin="D. Crandall et al., PNAS 107(52), 2010; pairs are simulated here, for want of friendships in the data",
        duration="1 minute",
        run=run,
        data=GOWALLA.data,
        runs=(1, 1),
        unit="samples of pairs",
    )


def run(order: Order) -> Outcome:
    """Rising numbers of common check-ins, both ways to count meetings."""
    traces, rng, rows = traces_of(order, GOWALLA), order.rng(), list[dict[str, "Cell"]]()
    for done, n in enumerate(TOGETHER):
        order.progress(done, len(TOGETHER), f"{n} together")
        right: dict[Weighing, list[bool]] = {by: [] for by in get_args(Weighing)}
        for _ in range(order.runs):
            codes = distinct(traces.person)
            pairs = rng.permutation(codes)[: 2 * (_QUICK_PAIRS if order.quick else _PAIRS)].reshape(-1, 2)
            met = meetings(with_pairs(traces, pairs, n, rng), metres=_METRES, seconds=_SECONDS)
            asked, partner = pairs.ravel(), pairs[:, ::-1].ravel()
            for by, found in right.items():
                found.extend((Acquaintance(by).guess(met, asked, rng) == partner).tolist())
        rows += [_row(n, by, hits) for by, hits in right.items()]
    lines = [Line(by, tuple(float(str(r["found"])) for r in rows if r["weighing"] == by)) for by in get_args(Weighing)]
    figure = Figure(
        "pairs", "Share of simulated pairs that are found", ("check-ins together", "found"), tuple(map(float, TOGETHER)), tuple(lines)
    )  # fmt: skip
    notes = (
        f"A meeting: within {_METRES:g} m and {_SECONDS:g} s. A common check-in is at the same place, up to {_OFF} s off.",
        "Real persons of the data meet too, and some are friends, which is not known: they compete with the simulated pairs.",
    )
    return Outcome(_COLUMNS, tuple(rows), (figure,), notes)


def with_pairs(traces: Traces, pairs: IntArray, n: int, rng: np.random.Generator) -> Traces:
    """Traces in which the second of each pair was where the first was, n times, a few minutes off.

    Args:
        traces: of all persons.
        pairs: (p, 2) int64 codes.
        n: check-ins together, of each pair; fewer where the first has fewer.
        rng: chance of which, and of the minutes.
    """
    starts = traces.starts
    copied = [rng.permutation(np.arange(starts[a], starts[a + 1]))[:n] for a in pairs[:, 0].tolist()]
    at, who = np.concatenate(copied), np.repeat(pairs[:, 1], [len(one) for one in copied])
    off = rng.integers(-_OFF, _OFF + 1, len(at)) * 1000
    time = np.concatenate([traces.time, traces.time[at] + off])
    yes, no = np.ones(len(time), bool), np.zeros(len(time), bool)
    place = [np.concatenate([x, x[at]]) for x in (traces.latitude, traces.longitude)]
    person = np.concatenate([traces.person, who])
    used, codes = np.unique(person, return_inverse=True)
    names = tuple(f"{i:09d}" for i in range(len(used)))
    found, _ = traces_from(
        names, codes.ravel(), Moments(time, yes, no, no), (place[0], place[1]), zone=traces.zone, fastest=None
    )
    return replace(found, persons=tuple(map(str, range(len(traces.persons)))), person=used[found.person])


def _row(n: int, by: str, hits: list[bool]) -> dict[str, Cell]:
    ends = wilson(sum(hits), len(hits), 0.95)
    return {
        "together": n, "weighing": by, "persons": len(hits), "found": sum(hits) / len(hits), "low": ends.low, "high": ends.high,
    }  # fmt: skip
