import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.guarantee.l_diversity import DistinctLDiversity, EntropyLDiversity, RecursiveLDiversity
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Role
from sfumato.testing.examples import classes_with_illness as table
from sfumato.testing.strategies import SENSITIVE, classes, histogram

ILLNESS = "illness"


def present_counts(c, i):
    """The counts of the values of one class, missing ones left out."""
    (h,) = c.histograms
    labels = h.attribute.hierarchy.labels[0]
    return [int(n) for v, n in zip(h.value[h.owner == i], h.count[h.owner == i], strict=True) if labels[v] is not None]


def with_missing(counts):
    """Classes whose last value is the missing one."""
    dense = np.array(counts)
    values = [chr(97 + i) for i in range(dense.shape[1] - 1)]
    attribute = bind(Column(ILLNESS, Role.SENSITIVE), [*values, None])
    size = dense.sum(axis=1)
    return Classes(np.arange(len(dense))[:, None], size, size, histograms=(histogram(attribute, dense),))


def test_a_class_of_missing_values_is_not_diverse():
    """Users.md D1: Foo 1, 1, 1; Bar missing, missing."""
    both = with_missing([[3, 0], [0, 2]])
    assert DistinctLDiversity(ILLNESS, 1).holds(both).tolist() == [True, False]
    assert EntropyLDiversity(ILLNESS, 1, "shannon").holds(both).tolist() == [True, False]
    assert DistinctLDiversity(ILLNESS, 2).measure(both) == 0


def test_a_missing_value_does_not_count_as_a_second_one():
    assert not DistinctLDiversity(ILLNESS, 2).holds(with_missing([[3, 4]])).any()


@pytest.mark.parametrize("model", [DistinctLDiversity(ILLNESS, 2), EntropyLDiversity(ILLNESS, 2, "shannon")])
def test_the_rule_for_missing_values_is_printed(model):
    assert any("missing" in text for text in model.guarantee().assumptions)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 8, 10, 49])
@pytest.mark.parametrize("each", [1, 3, 1000])
def test_a_uniform_class_of_n_values_is_exactly_n_diverse(n, each):
    uniform = table([[each] * n])
    assert EntropyLDiversity(ILLNESS, 2, "shannon").measure(uniform) == n
    assert EntropyLDiversity(ILLNESS, n, "shannon").holds(uniform).all()
    assert not EntropyLDiversity(ILLNESS, math.nextafter(n, 99), "shannon").holds(uniform).any()


def test_a_frequent_value_makes_a_distinct_diverse_class_nearly_certain():
    """Distinct l-diversity does not bound the chance of a right guess by 1/l, and does not say so."""
    lopsided = table([[98, 1, 1]])
    promise = DistinctLDiversity(ILLNESS, 3).guarantee()
    assert DistinctLDiversity(ILLNESS, 3).holds(lopsided).all()
    assert EntropyLDiversity(ILLNESS, 3, "shannon").measure(lopsided) < 1.2
    assert "does not bound the chance of a right guess by 1/l" in promise.assumptions[0]
    assert "1/3" not in promise.statement


@given(classes(), st.fractions(1, 6, max_denominator=8))
def test_entropy_is_compared_as_big_integers_compare(c, least):
    """H >= ln(a/b) iff n^n b^n >= a^n prod c^c."""
    verdicts = []
    for i in range(c.n_classes):
        counts = present_counts(c, i)
        n = sum(counts)
        left = n**n * least.denominator**n
        verdicts.append(bool(counts) and left >= least.numerator**n * math.prod(x**x for x in counts))
    assert verdicts == EntropyLDiversity(SENSITIVE, least, "shannon").holds(c).tolist()


@given(classes(), st.fractions(0, 9, max_denominator=6), st.integers(2, 5))
def test_recursive_diversity_is_its_definition(c, ratio, rank):
    verdicts = []
    for i in range(c.n_classes):
        r = sorted(present_counts(c, i), reverse=True)
        verdicts.append(bool(r) and Fraction(r[0]) < ratio * sum(r[rank - 1 :]))
    assert verdicts == RecursiveLDiversity(SENSITIVE, ratio, rank).holds(c).tolist()


def test_recursive_diversity_is_strict():
    three_to_one = table([[3, 1]])
    assert not RecursiveLDiversity(ILLNESS, 3, 2).holds(three_to_one).any()
    assert RecursiveLDiversity(ILLNESS, "3.0000001", 2).holds(three_to_one).all()


def test_the_recursion_counts_from_the_most_frequent_value():
    """pycanon sorts ascending: it would compare the rarest value with the others."""
    assert RecursiveLDiversity(ILLNESS, 1, 2).measure(table([[8, 1, 1]])) == math.nextafter(4, 5)


def test_grassberger_asks_for_l_values_beside_the_estimate():
    """The estimate for two values seen once each is 2, the logarithm of 7.4."""
    pair = table([[1, 1]])
    assert EntropyLDiversity(ILLNESS, 2, "grassberger").measure(pair) == 2
    assert not EntropyLDiversity(ILLNESS, 3, "grassberger").holds(pair).any()


def test_grassberger_exceeds_shannon_in_small_classes_and_meets_it_in_large_ones():
    small, large = table([[2, 1, 1, 1]]), table([[200_000, 100_000, 100_000, 100_000]])
    measured = [
        [EntropyLDiversity(ILLNESS, 2, how).measure(c) for how in ("shannon", "grassberger")] for c in (small, large)
    ]
    assert measured[0][1] > measured[0][0]
    assert measured[1][1] == pytest.approx(measured[1][0], rel=1e-4)


def test_a_large_tie_is_decided_quickly_and_exactly():
    ties = table([[10**6] * 3, [10**6 + 1, 10**6, 10**6 - 1]])
    assert EntropyLDiversity(ILLNESS, 3, "shannon").holds(ties).tolist() == [True, False]


@pytest.mark.parametrize(
    "make",
    [
        lambda: DistinctLDiversity(ILLNESS, 0),
        lambda: EntropyLDiversity(ILLNESS, 0.5, "shannon"),
        lambda: EntropyLDiversity(ILLNESS, 2, "plugin"),
        lambda: RecursiveLDiversity(ILLNESS, -1, 2),
        lambda: RecursiveLDiversity(ILLNESS, 3, 1),
    ],
)
def test_parameters_outside_their_range_are_refused(make):
    with pytest.raises(ParameterError):
        make()


def test_a_column_that_was_not_counted_is_named():
    with pytest.raises(ParameterError, match="judges the column 'salary'"):
        DistinctLDiversity("salary", 2).holds(table([[1, 1]]))
