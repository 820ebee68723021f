"""What can be compared between classes and buckets? The same questions and the same guesses, asked of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.release.measure import SEED
from sfumato.risk.bucketization import bucket_risks
from sfumato.summary.classes import Classes
from sfumato.summary.figure import Figure
from sfumato.summary.pair import Pair
from sfumato.utility.bucket_errors import errors_of, generalized_answers, questions, true_answers
from sfumato.utility.query_error import COUNT_SOURCE, Workload

if TYPE_CHECKING:
    from sfumato.release.run import Outcome

T = TypeVar("T")


def as_buckets(outcome: Outcome[T]) -> tuple[Figure, ...]:
    """Figures of a recoded release under the names that Anatomy has, so that both stand in one picture.

    A class is read as a bucket: who knows the quasi-identifiers of a person of it knows which values the class holds.
    The random queries are those that two published tables of the same columns are asked.

    Args:
        outcome: what a run did; it must have one sensitive column and no column of persons.

    Returns:
        () where there is not one such column, or no class.
    """
    published = outcome.decision.published
    if len(published.histograms) != 1 or outcome.plan.schema.person is not None or not published.n_classes:
        return ()
    (values,) = published.histograms
    pair = Pair(outcome.attributes, published.codes, np.arange(published.n_classes), published.rows, values)
    return (*bucket_risks(pair, most=0), *_query_errors(outcome, pair))


def _query_errors(outcome: Outcome[T], pair: Pair) -> tuple[Figure, ...]:
    """Errors of random COUNT queries with a condition on the sensitive column."""
    n, joint = outcome.plan.measures.queries, _joint(outcome.finest)
    if not n or not outcome.published.is_understood:
        return ()
    workload = Workload(n_queries=n)
    asked = questions(pair, workload, np.random.default_rng(SEED))
    answers = generalized_answers(outcome.published, pair.sensitive.name, asked)
    if answers is None:
        return ()
    errors = errors_of(answers, true_answers(joint, asked), max(workload.sanity * joint.n_rows, 1.0))
    text = f"of {n} random COUNT queries with {workload.n_conditions} conditions on quasi-identifiers and one on the sensitive column"
    return tuple(
        Figure(f"bucket_query_error_{name}", f"Error of count queries with a secret, {name}", value, f"{name.capitalize()} {text}.", COUNT_SOURCE)
        for name, value in (("median", errors.median), ("mean", errors.mean))
    )  # fmt: skip


def _joint(finest: Classes) -> Classes:
    """The distinct tuples with their sensitive value as the last column."""
    (values,) = finest.histograms
    codes = np.column_stack([finest.codes[values.owner], values.value])
    return Classes(codes, values.count, values.count)
