"""The shares of every answer, with intervals, from the counts of a collection of declared questions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.document.result.collected import AnswerShare, EpsilonsKept, EstimatesResult, QuestionShares
from sfumato.errors import ParameterError
from sfumato.mechanism.local.shares import Shares, normal_shares, shares

if TYPE_CHECKING:
    from sfumato.mechanism.local.several.scheme import TupleCounts
    from sfumato.release.collect.base import Counts
    from sfumato.release.collect.collection import Collection, Question


def estimates(collection: Collection, counts: Counts, *, confidence: float) -> EstimatesResult:
    """The shares of every answer.

    Args:
        collection: what was asked.
        counts: of its reports, at least one.
        confidence: of each interval, in [0.5, 1).

    Raises:
        ParameterError: a confidence outside its range, or no report.
    """
    if not 0.5 <= confidence < 1:
        raise ParameterError(
            "`confidence` must lie in [0.5, 1); got {confidence}.", "choose such as 0.95.", confidence=confidence
        )
    of = _of_scheme if collection.is_scheme else _of_oracle
    found = tuple(
        _answers(*pair) for pair in zip(collection.questions, of(collection, counts.tuples, confidence), strict=True)
    )
    return replace(nothing_yet(collection, counts, confidence=confidence), questions=found)


def nothing_yet(collection: Collection, counts: Counts, *, confidence: float) -> EstimatesResult:
    """What is known before any share is estimated."""
    return EstimatesResult(
        collection=counts.collection,
        protocol=collection.protocol,
        epsilon=promised(collection),
        persons=collection.persons(counts.tuples),
        reports=counts.reports,
        confidence=confidence,
        questions=(),
    )


def _answers(question: Question, found: Shares) -> QuestionShares:
    columns = (found.raw, found.low, found.high, found.deviation, found.projected)
    rows = zip(question.values, *(column.tolist() for column in columns), strict=True)
    return QuestionShares(question.column, tuple(AnswerShare(*row) for row in rows))


def promised(collection: Collection) -> EpsilonsKept:
    """What is truly promised, exactly.

    Args:
        collection: with its protocol and epsilon.
    """
    if not collection.is_scheme:
        epsilon = collection.oracle().epsilon
        return EpsilonsKept(collection.epsilon, None, epsilon, epsilon)
    true = collection.scheme().epsilons
    return EpsilonsKept(collection.epsilon, true.published, true.tuple_level, true.one_attribute)


def _of_oracle(collection: Collection, counts: TupleCounts, confidence: float) -> list[Shares]:
    """Shares of one question, with exact intervals."""
    return [shares(counts.support[0], counts.reports[0], collection.oracle().support, confidence=confidence)]


def _of_scheme(collection: Collection, counts: TupleCounts, confidence: float) -> list[Shares]:
    """Shares of several questions, with normal intervals from the exact variance at the estimate."""
    scheme = collection.scheme()
    raws = scheme.estimate(counts)
    spreads = scheme.variance([np.clip(raw, 0, 1) for raw in raws], scheme.persons(counts))
    return [
        normal_shares(raw, np.sqrt(np.maximum(spread, 0)), confidence=confidence)
        for raw, spread in zip(raws, spreads, strict=True)
    ]
