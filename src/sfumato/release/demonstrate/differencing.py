"""How do two monthly means betray a salary, and what is left of that under differential privacy?"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import PureDP
from sfumato.attack.differencing import value_of_joiner
from sfumato.mechanism.central.count import Count
from sfumato.mechanism.central.mean import Mean
from sfumato.release.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.table.domain import Range
from sfumato.table.unit import Neighbors, Unit

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.release.reproduce.experiment import Cell, Order
    from sfumato.types import FloatArray, IntArray

SALARY = Range(0, 200_000, step=1000)
MALLORY, STAFF, MEAN = 156_000, 100, 55_000
EPSILONS = tuple(Fraction(*pair) for pair in ((1, 10), (1, 2), (1, 1), (2, 1), (5, 1), (20, 1)))
_NEAR = 0.1

_COLUMNS = (
    Column("release", "release", "How count and mean of both months were released.", "text"),
    Column("epsilon", "epsilon a month", "Privacy loss of one month's count and mean; empty: none is promised."),
    Column("count_error", "count error", "Median error of a published count."),
    Column("mean_error", "mean error", "Median error of a published mean salary."),
    Column("attack_error", "attack error", "Median error of the attacker's estimate of the newcomer's salary."),
    Column("near", "within 10 %", "Share of attacks whose estimate lies within a tenth of the salary.", "percent"),
)


def experiment() -> Experiment:
    """The differencing attack."""
    return Experiment(
        name="differencing",
        what="a salary, from the number of employees and their mean salary in two months",
        origin="the figures of a course by J.-F. Couchot and H. Arcolezi (100 at 55,000; 101 at 56,000)",
        duration="2 seconds",
        run=run,
        runs=(1000, 200),
        unit="releases",
    )


def run(order: Order) -> Outcome:
    """Exact releases, then private ones."""
    staff = _staff(order.rng())
    months = (staff, np.append(staff, MALLORY))
    exact = float(value_of_joiner(len(staff), float(staff.mean()), len(staff) + 1, float(months[1].mean())))
    rows: list[dict[str, Cell]] = [
        {"release": "exact", "epsilon": None, "count_error": 0.0, "mean_error": 0.0,
         "attack_error": abs(exact - MALLORY), "near": 1.0}
    ]  # fmt: skip
    bits = order.bits()
    for done, epsilon in enumerate(EPSILONS):
        order.progress(done, len(EPSILONS), "releases")
        rows.append(_private(months, epsilon, order.runs, bits))
    lines = (
        Line("attacker, newcomer's salary", tuple(float(str(row["attack_error"])) for row in rows[1:])),
        Line("reader, mean salary", tuple(float(str(row["mean_error"])) for row in rows[1:])),
        Line("the salary itself", (float(MALLORY),) * len(EPSILONS), kind="level"),
    )
    title = "Error of the attacker and of an honest reader, by epsilon a month"
    figure = Figure(
        "errors", title, ("epsilon a month", "median error"), tuple(map(float, EPSILONS)), lines, log=(True, True)
    )
    notes = (
        f"Exact answers of January and February give {exact:,.0f}: 101 · 56,000 - 100 · 55,000.",
        "The staff is synthetic. The attacker knows that one person joined and nobody left, and combines both months.",
        "Two months at epsilon each change the odds of any two salaries of the newcomer by a factor of at most e^epsilon: only February holds her.",
    )
    return Outcome(_COLUMNS, tuple(rows), (figure,), notes)


def _staff(rng: np.random.Generator) -> FloatArray:
    """A hundred salaries in whole thousands with the mean of the example."""
    salaries = np.clip(np.rint(rng.normal(MEAN, 12_000, STAFF) / 1000), 20, 150) * 1000
    gap = int(STAFF * MEAN - salaries.sum()) // 1000
    for i in range(abs(gap)):
        salaries[i % STAFF] += 1000 if gap > 0 else -1000
    return np.asarray(salaries, np.float64)


def _private(months: tuple[FloatArray, FloatArray], epsilon: Fraction, runs: int, bits: Bits) -> dict[str, Cell]:
    """Both months released many times, with half of epsilon for the count and half for the mean."""
    unit, price = Unit.row(Neighbors.ADD_REMOVE), PureDP(epsilon / 2)
    count = Count(unit, price, runs)
    mean = Mean("salary", SALARY, unit, price, runs)
    noisy: list[tuple[FloatArray, FloatArray]] = []
    for salaries in months:
        places = np.rint(salaries / float(SALARY.step)).astype(np.int64)
        totals = np.array([[_total(places, term.factors)] * runs for term in mean.terms], np.int64)
        counts = np.full((1, runs), len(places), np.int64)
        noisy.append(
            (
                count.decide(counts, confidence=0.95, bits=bits).values,
                mean.decide(totals, confidence=0.95, bits=bits).values,
            )
        )
    (count_1, mean_1), (count_2, mean_2) = noisy
    guess = np.asarray(value_of_joiner(count_1, mean_1, count_2, mean_2))
    error = np.abs(guess[~np.isnan(guess)] - MALLORY)
    return {
        "release": "private",
        "epsilon": float(epsilon),
        "count_error": float(np.median(np.abs(count_1 - len(months[0])))),
        "mean_error": float(np.nanmedian(np.abs(mean_1 - months[0].mean()))),
        "attack_error": float(np.median(error)),
        "near": float(np.mean(error <= _NEAR * MALLORY)),
    }


def _total(places: IntArray, factors: tuple[tuple[str, int], ...]) -> int:
    """Sum over persons of the product of centered places, as the engine would add it up."""
    product = np.ones(len(places), np.int64)
    for _, center in factors:
        product = product * (places - center)
    return int(product.sum())
