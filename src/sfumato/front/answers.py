"""The front door of a private table: its price for an error, a trial on synthetic rows, answers that are paid for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.document.result.answers import AccuracyResult, AnswersResult, AnswerTold, PricedQuestion, SimulatedResult
from sfumato.document.result.codec import document_from
from sfumato.mechanism.recode.decision import silent
from sfumato.release.answer.sql import queries_of

if TYPE_CHECKING:
    import numpy as np

    from sfumato.account.event import Price
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.release.answer.answer import Answer
    from sfumato.release.answer.document import DataDocument
    from sfumato.release.answer.query import Query
    from sfumato.release.answer.session import Session
    from sfumato.release.graph.session import GraphSession


def priced(
    declared: DataDocument, statement: str, error: str, *, confidence: float = 0.95, rows: int | None = None
) -> AccuracyResult:
    """What each question of a SELECT costs if its error shall be kept; no row is read.

    Args:
        declared: the private table.
        statement: a SELECT.
        error: the largest tolerated error of each answer.
        confidence: with which it is kept.
        rows: for means: how many rows a group has, about; None: not said.

    Raises:
        QueryError: a statement whose answer cannot be bounded.
        ParameterError: an error or a confidence out of range.
    """
    from sfumato.account.event import PureDP, ZeroConcentratedDP
    from sfumato.mechanism.central.accuracy import Accuracy
    from sfumato.release.answer.price import in_words
    from sfumato.release.answer.price_for_error import price_for

    wanted, found = Accuracy(error, confidence), []
    for asked in _questions(declared, statement):
        sized = replace(asked, expected=rows)
        for kind in (PureDP, ZeroConcentratedDP):
            price = price_for(sized, declared.columns, declared.unit, wanted, kind=kind)
            found.append(PricedQuestion(question=asked.sentence, price=in_words(price)))
    return AccuracyResult(error=error, confidence=confidence, prices=tuple(found))


def simulated(  # noqa: PLR0913
    declared: DataDocument,
    statement: str,
    price: Price,
    *,
    rows: int,
    runs: int,
    confidence: float,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> SimulatedResult:
    """How wrong the answers of a SELECT would be, tried on synthetic rows; the private table stays closed.

    Args:
        declared: the private table.
        statement: a SELECT.
        price: of each answer.
        rows: synthetic rows.
        runs: repetitions.
        confidence: of each interval.
        rng: simulated chance, which protects nobody.
        progress: called now and then.

    Raises:
        QueryError: a statement whose answer cannot be bounded.
    """
    from sfumato.release.answer.simulate import simulate

    return SimulatedResult(
        answers=tuple(
            simulate(
                asked, declared.columns, declared.unit, price, rows=rows, runs=runs, confidence=confidence, rng=rng,
                progress=progress,
            )
            for asked in _questions(declared, statement)
        )
    )  # fmt: skip


def told(session: Session | GraphSession, answers: tuple[Answer, ...]) -> AnswersResult:
    """Answers as a document, with what is left.

    Args:
        session: that gave them.
        answers: of one statement.
    """
    return AnswersResult(
        left=tuple(str(part) for part in session.left),
        answers=tuple(document_from(AnswerTold, answer.to_data(), "sfumato query") for answer in answers),
    )


def _questions(declared: DataDocument, statement: str) -> tuple[Query, ...]:
    """The questions of a statement about the private table alone."""
    return queries_of(statement, declared.columns, declared.unit.person, {})
