"""What does a model learn of diabetes when every column is noised? Accuracy and F1 by epsilon of each column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.mechanism.local.numeric.base import publish
from sfumato.mechanism.local.numeric.grid import Grid
from sfumato.mechanism.local.numeric.laplace import BoundedLaplace
from sfumato.mechanism.local.numeric.piecewise import Piecewise
from sfumato.mechanism.local.numeric.staircase import CalibratedStaircase, NaiveStaircase
from sfumato.mechanism.local.sanitize import total_epsilon
from sfumato.release.reproduce.data import Dataset
from sfumato.release.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.release.reproduce.reference import DIABETES
from sfumato.utility.noisy_learning import CLEAN, MAJORITY, Protocol, noisy_learning

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.noise.bits import Bits
    from sfumato.release.reproduce.experiment import Cell, Order
    from sfumato.types import FloatArray, IntArray
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
    Column("total_epsilon", "of a row", "What a person's eight noised columns spend together, rounded up."),
    Column("accuracy", "accuracy", "Mean share of rows predicted rightly.", "percent"),
    Column("accuracy_sd", "sd", "Its standard deviation over repetitions.", "percent"),
    Column("f1", "F1", "Mean F1 of having diabetes.", "percent"),
    Column("f1_sd", "sd", "Its standard deviation over repetitions.", "percent"),
    Column("reference", "reference", "Accuracy measured elsewhere; empty where it was not.", "percent"),
)
_NOTES = (
    "Gaussian naive Bayes, ten folds, learned from noised rows and tested on original ones; the label is not noised.",
    "The naive staircase leaks more than it is asked: compare mechanisms at equal `true eps`.",
    "The bounds of each column are read from the table, as the experiment did; a collection must declare them.",
)


def experiment() -> Experiment:
    """The experiment of the slides, with calibrated mechanisms beside."""
    return Experiment(
        name="diabetes",
        what="accuracy and F1 of naive Bayes on Pima diabetes, every column noised, eps of each in [0.01, 10]",
        origin="slides of J.-F. Couchot on local differential privacy; staircase of Q. Geng et al., JSTSP 2015",
        duration="5 seconds",
        run=run,
        data=PIMA,
        runs=(30, 3),
        unit="repetitions",
        least_runs=2,
    )


def run(order: Order) -> Outcome:
    """All mechanisms at all epsilons."""
    table = order.public_table().numbers()
    features, labels = table[:, :-1], table[:, -1].astype(np.int64)
    epsilons = _QUICK if order.quick else _FULL
    tick = _counter(order, order.runs * len(epsilons) * len(_KINDS))
    randomizers = {name: _randomizer(kind, features, order.bits(), tick) for name, kind in _KINDS.items()}
    found = noisy_learning(features, labels, randomizers, epsilons, Protocol(repetitions=order.runs), rng=order.rng())
    rows = tuple(_row(one, features.shape[1]) for one in found)
    figures = (
        _figure(found, epsilons, "accuracy", "accuracy"),
        _figure(found, epsilons, "f1", "F1 of having diabetes"),
    )
    return Outcome(_COLUMNS, rows, figures, _NOTES)


def _counter(order: Order, total: int) -> Callable[[], None]:
    """A function that reports one noised table more."""
    done = iter(range(1, total + 1))
    return lambda: order.progress(next(done), total, "noised tables")


def _mechanism(kind: Callable[[Grid, float], Any], epsilon: float) -> Any:
    """A mechanism on columns that were brought to [0, 1]."""
    return kind(Grid(0.0, 1.0, steps=_STEPS), epsilon)


def _randomizer(
    kind: Callable[[Grid, float], Any], features: FloatArray, bits: Bits, tick: Callable[[], None]
) -> Randomizer:
    """Noises every column of a table by one mechanism."""
    low, width = features.min(axis=0), np.ptp(features, axis=0)

    def at(epsilon: float) -> Callable[[FloatArray, IntArray], Table]:
        mechanism = _mechanism(kind, epsilon)

        def noise(x: FloatArray, y: IntArray) -> Table:
            tick()
            reports = mechanism.randomize(((x - low) / width).ravel(), bits=bits)
            return low + width * publish(mechanism, reports).reshape(x.shape), y

        return noise

    return at


def _row(one: Learned, d: int) -> dict[str, Cell]:
    """One line of the table."""
    true = None if one.epsilon is None else float(_mechanism(_KINDS[one.mechanism], one.epsilon).epsilon)
    return {
        "mechanism": one.mechanism,
        "epsilon": one.epsilon,
        "true_epsilon": true,
        "total_epsilon": None if true is None else total_epsilon([true] * d),
        "accuracy": one.accuracy,
        "accuracy_sd": one.accuracy_sd,
        "f1": one.f1,
        "f1_sd": one.f1_sd,
        "reference": DIABETES.get((one.mechanism, one.epsilon)),
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
