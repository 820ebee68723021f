"""What is betrayed by two tables, beside a twin that tries every choice of knowledge."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.mechanism.bucket.test_anatomy import groups_of, joint_of

from sfumato.errors import ParameterError
from sfumato.guarantee.frequency_diversity import FrequencyLDiversity
from sfumato.mechanism.bucket.anatomy import Anatomy
from sfumato.mechanism.bucket.plain import Grouping, PlainBuckets
from sfumato.risk.bucketization import bucket_risks, certainty, certainty_with_neighbors
from sfumato.testing.seeded_bits import SeededBits

buckets = st.lists(st.integers(0, 3), min_size=1, max_size=7)


def pair_of(values):
    """One bucket of rows with these values."""
    joint, attributes = joint_of([(0, value) for value in values])
    return PlainBuckets(len(values), Grouping.RANDOM).decide(joint, attributes, bits=SeededBits(1)).pair


@settings(max_examples=60)
@given(buckets, st.integers(0, 3))
def test_the_best_choice_of_values_to_rule_out(values, excluded):
    best = max(
        values.count(v) / sum(values.count(w) for w in set(values) - set(out))
        for v in set(values)
        for n in range(excluded + 1)
        for out in combinations(sorted(set(values) - {v}), min(n, len(set(values)) - 1))
    )
    assert certainty(pair_of(values), excluded=excluded).tolist() == [pytest.approx(best)]


@settings(max_examples=60)
@given(buckets, st.integers(0, 3))
def test_the_best_choice_of_rows_to_know(values, known):
    """The target is one of the rows that are left; the guess is their most frequent value."""
    places = range(len(values))
    best = 0.0
    for out in combinations(places, min(known, len(values) - 1)):
        left = [values[i] for i in places if i not in out]
        best = max(best, max(left.count(v) for v in left) / len(left))
    assert certainty_with_neighbors(pair_of(values), known=known).tolist() == [pytest.approx(best)]


def test_plain_buckets_leak_where_anatomy_does_not():
    """400 rows, half of one illness: of random fours some hold one value only; dealt ones never do."""
    rng = np.random.default_rng(1)
    joint, attributes = joint_of(
        list(
            zip(
                rng.integers(0, 40, 400).tolist(),
                rng.permutation(np.repeat([0, 1, 2], [190, 110, 100])).tolist(),
                strict=True,
            )
        )
    )
    plain = PlainBuckets(4, Grouping.RANDOM).decide(joint, attributes, bits=SeededBits(2)).pair
    dealt = Anatomy((FrequencyLDiversity("illness", 2),)).decide(joint, attributes, bits=SeededBits(2)).pair
    leaks = {
        name: {f.name: f.value for f in bucket_risks(pair, most=1)}
        for name, pair in (("plain", plain), ("dealt", dealt))
    }
    homogeneous = [group for group in groups_of(plain) if len(set(group)) == 1]
    assert leaks["plain"]["bucket_certain"] == sum(map(len, homogeneous)) / 400 > 0
    assert leaks["plain"]["bucket_guess_highest"] == 1
    assert leaks["dealt"]["bucket_certain"] == 0
    assert leaks["dealt"]["bucket_guess_highest"] == 0.5
    assert leaks["dealt"]["bucket_guess_blind"] == leaks["plain"]["bucket_guess_blind"] == 190 / 400


def test_a_bucket_of_missing_values_hides_nothing():
    joint, attributes = joint_of([(0, 0), (0, 1)], missing=True)
    pair = PlainBuckets(1, Grouping.RANDOM).decide(joint, attributes, bits=SeededBits(3)).pair
    assert certainty(pair, excluded=0).tolist() == [1, 1]
    assert certainty_with_neighbors(pair, known=0).tolist() == [1, 1]


def test_negative_knowledge_is_refused():
    with pytest.raises(ParameterError):
        certainty(pair_of([0]), excluded=-1)
    with pytest.raises(ParameterError):
        certainty_with_neighbors(pair_of([0]), known=-1)
