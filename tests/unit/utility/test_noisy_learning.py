import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score
from sklearn.naive_bayes import GaussianNB

from sfumato.errors import ParameterError
from sfumato.utility.noisy_learning import Protocol, _folds, _naive_bayes, noisy_learning


def table(seed, n=120, d=3, shift=1.0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    return rng.normal(50, [1, 10, 100][:d], (n, d)) + shift * labels[:, None] * [1, 10, 100][:d], labels


def slow(learned, tested, fold):
    """The slow, obvious twin: scikit-learn, fold by fold."""
    guesses = np.empty(len(fold), int)
    for i in np.unique(fold):
        model = GaussianNB().fit(learned[0][fold != i], learned[1][fold != i])
        guesses[fold == i] = model.predict(tested[0][fold == i])
    return accuracy_score(tested[1], guesses), f1_score(tested[1], guesses, zero_division=0)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("shift", [0.0, 0.5, 3.0])
def test_it_predicts_as_scikit_learn_does(seed, shift):
    features, labels = table(seed, shift=shift)
    noised = (features + np.random.default_rng(seed).normal(0, 20, features.shape), labels)
    fold = _folds(labels, 5, np.random.default_rng(seed))
    assert _naive_bayes(noised, (features, labels), fold) == pytest.approx(slow(noised, (features, labels), fold))


def test_a_feature_that_is_constant_does_not_disturb():
    features, labels = table(1)
    constant = np.column_stack([features, np.full(len(labels), 7.0)])
    fold = _folds(labels, 5, np.random.default_rng(1))
    assert _naive_bayes((constant, labels), (constant, labels), fold) == slow(
        (constant, labels), (constant, labels), fold
    )


def test_a_label_that_noise_removed_is_never_guessed():
    features, labels = table(2)
    fold = _folds(labels, 5, np.random.default_rng(2))
    accuracy, f1 = _naive_bayes((features, np.zeros_like(labels)), (features, labels), fold)
    assert (accuracy, f1) == (pytest.approx((labels == 0).mean()), 0.0)


def test_folds_have_nearly_equal_numbers_of_each_label():
    labels = np.repeat([0, 1], [53, 31])
    fold = _folds(labels, 10, np.random.default_rng(3))
    for value, few in ((0, 5), (1, 3)):
        counts = np.bincount(fold[labels == value], minlength=10)
        assert set(counts.tolist()) <= {few, few + 1}


def test_baselines_come_first_and_every_mechanism_has_a_row_for_each_epsilon():
    features, labels = table(4)
    keep = {name: lambda _: lambda x, y: (x, y) for name in ("a", "b")}
    rows = noisy_learning(features, labels, keep, [1, 2.5], Protocol(repetitions=2), rng=np.random.default_rng(1))
    assert [(row.mechanism, row.epsilon) for row in rows] == [
        ("majority", None),
        ("none", None),
        ("a", 1.0),
        ("a", 2.5),
        ("b", 1.0),
        ("b", 2.5),
    ]


def test_no_noise_by_another_name_scores_as_none():
    features, labels = table(5)
    rows = noisy_learning(
        features,
        labels,
        {"same": lambda _: lambda x, y: (x, y)},
        [1.0],
        Protocol(repetitions=3, tested_on="noised"),
        rng=np.random.default_rng(1),
    )
    assert (rows[1].accuracy, rows[1].f1_sd) == (rows[2].accuracy, rows[2].f1_sd)


def test_the_majority_is_guessed_from_the_training_folds():
    features, labels = table(6)
    labels = np.sort(labels) * 0
    labels[:30] = 1
    rows = noisy_learning(features, labels, {}, [], Protocol(repetitions=2), rng=np.random.default_rng(1))
    assert (rows[0].accuracy, rows[0].accuracy_sd, rows[0].f1) == (0.75, 0.0, 0.0)


def test_means_and_deviations_are_over_repetitions():
    features, labels = table(7)
    calls = iter([labels, 1 - labels, labels])
    rows = noisy_learning(
        features,
        labels,
        {"flip": lambda _: lambda x, _y: (x * 0 + labels[:, None], next(calls))},
        [1.0],
        Protocol(repetitions=3, tested_on="noised"),
        rng=np.random.default_rng(1),
    )
    assert (rows[2].accuracy, rows[2].accuracy_sd, rows[2].repetitions) == (1.0, 0.0, 3)


def test_it_is_the_same_for_the_same_generator():
    features, labels = table(8)
    first, second = (
        noisy_learning(features, labels, {}, [], Protocol(repetitions=2), rng=np.random.default_rng(9))
        for _ in range(2)
    )
    assert first == second


@pytest.mark.parametrize(
    ("features", "labels"),
    [
        (np.zeros(20), np.repeat([0, 1], 10)),
        (np.zeros((20, 2)), np.repeat([0, 1], 9)),
        (np.full((20, 2), np.nan), np.repeat([0, 1], 10)),
        (np.zeros((20, 2)), np.repeat([0, 2], 10)),
        (np.zeros((20, 2)), np.repeat([0, 1], [18, 2])),
    ],
)
def test_tables_that_do_not_fit_are_refused(features, labels):
    with pytest.raises(ParameterError):
        noisy_learning(features, labels, {}, [1.0], Protocol(repetitions=2, folds=10), rng=np.random.default_rng(1))


@pytest.mark.parametrize("change", [{"repetitions": 1}, {"folds": 1}, {"tested_on": "both"}])
def test_a_protocol_outside_its_range_is_refused(change):
    with pytest.raises(ParameterError):
        Protocol(**{"repetitions": 5, **change})
