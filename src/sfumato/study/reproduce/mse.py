"""The mean squared error of each scheme on a table, without persons: the papers' experiment on Adult and Nursery.

MSE_avg = (1/d) Σ_j (1/k_j) Σ_v (f_j(v) - f̂_j(v))², against the shares of the table itself; SPL, SMP and RS+FD for ε in
ln 2 … ln 7.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.projections import clip_and_renormalize, project_simplex
from sfumato.mechanism.local.several.catalog import scheme_by_label
from sfumato.mechanism.local.several.epsilon import Calibration
from sfumato.mechanism.local.several.simulate import simulate
from sfumato.study.reproduce.data import Dataset
from sfumato.study.reproduce.experiment import Column, Experiment, Figure, Line, Outcome
from sfumato.study.reproduce.reference import MSE, REFERENCE_RUNS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.mechanism.local.several.epsilon import Epsilons
    from sfumato.mechanism.local.several.simulate import AnyScheme
    from sfumato.study.reproduce.experiment import Cell, Order
    from sfumato.types import FloatArray, IntArray

EPSILONS: tuple[float, ...] = tuple(math.log(odds) for odds in range(2, 8))
"""ln 2 … ln 7, the budgets of the papers' figures."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over runs and its standard error (NaN for one run)."""

    value: float
    error: float


@dataclass(frozen=True, slots=True)
class MseCell:
    """One cell of the papers' tables.

    Args:
        label: name of the scheme.
        epsilons: what it truly promises.
        runs: number of simulated collections.
        expected: exact expected MSE_avg of the unbiased estimates, by formula.
        unbiased: simulated MSE_avg of the unbiased estimates.
        clipped: of the papers' estimates: clipped at 0 and renormalized, which is biased.
        simplex: of ours: the nearest shares.
    """

    label: str
    epsilons: Epsilons
    runs: int
    expected: float
    unbiased: Mean
    clipped: Mean
    simplex: Mean


def expected_mse(scheme: AnyScheme, histograms: Sequence[IntArray]) -> float:
    """Exact expected MSE_avg of the unbiased estimates: the mean of the exact variances.

    Args:
        scheme: any scheme for several attributes.
        histograms: d arrays (k,) int64, persons who hold each value.

    Example:
        >>> from sfumato.mechanism.local.several.adaptive import OracleName
        >>> from sfumato.mechanism.local.several.spl import SPL
        >>> round(expected_mse(SPL(math.log(3), (2,), OracleName.GRR), [np.array([50, 50])]), 6)
        0.0075
    """
    n = int(histograms[0].sum())
    variances = scheme.variance([held / n for held in histograms], n)
    return float(np.mean([variance.mean() for variance in variances]))


def mse_cell(scheme: AnyScheme, histograms: Sequence[IntArray], runs: int, *, rng: np.random.Generator) -> MseCell:
    """Simulate collections of one table and measure three estimates of each.

    Args:
        scheme: any scheme for several attributes.
        histograms: d arrays (k,) int64, persons who hold each value; all sum to the same n >= 1.
        runs: number of collections, >= 1.
        rng: chance of the experiment.

    Returns:
        Means over runs, with standard errors.

    Raises:
        ParameterError: histograms of different numbers of persons, or no run. Remedy: count one table.

    Source:
        H. Arcolezi, J.-F. Couchot, B. Al Bouna and X. Xiao, CIKM 2021, figures 9 and 10.

    Example:
        >>> from sfumato.mechanism.local.several.adaptive import OracleName
        >>> from sfumato.mechanism.local.several.spl import SPL
        >>> scheme, rng = SPL(700.0, (2,), OracleName.GRR), np.random.default_rng(1)
        >>> mse_cell(scheme, [np.array([3, 1])], 2, rng=rng).simplex.value
        0.0
    """
    persons = {int(held.sum()) for held in histograms}
    if len(persons) != 1 or min(persons) < 1 or runs < 1:
        raise ParameterError(
            "The histograms must count the same persons, at least one, and there must be a run.", "count one table."
        )
    truth = [held / held.sum() for held in histograms]
    estimates = [scheme.estimate(counts) for counts in simulate(scheme, histograms, runs, rng=rng)]
    return MseCell(
        label=scheme.label,
        epsilons=scheme.epsilons,
        runs=runs,
        expected=expected_mse(scheme, histograms),
        unbiased=_mean_of(estimates, truth, lambda raw: raw),
        clipped=_mean_of(estimates, truth, clip_and_renormalize),
        simplex=_mean_of(estimates, truth, project_simplex),
    )


def _mean_of(
    runs: Sequence[Sequence[FloatArray]], truth: Sequence[FloatArray], shape: Callable[[FloatArray], FloatArray]
) -> Mean:
    """Mean and standard error of MSE_avg after each estimate was made into shares."""
    each = np.array(
        [np.mean([((shape(raw) - f) ** 2).mean() for raw, f in zip(run, truth, strict=True)]) for run in runs]
    )
    error = float(each.std(ddof=1) / math.sqrt(len(each))) if len(each) > 1 else math.nan
    return Mean(float(each.mean()), error)


ADULT = Dataset(
    title="Adult (US census income, 1994)",
    published='"Adult", data set 2 of the UCI Machine Learning Repository',
    files=(
        "adult_uci/adult_45222.csv.gz", "adult_45222.csv.gz", "adult_45222.csv",
        "adult_uci/adult_48842.csv.gz", "adult_48842.csv.gz", "adult.csv.gz", "adult.csv",
    ),
    columns=(
        ("workclass",), ("education",), ("marital-status",), ("occupation",), ("relationship",), ("race",),
        ("sex", "gender"), ("native-country",), ("income", "salary", "salary-class", "class"),
    ),
    missing=("?",),
    rows=45222,
)  # fmt: skip
NURSERY = Dataset(
    title="Nursery (applications to nursery schools)",
    published='"Nursery", data set 76 of the UCI Machine Learning Repository',
    files=("nursery/nursery.csv.gz", "nursery.csv.gz", "nursery.csv"),
    columns=(
        ("parents",), ("has_nurs",), ("form",), ("children",), ("housing",), ("finance",), ("social",), ("health",),
        ("NURSERY", "class", "target"),
    ),
    missing=(),
    rows=12960,
)  # fmt: skip

_ORIGIN = (
    "H. Arcolezi, J.-F. Couchot, B. Al Bouna, X. Xiao, CIKM 2021, figures 9 and 10; "
    "slides of J.-F. Couchot and H. Arcolezi, 2023"
)
_COLUMNS = (
    Column("scheme", "scheme", "Solution for several attributes and oracle of each.", "text"),
    Column("odds", "eps = ln", "The published epsilon is its logarithm.", "count"),
    Column("epsilon", "", "Epsilon as published, in nats."),
    Column("tuple_epsilon", "true eps", "Exact epsilon of a person's whole record, in nats, rounded up."),
    Column("one_attribute_epsilon", "of one", "Exact epsilon of one attribute, in nats, rounded up."),
    Column("mse", "MSE", "MSE_avg of estimates clipped at 0 and divided by their sum, mean over runs.", "scientific"),
    Column("mse_error", "+-", "Standard error of `mse`; empty for one run.", "scientific"),
    Column("reference", "reference", "The same measured elsewhere, 200 runs.", "scientific"),
    Column("reference_error", "+-", "Standard error of `reference`.", "scientific"),
    Column("z", "z", "(mse - reference) over its standard error, by the spread that the reference had.", "sigma"),
    Column("simplex_mse", "nearest", "MSE_avg of the nearest shares (projection), mean over runs.", "scientific"),
    Column("unbiased_mse", "", "MSE_avg of the unbiased estimates, mean over runs.", "scientific"),
    Column("expected_mse", "expected", "Exact expected MSE_avg of the unbiased estimates.", "scientific"),
)
_NOTES = (
    "RS+FD spends the epsilon as published; `true eps` is what a whole record really leaks: there is no amplification.",
    "Rows of one published epsilon are therefore not comparable at equal privacy.",
)


def experiment(name: str, dataset: Dataset) -> Experiment:
    """The experiment on one of the two tables, `adult` or `nursery`."""
    return Experiment(
        name=f"mse-{name}",
        what=f"mean squared error of frequencies on {name.capitalize()}: SPL, SMP, RS+FD at eps = ln 2 ... ln 7",
        origin=_ORIGIN,
        duration="10 seconds",
        run=lambda order: _run(name, order),
        data=dataset,
        runs=(200, 10),
        unit="collections",
    )


def _run(name: str, order: Order) -> Outcome:
    """All schemes at all epsilons."""
    held = [np.bincount(column) for column in order.public_table().codes().T]
    sizes, rng, rows = [len(h) for h in held], order.rng(), []
    labels = tuple(MSE[name])
    for i, label in enumerate(labels):
        for at, epsilon in enumerate(EPSILONS):
            order.progress(i * len(EPSILONS) + at, len(labels) * len(EPSILONS), label)
            scheme = scheme_by_label(label, epsilon, sizes, calibration=Calibration.AS_PUBLISHED)
            rows.append(_row(mse_cell(scheme, held, order.runs, rng=rng), at, MSE[name][label][at]))
    return Outcome(_COLUMNS, tuple(rows), (_figure(name, labels, rows),), _NOTES)


def _row(cell: MseCell, at: int, reference: tuple[float, float]) -> dict[str, Cell]:
    """One line of the table."""
    spread = reference[1] * math.sqrt(1 + REFERENCE_RUNS / cell.runs)
    return {
        "scheme": cell.label,
        "odds": at + 2,
        "epsilon": EPSILONS[at],
        "tuple_epsilon": cell.epsilons.tuple_level,
        "one_attribute_epsilon": cell.epsilons.one_attribute,
        "mse": cell.clipped.value,
        "mse_error": None if math.isnan(cell.clipped.error) else cell.clipped.error,
        "reference": reference[0],
        "reference_error": reference[1],
        "z": (cell.clipped.value - reference[0]) / spread,
        "simplex_mse": cell.simplex.value,
        "unbiased_mse": cell.unbiased.value,
        "expected_mse": cell.expected,
    }


def _figure(name: str, labels: tuple[str, ...], rows: list[dict[str, Cell]]) -> Figure:
    """Measured lines and the reference's marks."""
    lines = []
    for label in labels:
        mine = [row for row in rows if row["scheme"] == label]
        lines.append(Line(label, tuple(_number(row["mse"]) for row in mine)))
        lines.append(Line("reference", tuple(_number(row["reference"]) for row in mine), kind="reference", like=label))
    return Figure(
        "mse",
        f"Mean squared error on {name.capitalize()} by published epsilon, measured and reference",
        ("published epsilon", "MSE_avg"),
        EPSILONS,
        tuple(lines),
        log=(False, True),
        marks=tuple(f"ln {odds}" for odds in range(2, 8)),
    )


def _number(cell: Cell) -> float | None:
    return None if cell is None else float(cell)
