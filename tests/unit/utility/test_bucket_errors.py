import numpy as np
import pytest
from tests.unit.mechanism.bucket.test_anatomy import joint_of

from sfumato.guarantee.frequency_diversity import FrequencyLDiversity
from sfumato.mechanism.bucket.anatomy import Anatomy
from sfumato.summary.histogram import Histogram
from sfumato.summary.published import published_at_levels
from sfumato.testing.buckets import six_persons
from sfumato.testing.seeded_bits import SeededBits
from sfumato.utility.bucket_errors import (
    average_by_group_error,
    bucket_answers,
    errors_of,
    generalized_answers,
    questions,
    true_answers,
)
from sfumato.utility.bucket_queries import count
from sfumato.utility.query_error import Workload


@pytest.fixture(scope="module")
def table():
    """200 rows of 12 ages and 6 illnesses that do not depend on each other, in buckets of 3."""
    rng = np.random.default_rng(3)
    rows = list(zip(rng.integers(0, 12, 200).tolist(), rng.integers(0, 6, 200).tolist(), strict=True))
    joint, attributes = joint_of(rows)
    pair = Anatomy((FrequencyLDiversity("illness", 3),)).decide(joint, attributes, bits=SeededBits(1)).pair
    return rows, joint, attributes, pair


def test_answers_are_those_of_count(table):
    rows, joint, attributes, pair = table
    asked = questions(pair, Workload(20, 1, 0.2), np.random.default_rng(1))
    names = [a.hierarchy.labels[0] for a in attributes]
    for q, answer, truth in zip(asked, bucket_answers(pair, asked), true_answers(joint, asked), strict=True):
        wanted = {
            "age": {names[0][i] for i in np.flatnonzero(q.leaves[0])},
            "illness": {names[1][i] for i in np.flatnonzero(q.values)},
        }
        assert answer == pytest.approx(count(pair, wanted).value)
        assert truth == sum(names[0][a] in wanted["age"] and names[1][i] in wanted["illness"] for a, i in rows)


def test_an_untouched_table_answers_exactly(table):
    _, joint, attributes, pair = table
    ages, member = np.unique(joint.codes[:, 0], return_inverse=True)
    n = np.bincount(member, weights=joint.rows).astype(np.int64)
    total = np.bincount(joint.codes[:, 1], weights=joint.rows).astype(np.int64)
    histogram = Histogram(attributes[1], member, joint.codes[:, 1], joint.rows, total)
    classes = type(joint)(ages[:, None], n, n, histograms=(histogram,))
    whole = published_at_levels(attributes[:1], classes, [0])
    asked = questions(pair, Workload(20, 1, 0.2), np.random.default_rng(2))
    assert generalized_answers(whole, "illness", asked) == pytest.approx(true_answers(joint, asked))
    assert generalized_answers(whole, "pay", asked) is None
    assert errors_of(true_answers(joint, asked), true_answers(joint, asked), 1.0).mean == 0


def test_independent_columns_are_answered_well(table):
    """The expectation leans to independence, which is the truth here: far better than answering nothing (error 1)."""
    _, joint, _, pair = table
    asked = questions(pair, Workload(200, 1, 0.2), np.random.default_rng(3))
    assert errors_of(bucket_answers(pair, asked), true_answers(joint, asked), 2.0).mean < 0.4


def test_averages_by_group_of_the_six():
    """Every group is one person, who is expected to have the mean of a bucket: 66.67 or 71.67."""
    pair = six_persons()
    joint = joint_of([(0, 0), (1, 1), (2, 4), (3, 2), (4, 2), (5, 3)])[0]
    truth = np.array([50, 60, 90, 70, 70, 75])
    guess = np.array([200 / 3] * 3 + [215 / 3] * 3)
    assert average_by_group_error(pair, joint, 0) == pytest.approx(np.mean(np.abs(guess - truth) / truth))


def test_text_has_no_average(table):
    _, joint, _, pair = table
    assert average_by_group_error(pair, joint, 0) is None
