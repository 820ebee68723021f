"""What two published tables are worth, and what breaks them: everything that such a run measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sfumato.attack.definetti import DeFinetti, Truth, hit_share
from sfumato.errors import NoSolution
from sfumato.frozen import dataclass
from sfumato.guarantee.bucket_size import BucketSize
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.mechanism.bucket.decision import without_last
from sfumato.mechanism.recode.decision import Limits
from sfumato.mechanism.recode.mondrian.mondrian import Halving, Mondrian
from sfumato.mechanism.recode.partition.axes import Publish
from sfumato.recipe.steps import Assign
from sfumato.release.binding import recodings
from sfumato.release.measure import SEED, strongest, tolerance_of
from sfumato.risk.bucketization import bucket_risks
from sfumato.risk.profile import risk_profile
from sfumato.risk.subsets import subset_risks
from sfumato.risk.wp216 import wp216
from sfumato.summary.ask import MarginalOf
from sfumato.summary.figure import Figure
from sfumato.summary.pair import Pair
from sfumato.summary.published import published_of_partition
from sfumato.table.schema import Role
from sfumato.utility.bucket_errors import (
    average_by_group_error,
    bucket_answers,
    errors_of,
    generalized_answers,
    questions,
    true_answers,
)
from sfumato.utility.bucket_queries import reconstruction_error
from sfumato.utility.query_error import AVERAGE_DEFINITION, COUNT_SOURCE, Workload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.bucket.decision import BucketDecision, BucketMethod
    from sfumato.release.anatomy.run import Counted
    from sfumato.release.pipeline import Outcome
    from sfumato.risk.subsets import SubsetRisk
    from sfumato.risk.wp216 import Answer
    from sfumato.summary.published import Published
    from sfumato.utility.bucket_errors import Question

Two: TypeAlias = "Outcome[BucketMethod, Counted[Any], BucketDecision, Pair]"
"""A run that published two tables."""
_MOST_ENTRIES = 200_000_000
"""Entries times queries: above it fewer queries are asked, and the figure says how many."""
_MOST_LEARNED = 1_000_000
"""Pairs of a row and a value of its bucket above which a classifier is learned from some buckets only."""
_MOST_COMPARED = 300_000
"""Distinct tuples above which no generalization is made for comparison."""
_ROUNDS = 10
"""Turns of the deFinetti attack."""
_KNOWLEDGE = 3
"""Values excluded and rows known up to which the intruder is followed."""
_KIFER = "D. Kifer, Attacks on privacy and deFinetti's theorem, SIGMOD 2009"


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredTwo:
    """Everything measured of two published tables.

    Args:
        worth: utility.
        risk_before: what an intruder gains from the original.
        risk_after: what one gains from the two tables.
        wp216: the regulator's three questions.
        subsets: distinction and separation of sets of quasi-identifiers.
        notes: what a reader should know beside the figures.
    """

    worth: tuple[Figure, ...]
    risk_before: tuple[Figure, ...]
    risk_after: tuple[Figure, ...]
    wp216: tuple[Answer, ...]
    subsets: tuple[SubsetRisk, ...]
    notes: Sequence[str]


def measure_two(outcome: Two) -> MeasuredTwo:
    """Measure two tables beside their original."""
    plan, finest = outcome.plan, outcome.counted.finest
    profile = risk_profile(finest, threshold=plan.measures.risk_threshold, population_size=plan.population.size)
    found = subset_risks(finest, outcome.counted.attributes)
    return MeasuredTwo(
        worth=_worth(outcome),
        risk_before=(*bucket_risks(_original(outcome), most=_KNOWLEDGE), *profile),
        risk_after=(*bucket_risks(outcome.published, most=_KNOWLEDGE), *_learned(outcome), *profile),
        wp216=_wp216(outcome),
        subsets=strongest(found.subsets),
        notes=[note for note in (*outcome.header.notes, found.statement, *_open(outcome)) if note],
    )


def _original(outcome: Two) -> Pair:
    """The original as a pair of tables: rows of equal quasi-identifiers share a bucket."""
    finest = outcome.counted.finest
    (values,) = finest.histograms
    return Pair(outcome.counted.attributes, finest.codes, np.arange(finest.n_classes), finest.rows, values)


def truth_of(outcome: Two) -> Truth:
    """Which rows of the first table really have which value; only for the judge."""
    splits, plain = outcome.decided.splits, without_last(outcome.counted.joint)
    width = int(plain.max(initial=0)) + 1
    _, entry = np.unique(splits.member * width + plain[splits.tuple_], return_inverse=True)
    return Truth(entry, outcome.counted.joint.codes[splits.tuple_, -1], splits.rows)


def _learned(outcome: Two) -> tuple[Figure, ...]:
    """How often a classifier that is learned from the two tables alone finds the value of a row."""
    pair, truth = outcome.published, truth_of(outcome)
    per_bucket = np.bincount(pair.values.owner, minlength=pair.n_buckets)
    n_pairs = int(per_bucket[pair.bucket].sum())
    told = ""
    if n_pairs > _MOST_LEARNED:
        wanted = max(1, pair.n_buckets * _MOST_LEARNED // n_pairs)
        kept = np.zeros(pair.n_buckets, bool)
        kept[np.random.default_rng(SEED).choice(pair.n_buckets, wanted, replace=False)] = True
        truth, pair = truth.select(kept[pair.bucket]), pair.select(kept)
        told = f"{wanted:,} buckets drawn from "
    return (
        Figure(
            "bucket_learned",
            f"Rows whose {pair.sensitive.name} a learner guesses",
            hit_share(pair, DeFinetti(_ROUNDS).guess(pair, None, np.random.default_rng(SEED)), truth),
            f"Rows guessed rightly by a naive Bayes classifier that is learned from {told}the two tables alone in {_ROUNDS} "
            "rounds of the deFinetti attack / rows. No promise on buckets bounds it.",
            _KIFER,
        ),
    )


def _wp216(outcome: Two) -> tuple[Answer, ...]:
    """Singling out and linkability on the quasi-identifiers, which are open; inference on the buckets."""
    tolerance, size = tolerance_of(outcome.plan), outcome.plan.population.size
    rows = wp216(outcome.counted.finest, tolerance=tolerance, population_size=size)
    values = wp216(outcome.published.classes(), tolerance=tolerance, population_size=size)
    kept = [answer for answer in rows if answer.criterion != "inference"]
    return (*kept, *(answer for answer in values if answer.criterion == "inference"))


def _open(outcome: Two) -> list[str]:
    """What the first table tells by itself."""
    schema, name = outcome.plan.schema, outcome.counted.sensitive.name
    published = [c.name for role in (Role.QUASI_IDENTIFYING, Role.INSENSITIVE) for c in schema.with_role(role)]
    values = {
        column: outcome.run.engine.summarize(outcome.counted.table, MarginalOf(column)).values
        for column in (*published, name)
    }
    found = recodings(outcome.run.engine, outcome.counted.table, values, others=[name])
    telling = {r.column for r in found if r.other == name} | {
        r.other for r in found if r.both_ways and r.column == name
    }
    return [
        "Quasi-identifiers are published as they are: the first table tells who is in the source.",
        *(f"{column!r} is published and determines {name!r}: buckets protect nothing." for column in sorted(telling)),
    ]


def _worth(outcome: Two) -> tuple[Figure, ...]:
    """Utility of the two tables."""
    pair, joint = outcome.published, outcome.counted.joint
    return (
        Figure(
            "reconstruction_error",
            "Reconstruction error",
            reconstruction_error(pair),
            f"Sum over rows of the squared distance of its {pair.sensitive.name} from the shares of its bucket: sum over "
            "buckets of s - (sum of c^2)/s; at least n(1 - 1/l) for every pair of tables with l-diverse buckets.",
            "X. Xiao, Y. Tao, VLDB 2006, equations 11 to 13",
        ),
        *(_query_figures(outcome) if outcome.plan.measures.queries else ()),
        *(
            Figure(
                f"average_error:{pair.sensitive.name}:{attribute.name}",
                f"Error of AVG({pair.sensitive.name}) by {attribute.name}",
                average_by_group_error(pair, joint, j),
                f"SELECT {attribute.name}, AVG({pair.sensitive.name}) GROUP BY {attribute.name}, each row expected to have "
                f"the mean of its bucket: {AVERAGE_DEFINITION}",
                COUNT_SOURCE,
            )
            for j, attribute in enumerate(pair.attributes)
            if pair.sensitive.positions is not None
        ),
    )


def _query_figures(outcome: Two) -> tuple[Figure, ...]:
    """Errors of random COUNT queries on both sides, from the two tables and from a generalization."""
    pair, joint = outcome.published, outcome.counted.joint
    n = max(1, min(outcome.plan.measures.queries, _MOST_ENTRIES // max(joint.n_classes, len(pair.bucket), 1)))
    workload = Workload(n_queries=n)
    asked = questions(pair, workload, np.random.default_rng(SEED))
    truths, floor = true_answers(joint, asked), max(workload.sanity * joint.n_rows, 1.0)
    mine = errors_of(bucket_answers(pair, asked), truths, floor)
    other, why = _generalized(outcome, asked)
    theirs = None if other is None else errors_of(other, truths, floor)
    text = (
        f"of {n} random COUNT queries with {workload.n_conditions} conditions on quasi-identifiers and one on the sensitive "
        f"column, which cover {workload.selectivity:g} of the domain: |answer - truth| / max(truth, "
        f"{workload.sanity:g} * rows)"
    )
    return tuple(
        Figure(f"{key}_{name}", f"{label}, {name}", value, f"{name.capitalize()} {text}, {how}.", COUNT_SOURCE)
        for key, label, errors, how in (
            ("bucket_query_error", "Error of count queries", mine, "every pairing in a bucket equally likely"),
            ("generalized_query_error", "The same from a generalization", theirs, why),
        )
        for name, value in (("median", errors.median if errors else None), ("mean", errors.mean if errors else None))
    )


def _generalized(outcome: Two, asked: Sequence[Question]) -> tuple[list[float] | None, str]:
    """The same queries answered from Mondrian classes that keep the same promises; and what was done."""
    finest = outcome.counted.finest
    if finest.n_classes > _MOST_COMPARED:
        return None, f"not computed: more than {_MOST_COMPARED:,} distinct tuples"
    promises = tuple(KAnonymity(p.k) if isinstance(p, BucketSize) else p for p in outcome.plan.promises)
    tools = outcome.run.tools
    method = Mondrian(promises, Halving.STRICT, Publish.COVERS, Limits(), tools.clock, tools.progress)
    try:
        published = _partition(method, outcome)
    except NoSolution:
        return None, "not computed: Mondrian cannot keep these promises"
    if published is None:
        return None, "not computed: Mondrian changed nothing"
    how = "from Mondrian classes that keep the same promises, each value under a label equally likely"
    return generalized_answers(published, outcome.counted.sensitive.name, asked), how


def _partition(method: Mondrian, outcome: Two) -> Published | None:
    """The classes of a partition, with the minimal cover of each."""
    done = method.decide(outcome.counted.finest, outcome.counted.attributes)
    if not isinstance(done.step, Assign):
        return None
    return published_of_partition(outcome.counted.attributes, outcome.counted.finest, done.published, done.step.member)
