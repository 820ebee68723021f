"""Where somebody is who reports a noisy position n times: averages beside their law, and a report that is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import numpy as np

from sfumato.attack.traces.places import Places
from sfumato.attack.traces.repeated_positions import Estimate, RepeatedPositions, expected_miss
from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
from sfumato.mechanism.location.planar import PlanarLaplace
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.table.plane import Plane, Region

if TYPE_CHECKING:
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.types import FloatArray

EPSILON = "0.01"
_REGION = Region(Plane(45.0, 4.0), 10, 20_000, 20_000)
_TIMES, _QUICK = (1, 3, 10, 30, 100, 300), (1, 10, 100)
_PERSONS = 300

_COLUMNS = (
    Column("reports", "reports", "Reports of each person, all from one place.", "count"),
    Column("noise", "noise", "Whether each report is drawn anew, or the first one is given again.", "text"),
    Column("estimate", "estimate", "What is made of them.", "text"),
    Column("miss", "miss (m)", "Metres between estimate and truth, on average over persons."),
    Column("error", "+-", "1.96 standard errors of that mean."),
    Column("law", "law (m)", "What is expected for many reports; for one, and for a remembered one, 2 over epsilon."),
)


def experiment() -> Experiment:
    """Repeated positions."""
    return Experiment(
        name="repeated-positions",
        what="how far averages of n geo-indistinguishable reports from one place miss it, drawn anew and remembered",
        origin="M. Andrés et al., CCS 2013, on repeated reports; the laws are those of the planar Laplace law's moments",
        duration="20 seconds",
        run=run,
        runs=(3, 1),
        unit="populations",
    )


def run(order: Order) -> Outcome:
    """All estimates over rising numbers of reports."""
    times = _QUICK if order.quick else _TIMES
    law, n = GeoIndistinguishable(_REGION, EPSILON), _PERSONS * order.runs
    cells = np.full((n * times[-1], 2), 10_000, np.int64)
    drawn = law.randomize(cells, bits=order.bits()).reshape(n, times[-1], 2)
    offset = np.asarray((drawn - 10_000) * float(_REGION.side), np.float64)
    rows: list[dict[str, Cell]] = []
    for done, t in enumerate(times):
        order.progress(done, len(times), f"{t} reports")
        for by in get_args(Estimate):
            rows.append(_row(offset[:, :t], "anew", by))
        rows.append(_row(offset[:, np.zeros(t, np.int64)], "remembered", "mean"))
    ways = [("anew", by) for by in get_args(Estimate)] + [("remembered", "mean")]
    lines = [Line(" ".join(way), _column(rows, way, "miss"), _column(rows, way, "error")) for way in ways]
    laws = [
        Line(f"law of {by}", _column(rows, ("anew", by), "law"), kind="reference", like=f"anew {by}")
        for _, by in ways[:3]
    ]
    figure = Figure(
        "positions", "Metres missed by reports from one place", ("reports", "metres"), tuple(map(float, times)),
        (*lines, *laws), log=(True, True),
    )  # fmt: skip
    notes = (
        f"{n} persons, epsilon {EPSILON} per metre on cells of 10 m: one report misses by 200 m on average.",
        "n reports drawn anew cost n epsilon per metre; a remembered one costs epsilon, however often it is given.",
    )
    return Outcome(_COLUMNS, tuple(rows), (figure,), notes)


def _row(offset: FloatArray, noise: str, by: Estimate) -> dict[str, Cell]:
    """One estimate from so many reports of each person."""
    n, t, _ = offset.shape
    view = Places(np.repeat(np.arange(n), t), offset.reshape(-1, 2))
    said = RepeatedPositions(by).guess(view, None, np.random.default_rng(0))
    miss = np.linalg.norm(said, axis=1)
    one = t == 1 or noise == "remembered"
    expected = PlanarLaplace(EPSILON).mean if one else expected_miss(by, float(EPSILON), t)
    return {
        "reports": t, "noise": noise, "estimate": by, "miss": float(miss.mean()),
        "error": float(1.96 * miss.std() / np.sqrt(n)), "law": expected,
    }  # fmt: skip


def _column(rows: list[dict[str, Cell]], way: tuple[str, str], key: str) -> tuple[float, ...]:
    return tuple(float(str(row[key])) for row in rows if (row["noise"], row["estimate"]) == way)
