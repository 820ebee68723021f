"""The deFinetti attack learns where there is something to learn, and nothing where there is not."""

import numpy as np
import pytest
from tests.unit.mechanism.bucket.test_anatomy import joint_of

from sfumato.attack.definetti import Truth, hit_share, learn
from sfumato.errors import ParameterError
from sfumato.guarantee.frequency_diversity import FrequencyLDiversity
from sfumato.mechanism.bucket.anatomy import Anatomy
from sfumato.mechanism.bucket.decision import without_last
from sfumato.testing.buckets import six_persons
from sfumato.testing.seeded_bits import SeededBits


def truth_of(joint, splits):
    """Which rows of the first table have which value."""
    plain = without_last(joint)
    _, entry = np.unique(splits.member * (plain.max() + 1) + plain[splits.tuple_], return_inverse=True)
    return Truth(entry, joint.codes[splits.tuple_, -1], splits.rows)


def published(dependence, least=3, n=3000):
    """A pair of tables in which a share of the rows has an illness that the age tells, and the truth."""
    rng = np.random.default_rng(5)
    age = rng.integers(0, 6, n)
    illness = np.where(rng.random(n) < dependence, age, rng.integers(0, 6, n))
    joint, attributes = joint_of(list(zip(age.tolist(), illness.tolist(), strict=True)))
    done = Anatomy((FrequencyLDiversity("illness", least),)).decide(joint, attributes, bits=SeededBits(1))
    return done.pair, truth_of(joint, done.splits)


def test_dependent_columns_are_learned_beyond_the_promise():
    """Every value is at most one in three of a bucket, and far more than a third is guessed."""
    pair, truth = published(0.8)
    start = hit_share(pair, learn(pair, rounds=0, smoothing=1.0).guesses(), truth)
    assert start == pytest.approx(1 / 3, abs=0.03)
    assert hit_share(pair, learn(pair, rounds=20, smoothing=1.0).guesses(), truth) > 0.6


def test_independent_columns_teach_nothing():
    """A third of 3,000 rows by chance; 6 standard deviations of 0.0086."""
    pair, truth = published(0.0)
    assert hit_share(pair, learn(pair, rounds=20, smoothing=1.0).guesses(), truth) == pytest.approx(1 / 3, abs=0.052)


def test_beliefs_fit_both_tables():
    pair, _ = published(0.5)
    beliefs = learn(pair, rounds=3, smoothing=1.0)
    assert np.bincount(beliefs.entry, weights=beliefs.chance) == pytest.approx(np.ones(len(pair.bucket)))
    held = np.bincount(
        pair.bucket[beliefs.entry] * 6 + beliefs.value, weights=beliefs.chance * pair.rows[beliefs.entry]
    )
    listed = np.bincount(pair.values.owner * 6 + pair.values.value, weights=pair.values.count, minlength=len(held))
    assert held == pytest.approx(listed, abs=0.05)


def test_some_buckets_are_judged_as_they_are():
    pair, truth = published(0.8)
    kept = np.arange(pair.n_buckets) % 3 == 0
    few, own = pair.select(kept), truth.select(kept[pair.bucket])
    assert few.sizes.tolist() == pair.sizes[kept].tolist()
    assert few.n_rows == own.rows.sum() == pair.sizes[kept].sum()
    assert np.bincount(few.values.owner, weights=few.values.count).tolist() == few.sizes.tolist()
    assert np.bincount(own.entry, weights=own.rows).tolist() == few.rows.tolist()
    assert hit_share(few, learn(few, rounds=10, smoothing=1.0).guesses(), own) > 0.5


def test_before_learning_every_pairing_is_equally_likely():
    beliefs = learn(six_persons(), rounds=0, smoothing=1.0)
    assert beliefs.chance == pytest.approx([1 / 3] * 9 + [2 / 3, 1 / 3] * 3)


@pytest.mark.parametrize(("rounds", "smoothing"), [(-1, 1.0), (1, 0.0)])
def test_parameters_outside_their_range_are_refused(rounds, smoothing):
    with pytest.raises(ParameterError):
        learn(six_persons(), rounds=rounds, smoothing=smoothing)
