"""What happens to a noisy answer that is asked for again and again? Its noise averages out, unless a ledger counts."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.budget import Budget
from sfumato.account.event import PureDP
from sfumato.account.ledger.ledger import Ledger
from sfumato.errors import BudgetExceeded
from sfumato.mechanism.central.count import Count
from sfumato.release.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.table.unit import Neighbors, Unit

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.release.reproduce.experiment import Cell, Order
    from sfumato.types import FloatArray

EPSILON, BUDGET, TRUE = Fraction(1, 10), Fraction(1), 1234
TIMES = (1, 3, 10, 30, 100, 300, 1000)

_COLUMNS = (
    Column("asked", "asked", "How often the same count was asked for.", "count"),
    Column("free_error", "error without ledger", "Median error of the mean of all answers, when nobody counts."),
    Column("free_epsilon", "epsilon without", "Privacy loss of these answers together."),
    Column("answered", "answered", "Answers that the ledger admitted: the budget is ten times the price.", "count"),
    Column("kept_error", "error with ledger", "Median error of the mean of the admitted answers."),
    Column("kept_epsilon", "epsilon with", "Privacy loss of the admitted answers together."),
    Column(
        "same_error", "error if not renamed", "Median error when the question keeps its name: one answer, paid once."
    ),
)


def experiment() -> Experiment:
    """The averaging attack."""
    return Experiment(
        name="averaging",
        what="a count, from the same question asked many times",
        origin="composition: C. Dwork and A. Roth, The Algorithmic Foundations of Differential Privacy, 2014, section 3.5",
        duration="3 seconds",
        run=run,
        runs=(500, 100),
        unit="attackers",
    )


def run(order: Order) -> Outcome:
    """All numbers of repetitions, with and without a ledger."""
    admitted, refusal = _admitted()
    count = Count(Unit.row(Neighbors.ADD_REMOVE), PureDP(EPSILON), order.runs)
    answers = np.stack([_answers(count, order.runs, bits) for bits in [order.bits()] for _ in range(max(TIMES))])
    error = np.abs(np.cumsum(answers, axis=0) / np.arange(1, max(TIMES) + 1)[:, np.newaxis] - TRUE)
    rows: list[dict[str, Cell]] = []
    for done, times in enumerate(TIMES):
        order.progress(done, len(TIMES), "questions")
        kept = min(times, admitted)
        rows.append(
            {
                "asked": times,
                "free_error": float(np.median(error[times - 1])),
                "free_epsilon": float(EPSILON * times),
                "answered": kept,
                "kept_error": float(np.median(error[kept - 1])),
                "kept_epsilon": float(EPSILON * kept),
                "same_error": float(np.median(error[0])),
            }
        )
    names = {
        "free_error": "without a ledger",
        "kept_error": "with a ledger, every time a new name",
        "same_error": "with a ledger, same name",
    }
    lines = tuple(Line(name, tuple(float(str(row[key])) for row in rows)) for key, name in names.items())
    figure = Figure(
        "error", "Error of the attacker's mean by number of questions", ("times asked", "median error"),
        tuple(map(float, TIMES)), lines, log=(True, True),
    )  # fmt: skip
    return Outcome(_COLUMNS, tuple(rows), (figure,), (f"After {admitted} new answers the ledger said: {refusal}",))


def _answers(count: Count, attackers: int, bits: Bits) -> FloatArray:
    """(attackers,) float64, one fresh noisy answer for each."""
    return count.decide(np.full((1, attackers), TRUE, np.int64), confidence=0.95, bits=bits).values


def _admitted() -> tuple[int, str]:
    """How many renamed questions a real ledger admits, and what it says to the next one."""
    unit, price = Unit.row(Neighbors.ADD_REMOVE), PureDP(EPSILON)
    with (
        TemporaryDirectory(prefix="sfumato-") as folder,
        Ledger.open(f"sqlite:///{Path(folder) / 'ledger.db'}") as ledger,
    ):
        ledger.open_dataset("staff", unit, Budget.pure(BUDGET))
        ledger.open_analyst("staff", "mallory", Budget.pure(BUDGET))
        for i in range(max(TIMES)):
            try:
                ledger.charge("staff", "mallory", f"count, take {i}", price)
            except BudgetExceeded as refused:
                return i, refused.problem
    return max(TIMES), "nothing"
