"""Every method that recodes or deals into buckets keeps the contract. Adding one adds a line to RECODERS or BUCKETS."""

import importlib
import pkgutil
from dataclasses import dataclass, is_dataclass, replace
from fractions import Fraction
from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from tests.unit.mechanism.recode.raw_tables import AGES, ILLNESS, JOBS, TOWNS, attributes

import sfumato.mechanism.bucket
import sfumato.mechanism.recode
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.guarantee.average_risk import AverageRisk
from sfumato.guarantee.bucket_size import BucketSize
from sfumato.guarantee.frequency_diversity import FrequencyLDiversity
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.guarantee.t_closeness import TCloseness
from sfumato.mechanism.bucket.anatomy import Anatomy
from sfumato.mechanism.bucket.plain import Grouping, PlainBuckets
from sfumato.mechanism.recode.cell_suppression import CellSuppression, SuppressedCell
from sfumato.mechanism.recode.decision import silent
from sfumato.mechanism.recode.full_domain import FullDomain
from sfumato.mechanism.recode.full_domain.fixed import FixedLevels, Unchanged
from sfumato.mechanism.recode.local_recoding import Effort, LocalRecoding
from sfumato.mechanism.recode.microaggregation.centers import Spelling
from sfumato.mechanism.recode.microaggregation.method import Microaggregation
from sfumato.mechanism.recode.mondrian.mondrian import Halving, Mondrian
from sfumato.mechanism.recode.partition.axes import Publish
from sfumato.mechanism.recode.safepub.method import GivenLevels, SafePubMethod
from sfumato.recipe.recipe import Suppressed
from sfumato.testing.recoding_contract import (
    ROW,
    BucketCase,
    RecodeCase,
    TinyTable,
    applies,
    buckets_are_applied,
    dealt,
    decided,
    decides_alike,
    gives_up_rightly,
    ignores_class_order,
    keeps,
    least_loss,
    plain,
)
from sfumato.testing.seeded_bits import SeededBits
from sfumato.utility.loss.precision import PrecisionLoss
from sfumato.utility.loss.sizes import AmbiguityLoss

TWO, DIVERSE = (KAnonymity(2),), (KAnonymity(2), DistinctLDiversity("illness", 2))
TOGETHER = (KAnonymity(2), AverageRisk("0.4"))
CLOSE = (KAnonymity(2), TCloseness("illness", "0.5", "equal"))
TENTH = Fraction(1, 10)
ENGINE = DuckDBEngine(threads=1)

RECODERS = [
    *(
        RecodeCase(lambda p=p, x=x: FullDomain(p, x, PrecisionLoss()), p, optimal=(PrecisionLoss(), float(x)))
        for p in (TWO, DIVERSE, TOGETHER, CLOSE)
        for x in (Fraction(0), TENTH)
    ),
    RecodeCase(lambda: FullDomain(TWO, TENTH, AmbiguityLoss()), TWO, optimal=(AmbiguityLoss(), 0.1)),
    RecodeCase(
        lambda: FixedLevels(TWO, Fraction(1, 2), PrecisionLoss(), {"age": 1, "town": 1, "job": 0}), TWO, gives_up=False
    ),
    *(RecodeCase(lambda p=p, o=o: LocalRecoding(p, o), p) for p in (TWO, DIVERSE, TOGETHER, CLOSE) for o in Publish),
    *(
        RecodeCase(lambda p=p, o=o: LocalRecoding(p, o, effort=Effort.HIGH), p)
        for p in (TWO, DIVERSE, TOGETHER)
        for o in Publish
    ),
    *(RecodeCase(lambda p=p, o=o: Mondrian(p, Halving.STRICT, o), p) for p in (TWO, DIVERSE, TOGETHER) for o in Publish),
    *(RecodeCase(lambda o=o: Mondrian(TWO, Halving.RELAXED, o), TWO, any_order=False) for o in Publish),
    *(RecodeCase(lambda p=p: CellSuppression(p), p) for p in (TWO, DIVERSE, TOGETHER)),
    # what it promises is of rows that match, which its own tests count; classes of equal labels may be single rows
    RecodeCase(lambda: CellSuppression(TWO, SuppressedCell.WILDCARD), (), gives_up=False),
    *(RecodeCase(lambda p=p: Microaggregation(p, Spelling({}, {})), p, any_order=False) for p in (TWO, DIVERSE)),
    RecodeCase(lambda: Unchanged((KAnonymity(1),)), (KAnonymity(1),), gives_up=False),
    RecodeCase(lambda: Unchanged(TWO), TWO, gives_up=False),
    RecodeCase(
        lambda: SafePubMethod(
            2, Fraction(1, 2), GivenLevels({"age": 1, "town": 2, "job": 1}), SeededBits(4), silent
        ), TWO, any_order=False,
    ),
]  # fmt: skip

BUCKETS = [
    *(
        BucketCase(Anatomy((FrequencyLDiversity("illness", x),)), (FrequencyLDiversity("illness", x),))
        for x in (2, "1.5")
    ),
    BucketCase(Anatomy((DistinctLDiversity("illness", 2),)), (DistinctLDiversity("illness", 2),)),
    *(BucketCase(PlainBuckets(3, grouping), (BucketSize(3),)) for grouping in Grouping),
]


def table(seed):
    """Up to 30 rows: alike ones, lonely ones, missing cells."""
    rng = np.random.default_rng(seed)
    n, few = int(rng.integers(1, 31)), int(rng.integers(1, 4))
    columns = [
        [values[i] for i in rng.choice(rng.permutation(len(values))[: 2 * few], n)] for values in (AGES, TOWNS, JOBS)
    ]
    ill = [ILLNESS.hierarchy.labels[0][i] for i in rng.integers(0, 3, n)]
    texts = [pa.array(column, pa.string()) for column in (*columns, ill)]
    rows = pa.array([str(i) for i in range(n)])
    frame = pa.table(dict(zip(("age", "town", "job", "illness", ROW), (*texts, rows), strict=True)))
    return TinyTable(frame, attributes(), ILLNESS, ENGINE)


def doubled(one):
    """Every row twice."""
    return one.in_order(np.repeat(np.arange(one.frame.num_rows), 2))


def turned(one):
    """Another order of the rows."""
    return one.in_order(np.random.default_rng(1).permutation(one.frame.num_rows))


TABLES = [table(seed) for seed in range(6)] + [doubled(table(6))]
TURNED = [turned(one) for one in TABLES]


@cache
def once(case, one):
    """What a case decides of a table, for all tests that look at it."""
    return decided(case, one)


IDS = [f"{type(c.make()).__name__}-{i}" for i, c in enumerate(RECODERS)]
recoders = pytest.mark.parametrize("case", RECODERS, ids=IDS)
buckets = pytest.mark.parametrize(
    "case", BUCKETS, ids=[f"{type(c.method).__name__}-{i}" for i, c in enumerate(BUCKETS)]
)


def methods_in(package):
    """Every class of a room that decides."""
    found = set()
    for entry in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        module = importlib.import_module(entry.name)
        found |= {
            thing
            for thing in vars(module).values()
            if is_dataclass(thing) and hasattr(thing, "decide") and thing.__module__ == module.__name__
        }
    return found


def test_every_method_of_the_rooms_has_a_case():
    assert {type(case.make()) for case in RECODERS} == methods_in(sfumato.mechanism.recode)
    assert {type(case.method) for case in BUCKETS} == methods_in(sfumato.mechanism.bucket)


@recoders
def test_equal_summaries_give_equal_decisions_whatever_the_order_of_rows(case):
    assert all(decides_alike(case, *both, once) for both in zip(TABLES, TURNED, strict=True))


@pytest.mark.parametrize("case", [case for case in RECODERS if case.any_order])
def test_the_order_of_classes_does_not_matter(case):
    rng = np.random.default_rng(2)
    assert all(ignores_class_order(case, one, rng.permutation(one.finest.n_classes), once) for one in TABLES)


@pytest.mark.parametrize(("nth", "case"), list(enumerate(RECODERS)), ids=IDS)
def test_what_is_decided_keeps_the_promises_and_is_what_is_published(nth, case):
    """SafePub leaves rows out without a trace; others may show stars.

    Each case is published from every second table, the next one, which mostly is the same method with another promise
    or other labels, from the others.
    """
    suppressed = Suppressed.DROP if isinstance(case.make(), SafePubMethod) else Suppressed.STAR
    done = 0
    for at, one in enumerate(TABLES):
        decision = once(case, one)
        if decision is None:
            assert not case.gives_up or gives_up_rightly(case, one)
            continue
        done += 1
        assert keeps(case.promises, decision.published)
        assert (nth + at) % 2 or applies(decision, one, suppressed=suppressed)
    assert done


@pytest.mark.parametrize("case", [case for case in RECODERS if case.optimal])
def test_an_optimum_that_is_claimed_is_one(case):
    for one in TABLES:
        decision, least = once(case, one), least_loss(case, one)
        assert (decision is None) == (least is None)
        assert decision is None or (decision.search.optimal and decision.loss == pytest.approx(least, abs=1e-12))


@pytest.mark.parametrize("case", [case for case in RECODERS if not case.optimal])
def test_where_no_optimum_is_checked_none_is_claimed(case):
    found = [once(case, one) for one in TABLES]
    assert not any(decision.search.optimal for decision in found if decision is not None)


@buckets
def test_buckets_keep_the_promises_and_are_what_is_published(case):
    done = 0
    for one, other in zip(TABLES, TURNED, strict=True):
        decision = dealt(case, one, seed=5)
        assert plain(decision) == plain(dealt(case, other, seed=5))
        if decision is not None:
            done += 1
            assert keeps(case.promises, decision.pair.classes())
            assert buckets_are_applied(decision, one)
    assert done


@dataclass
class Twin:
    """A recoding method that is broken in one way."""

    inner: object
    how: str
    asked: int = 0

    def decide(self, finest, attributes):
        self.asked += 1
        if self.how == "raw":
            return Unchanged(()).decide(finest, attributes)
        decision = self.inner.decide(finest, attributes)
        if self.how == "remembers" and self.asked % 2:
            return replace(decision, search=replace(decision.search, checked=decision.search.checked + 1))
        if self.how == "first class":
            first = np.arange(finest.n_classes) == 0
            return replace(decision, published=finest.select(first), suppressed_rows=int(finest.rows[~first].sum()))
        if self.how == "another class":
            step = decision.step
            member = np.roll(step.member, 1)
            return replace(decision, step=replace(step, member=member))
        if self.how == "top":
            top = FixedLevels(TWO, Fraction(0), PrecisionLoss(), {a.name: a.hierarchy.height for a in attributes})
            return replace(top.decide(finest, attributes), search=replace(decision.search, optimal=True))
        return decision


def twin(how, inner=None):
    """A broken method as a case, one instance throughout."""
    one = Twin(inner or LocalRecoding(TWO, Publish.COVERS), how)
    return RecodeCase(lambda: one, TWO, optimal=(PrecisionLoss(), 0.0))


def test_broken_twins_are_caught():
    big = [(one, other) for one, other in zip(TABLES, TURNED, strict=True) if one.finest.n_classes > 4]
    rng = np.random.default_rng(3)
    assert not all(keeps(TWO, decided(twin("raw"), one).published) for one, _ in big)
    assert not any(decides_alike(twin("remembers"), *both) for both in big)
    first = twin("first class")
    assert not all(ignores_class_order(first, one, rng.permutation(one.finest.n_classes)) for one, _ in big)
    assert not any(applies(decided(first, one), one) for one, _ in big)
    assert not all(applies(decided(twin("another class"), one), one) for one, _ in big)
    best = twin("top", FullDomain(TWO, Fraction(0), PrecisionLoss()))
    assert any(decided(best, one).loss > least_loss(best, one) + 1e-9 for one, _ in big)
