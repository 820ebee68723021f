"""What commands tell of questions to a private table: answers, prices for an error, simulated errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.table.values import Item, Table

from typing import ClassVar

from sfumato.document.result.codec import Document
from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTold(Document):
    """The answer to one question. A number is null where it has no meaning, and a text where it is infinite.

    Args:
        question: the question in one line.
        by: columns of the groups.
        keys: the key of each group, in the order of `by`; one empty key without groups.
        cells: what the numbers of a group are.
        values: the noisy numbers of each group.
        low: lower ends of the intervals of the exact answers.
        high: upper ends.
        confidence: chance, over the noise alone, that each single interval covers; null: no interval is proven.
        mechanism: name of what was done.
        cost: the event that was charged.
        price: the cost in words.
        sensitivity: why the noise suffices, in a sentence.
        unit: who is protected against what, in words.
        seeded: whether the noise came from a seeded source, which protects nobody.
        notes: what a reader should know.
    """

    tag: ClassVar = ("format", "sfumato.answer/1")
    question: str
    by: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    cells: tuple[str, ...]
    values: tuple[tuple[Item, ...], ...]
    low: tuple[tuple[Item, ...], ...]
    high: tuple[tuple[Item, ...], ...]
    confidence: float | None
    mechanism: str
    cost: Table
    price: str
    sensitivity: str
    unit: str
    seeded: bool
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersResult(Document):
    """The answers of a statement.

    Args:
        left: what the data set's budget still holds, exactly.
        answers: to each question.
    """

    tag: ClassVar = ("format", "sfumato.answers/1")
    left: tuple[str, ...]
    answers: tuple[AnswerTold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedQuestion:
    """What a question costs at one kind of price.

    Args:
        question: the question in one line.
        price: the price in words.
    """

    question: str
    price: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AccuracyResult(Document):
    """Which prices keep an error.

    Args:
        error: the largest tolerated one.
        confidence: with which it is kept.
        prices: for each question and kind of price.
    """

    tag: ClassVar = ("format", "sfumato.accuracy/1")
    error: str
    confidence: float
    prices: tuple[PricedQuestion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedQuestion:
    """Errors of repeated answers to one question on one synthetic table.

    Args:
        question: the question in one line.
        cells: what the numbers of a group are.
        rows: synthetic rows.
        runs: repetitions.
        typical: median absolute error of each cell, over groups and repetitions; null: no answer had it.
        bad: 95 % of the absolute errors are at most this; null: no answer had the cell.
        covered: share of intervals that hold the exact answer; null without intervals.
    """

    question: str
    cells: tuple[str, ...]
    rows: int
    runs: int
    typical: tuple[float | None, ...]
    bad: tuple[float | None, ...]
    covered: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedResult(Document):
    """How wrong answers would be.

    Args:
        answers: for each question of the statement.
    """

    tag: ClassVar = ("format", "sfumato.simulated/1")
    answers: tuple[SimulatedQuestion, ...]
