"""Anatomy, beside a twin that does what the paper's text says, step by step."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import NoSolution, ParameterError
from sfumato.guarantee.bucket_size import BucketSize
from sfumato.guarantee.frequency_diversity import FrequencyLDiversity
from sfumato.guarantee.l_diversity import DistinctLDiversity
from sfumato.guarantee.ratio_closeness import RatioCloseness
from sfumato.guarantee.t_closeness import TCloseness, TClosenessOfRelease
from sfumato.mechanism.bucket.anatomy import Anatomy, dealt_values
from sfumato.summary.classes import Classes
from sfumato.table.attribute import bind
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.seeded_bits import SeededBits

S = "illness"


def joint_of(rows, missing=False):
    """Joint tuples, (age, illness) attributes and the counted rows of a list of (age, illness) codes."""
    counted = sorted(Counter(rows).items())
    codes = np.array([pair for pair, _ in counted], np.int64).reshape(-1, 2)
    n = np.array([count for _, count in counted], np.int64)
    age = bind(Column("age", Role.QUASI_IDENTIFYING), [f"{i:03}" for i in range(int(codes[:, 0].max()) + 1)])
    labels = [f"{i:03}" for i in range(int(codes[:, 1].max()) + 1)]
    illness = bind(Column(S, Role.SENSITIVE), [*labels[:-1], None] if missing else labels)
    return Classes(codes, rows=n, alone=n), (age, illness)


def by_the_paper(values, least, rng):
    """Figure 3 of the paper: lists of values of the groups."""
    buckets = dict(Counter(values))
    groups = []
    while len([n for n in buckets.values() if n]) >= least:
        largest = sorted(buckets, key=lambda v: (-buckets[v], rng.random()))[:least]
        groups.append(largest)
        for v in largest:
            buckets[v] -= 1
    for v, n in buckets.items():
        for _ in range(n):
            lacking = [group for group in groups if v not in group]
            lacking[rng.integers(len(lacking))].append(v)
    return groups


def reconstruction_error(groups):
    """The paper's error, point by point: sum over rows of the squared distance of two densities."""
    out = Fraction(0)
    for group in groups:
        shares = {v: Fraction(n, len(group)) for v, n in Counter(group).items()}
        for own in group:
            out += sum((share - (v == own)) ** 2 for v, share in shares.items())
    return out


def groups_of(pair):
    """Lists of values by bucket."""
    return [
        pair.values.value[pair.values.owner == b].repeat(pair.values.count[pair.values.owner == b]).tolist()
        for b in range(pair.n_buckets)
    ]


tables = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), min_size=2, max_size=40)


def is_eligible(rows, least):
    return max(Counter(v for _, v in rows).values()) * least <= len(rows)


@settings(max_examples=60)
@given(tables, st.integers(2, 4))
def test_same_groups_and_error_as_the_paper(rows, least):
    joint, attributes = joint_of(rows)
    mechanism = Anatomy((FrequencyLDiversity(S, least),))
    if not is_eligible(rows, least):
        with pytest.raises(NoSolution):
            mechanism.decide(joint, attributes, bits=SeededBits(1))
        return
    mine = groups_of(mechanism.decide(joint, attributes, bits=SeededBits(1)).pair)
    theirs = by_the_paper([v for _, v in rows], least, np.random.default_rng(1))
    assert len(mine) == len(theirs) == len(rows) // least
    assert all(len(set(group)) == len(group) >= least for group in mine + theirs)
    assert reconstruction_error(mine) == reconstruction_error(theirs) == len(rows) - len(rows) // least


def test_a_dealing_that_forgets_the_order_of_values_is_caught():
    """The broken twin: rows in any order meet a bucket twice."""
    values = np.random.default_rng(1).permutation(np.repeat([0, 1, 2, 3], 10))
    groups = [values[i::20].tolist() for i in range(20)]
    assert any(len(set(group)) < len(group) for group in groups)
    assert reconstruction_error(groups) != 40 - 20


@pytest.mark.parametrize(("least", "error"), [(2, 502), (3, 669), (5, 803), (10, 903)])
def test_error_of_1003_rows(least, error):
    rng = np.random.default_rng(7)
    rows = list(zip(rng.integers(0, 60, 1003).tolist(), rng.integers(0, 25, 1003).tolist(), strict=True))
    joint, attributes = joint_of(rows)
    pair = Anatomy((FrequencyLDiversity(S, least),)).decide(joint, attributes, bits=SeededBits(2)).pair
    assert reconstruction_error(groups_of(pair)) == error == 1003 - 1003 // least


@given(tables)
def test_no_row_is_lost_and_both_tables_agree(rows):
    joint, attributes = joint_of(rows)
    done = Anatomy((BucketSize(2),)).decide(joint, attributes, bits=SeededBits(3))
    pair, splits = done.pair, done.splits
    kept = np.bincount(splits.tuple_, weights=splits.rows, minlength=joint.n_classes)
    assert kept.tolist() == joint.rows.tolist()
    ages = Counter()
    for code, n in zip(pair.codes[:, 0].tolist(), pair.rows.tolist(), strict=True):
        ages[code] += n
    assert ages == Counter(age for age, _ in rows)
    assert pair.sizes.tolist() == [len(group) for group in groups_of(pair)]
    assert (np.diff(pair.bucket) >= 0).all()


def test_every_pairing_is_equally_likely():
    """Ages a b c, illnesses 0 0 1 1 on rows (a,0) (b,0) (c,1) (c,1): which of a, b meets which bucket is a fair coin,
    1,200 times, within 6 standard deviations (2e-9).
    """
    joint, attributes = joint_of([(0, 0), (1, 0), (2, 1), (2, 1)])
    bits, together = SeededBits(4), 0
    for _ in range(1200):
        pair = Anatomy((FrequencyLDiversity(S, 2),)).decide(joint, attributes, bits=bits).pair
        together += int(pair.bucket[pair.codes[:, 0] == 0][0] == 0)
    assert abs(together - 600) < 6 * np.sqrt(300)


def test_knowing_the_program_tells_nothing_more():
    """For every table that fits the two published ones, the program publishes them equally often: by listing all draws.

    Rows with ages 0 1 2 3; values 0 0 1 2 in some order; which row of a value goes where is uniform, so the chance of
    a published pair is (number of draws that give it) / (all draws), and it is the same for each table that can give it.
    """
    chances = {}
    for values in set(permutations([0, 0, 1, 2])):
        rows = sorted(range(4), key=lambda i: values[i])
        for swap in (False, True):
            order = [rows[1], rows[0], *rows[2:]] if swap else rows
            bucket = {row: place % 2 for place, row in enumerate(order)}
            chances.setdefault(tuple(bucket[i] for i in range(4)), Counter())[values] += Fraction(1, 2)
    for published, by_table in chances.items():
        assert len(set(by_table.values())) == 1
        assert len(by_table) == 4, published  # 2 values in each of 2 buckets, in either order


@given(tables, st.sampled_from([0.1, 0.2, 0.4]), st.sampled_from(["equal", "ordered"]))
def test_promises_are_kept_by_the_published_buckets(rows, t, ground):
    joint, attributes = joint_of(rows)
    promises = (TCloseness(S, t, ground), TClosenessOfRelease(S, t, ground))
    done = Anatomy(promises).decide(joint, attributes, bits=SeededBits(5))
    assert promises[0].holds(done.pair.classes()).all()
    assert promises[1].holds_together(done.pair.classes())
    assert done.tried >= 1


def test_larger_buckets_where_the_promise_asks_for_them():
    rows = [(i, i % 2) for i in range(60)]
    joint, attributes = joint_of(rows)
    sizes = {
        name: Anatomy((promise,)).decide(joint, attributes, bits=SeededBits(6)).pair.sizes.min()
        for name, promise in {
            "ratio": RatioCloseness(S, 1),
            "loose": DistinctLDiversity(S, 1),
            "size": BucketSize(7),
        }.items()
    }
    assert sizes == {"ratio": 2, "loose": 2, "size": 7}


def test_ordered_values_are_sampled_systematically():
    """One from each of k stretches of n/k values: the furthest bucket is (n-k)/(2(n-1)k) away in the ordered distance.

    J. Soria-Comas et al., "t-closeness through microaggregation", IEEE TKDE 27(11), 2015, proposition 2.
    """
    pay = bind(Column(S, Role.SENSITIVE, Kind.INTEGER), [str(i) for i in range(60)])
    for k in (2, 3, 5, 10):
        buckets = dealt_values(np.ones(60, np.int64), 60 // k, pay)
        assert TCloseness(S, 1, "ordered").measure(buckets) == pytest.approx((60 - k) / (2 * 59 * k), rel=1e-12)


def test_missing_values_are_spread_over_the_buckets():
    rows = [(0, 0)] * 5 + [(1, 1)] * 5 + [(2, 2)] * 7
    joint, attributes = joint_of(rows, missing=True)
    pair = Anatomy((FrequencyLDiversity(S, 2),)).decide(joint, attributes, bits=SeededBits(7)).pair
    assert pair.n_buckets == 5
    assert FrequencyLDiversity(S, 2).holds(pair.classes()).all()
    assert sorted(pair.sizes.tolist()) == [3, 3, 3, 4, 4]


def test_a_person_with_two_rows_is_refused():
    joint, attributes = joint_of([(0, 0), (0, 0), (1, 1)])
    twice = Classes(joint.codes, joint.rows, alone=np.ones(2, np.int64))
    with pytest.raises(ParameterError, match="one row a person"):
        Anatomy((BucketSize(2),)).decide(twice, attributes, bits=SeededBits(8))


def test_a_table_smaller_than_a_bucket_has_no_solution():
    joint, attributes = joint_of([(0, 0)])
    with pytest.raises(NoSolution):
        Anatomy((BucketSize(2),)).decide(joint, attributes, bits=SeededBits(9))
