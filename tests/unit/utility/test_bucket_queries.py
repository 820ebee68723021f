"""Answers from two tables, beside twins that list every pairing inside the buckets."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import ParameterError
from sfumato.summary.pair import Pair, value_counts
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.buckets import six_persons
from sfumato.utility.bucket_queries import Between, average, count, reconstruction_error

AGES, USES = ["20", "30", "45"], ["1", "2", "7", None]


def pair_of(buckets, missing=True):
    """The two tables of lists of (age, use) codes, one list a bucket."""
    rows = sorted((b, age) for b, bucket in enumerate(buckets) for age, _ in bucket)
    merged = sorted(set(rows))
    age = bind(Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER), AGES)
    use = bind(Column("use", Role.SENSITIVE, Kind.INTEGER), USES if missing else USES[:3])
    owner = np.array([b for b, bucket in enumerate(buckets) for _ in bucket], np.int64)
    value = np.array([use for bucket in buckets for _, use in bucket], np.int64)
    codes = np.array([[age] for _, age in merged], np.int64)
    n = np.array([rows.count(entry) for entry in merged], np.int64)
    values = value_counts(owner, value, np.ones(len(owner), np.int64), use)
    return Pair((age,), codes, np.array([b for b, _ in merged], np.int64), n, values)


def pairings(buckets):
    """Every way of pairing the ages and the uses of each bucket, as lists of (age, use)."""
    ways = [
        [
            list(zip([age for age, _ in bucket], order, strict=True))
            for order in permutations([use for _, use in bucket])
        ]
        for bucket in buckets
    ]
    return [[row for part in way for row in part] for way in product(*ways)]


def small(values):
    rows = st.tuples(st.integers(0, 2), st.integers(0, values - 1))
    return st.lists(st.lists(rows, min_size=1, max_size=4), min_size=1, max_size=2)


few = settings(max_examples=40)


@few
@given(small(4), st.sets(st.sampled_from(AGES)), st.sets(st.sampled_from(USES)))
def test_counts_over_all_pairings(buckets, ages, uses):
    answer = count(pair_of(buckets), {"age": ages, "use": uses})
    seen = [sum(AGES[a] in ages and USES[u] in uses for a, u in table) for table in pairings(buckets)]
    assert (answer.low, answer.high) == (min(seen), max(seen))
    assert answer.value == pytest.approx(np.mean(seen))
    assert answer.deviation == pytest.approx(np.std(seen), abs=1e-9)


@few
@given(small(3), st.sets(st.sampled_from(AGES), min_size=1))
def test_averages_over_all_pairings(buckets, ages):
    answer = average(pair_of(buckets, missing=False), "use", {"age": ages})
    seen = [[float(USES[u]) for a, u in table if AGES[a] in ages] for table in pairings(buckets)]
    if not seen[0]:
        assert np.isnan(answer.value)
        return
    means = [np.mean(uses) for uses in seen]
    assert answer.low == pytest.approx(min(means))
    assert answer.high == pytest.approx(max(means))
    assert answer.low <= min(means) + 1e-13
    assert answer.high >= max(means) - 1e-13
    assert answer.value == pytest.approx(np.mean(means))
    assert answer.deviation == pytest.approx(np.std(means), abs=1e-9)


@few
@given(small(4), st.sets(st.sampled_from(USES), min_size=1))
def test_averages_of_a_quasi_identifier(buckets, uses):
    answer = average(pair_of(buckets), "age", {"use": uses})
    seen = [[float(AGES[a]) for a, u in table if USES[u] in uses] for table in pairings(buckets)]
    if seen[0]:
        means = [np.mean(ages) for ages in seen]
        assert (answer.value, answer.low, answer.high) == pytest.approx((np.mean(means), min(means), max(means)))


@few
@given(small(4), st.sets(st.sampled_from(AGES), min_size=1))
def test_averages_with_missing_numbers_stay_in_their_bounds(buckets, ages):
    answer = average(pair_of(buckets), "use", {"age": ages})
    for table in pairings(buckets):
        uses = [float(USES[u]) for a, u in table if AGES[a] in ages and USES[u] is not None]
        if uses:
            assert answer.low - 1e-9 <= np.mean(uses) <= answer.high + 1e-9


@few
@given(small(4))
def test_reconstruction_error_point_by_point(buckets):
    out = 0.0
    for bucket in buckets:
        uses = [use for _, use in bucket]
        shares = {use: uses.count(use) / len(uses) for use in uses}
        out += sum((share - (use == own)) ** 2 for own in uses for use, share in shares.items())
    assert reconstruction_error(pair_of(buckets)) == pytest.approx(out, abs=1e-9)


def test_a_bound_that_ignores_the_size_of_the_bucket_is_caught():
    """The broken twin: min(m, c) below and 0 as the least; with m + c > s some rows are certain."""
    answer = count(six_persons(), {"age": Between(20, 21), "use": {"50", "60"}})
    assert answer.low == 1


def test_ranges_and_texts_mean_the_same():
    pair = six_persons()
    assert count(pair, {"age": Between(20, 22)}) == count(pair, {"age": {"20", "21", "22"}})
    assert count(pair, {}).value == 6


@pytest.mark.parametrize(
    "ask",
    [
        lambda pair: count(pair, {"name": {"Sue"}}),
        lambda pair: average(pair, "name", {}),
        lambda pair: average(pair, "use", {"use": {"50"}}),
        lambda pair: average(pair, "use", {"name": {"Sue"}}),
    ],
)
def test_columns_that_are_not_there_are_refused(ask):
    with pytest.raises(ParameterError):
        ask(six_persons())


def test_text_has_no_range_and_no_average():
    ill = bind(Column("use", Role.SENSITIVE), ["flu"])
    values = value_counts(np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1, np.int64), ill)
    pair = Pair(
        six_persons().attributes, np.zeros((1, 1), np.int64), np.zeros(1, np.int64), np.ones(1, np.int64), values
    )
    with pytest.raises(ParameterError, match="text"):
        count(pair, {"use": Between(0, 1)})
    with pytest.raises(ParameterError, match="text"):
        average(pair, "use", {})
