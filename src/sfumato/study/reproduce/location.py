"""Where somebody lives who reports a randomized cell every day: what memory protects, and what it does not.

Persons walk between a few cells of a grid: home on half of the days, other places on the rest. Each day a device
reports the cell of the day. An adversary adds up all reports of a person and names the cell that they support most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.longitudinal.history import lifetime_epsilon
from sfumato.mechanism.local.longitudinal.l_unary import l_osue
from sfumato.mechanism.local.longitudinal.location import history_loss
from sfumato.mechanism.local.longitudinal.loloha import LOLOHA, hash_cells
from sfumato.mechanism.local.longitudinal.memory import collect, start
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.summary.interval import wilson
from sfumato.table.cells import Box, SquareGrid

if TYPE_CHECKING:
    from sfumato.mechanism.local.longitudinal.l_unary import LUnary
    from sfumato.noise.bits import Bits
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.types import FloatArray, IntArray

GRID = SquareGrid(Box(45.72, 4.78, 45.79, 4.88), metres=1000)
FIRST, PERMANENT = 1.0, 2.0
DAYS = (1, 3, 10, 30, 100, 300)
_PERSONS, _PLACES = 300, 5
_HOME = 0.5
_VISITED = (1, 2, 5, 10, 20)

_COLUMNS = (
    Column("protocol", "protocol", "How a cell is randomized.", "text"),
    Column("memory", "memory", "Whether answers are drawn anew, remembered, or remembered by two devices apart.", "text"),
    Column("cells", "cells", "Distinct cells that a person visits.", "count"),
    Column("days", "days", "Reports of each device.", "count"),
    Column("epsilon", "epsilon", "Loss of all these reports between histories whose inputs repeat at the same moments: fresh reports add up, remembered ones cost once for each input."),
    Column("epsilon_move", "eps of a move", "Worst-case loss between staying in one cell and living in another from half way on; for LOLOHA one of another hash."),
    Column("home_found", "home found", "Share of persons whose home the adversary names.", "percent"),
    Column("low", "from", "Lower end of Wilson's 95 % interval.", "percent"),
    Column("high", "to", "Upper end.", "percent"),
    Column("move_noticed", "move noticed", "Persons told apart rightly: moved half way or not, at the best threshold; half is a blind guess.", "percent"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Way:
    """A protocol, whether it remembers, and on how many devices."""

    name: str
    memory: str
    protocol: LUnary | LOLOHA
    remembers: bool
    devices: int = 1

    def epsilon(self, days: int, cells: int) -> float:
        """Of all reports, between histories whose inputs repeat at the same moments."""
        one = days * self.protocol.epsilon_first
        if self.remembers:
            one = min(one, lifetime_epsilon(self.protocol, min(days, cells)))
        return self.devices * one

    def epsilon_move(self, days: int) -> float:
        """Between staying and moving half way."""
        moved = (2 * np.arange(days) >= days).astype(np.int64)
        if self.remembers:
            return self.devices * history_loss(self.protocol, np.zeros(days, np.int64), moved)
        return self.devices * int(moved.sum()) * self.protocol.epsilon_first


def experiment() -> Experiment:
    """Longitudinal location data."""
    return Experiment(
        name="longitudinal-location",
        what="a home, from a randomized cell a day, with and without memory, on one device and on two",
        origin="the aim of C. Gervais, extending RAPPOR to longitudinal location data; LOLOHA: H. H. Arcolezi et al., EDBT 2023",
        duration="1 minute",
        run=run,
        runs=(5, 1),
        unit="populations",
    )


def ways() -> tuple[_Way, ...]:
    """All ways to report."""
    bits = l_osue(GRID.n_cells, FIRST, PERMANENT)
    hashed = LOLOHA(GRID.n_cells, FIRST, PERMANENT, 2)
    return (
        _Way("L-OSUE", "none", bits, remembers=False),
        _Way("L-OSUE", "one device", bits, remembers=True),
        _Way("L-OSUE", "two devices", bits, remembers=True, devices=2),
        _Way("LOLOHA", "none", hashed, remembers=False),
        _Way("LOLOHA", "one device", hashed, remembers=True),
    )


def run(order: Order) -> Outcome:
    """All ways over a rising number of days, then over a rising number of cells."""
    days = DAYS[:5] if order.quick else DAYS
    rng, bits = order.rng(), order.bits()
    cells: list[tuple[_Way, int, tuple[int, ...]]] = [(way, _PLACES, days) for way in ways()]
    remembered = [way for way in ways() if way.remembers and way.devices == 1]
    cells += [(way, visited, days[-1:]) for way in remembered for visited in _VISITED if visited != _PLACES]
    rows: list[dict[str, Cell]] = []
    for done, (way, visited, at) in enumerate(cells):
        order.progress(done, len(cells), f"{way.name}, {way.memory}")
        rows += _watch(way, visited, at, order.runs, (rng, bits))
    by_days = [row for row in rows if row["cells"] == _PLACES]
    lines = [
        Line(f"{way.name}, memory: {way.memory}", _column(by_days, way, "home_found")) for way in ways()
    ]  # fmt: skip
    blind = Line("blind guess", (1 / GRID.n_cells,) * len(days), kind="level")
    found = Figure(
        "home",
        "Share of homes found by days of reports",
        ("days", "homes found"),
        tuple(map(float, days)),
        (*lines, blind),
        log=(True, False),
    )
    told = [Line(f"{way.name}, memory: {way.memory}", _column(by_days, way, "epsilon")) for way in ways()]
    loss = Figure(
        "epsilon",
        "Loss of all reports by days",
        ("days", "epsilon"),
        tuple(map(float, days)),
        tuple(told),
        log=(True, True),
    )
    notes = (
        f"{_PERSONS} persons a population on {GRID.n_cells} cells of 1 km; one report has epsilon {FIRST:g}, all reports about one input {PERMANENT:g}.",
        "A remembered answer is what averaging finds at best: with memory, more days stop to help the adversary; each new cell adds an answer that helps.",
        "LOLOHA has 2 inputs only; between histories whose hashes repeat at the same moments a lifetime costs at most twice epsilon infinity. The home is hidden among the cells that share its hash.",
        "That somebody moved is not hidden by memory: the answers change, and every bit of a vector shows it. Between staying and moving the loss grows with the number of reports, faster than without memory, and no lifetime bounds it. Two devices that do not share a secret give two independent answers about the same home.",
    )
    return Outcome(_COLUMNS, tuple(rows), (found, loss), notes)


def _column(rows: list[dict[str, Cell]], way: _Way, key: str) -> tuple[float | None, ...]:
    own = [row for row in rows if (row["protocol"], row["memory"]) == (way.name, way.memory)]
    return tuple(float(str(row[key])) for row in own)


def _watch(
    way: _Way, visited: int, days: tuple[int, ...], runs: int, chance: tuple[np.random.Generator, Bits]
) -> list[dict[str, Cell]]:
    """What the adversary finds after each number of days."""
    rng = chance[0]
    right, noticed = dict.fromkeys(days, 0), dict.fromkeys(days, 0.0)
    for _ in range(runs):
        places = np.array([rng.permutation(GRID.n_cells)[: visited + 1] for _ in range(_PERSONS)])
        moves = np.arange(_PERSONS) % 2 == 1
        for horizon in days:
            stay = _supports(way, places, horizon, np.zeros(_PERSONS, bool), chance)[0]
            guess = _best(stay, rng)
            right[horizon] += int((guess == places[:, 0]).sum())
            halves = _supports(way, places, horizon, moves, chance)
            noticed[horizon] += _told_apart(np.abs(halves[1] - halves[2]).sum(axis=1), moves) / runs
    n = _PERSONS * runs
    return [
        {
            "protocol": way.name, "memory": way.memory, "cells": visited, "days": horizon, "epsilon": way.epsilon(horizon, visited),
            "epsilon_move": way.epsilon_move(horizon) if horizon > 1 else None,
            "home_found": right[horizon] / n, "low": wilson(right[horizon], n, 0.95).low, "high": wilson(right[horizon], n, 0.95).high,
            "move_noticed": noticed[horizon] if horizon > 1 else None,
        }
        for horizon in days
    ]  # fmt: skip


def _supports(
    way: _Way, places: IntArray, days: int, moves: Any, chance: tuple[np.random.Generator, Bits]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(n, cells) reports that support each cell: in all, in the first half of the days, in the second."""
    rng, bits = chance
    out = np.zeros((3, len(places), GRID.n_cells))
    for _ in range(way.devices):
        memory = start(way.protocol, len(places), bits=bits)
        for day in range(days):
            home = np.where(moves & (2 * day >= days), places[:, -1], places[:, 0])
            other = places[np.arange(len(places)), rng.integers(1, max(2, places.shape[1] - 1), len(places))]
            at_home = (rng.random(len(places)) < _HOME) | (places.shape[1] == 2)
            reports, after = collect(way.protocol, memory, np.where(at_home, home, other), bits=bits)
            seen = _supported(reports, memory.traits)
            out[0] += seen
            out[1 + (2 * day >= days)] += seen
            memory = after if way.remembers else memory
    return out[0], out[1], out[2]


def _supported(reports: Any, traits: IntArray) -> FloatArray:
    """(n, cells) whether each report supports each cell."""
    if reports.ndim == 2:
        return np.asarray(reports, np.float64)
    cells = hash_cells(traits, np.arange(GRID.n_cells)[np.newaxis, :].repeat(len(reports), axis=0), 2)
    return np.asarray(cells == reports[:, np.newaxis], np.float64)


def _best(supports: FloatArray, rng: np.random.Generator) -> IntArray:
    """The cell with most support; ties by chance."""
    return np.asarray(np.argmax(supports + rng.random(supports.shape) / 2, axis=1), np.int64)


def _told_apart(statistic: FloatArray, moves: Any) -> float:
    """Accuracy at the best threshold between those who moved and those who did not."""
    order = np.argsort(statistic, kind="stable")
    moved = moves[order].astype(np.int64)
    below = np.concatenate(([0], np.cumsum(1 - moved)))
    above = moved.sum() - np.concatenate(([0], np.cumsum(moved)))
    return float((below + above).max() / len(moved))
