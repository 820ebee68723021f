"""What a release is worth, and what breaks it: everything that a run measures, in one place."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.document.result.release import LossAtK
from sfumato.errors import NoSolution
from sfumato.frozen import dataclass
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.numbers.distinct import distinct
from sfumato.numbers.threads import both
from sfumato.release.binding import recodings
from sfumato.release.membership import membership, with_centers
from sfumato.release.personalized import loss_by_wish
from sfumato.risk.profile import risk_profile
from sfumato.risk.subsets import subset_risks
from sfumato.risk.wp216 import Tolerance, wp216
from sfumato.summary.ask import Marginals
from sfumato.summary.centers import at_face_value
from sfumato.summary.classes import distinct_rows
from sfumato.summary.published import published_at_levels
from sfumato.summary.span import Domain
from sfumato.table.schema import Role
from sfumato.utility.compare import distribution, released_marginal, suppressed_cells
from sfumato.utility.loss.arx import arx_quality
from sfumato.utility.measure import Learning
from sfumato.utility.measure import measure as measure_utility
from sfumato.utility.query_error import Workload

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.document.plan import Measures
    from sfumato.document.result.release import LossOfWish
    from sfumato.guarantee.base import Criterion, TableCriterion
    from sfumato.mechanism.recode.decision import Decision
    from sfumato.release.plan import Plan
    from sfumato.release.recoding.run import RecodedOutcome
    from sfumato.risk.subsets import SubsetRisk
    from sfumato.risk.wp216 import Answer
    from sfumato.summary.classes import Classes
    from sfumato.summary.figure import Figure
    from sfumato.utility.compare import Distribution

T = TypeVar("T")

SEED = 20020501
"""Seed of the random queries and held-out rows, so that a run repeated measures the same."""
_BIG = 2_000_000
"""Distinct tuples above which optional measures that cost minutes are left out, and said to be."""
_SHOWN_SUBSETS = 50
"""Subsets of quasi-identifiers kept in the result: the most distinguishing ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Everything measured of a release.

    Args:
        n_persons: persons in the original table.
        worth: utility of the release.
        worth_before: the same figures of the original, by name.
        risk_before: what an intruder gains from the original.
        risk_after: what one gains from the release.
        wp216: the regulator's three questions.
        distributions: shares of the values of each published column, before and after.
        subsets: distinction and separation of sets of quasi-identifiers.
        loss_by_k: loss and suppression at other values of k.
        cells: fully suppressed cells by column.
        notes: what a reader should know beside the figures.
        loss_by_wish: by column of wishes, who asked for how much and what they lost.
    """

    n_persons: int
    worth: tuple[Figure, ...]
    worth_before: Mapping[str, float | None]
    risk_before: tuple[Figure, ...]
    risk_after: tuple[Figure, ...]
    wp216: tuple[Answer, ...]
    distributions: Mapping[str, Distribution]
    subsets: tuple[SubsetRisk, ...]
    loss_by_k: tuple[LossAtK, ...]
    cells: Mapping[str, int]
    notes: Sequence[str]
    loss_by_wish: tuple[LossOfWish, ...] = ()


def measure(outcome: RecodedOutcome) -> Measured:
    """Measure a release beside its original; the figures of a long original are found by a second thread."""
    plan, counted, original = outcome.plan, outcome.counted, original_of(outcome)
    risk = partial(risk_profile, threshold=plan.measures.risk_threshold, population_size=plan.population.size)
    after, before = both(
        lambda: (_leaks(outcome), worth_of(outcome, original), _distributions(outcome)),
        lambda: (subset_risks(original, counted.attributes), _worth_before(outcome, original), risk(counted.finest)),
        original.codes.size,
    )
    (leaks, worth, distributions), (subsets, worth_before, risk_before) = after, before
    measured = Measured(
        n_persons=n_persons(original),
        worth=worth,
        worth_before=worth_before,
        risk_before=risk_before,
        risk_after=risk(outcome.decided.recoding.published),
        wp216=answers_of(outcome, original),
        distributions=distributions,
        subsets=strongest(subsets.subsets),
        loss_by_k=_loss_by_k(outcome),
        cells=suppressed_cells(outcome.published),
        notes=[note for note in (*counted.notes, subsets.statement, *leaks) if note],
        loss_by_wish=_loss_by_wish(outcome),
    )
    return without_classes(measured) if plan.perturbs_quasi_identifiers else measured


def original_of(outcome: RecodedOutcome) -> Classes:
    """The distinct tuples of the rows that were to be published, without those of the rest of a population."""
    finest = outcome.counted.finest
    return finest if finest.population is None else finest.select(finest.rows > 0)


def without_classes(measured: Measured) -> Measured:
    """What is left to say when quasi-identifiers are perturbed: nothing that is read off class sizes."""
    note = (
        "Quasi-identifiers were perturbed: class sizes of the release mean nothing, so no risk and no worth was read "
        "off them. A row that looks unique may be so by chance, and one in a large class may have been unique."
    )
    return replace(measured, worth=(), worth_before={}, risk_after=(), wp216=(), notes=[*measured.notes, note])


def strongest(subsets: Sequence[SubsetRisk]) -> tuple[SubsetRisk, ...]:
    """The subsets that distinguish most, at most fifty."""
    return tuple(sorted(subsets, key=lambda s: (-s.separation, -s.distinction, s.columns))[:_SHOWN_SUBSETS])


def n_persons(classes: Classes) -> int:
    """Persons in a table: each once, however many tuples they are spread over."""
    spread = 0 if classes.spread is None else len(distinct(classes.spread.person))
    return int(classes.alone.sum()) + spread


def promised_k(plan: Plan) -> int | None:
    """The k that a plan promises, if it promises k-anonymity."""
    return next((promise.k for promise in plan.promises if isinstance(promise, KAnonymity)), None)


def tolerance_of(plan: Plan) -> Tolerance:
    """What the three questions are held against: the promised k and the accepted risks of the plan."""
    measures: Measures = plan.measures
    return Tolerance(
        k=promised_k(plan) or max(2, int(np.ceil(1 / measures.risk_threshold))),
        risk=measures.risk_threshold,
        posterior=measures.posterior,
        distance=measures.distance,
    )


def answers_of(outcome: RecodedOutcome, original: Classes) -> tuple[Answer, ...]:
    """The three questions, by attack and by formula."""
    plan, accepted = outcome.plan, tolerance_of(outcome.plan)
    by_formula = wp216(outcome.decided.recoding.published, tolerance=accepted, population_size=plan.population.size)
    if not plan.measures.guesses or not outcome.published.classes.n_classes:
        return by_formula
    from sfumato.release.trials.case import Case
    from sfumato.release.trials.questions import CONFIDENCE, answers_by_attack, in_turn

    case = Case(outcome.published, original, None, plan.measures.guesses, CONFIDENCE, np.random.default_rng(SEED))
    return in_turn(answers_by_attack(case, tolerance=accepted.risk), by_formula)


def worth_of(outcome: RecodedOutcome, original: Classes) -> tuple[Figure, ...]:
    """Utility of the release."""
    plan, target = outcome.plan, outcome.plan.measures.target
    learning = None
    if target is not None:
        learning = Learning(target, membership(outcome.decided.recoding, original, outcome.published))
    centers = outcome.decided.recoding.centers
    figures = measure_utility(
        at_face_value(outcome.published, centers) if centers else outcome.published,
        original,
        k=promised_k(plan),
        rng=np.random.default_rng(SEED) if plan.measures.queries or learning else None,
        workload=Workload(n_queries=plan.measures.queries) if plan.measures.queries else None,
        learning=learning,
    )
    figures = (*figures, *_in_arx_terms(outcome))
    if not outcome.decided.recoding.centers:
        return figures
    return with_centers(figures, outcome.decided.recoding, original, outcome.counted.attributes)


def _in_arx_terms(outcome: RecodedOutcome) -> tuple[Figure, ...]:
    """The output statistics that ARX prints of a full-domain generalization; of other methods none."""
    levels = outcome.decided.recoding.levels
    if levels is None or outcome.counted.finest.n_classes > _BIG:
        return ()
    from sfumato.mechanism.recode.full_domain.table import Table

    attributes = outcome.counted.attributes
    classes = Table(outcome.counted.finest, (0,) * len(attributes), attributes).at(levels).classes
    _, member = distinct_rows(np.concatenate((classes.codes, outcome.decided.recoding.published.codes)))
    kept = np.isin(member[: classes.n_classes], member[classes.n_classes :])
    return arx_quality(outcome.counted.finest, attributes, np.array(levels), classes, kept)


def _worth_before(outcome: RecodedOutcome, original: Classes) -> dict[str, float | None]:
    """The same figures of the original read at level 0."""
    target = outcome.plan.measures.target
    learning = None if target is None else Learning(target, np.arange(original.n_classes))
    whole = published_at_levels(outcome.counted.attributes, original, [0] * len(outcome.counted.attributes))
    figures = measure_utility(
        whole,
        original,
        k=promised_k(outcome.plan),
        rng=np.random.default_rng(SEED) if learning else None,
        workload=None,
        learning=learning,
    )
    return {figure.name: figure.value for figure in figures}


def _distributions(outcome: RecodedOutcome) -> dict[str, Distribution]:
    """Shares of the values of each quasi-identifier before and after; rare values merged."""
    floor = max(promised_k(outcome.plan) or 0, 5)
    out = {}
    for j, attribute in enumerate(outcome.counted.attributes):
        order = Domain.of(attribute).order
        leaves = [attribute.hierarchy.labels[0][code] for code in order]
        counts = outcome.counted.finest.rows_by_code(j, len(leaves))[order]
        out[attribute.name] = distribution((leaves, counts), released_marginal(outcome.published, j), floor=floor)
    return out


def _loss_by_k(outcome: RecodedOutcome) -> tuple[LossAtK, ...]:
    """Loss and suppressed share if k were another, everything else as planned."""
    plan = outcome.plan
    if promised_k(plan) is None or outcome.counted.finest.n_classes > _BIG:
        return ()
    out = []
    for k in plan.measures.loss_by_k:
        promises = tuple(KAnonymity(k) if isinstance(p, KAnonymity) else p for p in plan.promises)
        try:
            decision = outcome.decided.recoding if promises == plan.promises else _decided_at(outcome, promises)
        except NoSolution:
            out.append(LossAtK(k=k))
            continue
        share = decision.suppressed_rows / max(outcome.counted.finest.n_rows, 1)
        out.append(LossAtK(k=k, loss=decision.loss, suppressed=share))
    return tuple(out)


def _decided_at(outcome: RecodedOutcome, promises: tuple[Criterion | TableCriterion, ...]) -> Decision:
    """What the plan would publish under other promises."""
    plan = replace(outcome.plan, promises=promises, perturb=())
    again = outcome.run.method.build(plan, outcome.run.tools)
    return again.mechanism.decide(outcome.counted.finest, outcome.counted.attributes)


def _loss_by_wish(outcome: RecodedOutcome) -> tuple[LossOfWish, ...]:
    """What persons lost, by what they asked for."""
    if not outcome.counted.wishes:
        return ()
    member = membership(outcome.decided.recoding, outcome.counted.finest, outcome.published)
    floor = max(promised_k(outcome.plan) or 0, 5)
    return tuple(
        row for wish in outcome.counted.wishes for row in loss_by_wish(wish, member, outcome.published, floor=floor)
    )


def _n_values(outcome: RecodedOutcome, j: int) -> int:
    """Distinct values of a quasi-identifier that the table holds."""
    finest = outcome.counted.finest
    return int(np.count_nonzero(finest.rows_by_code(j, outcome.counted.attributes[j].hierarchy.n_leaves)))


def _values_of(outcome: RecodedOutcome, names: Sequence[str]) -> dict[str, tuple[str | None, ...]]:
    """Distinct values of columns of the original, by column."""
    found = outcome.run.engine.summarize(outcome.counted.table, Marginals(tuple(names)))
    return {name: found[name].values for name in names}


def _leaks(outcome: RecodedOutcome) -> list[str]:
    """Published columns that give away the original value of a recoded quasi-identifier."""
    schema = outcome.plan.schema
    kept = [c.name for c in schema.columns if c.role in (Role.SENSITIVE, Role.INSENSITIVE)]
    unchanged = [name for name in kept if name not in outcome.plan.perturbed]
    if not unchanged:
        return []
    values = _values_of(outcome, unchanged)
    most = max(len(known) for known in values.values())  # a column determines no column of more values
    recoded = [a.name for j, a in enumerate(outcome.counted.attributes) if _n_values(outcome, j) <= most]
    values |= _values_of(outcome, recoded)
    found = recodings(outcome.run.engine, outcome.counted.table, values, others=recoded)
    pairs = [(r.column, r.other) for r in found] + [(r.other, r.column) for r in found if r.both_ways]
    return [
        f"{column!r} is published unchanged and determines {other!r}: it undoes the recoding of that column."
        for column, other in pairs
        if column in unchanged and other in recoded
    ]
