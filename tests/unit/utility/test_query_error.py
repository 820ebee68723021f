"""Errors of queries answered from a release."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.summary.classes import Classes, distinct_rows
from sfumato.summary.published import published_at_levels
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.strategies import histogram
from sfumato.utility.query_error import (
    Workload,
    count_query_error,
    draw_conditions,
    estimated_count,
    group_average_error,
    relative_error,
    true_count,
)

AGE = Attribute(
    Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER),
    Hierarchy.from_paths("age", [(str(v), f"{v // 10}x", "*") for v in range(20, 50)]),
    np.arange(20.0, 50.0),
)
TOWN = Attribute(
    Column("town", Role.QUASI_IDENTIFYING),
    Hierarchy.from_paths("town", [(t, r, "*") for t, r in ["aC", "bC", "cD", "dD", "eE"]]),
    None,
)
PAY = bind(Column("pay", Role.SENSITIVE, Kind.INTEGER), ["0", "10", "20", "30"])


def table(seed=1, n=400):
    """Finest classes with pay, and the rows they count."""
    rng = np.random.default_rng(seed)
    rows = np.stack([rng.integers(0, 30, n), rng.integers(0, 5, n)], axis=1)
    pay = rng.integers(0, 4, n)
    codes, member = distinct_rows(rows)
    counts = np.zeros((len(codes), 4), np.int64)
    np.add.at(counts, (member, pay), 1)
    sizes = counts.sum(axis=1)
    return Classes(codes, rows=sizes, alone=sizes, histograms=(histogram(PAY, counts),)), rows, pay


def test_the_original_answers_every_query_exactly():
    finest, _, _ = table()
    errors = count_query_error(
        published_at_levels([AGE, TOWN], finest, (0, 0)), finest, workload=Workload(50), rng=np.random.default_rng(0)
    )
    assert (errors.median, errors.mean, errors.high) == (0.0, 0.0, 0.0)


def test_the_true_count_is_the_count_of_rows():
    finest, rows, _ = table()
    published = published_at_levels([AGE, TOWN], finest, (0, 0))
    ages, towns = (np.arange(30) < 7).astype(float), np.array([1.0, 0.0, 0.0, 1.0, 0.0])
    slow = sum(1 for age, town in rows if age < 7 and town in (0, 3))
    assert true_count(finest, published, {0: ages, 1: towns}) == slow


@given(st.integers(0, 2), st.integers(0, 2), st.integers(0, 50))
def test_the_estimate_takes_every_value_under_a_label_as_equally_likely(age_level, town_level, seed):
    finest, rows, _ = table(n=60)
    levels = (age_level, town_level)
    published = published_at_levels([AGE, TOWN], finest, levels)
    conditions = draw_conditions(
        [s.domain for s in published.spans], Workload(1, selectivity=0.2), np.random.default_rng(seed)
    )
    slow = 0.0
    for row in rows:
        share = 1.0
        for j, accepted in conditions.items():
            attribute = (AGE, TOWN)[j]
            up = attribute.hierarchy.ancestors[levels[j]]
            order = published.spans[j].domain.order
            share *= accepted[up[order] == up[row[j]]].mean()
        slow += share
    assert estimated_count(published, conditions) == pytest.approx(slow)


def test_suppressed_rows_lie_anywhere():
    finest, _, _ = table()
    published = published_at_levels([AGE, TOWN], finest, (0, 0), np.zeros(finest.n_classes, bool))
    half = (np.arange(30) < 15).astype(float)
    assert estimated_count(published, {0: half}) == pytest.approx(200.0)


def test_coarser_releases_answer_worse():
    finest, _, _ = table(n=4000)
    medians = [
        count_query_error(
            published_at_levels([AGE, TOWN], finest, levels),
            finest,
            workload=Workload(300),
            rng=np.random.default_rng(7),
        ).median
        for levels in [(0, 0), (1, 0), (2, 1)]
    ]
    assert medians == sorted(medians)
    assert medians[0] == 0.0 < medians[1]


def test_the_same_generator_gives_the_same_errors():
    finest, _, _ = table()
    published = published_at_levels([AGE, TOWN], finest, (1, 1))
    one, two = (
        count_query_error(published, finest, workload=Workload(20), rng=np.random.default_rng(3)) for _ in range(2)
    )
    assert one == two


def test_conditions_cover_the_asked_share_of_the_domain():
    finest, _, _ = table()
    domains = [s.domain for s in published_at_levels([AGE, TOWN], finest, (0, 0)).spans]
    conditions = draw_conditions(domains, Workload(1, n_conditions=2, selectivity=0.16), np.random.default_rng(0))
    assert {j: accepted.mean() for j, accepted in conditions.items()} == {0: 0.4, 1: 0.4}
    assert (np.diff(np.flatnonzero(conditions[0])) == 1).all()


@pytest.mark.parametrize("wrong", [{"n_queries": 0}, {"n_conditions": 0}, {"selectivity": 0.0}, {"sanity": 2.0}])
def test_a_workload_outside_its_range_is_refused(wrong):
    with pytest.raises(ParameterError):
        Workload(**wrong)


def test_no_rows_give_no_error():
    finest, _, _ = table()
    none = finest.select(np.zeros(finest.n_classes, bool))
    published = published_at_levels([AGE, TOWN], none, (0, 0))
    assert count_query_error(published, none, workload=Workload(1), rng=np.random.default_rng(0)) is None


def test_averages_by_group_are_exact_on_the_original():
    finest, _, _ = table()
    assert group_average_error(published_at_levels([AGE, TOWN], finest, (2, 0)), finest, 1, "pay") == 0.0


def test_averages_by_group_equal_a_slow_computation():
    finest, rows, pay = table()
    published = published_at_levels([AGE, TOWN], finest, (0, 1))
    money = pay * 10
    regions = {0: [0, 1], 1: [0, 1], 2: [2, 3], 3: [2, 3], 4: [4]}
    errors = []
    for town in rows[:, 1]:
        truth = money[rows[:, 1] == town].mean()
        answer = money[np.isin(rows[:, 1], regions[town])].mean()
        errors.append(min(abs(answer - truth) / truth, 1.0))
    assert group_average_error(published, finest, 1, "pay") == pytest.approx(np.mean(errors))


def test_a_group_without_an_answer_counts_one():
    finest, rows, _ = table()
    kept = finest.codes[:, 1] != 0
    published = published_at_levels([AGE, TOWN], finest, (0, 0), kept)
    assert group_average_error(published, finest, 1, "pay") == pytest.approx((rows[:, 1] == 0).mean())


def test_a_column_without_numbers_has_no_average():
    finest, _, _ = table()
    text = replace(finest.histograms[0], attribute=replace(PAY, positions=None))
    finest = replace(finest, histograms=(text,))
    assert group_average_error(published_at_levels([AGE, TOWN], finest, (0, 0)), finest, 1, "pay") is None


def test_relative_errors_are_bounded():
    assert relative_error(np.array([100.0, -100.0]), np.array([1.0, 1.0])).tolist() == [1.0, 1.0]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("truth", [0.0, 5e-324, 1e-300, 1.0, 1e300])
def test_relative_errors_are_shares_whatever_the_size_of_the_truth(truth):
    found = relative_error(np.array([truth, truth / 2, 1e308]), np.full(3, truth))
    assert found[0] == 0
    assert found[2] == 1
    assert np.all((found >= 0) & (found <= 1))
