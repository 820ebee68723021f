"""A noisy answer that is asked for again and again: its noise averages out, unless a ledger counts."""

from __future__ import annotations

from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from sfumato.account.budget import Budget
from sfumato.account.event import PureDP
from sfumato.account.ledger.ledger import Ledger
from sfumato.attack.averaging import mean_of_answers, median_of_answers, spread_of_mean
from sfumato.engine.folders import temporary_folder
from sfumato.errors import BudgetExceeded
from sfumato.frozen import dataclass
from sfumato.mechanism.central.count import Count
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.table.unit import Neighbors, Unit

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.types import FloatArray

EPSILON, BUDGET, TRUE = Fraction(1, 10), Fraction(1), 1234
TIMES = (1, 3, 10, 30, 100, 300, 1000)
_UNIT, _PRICE = Unit.row(Neighbors.ADD_REMOVE), PureDP(EPSILON)
_DATASET, _ANALYST = "staff", "mallory"

_COLUMNS = (
    Column("asked", "asked", "How often the same count was asked for.", "count"),
    Column("free_error", "error without ledger", "Median error of the mean of all answers, when nobody counts."),
    Column("expected", "", "The same by formula: 0.674 σ/√(asked), nearly, from 10 answers on."),
    Column(
        "free_median", "by median", "Median error of the median of all answers, the best guess under Laplace noise."
    ),
    Column("free_epsilon", "epsilon", "Privacy loss of these answers together."),
    Column("answered", "answered", "Answers under new names that the ledger admitted.", "count"),
    Column("kept_error", "error with ledger", "Median error of the mean of the admitted answers."),
    Column("kept_epsilon", "epsilon with", "What the ledger says was spent on them."),
    Column("same_error", "not renamed", "Median error when the question keeps its name: the stored answer, paid once."),
)


@dataclass(frozen=True, slots=True)
class _Watched:
    """What a ledger did.

    Args:
        admitted: questions under new names that it let through.
        refusal: what it said to the next one.
        spent: after each admitted question, as the receipts say.
        replayed: different answers seen when one name was used every time, and what that cost.
    """

    admitted: int
    refusal: str
    spent: tuple[Fraction, ...]
    replayed: tuple[int, Fraction]


def experiment() -> Experiment:
    """The averaging attack."""
    return Experiment(
        name="averaging",
        what="a count, from the same question asked many times",
        origin="composition: C. Dwork and A. Roth, The Algorithmic Foundations of Differential Privacy, 2014, section 3.5",
        duration="4 seconds",
        run=run,
        runs=(500, 100),
        unit="attackers",
    )


def run(order: Order) -> Outcome:
    """All numbers of repetitions, with and without a ledger."""
    count = Count(_UNIT, _PRICE, None)
    answers = _answers(count, (max(TIMES), order.runs), order.bits())
    order.progress(1, 3, "answers")
    watched = _watch(answers[:, 0])
    order.progress(2, 3, "answers")
    error = np.median(np.abs(mean_of_answers(answers, range(1, max(TIMES) + 1)) - TRUE), axis=1)
    central = np.median(np.abs(median_of_answers(answers, TIMES) - TRUE), axis=1)
    rows = tuple(_row(times, error, float(best), watched) for times, best in zip(TIMES, central, strict=True))
    fresh, spent = watched.replayed
    notes = (
        f"After {watched.admitted} new answers the ledger said: {watched.refusal}",
        f"Asked {max(TIMES):,} times under one name, it gave {fresh} answer for epsilon {float(spent):g}.",
    )
    return Outcome(_COLUMNS, rows, (_figure(rows),), notes)


def _row(times: int, error: FloatArray, best: float, watched: _Watched) -> dict[str, Cell]:
    """One number of repetitions."""
    kept = min(times, watched.admitted)
    typical = NormalDist().inv_cdf(0.75) * spread_of_mean(1 / EPSILON, times)
    return {
        "asked": times,
        "free_error": float(error[times - 1]),
        "expected": typical if times >= TIMES[2] else None,
        "free_median": best,
        "free_epsilon": float(EPSILON * times),
        "answered": kept,
        "kept_error": float(error[kept - 1]),
        "kept_epsilon": float(watched.spent[kept - 1]),
        "same_error": float(error[0]),
    }


def _figure(rows: tuple[dict[str, Cell], ...]) -> Figure:
    """Errors by number of questions."""
    names = {
        "free_error": "without a ledger",
        "kept_error": "with a ledger, every time a new name",
        "same_error": "with a ledger, same name",
    }
    lines = [Line(name, tuple(float(str(row[key])) for row in rows)) for key, name in names.items()]
    expected = tuple(None if row["expected"] is None else float(str(row["expected"])) for row in rows)
    lines.append(Line("by formula, 1/√n", expected, kind="reference", like=names["free_error"]))
    title = "Error of the attacker's mean by number of questions"
    axes = ("times asked", "median error")
    return Figure("error", title, axes, tuple(map(float, TIMES)), tuple(lines), log=(True, True))


def _answers(count: Count, shape: tuple[int, int], bits: Bits) -> FloatArray:
    """(asked, attackers) float64, fresh noisy answers."""
    totals = np.full((1, shape[0] * shape[1]), TRUE, np.int64)
    return count.decide(totals, confidence=0.95, bits=bits).values.reshape(shape)


def _watch(answers: FloatArray) -> _Watched:
    """A real ledger, asked under new names until it refuses, and then again and again under one name.

    Args:
        answers: what one attacker would be told by a mechanism that nobody watches.
    """
    with (
        temporary_folder() as folder,
        Ledger.open(f"sqlite:///{folder / 'renamed.db'}", create=True) as renamed,
        Ledger.open(f"sqlite:///{folder / 'same.db'}", create=True) as same,
    ):
        for ledger in (renamed, same):
            ledger.open_dataset(_DATASET, _UNIT, Budget.pure(BUDGET), create=True)
            ledger.open_analyst(_DATASET, _ANALYST, Budget.pure(BUDGET))
        spent, refusal = _renamed(renamed)
        return _Watched(len(spent), refusal, spent, _replayed(same, answers))


def _renamed(ledger: Ledger) -> tuple[tuple[Fraction, ...], str]:
    """What was spent after each admitted question, and the refusal of the next."""
    spent: list[Fraction] = []
    for i in range(max(TIMES)):
        try:
            receipt = ledger.charge(_DATASET, _ANALYST, f"count, take {i}", _PRICE)
        except BudgetExceeded as refused:
            return tuple(spent), refused.problem
        spent.append(BUDGET - receipt.left[0])
    return tuple(spent), "nothing"


def _replayed(ledger: Ledger, answers: FloatArray) -> tuple[int, Fraction]:
    """How many different answers one name got, and what the statement says was spent in the end."""
    seen: set[str] = set()
    for answer in answers:
        ledger.charge(_DATASET, _ANALYST, "count", _PRICE)
        known = ledger.answer("count")
        seen.add(ledger.store_answer("count", f"{answer:g}") if known is None else known)
    return len(seen), ledger.statement(_DATASET).dataset.spent[0]
