"""What a model learns of diabetes when every column is noised: accuracy and F1 by epsilon of each column.

Twice: `diabetes` as the slides do it, the label noised and tested on noised rows; `diabetes-folds` as a server would
judge a model that others use, tested on original rows.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.grr import GRR
from sfumato.mechanism.local.numeric.base import publish
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.laplace import BoundedLaplace
from sfumato.mechanism.local.numeric.piecewise import Piecewise
from sfumato.mechanism.local.numeric.staircase import CalibratedStaircase, NaiveStaircase
from sfumato.mechanism.local.sanitize import total_epsilon
from sfumato.study.reproduce.data import Dataset
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.study.reproduce.reference import DIABETES, DIABETES_SLIDES
from sfumato.utility.noisy_learning import CLEAN, MAJORITY, Protocol, noisy_learning

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.noise.bits import Bits
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.types import BoolArray, FloatArray, IntArray
    from sfumato.utility.noisy_learning import Learned, Randomizer, Table

PIMA = Dataset(
    title="Pima Indians diabetes",
    published='"Pima Indians Diabetes Database" of the National Institute of Diabetes and Digestive and Kidney '
    "Diseases, 1990 (once at the UCI Machine Learning Repository, now on data-sharing sites)",
    files=("pima_diabetes/diabetes.csv", "diabetes.csv", "pima-indians-diabetes.csv"),
    columns=(
        ("pregnancies",), ("glucose",), ("blood_pressure",), ("skin_thickness",), ("insulin",), ("bmi",),
        ("pedigree", "DiabetesPedigreeFunction"), ("age",), ("outcome", "class"),
    ),
    missing=(),
    rows=768,
)  # fmt: skip

_STEPS = 256
_KINDS: dict[str, Callable[[Grid, float], Any]] = {
    "Laplace": BoundedLaplace,
    "naive staircase": NaiveStaircase,
    "calibrated staircase": CalibratedStaircase,
    "piecewise": Piecewise,
}
_FULL = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0)
_QUICK = (0.01, 1.0, 5.0, 10.0)

_COLUMNS = (
    Column("mechanism", "mechanism", "Noise of each column; none and majority are baselines.", "text"),
    Column("epsilon", "eps", "Epsilon asked for each column, in nats; empty for baselines."),
    Column("true_epsilon", "true eps", "Exact epsilon of each column, in nats, rounded up."),
    Column("total_epsilon", "of a row", "What a person's noised columns spend together, rounded up."),
    Column("accuracy", "accuracy", "Mean share of rows predicted rightly.", "percent"),
    Column("accuracy_sd", "sd", "Its standard deviation over repetitions.", "percent"),
    Column("f1", "F1", "Mean F1 of having diabetes.", "percent"),
    Column("f1_sd", "sd", "Its standard deviation over repetitions.", "percent"),
    Column("reference", "reference", "Accuracy measured elsewhere; empty where it was not.", "percent"),
)
_ALWAYS = (
    "The naive staircase leaks more than it is asked: compare mechanisms at equal `true eps`.",
    "The bounds of each column are read from the table, as the experiment did; a collection must declare them.",
)
_UNMEASURED = ("glucose", "blood_pressure", "skin_thickness", "insulin", "bmi")
"""Columns in which 0 stands for a value that was not measured."""
_WHOLE = ("pregnancies", "glucose", "blood_pressure", "skin_thickness", "insulin", "age")
_TESTED = 0.2


@dataclass(frozen=True, slots=True)
class _Way:
    """How a table is prepared, noised and tested.

    Args:
        name: of the experiment.
        what: one line about it.
        note: how it is done.
        slides: zeros by the median of their column, whole numbers kept whole, the label noised, and every repetition
            tested on the noised rows of one fifth of the table; False: none of these, ten folds, original rows.
        reference: accuracy measured elsewhere.
    """

    name: str
    what: str
    note: str
    slides: bool
    reference: Mapping[tuple[str, float | None], float]


_WAYS = (
    _Way(
        "diabetes",
        "accuracy and F1 of naive Bayes on Pima diabetes, every column and the label noised, eps of each in [0.01, 10]",
        "Gaussian naive Bayes, learned from four fifths of the noised rows and tested on the noised last fifth; zeros that "
        "stand for no measurement are the median, and the label is noised by randomized response.",
        slides=True,
        reference=DIABETES_SLIDES,
    ),
    _Way(
        "diabetes-folds",
        "the same, but the label is kept and models are tested on original rows in ten folds",
        "Gaussian naive Bayes, ten folds, learned from noised rows and tested on original ones; the label is not noised.",
        slides=False,
        reference=DIABETES,
    ),
)


def experiments() -> tuple[Experiment, ...]:
    """The experiment of the slides, and the other way to judge it; calibrated mechanisms beside both."""
    return tuple(
        Experiment(
            name=way.name,
            what=way.what,
            origin="slides of J.-F. Couchot on local differential privacy; staircase of Q. Geng et al., JSTSP 2015",
            duration="5 seconds",
            run=partial(run, way),
            data=PIMA,
            runs=(30, 3),
            unit="repetitions",
            least_runs=2,
        )
        for way in _WAYS
    )


def run(way: _Way, order: Order) -> Outcome:
    """All mechanisms at all epsilons."""
    table = order.public_table()
    names, cells = tuple(table.cells), table.numbers()
    features, labels = cells[:, :-1], cells[:, -1].astype(np.int64)
    if way.slides:
        features = _imputed(features, [names.index(name) for name in _UNMEASURED])
    held_out = _last_fifth(len(labels)) if way.slides else None
    whole = np.isin(names[:-1], _WHOLE) if way.slides else np.zeros(features.shape[1], np.bool_)
    epsilons = _QUICK if order.quick else _FULL
    tick = _counter(order, order.runs * len(epsilons) * len(_KINDS))
    noise = {
        name: _randomizer(kind, features, order.bits(), tick, whole=whole, labels=way.slides)
        for name, kind in _KINDS.items()
    }
    protocol = Protocol(order.runs, tested_on="noised" if way.slides else "original", held_out=held_out)
    found = noisy_learning(features, labels, noise, epsilons, protocol, rng=order.rng())
    rows = tuple(_row(one, features.shape[1], way) for one in found)
    figures = (
        _figure(found, epsilons, "accuracy", "accuracy"),
        _figure(found, epsilons, "f1", "F1 of having diabetes"),
    )
    return Outcome(_COLUMNS, rows, figures, (way.note, *_ALWAYS))


def _imputed(features: FloatArray, columns: Sequence[int]) -> FloatArray:
    """The table with the zeros of some columns replaced by the median of the others."""
    out = features.copy()
    for j in columns:
        out[features[:, j] == 0, j] = np.median(features[features[:, j] != 0, j])
    return out


def _last_fifth(n: int) -> BoolArray:
    """(n,) bool: the rows that scikit-learn's `train_test_split` holds out at `random_state=0, test_size=0.2`."""
    order = np.random.RandomState(0).permutation(n)
    out = np.zeros(n, np.bool_)
    out[order[: math.ceil(_TESTED * n)]] = True
    return out


def _counter(order: Order, total: int) -> Callable[[], None]:
    """A function that reports one noised table more."""
    done = iter(range(1, total + 1))
    return lambda: order.progress(next(done), total, "noised tables")


def _mechanism(kind: Callable[[Grid, float], Any], epsilon: float) -> Any:
    """A mechanism on columns that were brought to [0, 1]."""
    return kind(Grid(0.0, 1.0, steps=_STEPS), epsilon)


def _randomizer(
    kind: Callable[[Grid, float], Any],
    features: FloatArray,
    bits: Bits,
    tick: Callable[[], None],
    *,
    whole: BoolArray,
    labels: bool,
) -> Randomizer:
    """Noises every column of a table by one mechanism, and its label by randomized response where that is asked."""
    low, width = features.min(axis=0), np.ptp(features, axis=0)

    def at(epsilon: float) -> Callable[[FloatArray, IntArray], Table]:
        mechanism, coin = _mechanism(kind, epsilon), GRR(epsilon, 2)

        def noise(x: FloatArray, y: IntArray) -> Table:
            tick()
            reports = mechanism.randomize(((x - low) / width).ravel(), bits=bits)
            out = low + width * publish(mechanism, reports).reshape(x.shape)
            return np.where(whole, np.rint(out), out), coin.randomize(y, bits=bits) if labels else y

        return noise

    return at


def _row(one: Learned, d: int, way: _Way) -> dict[str, Cell]:
    """One line of the table."""
    true, label = None, []
    if one.epsilon is not None:
        true = float(_mechanism(_KINDS[one.mechanism], one.epsilon).epsilon)
        label = [GRR(one.epsilon, 2).epsilon] if way.slides else []
    return {
        "mechanism": one.mechanism,
        "epsilon": one.epsilon,
        "true_epsilon": true,
        "total_epsilon": None if true is None else total_epsilon([true] * d + label),
        "accuracy": one.accuracy,
        "accuracy_sd": one.accuracy_sd,
        "f1": one.f1,
        "f1_sd": one.f1_sd,
        "reference": way.reference.get((one.mechanism, one.epsilon)),
    }


def _figure(found: tuple[Learned, ...], epsilons: tuple[float, ...], measure: str, axis: str) -> Figure:
    """Means with bands of one standard deviation, and the baselines."""
    lines = []
    for name in _KINDS:
        mine = [one for one in found if one.mechanism == name]
        values = tuple(float(getattr(one, measure)) for one in mine)
        lines.append(Line(name, values, spread=tuple(float(getattr(one, f"{measure}_sd")) for one in mine)))
    levels = {CLEAN: "no noise", MAJORITY: "majority"}
    for one in found:
        if one.mechanism in levels:
            value = float(getattr(one, measure))
            lines.append(Line(levels[one.mechanism], (value,) * len(epsilons), kind="level"))
    return Figure(
        measure,
        f"{axis.capitalize()} of naive Bayes by epsilon of each column, mean and standard deviation",
        ("epsilon of each column", axis),
        epsilons,
        tuple(lines),
        log=(True, False),
    )
