"""What a sweep compares of a release that recodes: figures read off classes, also as buckets would have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from sfumato.release.measure import SEED, answers_of, original_of, worth_of
from sfumato.release.method.method import ATTACK
from sfumato.risk.bucketization import bucket_risks
from sfumato.risk.profile import risk_profile
from sfumato.summary.classes import Classes
from sfumato.summary.figure import Figure
from sfumato.summary.pair import Pair
from sfumato.utility.bucket_errors import errors_of, generalized_answers, questions, true_answers
from sfumato.utility.query_error import COUNT_SOURCE, Workload

if TYPE_CHECKING:
    from sfumato.release.method.method import Extra, Figures
    from sfumato.release.perturbing import PerturbedColumn
    from sfumato.release.recoding.run import RecodedOutcome


def figures(outcome: RecodedOutcome, extra: Extra) -> Figures:
    """Figures that are read off classes, and those of perturbed columns.

    Args:
        outcome: what a run did.
        extra: which figures are made beside the usual ones.
    """
    worth, risk = _of_classes(outcome, extra)
    perturbed = outcome.decided.perturbed
    return [*worth, *_of_columns(perturbed, "worth")], [*risk, *_of_columns(perturbed, "risk")]


def _of_classes(outcome: RecodedOutcome, extra: Extra) -> Figures:
    """Figures that are read off classes; none where quasi-identifiers are perturbed."""
    plan = outcome.plan
    if plan.perturbs_quasi_identifiers:
        return (), ()
    original = original_of(outcome)
    profile = risk_profile(
        outcome.decided.recoding.published,
        threshold=plan.measures.risk_threshold,
        population_size=plan.population.size,
    )
    shared = as_buckets(outcome) if extra.buckets else ()
    asked = [figure for figure in shared if "query" in figure.name]
    guessed = [figure for figure in shared if "query" not in figure.name]
    tried = _tried(outcome) if extra.attacks else []
    return [*worth_of(outcome, original), *asked], [*profile, *guessed, *tried]


def _tried(outcome: RecodedOutcome) -> list[Figure]:
    """The most successful attack of each of the three questions."""
    found: dict[str, Figure] = {}
    for answer in answers_of(outcome, original_of(outcome)):
        name = ATTACK + answer.criterion.replace(" ", "-")
        value = -1.0 if name not in found else found[name].value or 0.0
        if answer.by == "attack" and answer.value is not None and answer.value > value:
            label = f"Success of attacks: {answer.criterion}"
            text = "Risk of the most successful attack on this question, beside its control: " + answer.test
            found[name] = Figure(name, label, answer.value, text, "docs/how-to/attack-a-release.md")
    return list(found.values())


def _of_columns(perturbed: Sequence[PerturbedColumn], which: str) -> list[Figure]:
    """Figures of perturbed columns, each named after its column."""
    return [
        replace(figure, name=f"{one.column}.{figure.name}", label=f"{figure.label} ({one.column})")
        for one in perturbed
        for figure in cast("Sequence[Figure]", getattr(one, which))
    ]


def as_buckets(outcome: RecodedOutcome) -> tuple[Figure, ...]:
    """Figures of a recoded release under the names that Anatomy has, so that both stand in one picture.

    A class is read as a bucket: who knows the quasi-identifiers of a person of it knows which values the class holds.
    The random queries are those that two published tables of the same columns are asked.

    Args:
        outcome: what a run did; it must have one sensitive column and no column of persons.

    Returns:
        () where there is not one such column, or no class.
    """
    published = outcome.decided.recoding.published
    if len(published.histograms) != 1 or outcome.plan.schema.person is not None or not published.n_classes:
        return ()
    (values,) = published.histograms
    pair = Pair(outcome.counted.attributes, published.codes, np.arange(published.n_classes), published.rows, values)
    return (*bucket_risks(pair, most=0), *_query_errors(outcome, pair))


def _query_errors(outcome: RecodedOutcome, pair: Pair) -> tuple[Figure, ...]:
    """Errors of random COUNT queries with a condition on the sensitive column."""
    n, joint = outcome.plan.measures.queries, _joint(outcome.counted.finest)
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
