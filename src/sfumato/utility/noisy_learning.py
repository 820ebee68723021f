"""How well a model learns from a table that was noised person by person: accuracy and F1 by epsilon.

For each mechanism and epsilon the table is noised anew in each repetition, Gaussian naive Bayes learns
from all folds but one and is tested on that one; mean and standard deviation are over the repetitions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.types import BoolArray, FloatArray, IntArray

    Rows: TypeAlias = slice | BoolArray
    """Which rows are tested."""

    Table: TypeAlias = tuple[FloatArray, IntArray]
    """Features (n, d) and labels (n,)."""

    Randomizer: TypeAlias = Callable[[float], Callable[[FloatArray, IntArray], Table]]
    """The epsilon of each column → a function that noises features and labels anew at each call."""

TestedOn = Literal["original", "noised"]

CLEAN = "none"
"""Name of the row that learns from the table as it is."""

MAJORITY = "majority"
"""Name of the row that always guesses the most frequent label of the training folds."""


@dataclass(frozen=True, slots=True, eq=False)
class Protocol:
    """How often and on what the model is tried.

    Args:
        repetitions: tables noised for each mechanism and epsilon, >= 2.
        folds: parts of the table, each tested once by a model of the others, >= 2, stratified by label.
        tested_on: rows as they were collected (`original`), or as they were `noised`.
        held_out: (n,) bool, the rows on which every repetition is tested, learned from all others; None: folds.

    Raises:
        ParameterError: a number outside its range. Remedy: choose one inside.

    Example:
        >>> Protocol(repetitions=30).folds
        10
    """

    repetitions: int
    folds: int = 10
    tested_on: TestedOn = "original"
    held_out: BoolArray | None = None

    def __post_init__(self) -> None:
        if self.repetitions < 2 or self.folds < 2 or self.tested_on not in get_args(TestedOn):
            raise ParameterError(
                "An experiment has at least 2 repetitions and 2 folds, tested on original or noised rows; "
                "got {repetitions}, {folds}, {tested_on!r}.",
                "choose such numbers.",
                repetitions=self.repetitions,
                folds=self.folds,
                tested_on=self.tested_on,
            )


@dataclass(frozen=True, slots=True)
class Learned:
    """How well one mechanism at one epsilon let the model learn.

    Args:
        mechanism: its name, or `none` or `majority`.
        epsilon: of each column, in nats; None for the two baselines.
        accuracy: mean share of tested rows predicted rightly.
        accuracy_sd: its standard deviation over repetitions.
        f1: mean of 2TP/(2TP + FP + FN) of label 1; 0 when nobody is predicted to have it.
        f1_sd: its standard deviation over repetitions.
        repetitions: number of repetitions.
    """

    mechanism: str
    epsilon: float | None
    accuracy: float
    accuracy_sd: float
    f1: float
    f1_sd: float
    repetitions: int


def noisy_learning(
    features: FloatArray,
    labels: IntArray,
    randomizers: Mapping[str, Randomizer],
    epsilons: Sequence[float],
    protocol: Protocol,
    *,
    rng: np.random.Generator,
) -> tuple[Learned, ...]:
    """Accuracy and F1 of Gaussian naive Bayes learned from noised tables.

    The randomizers are functions, so that this room need not know mechanisms; what noises labels or leaves
    them alone is theirs to say. All mechanisms are tried on the same folds. An example of the whole
    experiment, each of eight columns noised at epsilon::

        low, width = declared_bounds[:, 0], declared_bounds[:, 1] - declared_bounds[:, 0]

        def by(kind):
            def at(epsilon):
                mechanism = kind(Grid(0.0, 1.0, steps=256, outside="clamp"), epsilon)
                def noise(features, labels):
                    reports = mechanism.randomize(((features - low) / width).ravel(), bits=bits)
                    return low + width * publish(mechanism, reports).reshape(features.shape), labels
                return noise
            return at

        rows = noisy_learning(X, y, {"Laplace": by(BoundedLaplace), "naive staircase": by(NaiveStaircase),
                                     "calibrated staircase": by(CalibratedStaircase), "piecewise": by(Piecewise)},
                              np.geomspace(0.01, 10, 13), Protocol(repetitions=30), rng=np.random.default_rng(1))

    Args:
        features: (n, d) float64.
        labels: (n,) int64, 0 or 1, at least `folds` of each.
        randomizers: by name.
        epsilons: of each column, in nats.
        protocol: repetitions, folds, what is tested on.
        rng: chance of the folds (no protection rests on it).

    Returns:
        `majority` and `none` first, then each mechanism at each epsilon in the order given.

    Raises:
        ParameterError: shapes that do not fit, or too few rows of a label. Remedy: give a complete table.

    Source:
        Gaussian naive Bayes as F. Pedregosa et al., "Scikit-learn", JMLR 12, 2011, compute it.

    Example:
        >>> rng = np.random.default_rng(1)
        >>> y = np.repeat([0, 1], 50)
        >>> X = rng.normal(size=(100, 2)) + 3 * y[:, None]
        >>> shuffle = lambda epsilon: lambda X, y: (X, rng.permutation(y))
        >>> rows = noisy_learning(X, y, {"shuffled": shuffle}, [1.0], Protocol(repetitions=3), rng=rng)
        >>> [(row.mechanism, row.accuracy > 0.9) for row in rows]
        [('majority', False), ('none', True), ('shuffled', False)]
    """
    _check(features, labels, protocol)
    tested_rows: Rows = slice(None) if protocol.held_out is None else protocol.held_out
    folds = [_parts(labels, protocol, rng) for _ in range(protocol.repetitions)]
    original = (features, labels)
    rows = [
        _summary(MAJORITY, None, [_majority(labels, fold, tested_rows) for fold in folds]),
        _summary(CLEAN, None, [_naive_bayes(original, original, fold, tested_rows) for fold in folds]),
    ]
    for name, randomize in randomizers.items():
        for epsilon in epsilons:
            noise, scores = randomize(float(epsilon)), []
            for fold in folds:
                noised = noise(features, labels)
                tested = original if protocol.tested_on == "original" else noised
                scores.append(_naive_bayes(noised, tested, fold, tested_rows))
            rows.append(_summary(name, float(epsilon), scores))
    return tuple(rows)


def _naive_bayes(learned: Table, tested: Table, fold: IntArray, rows: Rows = slice(None)) -> tuple[float, float]:
    """Accuracy and F1 of one repetition on some rows, each predicted by the model of the other folds."""
    middle = learned[0].mean(axis=0)
    model = _fit(learned[0] - middle, learned[1], fold)
    scores = [
        share[fold] - 0.5 * (np.log(spread[fold]) + (tested[0] - middle - mean[fold]) ** 2 / spread[fold]).sum(axis=1)
        for share, mean, spread in model
    ]
    return _scores((scores[1] > scores[0]).astype(np.int64)[rows], tested[1][rows])


def _fit(features: FloatArray, labels: IntArray, fold: IntArray) -> list[tuple[FloatArray, FloatArray, FloatArray]]:
    """Gaussian naive Bayes without each fold, from sums over folds: log share, means and variances by label.

    Variances get 10⁻⁹ of the largest variance of a feature, as scikit-learn adds. A label that no row of the
    other folds has gets the share 0.

    Args:
        features: (n, d) float64, centered.
        labels: (n,) int64, 0 or 1.
        fold: (n,) int64, the part of each row.

    Returns:
        For label 0 and label 1: (folds,), (folds, d), (folds, d) float64.
    """
    parts = np.eye(int(fold.max()) + 1)[fold]
    sums = [_without(parts[labels == c], features[labels == c]) for c in (0, 1)]
    n = sums[0][0] + sums[1][0]
    whole = (sums[0][2] + sums[1][2]) / n - ((sums[0][1] + sums[1][1]) / n) ** 2
    least = 1e-9 * whole.max(axis=1, keepdims=True)
    out = []
    for count, total, squares in sums:
        known = np.maximum(count, 1)
        mean = total / known
        with np.errstate(divide="ignore"):
            share = np.log(count / n)[:, 0]
        out.append((share, mean, np.maximum(squares / known - mean**2, 0) + np.maximum(least, np.finfo(float).tiny)))
    return out


def _without(parts: FloatArray, features: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Count (folds, 1), sums (folds, d) and sums of squares (folds, d) over the rows outside each fold."""
    held = (parts.sum(axis=0)[:, None], parts.T @ features, parts.T @ features**2)
    count, total, squares = (part.sum(axis=0) - part for part in held)
    return count, total, squares


def _majority(labels: IntArray, fold: IntArray, rows: Rows = slice(None)) -> tuple[float, float]:
    """Accuracy and F1 of the most frequent label of the other folds."""
    shares = np.array([labels[fold != i].mean() for i in range(int(fold.max()) + 1)])
    return _scores((shares > 0.5).astype(np.int64)[fold][rows], labels[rows])


def _scores(guesses: IntArray, truth: IntArray) -> tuple[float, float]:
    """Accuracy, and F1 of label 1."""
    hits = int(((guesses == 1) & (truth == 1)).sum())
    named = int((guesses == 1).sum()) + int((truth == 1).sum())
    return float((guesses == truth).mean()), 2 * hits / named if named else 0.0


def _parts(labels: IntArray, protocol: Protocol, rng: np.random.Generator) -> IntArray:
    """(n,) int64: the part of each row; the rows that are held out are the first part."""
    if protocol.held_out is None:
        return _folds(labels, protocol.folds, rng)
    return np.where(protocol.held_out, 0, 1)


def _folds(labels: IntArray, folds: int, rng: np.random.Generator) -> IntArray:
    """(n,) int64: the part of each row; every part has nearly the same number of each label."""
    order = rng.permutation(len(labels))
    order = order[np.argsort(labels[order], kind="stable")]
    out = np.empty(len(labels), np.int64)
    out[order] = np.arange(len(labels)) % folds
    return out


def _summary(name: str, epsilon: float | None, scores: list[tuple[float, float]]) -> Learned:
    """Means and standard deviations over repetitions."""
    table = np.array(scores)
    means, spreads = table.mean(axis=0), table.std(axis=0, ddof=1)
    return Learned(name, epsilon, float(means[0]), float(spreads[0]), float(means[1]), float(spreads[1]), len(scores))


def _check(features: FloatArray, labels: IntArray, protocol: Protocol) -> None:
    if features.ndim != 2 or labels.shape != features.shape[:1] or not np.all(np.isfinite(features)):
        raise ParameterError("Features are (n, d) finite numbers with (n,) labels.", "give one label for each row.")
    counts = [int((labels == value).sum()) for value in (0, 1)]
    if sum(counts) != len(labels) or min(counts) < protocol.folds:
        raise ParameterError(
            "Labels must be 0 or 1, at least one of each in every fold.", "give labels so, or fewer folds."
        )
