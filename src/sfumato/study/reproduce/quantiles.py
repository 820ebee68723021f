"""How far private deciles are from those of a law, and how far they may be by theorem."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.central.quantiles.bounds import (
    Surroundings,
    inverse_sensitivity_chance,
    least_distance,
    normal_chance,
    threshold_accuracy,
    uniform_chance,
)
from sfumato.mechanism.central.quantiles.histogram_method import HistogramMethod
from sfumato.mechanism.central.quantiles.inverse_sensitivity import InverseSensitivity
from sfumato.mechanism.central.quantiles.method import true_quantiles
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.table.unit import Neighbors

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanism.central.quantiles.method import QuantileMethod
    from sfumato.noise.bits import Bits
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.types import FloatArray, IntArray

MONOTONE, INVERSE = "HistogramMethod (monotone)", "inverse sensitivity (smooth)"
DECILES = tuple(Fraction(i, 10) for i in range(1, 10))
EPSILON = Fraction(1)
SIZE = 2**20 + 1
STEPS = 1000
LEVEL = 0.95
DECILE = 7
"""The decile that is measured; all nine are released. The theorem on the normal law covers those above the fifth."""
_SMOOTHING = 105
"""ρ: one ten-thousandth of the range."""
_FULL = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
_QUICK = (1_000, 10_000, 100_000)
_BETAS = (0.0025, 0.005, 0.01, 0.02, 0.03, 0.04)
_SEARCHED = 60
"""Surroundings γ that are tried for the theorem on inverse sensitivity."""

_COLUMNS = (
    Column("law", "law", "Law of the values.", "text"),
    Column("n", "n", "Number of values.", "count"),
    Column("method", "method", "Private method; all nine deciles at total epsilon 1.", "text"),
    Column("mean_error", "mean error", "Mean distance of the seventh decile from its target, over the runs."),
    Column("error_95", "95 % point", "Distance that 95 % of the runs do not pass."),
    Column("proven", "proven", "Distance not passed with chance 95 %, by the theorem derived again; empty: vacuous."),
    Column("printed", "as printed", "The same by the theorem as it was printed; empty: none, or vacuous."),
)


@dataclass(frozen=True, slots=True)
class _Law:
    """A law of values, and its declared range."""

    name: str
    low: float
    high: float
    seventh: float
    most_gamma: float

    @property
    def width(self) -> float:
        """Of the range."""
        return self.high - self.low

    @property
    def step(self) -> float:
        """Of the grid."""
        return self.width / (SIZE - 1)

    def draw(self, n: int, rng: np.random.Generator) -> IntArray:
        """(n,) places of the grid."""
        values: FloatArray = rng.random(n) if self.name == "uniform" else rng.normal(size=n)
        places = np.rint((np.clip(values, self.low, self.high) - self.low) / self.step)
        return places.astype(np.int64)

    def chance(self, n: int, gamma: float, alpha: float, beta: float, *, as_printed: bool) -> float | None:
        """Of the theorem on HistogramMethod."""
        if self.name == "uniform":
            return uniform_chance(n, gamma, alpha, beta, as_printed=as_printed)
        return normal_chance(DECILE, n, gamma, alpha, beta, as_printed=as_printed)

    def least_density(self, gamma: float) -> float:
        """From 2γ below the seventh decile to 2γ above it."""
        if self.name == "uniform":
            return float(2 * gamma <= 1 - self.seventh)
        return NormalDist().pdf(self.seventh + 2 * gamma)


_LAWS = (
    _Law("uniform", 0.0, 1.0, 0.7, 0.1),
    _Law("normal", -10.0, 10.0, NormalDist().inv_cdf(0.7), 0.5),
)


def experiment() -> Experiment:
    """The theorems of the report beside measured errors."""
    return Experiment(
        name="quantile-bounds",
        what="error of private deciles of uniform and normal values, under the proven bounds, epsilon 1",
        origin="report of A. Canesse, ENS Lyon, 2022; inverse sensitivity after H. Asi and J. Duchi, 2020",
        duration="3 minutes",
        run=run,
        runs=(40, 10),
        unit="releases",
        least_runs=2,
    )


def run(order: Order) -> Outcome:
    """All methods on both laws, for a rising number of values."""
    sizes = _QUICK if order.quick else _FULL
    rng, bits = order.rng(), order.bits()
    rows: list[dict[str, Cell]] = []
    cells = [(law, n) for law in _LAWS for n in sizes]
    for done, (law, n) in enumerate(cells):
        order.progress(done, len(cells), f"{law.name}, {n:,} values")
        rows += _cell(law, n, order.runs, rng, bits)
    notes = (
        "HistogramMethod is measured against the decile of the law, inverse sensitivity against that of the values.",
        f"A proven distance holds with chance {LEVEL:.0%} for the seventh decile alone; it includes the width of a cell.",
        "As printed, the theorem on HistogramMethod leaves that width out; it is added here, without which it is false.",
    )
    return Outcome(_COLUMNS, tuple(rows), tuple(_figure(law, sizes, rows) for law in _LAWS), notes)


def _methods() -> dict[str, QuantileMethod]:
    """By the name in table and picture; neighbors replace a row, as in the report."""
    common = (DECILES, EPSILON, SIZE, Neighbors.REPLACE, 1)
    return {
        "HistogramMethod": HistogramMethod(*common, steps=STEPS, monotone=False),
        MONOTONE: HistogramMethod(*common, steps=STEPS, monotone=True),
        INVERSE: InverseSensitivity(*common, smoothing=_SMOOTHING),
    }


def _cell(law: _Law, n: int, runs: int, rng: np.random.Generator, bits: Bits) -> list[dict[str, Cell]]:
    """Rows of all methods for one law and number of values; every method sees the same values."""
    methods = _methods()
    errors: dict[str, list[float]] = {name: [] for name in methods}
    for _ in range(runs):
        places = law.draw(n, rng)
        sample = int(true_quantiles(places, (DECILES[DECILE - 1],))[0]) * law.step + law.low
        for name, method in methods.items():
            found = int(method.decide(places, bits=bits)[DECILE - 1]) * law.step + law.low
            errors[name].append(abs(found - (sample if name == INVERSE else law.seventh)))
    return [
        {
            "law": law.name,
            "n": n,
            "method": name,
            "mean_error": float(np.mean(seen)),
            "error_95": float(np.quantile(seen, LEVEL, method="higher")),
            "proven": proven(law, n, name, as_printed=False),
            "printed": None if name == MONOTONE else proven(law, n, name, as_printed=True),
        }
        for name, seen in errors.items()
    ]


def proven(law: _Law, n: int, method: str, *, as_printed: bool) -> float | None:
    """The distance that is not passed with chance `LEVEL`; None: the theorem gives none."""
    if method == INVERSE:
        return _inverse(law, n, as_printed=as_printed)
    epsilon = float(EPSILON / len(DECILES))
    alphas = [threshold_accuracy(STEPS, beta, epsilon, monotone=method == MONOTONE) + 2 for beta in _BETAS]

    def chance(gamma: float) -> float:
        pairs = zip(alphas, _BETAS, strict=True)
        return max(law.chance(n, gamma, alpha, beta, as_printed=as_printed) or 0.0 for alpha, beta in pairs)

    gamma = least_distance(chance, LEVEL, law.width * 1e-6, law.most_gamma)
    return None if gamma is None else gamma + law.width / STEPS + law.step


def _inverse(law: _Law, n: int, *, as_printed: bool) -> float | None:
    """The least 2u + ρ over the surroundings γ."""
    epsilon, rho = float(EPSILON / len(DECILES)), _SMOOTHING * law.step
    found = []
    for gamma in np.geomspace(1e-3, 1.0, _SEARCHED).tolist():
        chance = _of_u(law, n, epsilon, (gamma, rho), as_printed=as_printed)
        u = least_distance(chance, LEVEL, gamma / 4e3, gamma / 4)
        found += [] if u is None else [2 * u + rho + law.step]
    return min(found, default=None)


def _of_u(
    law: _Law, n: int, epsilon: float, around: tuple[float, float], *, as_printed: bool
) -> Callable[[float], float | None]:
    """The chance of the theorem on inverse sensitivity, by u."""
    gamma, rho = around
    density = law.least_density(gamma)

    def chance(u: float) -> float | None:
        at = Surroundings(gamma, density, law.width, rho, u)
        return inverse_sensitivity_chance(n, epsilon, at, as_printed=as_printed)

    return chance


def _figure(law: _Law, sizes: tuple[int, ...], rows: list[dict[str, Cell]]) -> Figure:
    """Measured lines, and proven distances in their colors."""
    lines = []
    for name in _methods():
        own = [row for row in rows if (row["law"], row["method"]) == (law.name, name)]
        lines.append(Line(name, _values(own, "error_95")))
        lines.append(Line("proven (hollow)", _values(own, "proven"), kind="reference", like=name))
        if name == "HistogramMethod":
            lines.append(Line(f"{name}, as printed", _values(own, "printed"), kind="level"))
    title = f"Error of the seventh decile by number of {law.name} values: not passed in 95 % of releases, and proven"
    axes, marks = ("values", "error"), tuple(f"{n // 1000:,} k" for n in sizes)
    return Figure(law.name, title, axes, tuple(map(float, sizes)), tuple(lines), log=(True, True), marks=marks)


def _values(rows: list[dict[str, Cell]], key: str) -> tuple[float | None, ...]:
    """One column; a missing or infinite number is left out."""
    cells = (row[key] for row in rows)
    return tuple(
        float(cell) if isinstance(cell, float) and math.isfinite(cell) and cell > 0 else None for cell in cells
    )
