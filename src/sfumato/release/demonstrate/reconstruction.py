"""How much noise keeps a table from being rebuilt out of its own statistics?"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.reconstruction import random_groups, reconstruct, recovered
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.release.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.summary.interval import wilson

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.release.reproduce.experiment import Cell, Order
    from sfumato.types import BoolArray, FloatArray

GROUPS = 4
"""Counted groups for each person."""
BOUNDED = (0.0, 0.125, 0.25, 0.5, 1.0, 2.0)
"""Largest error of an answer, in √n."""
EPSILONS = (1, 10, 100, 300, 1000, 3000)
"""Privacy loss of all answers together."""

_COLUMNS = (
    Column("noise", "noise", "Uniform and bounded, or discrete Laplace with a total epsilon.", "text"),
    Column("size", "size", "Bounded: largest error of an answer, in √n. Laplace: epsilon of all answers together."),
    Column("answer_error", "answer error", "Mean absolute error of an answer, in persons."),
    Column(
        "recovered", "recovered", "Share of persons whose secret bit was rebuilt; one half is a blind guess.", "percent"
    ),
    Column("low", "from", "Lower end of Wilson's 95 % interval.", "percent"),
    Column("high", "to", "Upper end.", "percent"),
)


def experiment() -> Experiment:
    """The reconstruction attack."""
    return Experiment(
        name="reconstruction",
        what="secret bits of a whole table, from noisy counts of random groups, by linear programming",
        origin="I. Dinur and K. Nissim, PODS 2003; C. Dwork, F. McSherry and K. Talwar, STOC 2007",
        duration="1 minute",
        run=run,
        runs=(10, 3),
        unit="tables",
    )


def run(order: Order) -> Outcome:
    """Bounded noise of several sizes, then differentially private noise."""
    n = 50 if order.quick else 100
    m, rng, bits = GROUPS * n, order.rng(), order.bits()
    root = math.sqrt(n)

    def bounded(size: float) -> Callable[[], FloatArray]:
        return lambda: np.rint(rng.uniform(-size * root, size * root, m))

    def laplace(epsilon: float) -> Callable[[], FloatArray]:
        return lambda: discrete_laplace(m, Fraction(m) / Fraction(epsilon), bits=bits).astype(np.float64)

    cells = [("bounded", size, bounded(size)) for size in BOUNDED]
    cells += [("Laplace", float(epsilon), laplace(epsilon)) for epsilon in EPSILONS]
    rows: list[dict[str, Cell]] = []
    for done, (noise, size, draw) in enumerate(cells):
        order.progress(done, len(cells), f"{noise} noise")
        rows.append({"noise": noise, "size": size, **_attack(n, order.runs, draw, rng)})
    notes = (
        f"{n} persons with one secret bit each, {m} counts of random halves; the attacker knows who is in which half.",
        "Bounded noise below √n persons does not protect, whatever it looks like. With Laplace noise an epsilon of all answers together near 1 leaves a blind guess.",
    )
    return Outcome(_COLUMNS, tuple(rows), (_figure("bounded", rows), _figure("Laplace", rows)), notes)


def _attack(n: int, runs: int, draw: Callable[[], FloatArray], rng: np.random.Generator) -> dict[str, Cell]:
    """Several tables attacked under one noise."""
    right, error = 0, []
    for _ in range(runs):
        secret: BoolArray = rng.random(n) < 0.5
        groups = random_groups(GROUPS * n, n, rng=rng)
        noise = draw()
        error.append(float(np.abs(noise).mean()))
        right += round(n * recovered(reconstruct(groups, groups @ secret.astype(np.float64) + noise), secret))
    between = wilson(right, runs * n, 0.95)
    return {
        "answer_error": float(np.mean(error)),
        "recovered": right / (runs * n),
        "low": between.low,
        "high": between.high,
    }


def _figure(noise: str, rows: list[dict[str, Cell]]) -> Figure:
    """Recovered share by the size of the noise."""
    own = [row for row in rows if row["noise"] == noise]
    values = tuple(float(str(row["recovered"])) for row in own)
    lines = (Line("recovered", values), Line("blind guess", (0.5,) * len(own), kind="level"))
    axis = "largest error of an answer, in √n" if noise == "bounded" else "epsilon of all answers"
    title = f"Share of secret bits rebuilt from counts, {noise} noise"
    points = tuple(float(str(row["size"])) for row in own)
    return Figure(noise.lower(), title, (axis, "share recovered"), points, lines, log=(noise == "Laplace", False))
