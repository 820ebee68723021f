"""How well a model learned from the release predicts about the original: accuracy on held-out rows.

Three models and the majority guess, the same for a release and for the original, so that what was lost
is the difference. A generalized value is encoded by what it covers: each leaf equally likely.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sfumato.errors import ParameterError
from sfumato.extras import Needs
from sfumato.frozen import dataclass
from sfumato.summary.span import spans_of_leaves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.summary.classes import Classes
    from sfumato.summary.histogram import Histogram
    from sfumato.summary.span import Domain, Spans
    from sfumato.types import FloatArray, IntArray

ModelName = Literal["logistic", "bayes", "boosting"]
MODELS: tuple[ModelName, ...] = ("logistic", "bayes", "boosting")

MOST_BLOCKS = 64
"""Most groups of leaves that a column is encoded by; wider columns are encoded by groups of leaves."""

SOURCE = "V. Iyengar, KDD 2002, section 3; K. LeFevre et al., Workload-aware Anonymization, KDD 2006"


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Rows to learn from or to be tested on; equal rows may be given once with a weight.

    Args:
        codes: (n, m) int64, label codes of the quasi-identifiers.
        target: (n,) int64, code of the value to predict.
        weight: (n,) float64, rows that each entry stands for, > 0.
    """

    codes: IntArray
    target: IntArray
    weight: FloatArray


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Share of the tested rows predicted rightly.

    Args:
        majority: by always guessing the most frequent value of the training rows.
        by_model: by each model.
    """

    majority: float
    by_model: dict[ModelName, float]


def sample_of(classes: Classes, histogram: Histogram) -> Sample:
    """The rows of a table, from its classes and the histogram of the target column."""
    return Sample(classes.codes[histogram.owner], histogram.value, histogram.count.astype(np.float64))


def hold_out(sample: Sample, share: float, *, rng: np.random.Generator) -> tuple[Sample, Sample]:
    """Split rows at random into those to learn from and those to be tested on.

    Args:
        sample: rows with whole weights.
        share: share of the rows to hold out, in (0, 1).
        rng: draws them.

    Returns:
        The rows to learn from, entry by entry those of `sample` (weights may be 0), and the held-out ones.

    Raises:
        ParameterError: the share lies outside (0, 1). Remedy: pass 0.3 or so.
    """
    if not 0 < share < 1:
        raise ParameterError("`share` must lie in (0, 1); got {share}.", "hold out a share such as 0.3.", share=share)
    out = rng.binomial(sample.weight.astype(np.int64), share).astype(np.float64)
    kept = Sample(sample.codes, sample.target, sample.weight - out)
    return kept, _nonempty(Sample(sample.codes, sample.target, out))


def released(learn: Sample, owner: IntArray, member: IntArray, codes: IntArray) -> Sample:
    """The released form of original rows: each finest class goes to its published class.

    Args:
        learn: original rows, as `hold_out` gives them.
        owner: (n,) int64, finest class of each entry.
        member: (n_fine,) int64, published class of each finest one; -1: suppressed.
        codes: (n_classes, m) int64, label codes of the published classes.
    """
    there = member[owner]
    kept = (there >= 0) & (learn.weight > 0)
    return Sample(codes[there[kept]], learn.target[kept], learn.weight[kept])


def model_accuracy(
    train: Sample, train_spans: Sequence[Spans], test: Sample, *, models: Sequence[ModelName] = MODELS
) -> Accuracy:
    """Learn from rows of a table and predict rows of the original.

    Args:
        train: rows to learn from; codes index the labels of `train_spans`.
        train_spans: what those labels stand for.
        test: rows of the original; codes are leaf codes.
        models: which models.

    Returns:
        Accuracy of each, weighted by rows. Nothing to learn from: every accuracy is 0.

    Source:
        V. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002, section 3.
    """
    train, test = _nonempty(train), _nonempty(test)
    if not len(train.weight) or not len(test.weight):
        return Accuracy(0.0, dict.fromkeys(models, 0.0))
    votes = np.bincount(train.target, weights=train.weight)
    majority = _score(np.full(len(test.target), votes.argmax()), test)
    if np.count_nonzero(votes) == 1:
        return Accuracy(majority, dict.fromkeys(models, majority))
    leaves = [_leaves(spans.domain) for spans in train_spans]
    blocks = (_encode(train_spans, train.codes, _blocks), _encode(leaves, test.codes, _blocks))
    places = (_encode(train_spans, train.codes, _place), _encode(leaves, test.codes, _place))
    scores = {}
    for name in models:
        parts = (blocks,) if name == "bayes" else (blocks, places)
        learned, asked = np.hstack([part[0] for part in parts]), np.hstack([part[1] for part in parts])
        scores[name] = _score(_predictions(name, learned, train, asked), test)
    return Accuracy(majority, scores)


def _predictions(name: ModelName, learned: FloatArray, train: Sample, asked: FloatArray) -> IntArray:
    """(n,) int64: what a model of scikit-learn predicts.

    On one thread: sums in one order give the same model every time.
    """
    with Needs("learn", "Learning a model needs the package scikit-learn."):
        from sklearn.ensemble import HistGradientBoostingClassifier
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression
        from sklearn.naive_bayes import MultinomialNB
        from threadpoolctl import threadpool_limits
    match name:
        case "logistic":
            model = LogisticRegression(max_iter=200)
        case "bayes":
            model = MultinomialNB()
        case "boosting":
            model = HistGradientBoostingClassifier(max_iter=100, early_stopping=False, random_state=0)
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = model.fit(learned, train.target, sample_weight=train.weight)
        return np.asarray(fitted.predict(asked), np.int64)


def _encode(spans: Sequence[Spans], codes: IntArray, how: Any) -> FloatArray:
    """(n, n_features) float64: the features of each row, column by column of the table."""
    return np.hstack([how(s)[codes[:, j]] for j, s in enumerate(spans)])


def _blocks(spans: Spans) -> FloatArray:
    """(n_labels, <= MOST_BLOCKS) float64: share of each label's leaves in each group of neighboring leaves.

    Neighbors in the domain's order are neighbors on the number line or in the tree. Each row adds up to
    1, which makes multinomial naive Bayes on several columns the categorical one.
    """
    groups = np.array_split(np.arange(spans.domain.n), min(spans.domain.n, MOST_BLOCKS))
    out = np.empty((spans.n_labels, len(groups)))
    for i, group in enumerate(groups):
        inside = np.zeros(spans.domain.n)
        inside[group] = 1.0
        out[:, i] = spans.total(inside)
    return out / np.maximum(spans.n_leaves, 1)[:, None]


def _place(spans: Spans) -> FloatArray:
    """(n_labels, 0 or 1) float64: mean position of each label's numbers, in [0, 1] of the domain."""
    where = spans.domain.positions
    if where is None:
        return np.zeros((spans.n_labels, 0))
    low, high = spans.domain.bounds
    number = np.isfinite(where).astype(np.float64)
    scaled = (np.nan_to_num(where) - low) / max(high - low, np.finfo(np.float64).tiny) * number
    total = spans.total(number)
    return np.asarray(np.where(total > 0, spans.total(scaled) / np.maximum(total, 1.0), 0.5)[:, None])


def _leaves(domain: Domain) -> Spans:
    """Every leaf as a label of its own."""
    n = len(domain.rank)
    return spans_of_leaves(domain, np.arange(n), np.arange(n), n)


def _score(predicted: IntArray, test: Sample) -> float:
    """Share of the rows predicted rightly."""
    return float(test.weight[predicted == test.target].sum() / test.weight.sum())


def _nonempty(sample: Sample) -> Sample:
    """The entries that stand for at least one row."""
    kept = sample.weight > 0
    return Sample(sample.codes[kept], sample.target[kept], sample.weight[kept])
