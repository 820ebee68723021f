"""`FullDomain` against brute force on random small tables, for every loss and kind of criterion."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import Interrupted, NoSolution, ParameterError
from sfumato.guarantee.average_risk import AverageRisk
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.k_map import KMap
from sfumato.guarantee.l_diversity import DistinctLDiversity, EntropyLDiversity
from sfumato.guarantee.sample_uniqueness import SampleUniqueness
from sfumato.guarantee.t_closeness import TCloseness
from sfumato.mechanism.recode.decision import Limits
from sfumato.mechanism.recode.full_domain import FullDomain
from sfumato.mechanism.recode.full_domain.candidate import columns_of
from sfumato.mechanism.recode.full_domain.exact import ExactSearch
from sfumato.mechanism.recode.full_domain.method import Lattice
from sfumato.summary.classes import Classes, distinct_rows, roll_up
from sfumato.summary.histogram import Histogram
from sfumato.table.attribute import Attribute
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Role
from sfumato.utility.loss.arx import ArxLoss
from sfumato.utility.loss.classification import ClassificationLoss
from sfumato.utility.loss.entropy_information_loss import EntropyInformationLoss
from sfumato.utility.loss.height import HeightLoss
from sfumato.utility.loss.kl_divergence import KLDivergenceLoss
from sfumato.utility.loss.non_uniform_entropy import NonUniformEntropyLoss
from sfumato.utility.loss.parts import Aggregate
from sfumato.utility.loss.precision import PrecisionLoss
from sfumato.utility.loss.publisher_payout import PublisherPayoutLoss
from sfumato.utility.loss.sizes import AmbiguityLoss, ClassSizeLoss, DiscernibilityLoss

LOSSES = [
    ArxLoss(),
    ArxLoss(gs=0.0),
    ArxLoss(gs=0.3, aggregate=Aggregate.SUM),
    ArxLoss(gs=0.8, aggregate=Aggregate.ARITHMETIC_MEAN),
    ArxLoss(gs=1.0),
    ArxLoss(aggregate=Aggregate.MAXIMUM),
    ArxLoss(aggregate=Aggregate.RANK),
    PrecisionLoss(),
    PrecisionLoss(gs=0.2),
    PrecisionLoss(ignores_suppression=True),
    HeightLoss(),
    DiscernibilityLoss(),
    DiscernibilityLoss(ignores_suppression=True),
    ClassSizeLoss(),
    ClassSizeLoss(gs=0.2),
    AmbiguityLoss(),
    NonUniformEntropyLoss(),
    NonUniformEntropyLoss(gs=0.9, normalized=True),
    EntropyInformationLoss(),
    EntropyInformationLoss(gs=0.2),
    KLDivergenceLoss(),
    PublisherPayoutLoss(),
    ClassificationLoss(("q0",)),
    ClassificationLoss(("s",), gs=0.3),
]

CRITERIA = [
    (KAnonymity(2),),
    (KAnonymity(3), DistinctLDiversity("s", 2)),
    (EntropyLDiversity("s", "1.5", "shannon"),),
    (KAnonymity(2), TCloseness("s", "0.4", "equal")),
    (SampleUniqueness("0.2"),),
    (KAnonymity(2), AverageRisk("0.3")),
    (KMap(3),),
]


@dataclass(frozen=True)
class Small:
    """A random small table: attributes and finest classes."""

    attributes: tuple[Attribute, ...]
    finest: Classes


TREES = (
    (("a", "ab", "*"), ("b", "ab", "*"), ("c", "c", "*")),
    (("x", "*"), ("y", "*")),
    (("1", "12", "1-4", "*"), ("2", "12", "1-4", "*"), ("3", "34", "1-4", "*"), ("5", "5", "5", "*")),
)


@st.composite
def tables(draw):
    """Up to 14 rows of three attributes, a sensitive one, and which rows are published."""
    attributes = tuple(
        Attribute(Column(f"q{j}", Role.QUASI_IDENTIFYING, weight=w), Hierarchy.from_paths(f"q{j}", paths), None)
        for j, (paths, w) in enumerate(zip(TREES, (1.0, 2.0, 0.5), strict=True))
    )
    row = st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 3), st.integers(0, 2), st.booleans())
    rows = np.array(draw(st.lists(row, min_size=3, max_size=14)), dtype=np.int64)
    rows[0, 4] = 1
    return Small(attributes, classes_of(rows))


def classes_of(rows):
    """Finest classes of rows (n, 5): three codes, sensitive code, published or not."""
    distinct, member = distinct_rows(rows[:, :3])
    n = len(distinct)
    inside = rows[:, 4] == 1
    published = np.bincount(member[inside], minlength=n)
    key, count = np.unique(member[inside] * 3 + rows[inside, 3], return_counts=True)
    secret = Attribute(Column("s", Role.SENSITIVE), Hierarchy.flat("s", ["u", "v", "w"]), None)
    total = np.bincount(rows[inside, 3], minlength=3)
    histogram = Histogram(secret, key // 3, key % 3, count, total)
    population = np.bincount(member, minlength=n)
    return Classes(distinct, published, published, population=population, histograms=(histogram,))


def kept_by_hand(classes, criteria, limit):
    """The classes kept at one node, slowly: drop violating ones, then the smallest; None: impossible."""
    kept = classes.rows > 0
    for criterion in criteria:
        if hasattr(criterion, "holds"):
            kept = kept & criterion.holds(classes)
    together = [c for c in criteria if hasattr(c, "holds_together")]
    while not all(c.holds_together(classes.select(kept)) for c in together):
        kept = without_smallest(classes, kept)
    return kept if kept.any() and classes.rows[~kept].sum() <= limit else None


def without_smallest(classes, kept):
    """One of the smallest classes less: which one does not matter to what these tests compare."""
    out = kept.copy()
    inside = np.flatnonzero(kept)
    out[inside[np.argmin(classes.rows[inside])]] = False
    return out


def best_by_hand(small, method):
    """Least (loss, sum of levels, levels) over all nodes."""
    prepared = method.loss.prepare(small.finest, small.attributes)
    limit = method.suppression_limit * small.finest.n_rows
    found = []
    for levels in product(*(range(a.hierarchy.height + 1) for a in small.attributes)):
        classes, _ = roll_up(small.finest, small.attributes, levels)
        kept = kept_by_hand(classes, method.criteria, limit)
        if kept is not None:
            value = prepared.value(np.array(levels), classes, kept)
            found.append((value if isinstance(value, tuple) else (value,), sum(levels), levels))
    return min(found) if found else None


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@given(small=tables(), share=st.sampled_from(["0", "0.2", "1"]), which=st.integers(0, 3))
@settings(max_examples=12)
def test_the_best_node_of_all_is_found(loss, small, share, which):
    method = FullDomain(CRITERIA[which], Fraction(share), loss)
    expected = best_by_hand(small, method)
    if expected is None:
        with pytest.raises(NoSolution):
            method.decide(small.finest, small.attributes)
        return
    decision = method.decide(small.finest, small.attributes)
    assert decision.loss == pytest.approx(expected[0][0], rel=1e-9, abs=1e-9)
    assert decision.search.optimal


@pytest.mark.parametrize("criteria", CRITERIA, ids=repr)
@given(small=tables(), share=st.sampled_from(["0", "0.1", "0.35", "1"]))
@settings(max_examples=25)
def test_every_combination_of_criteria_is_searched_exactly(criteria, small, share):
    """Levels alone count here, so that the choice among equally small classes does not matter."""
    method = FullDomain(criteria, Fraction(share), HeightLoss())
    expected = best_by_hand(small, method)
    if expected is None:
        with pytest.raises(NoSolution):
            method.decide(small.finest, small.attributes)
        return
    decision = method.decide(small.finest, small.attributes)
    assert (decision.loss, decision.levels) == (expected[0][0], expected[2])


@given(small=tables(), share=st.sampled_from(["0", "0.2", "1"]))
@settings(max_examples=25)
def test_ties_go_to_fewer_levels_then_to_the_first_node(small, share):
    method = FullDomain((KAnonymity(2),), Fraction(share), ArxLoss(gs=1.0))
    expected = best_by_hand(small, method)
    if expected is not None:
        assert method.decide(small.finest, small.attributes).levels == expected[2]


@given(small=tables())
@settings(max_examples=25)
def test_steps_and_published_classes_agree(small):
    decision = FullDomain((KMap(2),), Fraction(1), ArxLoss()).decide(small.finest, small.attributes)
    coarse, _ = roll_up(small.finest, small.attributes, decision.levels)
    gone = 0 if decision.step is None else len(decision.step.codes)
    assert len(decision.published.codes) + gone == int((coarse.rows > 0).sum())
    assert decision.published.n_rows == small.finest.n_rows - decision.suppressed_rows


def some_table():
    rng = np.random.default_rng(7)
    draws = [rng.integers(0, n, 40) for n in (3, 2, 4, 3)]
    rows = np.stack([*draws, np.ones(40, np.int64)], axis=1)
    attributes = tuple(
        Attribute(Column(f"q{j}", Role.QUASI_IDENTIFYING), Hierarchy.from_paths(f"q{j}", paths), None)
        for j, paths in enumerate(TREES)
    )
    return Small(attributes, classes_of(rows))


@pytest.mark.parametrize("loss", [ArxLoss(), ArxLoss(aggregate=Aggregate.RANK), PrecisionLoss()], ids=repr)
def test_bounds_that_are_kept_are_those_of_all_that_was_learned(loss, monkeypatch):
    asked, ordered = [], ExactSearch._ordered_by_bound

    def compared(search):
        nodes = np.flatnonzero(search.open)
        suppressed = search.suppressed.reshape(-1)[nodes]
        anew = columns_of(search.evaluator.loss.lower_bounds(search.levels[nodes], suppressed))
        np.testing.assert_allclose(search._bounds(nodes), anew, rtol=1e-12, atol=0)
        asked.append(int((suppressed > 0).sum()))
        return ordered(search)

    monkeypatch.setattr(ExactSearch, "_ordered_by_bound", compared)
    monkeypatch.setattr("sfumato.mechanism.recode.full_domain.exact.ROUND", 2)
    small = some_table()
    FullDomain((KAnonymity(4),), Fraction(1), loss).decide(small.finest, small.attributes)
    assert len(asked) > 2
    assert max(asked) > 0


def test_a_share_outside_zero_and_one_is_refused():
    with pytest.raises(ParameterError, match="suppression_limit"):
        FullDomain((KAnonymity(2),), Fraction(2), ArxLoss())


def test_the_limit_is_floored_exactly():
    """A tenth of 30 rows is 3 rows, whatever floating point says."""
    small = some_table()
    limits = [Fraction(n, 40) for n in range(40)]
    for limit in limits:
        decision = FullDomain((KAnonymity(4),), limit, ArxLoss()).decide(small.finest, small.attributes)
        assert decision.suppressed_rows <= limit * 40


def test_a_stop_asked_for_by_progress_stops_the_search():
    def stop(done, total, message):
        raise Interrupted("The work was stopped.", "start it again.")

    small = some_table()
    method = FullDomain((DistinctLDiversity("s", 3),), Fraction(0), DiscernibilityLoss(), progress=stop)
    with pytest.raises(Interrupted):
        method.decide(small.finest, small.attributes)


def test_a_node_limit_gives_the_best_so_far_and_says_so():
    small = some_table()
    method = FullDomain((KAnonymity(2),), Fraction(1), KLDivergenceLoss(), Limits(nodes=3))
    decision = method.decide(small.finest, small.attributes)
    assert not decision.search.optimal
    assert "not proved optimal" in decision.search.statement


def test_a_time_limit_is_read_from_the_clock_that_is_passed_in():
    ticks = iter(range(1000))
    small = some_table()
    method = FullDomain(
        (KAnonymity(2),), Fraction(1), KLDivergenceLoss(), Limits(seconds=4.0), clock=lambda: float(next(ticks))
    )
    assert not method.decide(small.finest, small.attributes).search.optimal


def test_a_criterion_that_nothing_satisfies_has_no_solution():
    small = some_table()
    with pytest.raises(NoSolution, match=r"k-anonymity \(k = "):
        FullDomain((KAnonymity(41),), Fraction(1), ArxLoss()).decide(small.finest, small.attributes)


LATTICE = Lattice((2, 0, 1))


def test_an_attribute_without_a_choice_takes_no_dimension():
    assert (LATTICE.shape, LATTICE.size) == ((3, 2), 6)


def test_levels_are_in_lexicographic_order_and_index_finds_them():
    levels = LATTICE.levels()
    assert [LATTICE.index(node) for node in levels.tolist()] == list(range(6))
    assert levels.tolist() == sorted(levels.tolist())


def test_below_and_above_are_the_finer_and_the_coarser_nodes():
    levels = LATTICE.levels()
    node = np.array([1, 0, 1])
    for slices, expected in (
        (LATTICE.below(node), (levels <= node).all(axis=1)),
        (LATTICE.above(node), (levels >= node).all(axis=1)),
    ):
        marks = np.zeros(LATTICE.shape, bool)
        marks[slices] = True
        assert marks.ravel().tolist() == expected.tolist()
