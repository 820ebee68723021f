"""Weeks of positions beside each other: RAPPOR, L-OSUE, L-GRR, LOLOHA and planar noise, remembered and fresh.

Two intruders see all reports of a person. The one who **averages** takes the person for somebody who is always in one
cell, and names the likeliest. The one with a **model of movements** counts how other persons move, and believes of every
moment what all reports together say (`attack.traces.tracking`).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.traces.tracking import beliefs, model_of, named
from sfumato.mechanism.location.prior import cells_of_region
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.study.reproduce.weeks_data import SETS, cells_of
from sfumato.study.reproduce.weeks_ways import FIRST, PER_KILOMETRE, PERMANENT, ways_of
from sfumato.summary.interval import wilson

if TYPE_CHECKING:
    from sfumato.attack.traces.tracking import MovementModel
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.study.reproduce.weeks_data import Weeks
    from sfumato.study.reproduce.weeks_ways import Memoised, Planar, Sent
    from sfumato.types import FloatArray, IntArray

_COLUMNS = (
    Column("way", "way", "How a cell is reported; `nothing`: the model of movements without any report.", "text"),
    Column("reports", "reports", "Reports of each person.", "count"),
    Column("epsilon_one", "eps 1", "Exact loss of one report, between cells one kilometre apart."),
    Column("epsilon", "eps all", "Exact loss of all reports of a person, mean over persons: against a life that repeats at the same moments, one kilometre off."),
    Column("epsilon_far", "eps far", "The same against a life at the other end of the region."),
    Column("position", "metres", "From the cell that a report names to the truth, mean; empty: it names none."),
    Column("histogram", "histogram", "Error of the estimated shares of all cells: half the sum of absolute differences.", "percent"),
    Column("home_average", "home, average", "Persons whose most frequent cell is named by averaging.", "percent"),
    Column("low", "", "Lower end of Wilson's 95 % interval of that share.", "percent"),
    Column("high", "", "Upper end.", "percent"),
    Column("home_model", "home, model", "The same, named by the model of movements.", "percent"),
    Column("moment_alone", "moment, alone", "Moments whose cell is named from that report and public shares of cells.", "percent"),
    Column("moment_model", "moment, model", "Moments whose cell is named from all reports and the model of movements.", "percent"),
    Column("miss_alone", "miss, alone (m)", "Metres between truth and the best guess from that report alone, mean."),
    Column("miss_model", "miss, model (m)", "Metres between truth and the best guess from all reports and the model, mean."),
)  # fmt: skip


def experiments() -> tuple[Experiment, ...]:
    """One for each table, and one that needs none."""
    return tuple(
        Experiment(
            name=f"weeks-{one.name}",
            what="weeks of positions under RAPPOR, L-OSUE, L-GRR, LOLOHA and planar noise: loss, worth, and what two intruders gain",
            origin="the aim of C. Gervais, extending RAPPOR to longitudinal location data; intruder: R. Shokri et al., S&P 2011",
            duration="2 minutes",
            run=partial(run, one),
            data=one.data,
            runs=(1, 1),
            unit="populations",
        )
        for one in SETS
    )


def run(weeks: Weeks, order: Order) -> Outcome:
    """All ways over rising numbers of reports."""
    cells, rng = cells_of(order, weeks), np.random.default_rng(order.seed)
    cells = np.tile(cells[: len(cells) // 2 * 2], (order.runs, 1))  # whoever moves is never counted in the own model
    horizons = [t for t in weeks.reports if t <= cells.shape[1]]
    metres = cells_of_region(weeks.region)[2]
    ways, bits = ways_of(weeks.region), order.bits()
    models = _models(cells, len(metres))
    rows: list[dict[str, Cell]] = []
    for done, way in enumerate(ways):
        order.progress(done, len(ways), way.name)
        sent = way.send(cells, bits)
        for t in horizons:
            attacked = _attacked(sent.view[:, :t], cells[:, :t], models, metres, rng)
            rows.append({"way": way.name, "reports": t, **_worth(way, sent, cells[:, :t], metres), **attacked})
    blind = np.zeros((*cells.shape, len(metres)))
    for t in horizons:
        found = _attacked(blind[:, :t], cells[:, :t], models, metres, rng)
        known = {"way": "nothing", "reports": t, **found, "home_average": None, "low": None, "high": None}
        rows.append({column.key: known.get(column.key) for column in _COLUMNS})
    return Outcome(_COLUMNS, tuple(rows), _figures(horizons, rows), _notes(weeks, cells))


def _models(cells: IntArray, k: int) -> tuple[MovementModel, MovementModel]:
    """How the persons at odd places move, for those at even ones, and the other way round."""
    return model_of(cells[1::2], k), model_of(cells[::2], k)


def _worth(way: Memoised | Planar, sent: Sent, cells: IntArray, metres: FloatArray) -> dict[str, Cell]:
    """Exact losses, and errors of position and of shares."""
    t, k = cells.shape[1], len(metres)
    inputs = cells if sent.inputs is None else sent.inputs[:, :t]
    far = float(metres.max())
    true = np.bincount(cells.ravel(), minlength=k) / cells.size
    return {
        "epsilon_one": way.one(),
        "epsilon": float(np.mean([way.every(one, 1000.0) for one in inputs])),
        "epsilon_far": float(np.mean([way.every(one, far) for one in inputs])),
        "position": None if sent.cell is None else float(metres[sent.cell[:, :t], cells].mean()),
        "histogram": float(np.abs(sent.histogram(t) - true).sum() / 2),
    }


def _attacked(
    view: FloatArray, cells: IntArray, models: tuple[MovementModel, MovementModel], metres: FloatArray, rng: np.random.Generator
) -> dict[str, Cell]:  # fmt: skip
    """What both intruders find."""
    (n, t), k = cells.shape, len(metres)
    often = np.stack([np.bincount(one, minlength=k) for one in cells])
    home = often.max(axis=1, keepdims=True) == often  # (n, k) every most frequent cell counts
    who = np.arange(n)
    average = named(view.sum(axis=1), np.empty(0), rng)
    alone, model = np.empty((n, t, k)), np.empty((n, t, k))
    for i, known in enumerate(models):
        likely = np.exp(view[i::2] - view[i::2].max(axis=2, keepdims=True)) * known.first
        alone[i::2] = likely / likely.sum(axis=2, keepdims=True)
        model[i::2] = beliefs(view[i::2], known)
    right = int(home[who, average].sum())
    ends, none = wilson(right, n, 0.95), np.empty(0)
    return {
        "home_average": right / n, "low": ends.low, "high": ends.high,
        "home_model": float(home[who, named(model.sum(axis=1), none, rng)].mean()),
        "moment_alone": float((named(alone, none, rng) == cells).mean()),
        "moment_model": float((named(model, none, rng) == cells).mean()),
        "miss_alone": float(metres[named(alone, metres, rng), cells].mean()),
        "miss_model": float(metres[named(model, metres, rng), cells].mean()),
    }  # fmt: skip


def _figures(horizons: list[int], rows: list[dict[str, Cell]]) -> tuple[Figure, ...]:
    """Loss, both intruders and worth, by reports."""
    names = tuple(dict.fromkeys(str(row["way"]) for row in rows))
    points = tuple(map(float, horizons))
    said = {
        "epsilon": ("Exact loss of all reports, lives one kilometre apart", "epsilon", (True, True)),
        "home_average": ("Homes found by averaging", "homes found", (True, False)),
        "moment_model": ("Moments whose cell a model of movements names", "moments found", (True, False)),
        "miss_model": ("Metres missed by a model of movements", "metres", (True, False)),
        "histogram": ("Error of the estimated shares of cells", "error", (True, False)),
    }
    return tuple(
        Figure(key, title, ("reports of a person", axis), points, _lines(key, names, rows), log=log)
        for key, (title, axis, log) in said.items()
    )


def _lines(key: str, names: tuple[str, ...], rows: list[dict[str, Cell]]) -> tuple[Line, ...]:
    """One for each way that has such a number."""
    found = {name: [row.get(key) for row in rows if row["way"] == name] for name in names}
    return tuple(
        Line(name, tuple(None if one is None else float(one) for one in values), kind="level" if name == "nothing" else "measured")
        for name, values in found.items()
        if any(value is not None for value in values)
    )  # fmt: skip


def _notes(weeks: Weeks, cells: IntArray) -> tuple[str, ...]:
    return (
        f"{len(cells)} persons on {weeks.region.rows * weeks.region.columns} cells of 1 km; a report is {weeks.said}.",
        f"RAPPOR (permanent and instantaneous), L-OSUE, L-GRR and LOLOHA (2 hashes): epsilon {FIRST:g} for one report, {PERMANENT:g} for all about one cell. Planar noise: {PER_KILOMETRE:g} per kilometre.",
        "The loss is against a life that repeats at the same moments; that somebody returns or moves is not hidden by what is remembered.",
        "The model of movements is counted from the other half of the persons. It takes reports for independent: exact for fresh noise; for remembered answers a better intruder may exist.",
    )  # fmt: skip
