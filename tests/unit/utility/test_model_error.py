"""Models learned from a release."""

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.summary.classes import Classes, distinct_rows, roll_up
from sfumato.summary.published import published_at_levels
from sfumato.table.attribute import Attribute, bind
from sfumato.table.hierarchy.tree import Hierarchy
from sfumato.table.schema import Column, Kind, Role
from sfumato.testing.strategies import histogram
from sfumato.utility.model_error import Sample, hold_out, model_accuracy, released, sample_of

AGE = Attribute(
    Column("age", Role.QUASI_IDENTIFYING, Kind.INTEGER),
    Hierarchy.from_paths("age", [(str(v), f"{v // 10}x", "*") for v in range(20, 60)]),
    np.arange(20.0, 60.0),
)
TOWN = Attribute(
    Column("town", Role.QUASI_IDENTIFYING),
    Hierarchy.from_paths("town", [(t, r, "*") for t, r in ["aC", "bC", "cD", "dD"]]),
    None,
)
RICH = bind(Column("rich", Role.SENSITIVE), ["no", "yes"])


def learnable(n=600):
    """People of 40 and over in town a or c are rich, and nobody else."""
    rng = np.random.default_rng(2)
    rows = np.stack([rng.integers(0, 40, n), rng.integers(0, 4, n)], axis=1)
    rich = ((rows[:, 0] >= 20) & np.isin(rows[:, 1], [0, 2])).astype(np.int64)
    codes, member = distinct_rows(rows)
    counts = np.zeros((len(codes), 2), np.int64)
    np.add.at(counts, (member, rich), 1)
    sizes = counts.sum(axis=1)
    return Classes(codes, rows=sizes, alone=sizes, histograms=(histogram(RICH, counts),))


def accuracy_at(levels):
    """Accuracy on held-out rows of models learned from a generalization."""
    finest = learnable()
    whole = sample_of(finest, finest.histograms[0])
    train, test = hold_out(whole, 0.3, rng=np.random.default_rng(1))
    published = published_at_levels([AGE, TOWN], finest, levels)
    _, member = roll_up(finest, [AGE, TOWN], levels)
    learned = released(train, finest.histograms[0].owner, member, published.classes.codes)
    return model_accuracy(learned, published.spans, test)


def test_models_learn_what_can_be_learned():
    accuracy = accuracy_at((0, 0))
    assert accuracy.by_model["boosting"] > 0.97
    assert accuracy.by_model["logistic"] > accuracy.majority + 0.1


def test_generalization_that_hides_the_pattern_costs_accuracy():
    fine, coarse = accuracy_at((0, 0)), accuracy_at((0, 1))
    assert coarse.by_model["boosting"] < fine.by_model["boosting"] - 0.1


def test_generalization_that_keeps_the_pattern_costs_none():
    assert accuracy_at((1, 0)).by_model["boosting"] > 0.97


def test_a_table_of_stars_predicts_the_majority():
    accuracy = accuracy_at((2, 2))
    assert set(accuracy.by_model.values()) == {accuracy.majority}


def test_the_majority_guess_is_that_of_the_training_rows():
    codes = np.zeros((3, 2), np.int64)
    train = Sample(codes, np.array([0, 1, 1]), np.array([1.0, 1.0, 1.0]))
    test = Sample(codes[:2], np.array([0, 1]), np.array([3.0, 1.0]))
    spans = published_at_levels([AGE, TOWN], learnable(), (0, 0)).spans
    assert model_accuracy(train, spans, test, models=()).majority == 0.25


def test_rows_given_once_with_a_weight_equal_repeated_rows():
    rng = np.random.default_rng(4)
    codes = np.stack([rng.integers(0, 40, 30), rng.integers(0, 4, 30)], axis=1)
    target, weight = (codes[:, 0] > 15).astype(np.int64), rng.integers(1, 4, 30)
    spans = published_at_levels([AGE, TOWN], learnable(), (0, 0)).spans
    once = Sample(codes, target, weight.astype(float))
    often = Sample(np.repeat(codes, weight, axis=0), np.repeat(target, weight), np.ones(weight.sum()))
    for models in (("bayes",), ("logistic",)):
        assert model_accuracy(once, spans, once, models=models) == model_accuracy(often, spans, once, models=models)


def test_holding_out_splits_the_rows():
    whole = sample_of(learnable(), learnable().histograms[0])
    train, test = hold_out(whole, 0.25, rng=np.random.default_rng(0))
    assert train.weight.sum() + test.weight.sum() == 600
    assert test.weight.sum() == pytest.approx(150, abs=50)


def test_suppressed_rows_are_not_learned_from():
    sample = Sample(np.zeros((2, 1), np.int64), np.array([0, 1]), np.ones(2))
    left = released(sample, np.array([0, 1]), np.array([-1, 0]), np.array([[7]]))
    assert (left.codes.tolist(), left.target.tolist()) == ([[7]], [1])


def test_nothing_to_learn_from_predicts_nothing():
    nothing = Sample(np.zeros((0, 2), np.int64), np.zeros(0, np.int64), np.zeros(0))
    spans = published_at_levels([AGE, TOWN], learnable(), (0, 0)).spans
    assert set(model_accuracy(nothing, spans, nothing).by_model.values()) == {0.0}


def test_a_share_outside_its_range_is_refused():
    with pytest.raises(ParameterError):
        hold_out(sample_of(learnable(), learnable().histograms[0]), 1.0, rng=np.random.default_rng(0))
