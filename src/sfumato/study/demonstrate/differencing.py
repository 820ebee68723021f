"""Two monthly means that betray a salary, and what is left of that under differential privacy."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.event import PureDP
from sfumato.attack.differencing import (
    best_hit_rate,
    chance_within,
    half_width,
    posterior_of_joiner,
    value_of_joiner,
)
from sfumato.mechanism.central.count import Count
from sfumato.mechanism.central.sums import Sum
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.table.domain import Range
from sfumato.table.unit import Neighbors, Unit

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.types import FloatArray, IntArray

SALARY = Range(0, 200_000, step=1000)
MALLORY, STAFF, MEAN = 156_000, 100, 55_000
EPSILONS = tuple(Fraction(*pair) for pair in ((1, 10), (1, 2), (1, 1), (2, 1), (5, 1), (20, 1), (100, 1)))
WITHIN = MALLORY // 20_000
"""A guess hits if it is off by at most so many thousands: 5 % of the salary."""
_DRAWN = (1, 5, 20, 100)
_PRIVATE_OF_THE_COURSE = (102, 55_551, 97, 55_975)

_COLUMNS = (
    Column("release", "release", "How both months were released.", "text"),
    Column("epsilon", "epsilon", "Privacy loss of one month: half for the count, half for the sum of salaries."),
    Column("count_error", "", "Median error of a published count."),
    Column("mean_error", "mean error", "Median error of a published mean salary, the sum by the count.", "count"),
    Column("attack_error", "attack error", "Median error of the attacker's difference of the two sums; exact.", "count"),
    Column("interval", "95 %: within", "What the error of that difference stays within with 95 %; exact.", "count"),
    Column("naive", "hits", "Chance that this difference is off by at most 7,000 (5 % of the salary, in whole thousands); exact.", "percent"),
    Column(
        "best", "best hits", "The same for the best guess from both months, if every salary up to 200,000 is equally likely; exact.", "percent",
    ),
    Column("insider", "insider", "The same for an attacker who knows all other salaries.", "percent"),
    Column("most", "at most", "What the promise allows whatever is known: e^(epsilon/2) times a blind guess.", "percent"),
)  # fmt: skip


def experiment() -> Experiment:
    """The differencing attack."""
    return Experiment(
        name="differencing",
        what="a salary, from the number of employees and their mean salary in two months",
        origin="the figures of a course by J.-F. Couchot and H. Arcolezi (100 at 55,000; 101 at 56,000)",
        duration="3 seconds",
        run=run,
        runs=(1000, 200),
        unit="releases",
    )


def run(order: Order) -> Outcome:
    """Exact releases, no release, and private ones."""
    staff = _staff(order.rng())
    months = (staff, np.append(staff, MALLORY // 1000))
    blind = best_hit_rate(WITHIN, SALARY.size, None, 1)
    rows: list[dict[str, Cell]] = [
        _row("exact", count_error=0.0, mean_error=0, attack_error=0, interval=0, naive=1.0, best=1.0, insider=1.0),
        _row("none", best=blind, insider=blind, most=blind),
    ]
    bits = order.bits()
    for done, epsilon in enumerate(EPSILONS):
        order.progress(done, len(EPSILONS), "releases")
        rows.append(_private(months, epsilon, order.runs, bits))
    exact = value_of_joiner(STAFF, MEAN, STAFF + 1, 56_000)
    noisy = value_of_joiner(*_PRIVATE_OF_THE_COURSE)
    notes = (
        f"Exact: 101 · 56,000 - 100 · 55,000 = {exact:,}. The course's private answers, (102; 55,551) and (97; 55,975), give {noisy:,}.",
        "The staff is synthetic. The attacker knows that one person joined and nobody left.",
        "The mean is the sum by the count, so count times mean gives the sum back, and with it all that February's noise lets through.",
    )
    return Outcome(_COLUMNS, tuple(rows), (_errors(rows[2:]), _hits(rows[2:], blind), _beliefs()), notes)


def _row(release: str, **cells: float) -> dict[str, Cell]:
    """Cells by key, empty where nothing is said."""
    return {**{column.key: None for column in _COLUMNS}, "release": release, **cells}


def _staff(rng: np.random.Generator) -> IntArray:
    """A hundred salaries in thousands with the mean of the example."""
    salaries = np.clip(np.rint(rng.normal(MEAN, 12_000, STAFF) / 1000), 20, 150).astype(np.int64)
    gap = STAFF * MEAN // 1000 - int(salaries.sum())
    salaries += gap // STAFF
    salaries[: gap % STAFF] += 1
    return salaries


def _sum(epsilon: Fraction, groups: int) -> Sum:
    """The salaries added up, for half of a month's price."""
    return Sum("salary", SALARY, Unit.row(Neighbors.ADD_REMOVE), PureDP(epsilon / 2), groups)


def _scale(epsilon: Fraction) -> Fraction:
    """Scale of the noise of a sum in thousands, which is public."""
    total = _sum(epsilon, 1)
    return Fraction(total.sensitivity.l1) * 2 / epsilon


def _private(months: tuple[IntArray, IntArray], epsilon: Fraction, runs: int, bits: Bits) -> dict[str, Cell]:
    """Errors of a month released many times, and the exact chances of the attackers."""
    counts, means = _released(months[1], epsilon, runs, bits)
    scale, step = _scale(epsilon), int(SALARY.step)
    blind = best_hit_rate(WITHIN, SALARY.size, None, 1)
    return _row(
        "private",
        epsilon=float(epsilon),
        count_error=float(np.median(np.abs(counts - len(months[1])))),
        mean_error=round(float(np.median(np.abs(means - step * months[1].mean())))),
        attack_error=step * half_width(0.5, scale, 2),
        interval=step * half_width(0.95, scale, 2),
        naive=chance_within(WITHIN, scale, 2),
        best=best_hit_rate(WITHIN, SALARY.size, scale, 2),
        insider=best_hit_rate(WITHIN, SALARY.size, scale, 1),
        most=min(1.0, math.exp(epsilon / 2) * blind),
    )


def _released(salaries: IntArray, epsilon: Fraction, runs: int, bits: Bits) -> tuple[FloatArray, FloatArray]:
    """(runs,) counts and (runs,) means as a reader sees them."""
    count = Count(Unit.row(Neighbors.ADD_REMOVE), PureDP(epsilon / 2), runs)
    counts = count.decide(np.full((1, runs), len(salaries), np.int64), confidence=0.95, bits=bits).values
    sums = _sum(epsilon, runs).decide(np.full((1, runs), salaries.sum(), np.int64), confidence=0.95, bits=bits).values
    return counts, np.clip(sums / np.maximum(counts, 1), float(SALARY.low), float(SALARY.high))


def _errors(rows: list[dict[str, Cell]]) -> Figure:
    """Attacker and reader."""
    lines = (
        Line("attacker, newcomer's salary", _thousands(rows, "attack_error")),
        Line("reader, mean salary", _thousands(rows, "mean_error")),
        Line("the salary itself", (MALLORY / 1000,) * len(rows), kind="level"),
    )
    title = "Error of the attacker and of an honest reader, by epsilon a month"
    axes = ("epsilon a month", "median error in thousands")
    return Figure("errors", title, axes, _cells(rows, "epsilon"), lines, log=(True, True))


def _hits(rows: list[dict[str, Cell]], blind: float) -> Figure:
    """How often a guess is within 5 %."""
    lines = (
        Line("difference of both months", _cells(rows, "naive")),
        Line("best guess from both months", _cells(rows, "best")),
        Line("best guess of an insider", _cells(rows, "insider")),
        Line("the promise: at most", _cells(rows, "most")),
        Line("blind guess", (blind,) * len(rows), kind="level"),
    )
    title = "Chance that a guess is off by at most 5 % of the salary, by epsilon a month"
    axes = ("epsilon a month", "chance to be off by at most 5 %")
    return Figure("hits", title, axes, _cells(rows, "epsilon"), lines, log=(True, False))


def _beliefs() -> Figure:
    """Posteriors after an answer that happens to be exactly right."""
    places = np.arange(0, SALARY.size, 12)
    answer = MALLORY // 1000
    lines = tuple(
        Line(
            f"epsilon {epsilon}", tuple(posterior_of_joiner(answer, _scale(Fraction(epsilon)), SALARY.size, 2)[places])
        )
        for epsilon in _DRAWN
    )
    level = Line("before", (1 / SALARY.size,) * len(places), kind="level")
    title = "What the attacker believes of the salary if the noise happens to cancel out"
    axes = ("salary in thousands", "probability of a thousand")
    return Figure("beliefs", title, axes, tuple(map(float, places)), (*lines, level))


def _cells(rows: list[dict[str, Cell]], key: str) -> tuple[float, ...]:
    """A column of numbers."""
    return tuple(float(str(row[key])) for row in rows)


def _thousands(rows: list[dict[str, Cell]], key: str) -> tuple[float, ...]:
    """A column of money, for a picture."""
    return tuple(value / 1000 for value in _cells(rows, key))
