"""Every loss measure keeps the promises that the search relies on."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    *(ArxLoss(gs, aggregate) for gs in (0.0, 0.3, 0.5, 0.8, 1.0) for aggregate in Aggregate),
    *(PrecisionLoss(gs) for gs in (0.0, 0.4, 0.5, 0.9)),
    PrecisionLoss(ignores_suppression=True),
    HeightLoss(),
    DiscernibilityLoss(),
    DiscernibilityLoss(ignores_suppression=True),
    *(ClassSizeLoss(gs) for gs in (0.2, 0.5, 0.8)),
    AmbiguityLoss(),
    *(NonUniformEntropyLoss(gs, normalized=n) for gs in (0.2, 0.5, 0.9) for n in (False, True)),
    *(EntropyInformationLoss(gs) for gs in (0.2, 0.5, 0.9)),
    KLDivergenceLoss(),
    *(PublisherPayoutLoss(gs=gs) for gs in (0.2, 0.5)),
    *(ClassificationLoss(("q0", "s"), gs) for gs in (0.2, 0.5, 0.9)),
]

PATHS = ((("a", "ab", "*"), ("b", "ab", "*"), ("c", "c", "*"), ("d", "c", "*")), (("x", "*"), ("y", "*")))
ATTRIBUTES = [
    Attribute(Column(f"q{j}", Role.QUASI_IDENTIFYING, weight=1.0 + j), Hierarchy.from_paths(f"q{j}", paths), None)
    for j, paths in enumerate(PATHS)
]
SECRET = Attribute(Column("s", Role.SENSITIVE), Hierarchy.flat("s", ["u", "v"]), None)
NODES = list(product(range(3), range(2)))


@st.composite
def tables(draw):
    """Finest classes of up to 12 rows."""
    row = st.tuples(st.integers(0, 3), st.integers(0, 1), st.integers(0, 1))
    rows = np.array(draw(st.lists(row, min_size=2, max_size=12)), dtype=np.int64)
    distinct, member = distinct_rows(rows[:, :2])
    counts = np.bincount(member, minlength=len(distinct))
    key, count = np.unique(member * 2 + rows[:, 2], return_counts=True)
    histogram = Histogram(SECRET, key // 2, key % 2, count, np.bincount(rows[:, 2], minlength=2))
    return Classes(distinct, counts, counts, histograms=(histogram,))


def as_key(value):
    return value if isinstance(value, tuple) else (value,)


def some_kept(n, seed):
    """A choice of classes, at least one of them kept."""
    kept = np.random.default_rng(seed).random(n) < 0.6
    kept[0] |= not kept.any()
    return kept


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@given(finest=tables(), seed=st.integers(0, 9))
@settings(max_examples=15)
def test_no_solution_loses_less_than_the_bound(loss, finest, seed):
    """At the node itself and at every finer node's bound, with the rows suppressed for certain."""
    prepared = loss.prepare(finest, ATTRIBUTES)
    for levels in NODES:
        classes, _ = roll_up(finest, ATTRIBUTES, levels)
        kept = some_kept(classes.n_classes, seed)
        value = as_key(prepared.value(np.array(levels), classes, kept))
        gone = int(classes.rows[~kept].sum())
        finer = np.array([x for x in NODES if x[0] <= levels[0] and x[1] <= levels[1]])
        for suppressed in (None, np.zeros(len(finer), np.int64), np.full(len(finer), gone)):
            for bound in prepared.lower_bounds(finer, suppressed):
                assert tuple(np.atleast_1d(bound).tolist()) <= value


GROWING = [x for x in LOSSES if isinstance(x, DiscernibilityLoss | ClassSizeLoss | AmbiguityLoss)]


@pytest.mark.parametrize("loss", GROWING, ids=repr)
@given(finest=tables(), seed=st.integers(0, 9))
@settings(max_examples=15)
def test_no_coarser_solution_loses_less_than_the_floor(loss, finest, seed):
    prepared = loss.prepare(finest, ATTRIBUTES)
    for low in NODES:
        floor = prepared.floor(np.array(low), roll_up(finest, ATTRIBUTES, low)[0])
        for high in NODES:
            if all(x <= y for x, y in zip(low, high, strict=True)):
                classes, _ = roll_up(finest, ATTRIBUTES, high)
                kept = some_kept(classes.n_classes, seed)
                assert floor <= prepared.value(np.array(high), classes, kept)


def test_with_one_attribute_and_equal_shares_the_bound_of_the_divergence_is_the_loss():
    """A class holds no more than the rows with its label: here exactly those."""
    codes = np.array([[0], [1], [2], [3]])
    finest = Classes(codes, np.full(4, 5), np.full(4, 5))
    loss = KLDivergenceLoss().prepare(finest, ATTRIBUTES[:1])
    # Levels: four classes of 5 of 20; classes of 10, 5 and 5; one of 20. Each of the rows weighs 5 / 20.
    assert loss.lower_bounds(np.array([[0], [2]])) == pytest.approx([0.0, 0.0], abs=1e-8)
    assert loss.value(np.array([0]), finest, np.ones(4, bool)) == pytest.approx(0.0, abs=1e-12)


def test_the_divergence_of_a_coarser_label_that_holds_more_rows_may_be_less():
    """Three tuples of 3, 1 and 3 of 7 rows: log2(7 / 3) bits and more at (0, 1), fewer at the top, where one label holds all."""
    finest = Classes(np.array([[0, 0], [0, 1], [1, 0]]), np.array([3, 1, 3]), np.array([3, 1, 3]))
    loss = KLDivergenceLoss().prepare(finest, ATTRIBUTES)
    top = loss.value(np.array([2, 1]), *_one_class(finest, (2, 1)))
    joined = loss.value(np.array([1, 1]), *_one_class(finest, (1, 1)))
    assert joined == pytest.approx(sum(n * n / 7 * np.log2(n / 7) for n in (3, 1, 3)) + 19 / 7 * 2)
    assert loss.lower_bounds(np.array([[0, 1]]))[0] <= min(joined, top)


def _one_class(finest, levels):
    """The one class at levels that join all, and that it is kept."""
    classes, _ = roll_up(finest, ATTRIBUTES, levels)
    assert classes.n_classes == 1
    return classes, np.array([True])


def test_a_response_that_gave_up_all_labels_costs_at_least_what_suppression_costs():
    finest = Classes(np.array([[0, 0], [2, 1]]), np.array([6, 4]), np.array([6, 4]))
    loss = ClassificationLoss(("q0",), 0.5).prepare(finest, ATTRIBUTES)
    assert loss.lower_bounds(np.array([[0, 0], [1, 0], [2, 0], [2, 1]])) == pytest.approx([0.0, 0.0, 0.5, 0.5])
    whole = Classes(np.array([[0, 0]]), np.array([10]), np.array([10]))
    assert loss.value(np.array([2, 1]), whole, np.array([True])) == 1.0
    assert loss.value(np.array([2, 1]), whole, np.array([False])) == 0.5
