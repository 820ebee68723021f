"""The noise that keeps a table from being rebuilt out of its own statistics."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.reconstruction import random_groups, reconstruct, reconstruct_by_squares, recovered
from sfumato.frozen import dataclass
from sfumato.noise.discrete_laplace import discrete_laplace
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.summary.interval import wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.noise.bits import Bits
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.types import BoolArray, FloatArray

PERSONS, PERSONS_QUICK = 100, 40
GROUPS = 4
"""Counted groups for each person, where nothing else is said."""
BOUNDED = (0.0, 0.125, 0.25, 0.5, 1.0, 2.0)
ROUNDED = (2, 5, 10, 20, 50)
WRONG = (0.05, 0.1, 0.2, 0.3, 0.4)
EPSILONS = (1, 10, 100, 300, 1000)
RATIOS = (1, 2, 4, 8, 16)
EACH = Fraction(1, 4)
"""Privacy loss of one answer without a ledger. With one, the first n answers' loss is the budget of all."""

_COLUMNS = (
    Column("noise", "answers", "What is done to the counts.", "text"),
    Column(
        "size", "size", "Of the noise. Bounded: largest error, in √n. Rounded: to multiples of so many persons. Wrong: share of answers that are arbitrary. Total: epsilon of all answers. Each 1/4: epsilon an answer, no ledger, and ledger: epsilon n/4 for all; size: answers for each person.",
    ),
    Column("epsilon", "epsilon", "Privacy loss of all answers together; empty: none is promised."),
    Column("answer_error", "error", "Mean absolute error of an answer, in persons."),
    Column("recovered", "by LP", "Share of persons whose secret bit a linear program rebuilt; a blind guess gets one half.", "percent"),
    Column("low", "from", "Lower end of Wilson's 95 % interval, as if persons of one table were independent.", "percent"),
    Column("high", "to", "Upper end.", "percent"),
    Column("squares", "by squares", "The same share by least squares.", "percent"),
    Column("most", "at most", "What the promise allows any attacker to expect: e^epsilon/(1 + e^epsilon).", "percent"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Cell:
    """One way to answer.

    Args:
        noise: its kind.
        size: its size, as the kind measures it.
        publish: exact counts to answers.
        ratio: counted groups for each person.
        epsilon: privacy loss of all answers; None: none is promised.
    """

    noise: str
    size: float
    publish: Callable[[FloatArray], FloatArray]
    ratio: int = GROUPS
    epsilon: float | None = None


def experiment() -> Experiment:
    """The reconstruction attack."""
    return Experiment(
        name="reconstruction",
        what="secret bits of a whole table, from noisy counts of random groups",
        origin="I. Dinur and K. Nissim, PODS 2003; C. Dwork, F. McSherry and K. Talwar, STOC 2007",
        duration="2 minutes",
        run=run,
        runs=(10, 3),
        unit="tables",
    )


def run(order: Order) -> Outcome:
    """Noise without a promise, private noise, and more and more questions."""
    n = PERSONS_QUICK if order.quick else PERSONS
    rng, bits = order.rng(), order.bits()
    cells = [*_unpromised(n, rng), *_promised(n, bits)]
    rows: list[dict[str, Cell]] = []
    for done, cell in enumerate(cells):
        order.progress(done, len(cells), cell.noise)
        rows.append(
            {"noise": cell.noise, "size": cell.size, "epsilon": cell.epsilon, **_attack(n, order.runs, cell, rng)}
        )
    notes = (
        f"{n} persons with one secret bit each, {GROUPS * n} counts of random halves where nothing else is said. The attacker knows who is in which half.",
        "All data are synthetic.",
    )
    figures = (
        _figure(rows, ("bounded",), "bounded noise", "largest error of an answer, in √n"),
        _figure(rows, ("total",), "discrete Laplace noise", "epsilon of all answers"),
        _figure(rows, ("wrong",), "some answers arbitrary", "share of arbitrary answers"),
        _questions(rows),
    )
    return Outcome(_COLUMNS, tuple(rows), figures, notes)


def _unpromised(n: int, rng: np.random.Generator) -> list[_Cell]:
    """Noise that looks large and promises nothing."""

    def bounded(size: float) -> Callable[[FloatArray], FloatArray]:
        return lambda exact: exact + np.rint(rng.uniform(-size * math.sqrt(n), size * math.sqrt(n), len(exact)))

    def rounded(base: int) -> Callable[[FloatArray], FloatArray]:
        return lambda exact: np.rint(exact / base) * base

    def wrong(share: float) -> Callable[[FloatArray], FloatArray]:
        return lambda exact: np.where(rng.random(len(exact)) < share, rng.integers(0, n, len(exact)), exact)

    return [
        *(_Cell("bounded", size, bounded(size)) for size in BOUNDED),
        *(_Cell("rounded", base, rounded(base)) for base in ROUNDED),
        *(_Cell("wrong", share, wrong(share)) for share in WRONG),
    ]


def _promised(n: int, bits: Bits) -> list[_Cell]:
    """Discrete Laplace noise. A bit moves each count by at most 1, so m answers at scale b cost m/b."""

    def laplace(scale: Fraction) -> Callable[[FloatArray], FloatArray]:
        return lambda exact: exact + discrete_laplace(len(exact), scale, bits=bits)

    def total(noise: str, size: float, ratio: int, epsilon: Fraction) -> _Cell:
        return _Cell(noise, size, laplace(ratio * n / epsilon), ratio, float(epsilon))

    return [
        *(total("total", epsilon, GROUPS, Fraction(epsilon)) for epsilon in EPSILONS),
        *(total("each 1/4", ratio, ratio, EACH * ratio * n) for ratio in RATIOS),
        *(total("ledger", ratio, ratio, EACH * n) for ratio in RATIOS),
    ]


def _attack(n: int, runs: int, cell: _Cell, rng: np.random.Generator) -> dict[str, Cell]:
    """Several tables attacked under one noise."""
    by_program, by_squares, error = 0, 0, 0.0
    for _ in range(runs):
        secret: BoolArray = rng.random(n) < 0.5
        groups = random_groups(cell.ratio * n, n, rng=rng)
        exact = groups.astype(np.float64) @ secret.astype(np.float64)
        answers = cell.publish(exact)
        error += float(np.abs(answers - exact).mean()) / runs
        by_program += round(n * recovered(reconstruct(groups, answers), secret))
        by_squares += round(n * recovered(reconstruct_by_squares(groups, answers), secret))
    between = wilson(by_program, runs * n, 0.95)
    return {
        "answer_error": error,
        "recovered": by_program / (runs * n),
        "low": between.low,
        "high": between.high,
        "squares": by_squares / (runs * n),
        "most": None if cell.epsilon is None else 1 / (1 + math.exp(-cell.epsilon)),
    }


def _figure(rows: Sequence[dict[str, Cell]], noises: tuple[str], what: str, axis: str) -> Figure:
    """Recovered share by the size of the noise."""
    own = [row for row in rows if row["noise"] in noises]
    lines = (
        _line("by linear program", own, "recovered"),
        _line("by least squares", own, "squares"),
        Line("blind guess", (0.5,) * len(own), kind="level"),
    )
    points = tuple(float(str(row["size"])) for row in own)
    title = f"Share of secret bits rebuilt from counts, {what}"
    return Figure(noises[0], title, (axis, "share rebuilt"), points, lines, log=(noises[0] == "total", False))


def _questions(rows: Sequence[dict[str, Cell]]) -> Figure:
    """Recovered share by the number of questions, with and without a ledger."""
    without = [row for row in rows if row["noise"] == "each 1/4"]
    within = [row for row in rows if row["noise"] == "ledger"]
    lines = (
        _line("without a ledger, epsilon 1/4 an answer", without, "recovered"),
        _line("one budget for all answers", within, "recovered"),
        Line("blind guess", (0.5,) * len(RATIOS), kind="level"),
    )
    title = "Share of secret bits rebuilt, by number of answers"
    axes = ("answers for each person", "share rebuilt")
    return Figure("questions", title, axes, tuple(map(float, RATIOS)), lines, log=(True, False))


def _line(name: str, rows: Sequence[dict[str, Cell]], key: str) -> Line:
    """A column as a line; that of the linear program with its interval."""
    values = tuple(float(str(row[key])) for row in rows)
    halves = tuple((float(str(row["high"])) - float(str(row["low"]))) / 2 for row in rows)
    return Line(name, values, halves if key == "recovered" else None)
