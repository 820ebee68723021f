"""Anatomy and plain buckets on Adult, occupation sensitive: exact errors, and what a learner finds beyond the promise."""

import numpy as np
import pytest
from tests.golden.adult import attribute, classes, leaf_codes
from tests.unit.attack.test_definetti import truth_of

from sfumato.attack.definetti import hit_share, learn
from sfumato.guarantee.frequency_diversity import FrequencyLDiversity
from sfumato.guarantee.t_closeness import TCloseness
from sfumato.mechanism.bucket.anatomy import Anatomy
from sfumato.mechanism.bucket.plain import Grouping, PlainBuckets
from sfumato.risk.bucketization import bucket_risks
from sfumato.table.schema import Role
from sfumato.testing.seeded_bits import SeededBits
from sfumato.utility.bucket_queries import reconstruction_error

NAMES = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "salary-class",
    "occupation",
)
S = "occupation"


@pytest.fixture(scope="module")
def adult(shared):
    """Joint tuples and attributes."""
    return classes(shared, NAMES), tuple(
        attribute(shared, n, role=Role.SENSITIVE if n == S else Role.QUASI_IDENTIFYING) for n in NAMES
    )


def run(adult, method):
    """The pair, its risks by name, and the share of occupations that a learner guesses."""
    joint, attributes = adult
    done = method.decide(joint, attributes, bits=SeededBits(1))
    risks = {f.name: f.value for f in bucket_risks(done.pair, most=1)}
    return (
        done.pair,
        risks,
        hit_share(done.pair, learn(done.pair, rounds=10, smoothing=1.0).guesses(), truth_of(joint, done.splits)),
    )


def test_five_occupations_in_each_bucket(adult, shared):
    pair, risks, learned = run(adult, Anatomy((FrequencyLDiversity(S, 5),)))
    assert np.bincount(leaf_codes(shared, S)).max() * 5 <= 30162
    assert reconstruction_error(pair) == pytest.approx(30162 - 30162 // 5, abs=1e-6)
    assert (pair.n_buckets, risks["bucket_guess_highest"], risks["bucket_excluded_1"]) == (6032, 0.2, 0.25)
    assert 0.35 < learned < 0.45  # twice the fifth that the promise speaks of


def test_close_buckets_leave_the_learner_little(adult):
    pair, risks, learned = run(adult, Anatomy((TCloseness(S, 0.1, "equal"),)))
    assert pair.n_buckets == 861
    assert risks["bucket_guess_highest"] < 0.17
    assert learned < 0.2


def test_plain_buckets_of_similar_rows_give_occupations_away(adult):
    pair, risks, _ = run(adult, PlainBuckets(5, Grouping.SIMILAR))
    assert pair.n_buckets == 6032
    assert 0.005 < risks["bucket_certain"] < 0.05
    assert risks["bucket_guess_mean"] > 0.4
    assert risks["bucket_guess_highest"] == 1
