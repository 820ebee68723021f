"""What commands tell of questions to a private table: answers, prices for an error, simulated errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from sfumato.document.result.codec import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersResult(Document):
    """The answers of a statement.

    Args:
        left: what the data set's budget still holds, exactly.
        answers: each a document `sfumato.answer/1`.
    """

    tag: ClassVar = ("format", "sfumato.answers/1")
    left: tuple[str, ...]
    answers: tuple[Mapping[str, object], ...]


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
