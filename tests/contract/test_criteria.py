"""Every criterion keeps the contract of criteria. Adding a criterion adds one line to CASES."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.guarantee.average_risk import AverageRisk
from sfumato.guarantee.base import Criterion, Move, TableCriterion
from sfumato.guarantee.beta_likeness import BasicBetaLikeness, EnhancedBetaLikeness
from sfumato.guarantee.bucket_size import BucketSize
from sfumato.guarantee.delta_disclosure import DeltaDisclosurePrivacy
from sfumato.guarantee.delta_presence import DeltaPresence
from sfumato.guarantee.frequency_diversity import FrequencyLDiversity
from sfumato.guarantee.highest_risk import HighestRisk
from sfumato.guarantee.inserted_tuples import InsertedTuples
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.k_map import KMap, KMapEstimated
from sfumato.guarantee.l_diversity import DistinctLDiversity, EntropyLDiversity, RecursiveLDiversity
from sfumato.guarantee.personal_k import PersonalK
from sfumato.guarantee.personal_l import PersonalL
from sfumato.guarantee.population_uniqueness import PopulationUniqueness
from sfumato.guarantee.ratio_closeness import RatioCloseness
from sfumato.guarantee.records_at_risk import RecordsAtRisk
from sfumato.guarantee.registry import known_models
from sfumato.guarantee.safepub import SafePub
from sfumato.guarantee.sample_uniqueness import SampleUniqueness
from sfumato.guarantee.t_closeness import TCloseness, TClosenessOfRelease
from sfumato.testing.criterion_contract import (
    Case,
    breaks_absorb,
    breaks_merge,
    has_counterexample,
    ignores_order,
    ignores_unpublished,
    measures_what_holds,
    needs_no_more,
    survives_round_trip,
)
from sfumato.testing.strategies import SENSITIVE as S
from sfumato.testing.strategies import classes, memberships


def one_more(x):
    return x + 1


def up(x):
    return math.nextafter(x, math.inf)


def down(x):
    return math.nextafter(x, -math.inf)


CASES = [
    Case(KAnonymity(5), lambda x: KAnonymity(int(x)), one_more),
    Case(BucketSize(5), lambda x: BucketSize(int(x)), one_more),
    Case(KMap(9), lambda x: KMap(int(x)), one_more),
    Case(
        KMapEstimated(9, 10_000, 500, 0.01, "poisson"),
        lambda x: KMapEstimated(int(x), 10_000, 500, 0.01, "poisson"),
        one_more,
    ),
    Case(
        KMapEstimated(9, 1000, 500, "0.05", "zero-truncated-poisson"),
        lambda x: KMapEstimated(int(x), 1000, 500, "0.05", "zero-truncated-poisson"),
        one_more,
    ),
    Case(PersonalK("asked")),
    Case(PersonalL(S, "asked", "distinct")),
    Case(PersonalL(S, "asked", "frequency")),
    Case(SafePub("0.1", "0.5", 0)),
    Case(InsertedTuples(2)),
    Case(DistinctLDiversity(S, 2), lambda x: DistinctLDiversity(S, int(x)), one_more),
    Case(FrequencyLDiversity(S, 2), lambda x: FrequencyLDiversity(S, x), up),
    Case(EntropyLDiversity(S, 2, "shannon"), lambda x: EntropyLDiversity(S, x, "shannon"), up),
    Case(EntropyLDiversity(S, 2, "grassberger"), lambda x: EntropyLDiversity(S, x, "grassberger"), up),
    Case(RecursiveLDiversity(S, 2, 2), lambda x: RecursiveLDiversity(S, x, 2), down, weakest=10**9),
    Case(RecursiveLDiversity(S, "4/3", 3), lambda x: RecursiveLDiversity(S, x, 3), down, weakest=10**9),
    Case(TCloseness(S, 0.3, "equal"), lambda x: TCloseness(S, x, "equal"), down),
    Case(TCloseness(S, 0.3, "ordered"), lambda x: TCloseness(S, x, "ordered"), down),
    Case(TCloseness(S, 0.3, "hierarchical"), lambda x: TCloseness(S, x, "hierarchical"), down),
    Case(TClosenessOfRelease(S, 0.3, "equal"), lambda x: TClosenessOfRelease(S, x, "equal"), down),
    Case(TClosenessOfRelease(S, 0.2, "ordered"), lambda x: TClosenessOfRelease(S, x, "ordered"), down),
    Case(RatioCloseness(S, 3), lambda x: RatioCloseness(S, x), down),
    Case(BasicBetaLikeness(S, 1), lambda x: BasicBetaLikeness(S, x), down, weakest=10**9),
    Case(EnhancedBetaLikeness(S, 1), lambda x: EnhancedBetaLikeness(S, x), down, weakest=10**9),
    Case(
        DeltaDisclosurePrivacy(S, 1, "2", "ignored"),
        lambda x: DeltaDisclosurePrivacy(S, x, "2", "ignored"),
        down,
        weakest=10**9,
    ),
    Case(
        DeltaDisclosurePrivacy(S, 0.7, "e", "counted"),
        lambda x: DeltaDisclosurePrivacy(S, x, "e", "counted"),
        down,
        weakest=10**9,
    ),
    Case(DeltaPresence(0, 0.5), lambda x: DeltaPresence(0, x), down),
    Case(DeltaPresence("0.3", "0.7"), lambda x: DeltaPresence("0.3", x), down),
    Case(AverageRisk(0.2), AverageRisk, down),
    Case(HighestRisk(0.2), HighestRisk, down),
    Case(RecordsAtRisk(0.2, 0.3), lambda x: RecordsAtRisk(0.2, x), down),
    Case(SampleUniqueness(0.1), SampleUniqueness, down),
    Case(
        PopulationUniqueness(0.045, 1000, "pitman"),
        lambda x: PopulationUniqueness(x, 1000, "pitman"),
        down,
        breaking=((1, 1, 1, 5), (0, 0, 1, 2)),
    ),
    Case(
        PopulationUniqueness(0.0505, 1000, "zayatz"),
        lambda x: PopulationUniqueness(x, 1000, "zayatz"),
        down,
        breaking=((1, 1, 3, 4), (0, 1, 2, 2)),
    ),
]
every = pytest.mark.parametrize("case", CASES, ids=lambda case: repr(case.criterion))
few = settings(max_examples=25, derandomize=True)


@every
@few
@given(st.data())
def test_declared_moves_never_break_it(case, data):
    fine = data.draw(classes())
    membership = data.draw(memberships(fine.n_classes))
    criterion = case.criterion
    if Move.MERGE in criterion.monotone_in:
        assert not breaks_merge(criterion, fine, membership)
    if Move.ABSORB in criterion.monotone_in:
        assert not breaks_absorb(criterion, fine, membership)


@every
def test_moves_that_are_not_declared_have_a_counterexample(case):
    moves = (Move.MERGE, Move.ABSORB) if isinstance(case.criterion, Criterion) else (Move.MERGE,)
    for move in moves:
        if move not in case.criterion.monotone_in:
            assert has_counterexample(case, move)


@every
@few
@given(st.data())
def test_the_order_of_classes_does_not_matter(case, data):
    table = data.draw(classes(spread=True))
    order = np.array(data.draw(st.permutations(range(table.n_classes))), np.int64)
    assert ignores_order(case.criterion, table, order)


@every
@few
@given(table=classes())
def test_it_reads_what_it_declares_and_measures_the_strongest_parameter_that_holds_of_published_rows(case, table):
    assert needs_no_more(case.criterion, table)
    assert ignores_unpublished(case.criterion, table)
    assert not case.at or measures_what_holds(case, table)


@every
def test_it_says_what_it_promises(case):
    promise = case.criterion.guarantee()
    assert min(len(text) for text in (promise.name, promise.statement, promise.definition, promise.source)) >= 5
    assert len(promise.assumptions) > 0
    assert all(text.endswith(".") for text in (promise.statement, promise.definition, *promise.assumptions))


@every
def test_a_plan_holds_it_exactly(case):
    assert survives_round_trip(case.criterion)


@every
def test_it_is_judged_by_class_or_together(case):
    assert isinstance(case.criterion, Criterion) != isinstance(case.criterion, TableCriterion)


@every
def test_no_class_at_all_satisfies_it(case):
    none = classes_without_rows()
    if isinstance(case.criterion, TableCriterion):
        assert case.criterion.holds_together(none)
    else:
        assert case.criterion.holds(none).shape == (0,)
    assert case.criterion.measure(none) in (0.0, math.inf)


def classes_without_rows():
    from sfumato.testing.examples import asking, classes_with_illness

    table = classes_with_illness([[1, 2]])
    table = type(table)(
        table.codes,
        table.rows,
        table.alone,
        population=table.rows,
        personal_k=table.rows,
        histograms=table.histograms,
        beside=asking(table, "asked", [1]).beside,
    )
    return table.select(np.zeros(1, bool))


def test_every_model_of_the_room_is_under_contract():
    tested = {(type(case.criterion).model, *getattr(type(case.criterion), "variant", {}).values()) for case in CASES}
    assert tested == {(model, *v.values()) for model, variants in known_models().items() for v in variants}
