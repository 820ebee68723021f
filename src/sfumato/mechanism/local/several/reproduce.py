"""The mean squared error of each scheme on a table: the papers' experiment, without persons.

MSE_avg = (1/d) Σ_j (1/k_j) Σ_v (f_j(v) - f̂_j(v))², against the shares of the table itself.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.projections import clip_and_renormalize, project_simplex
from sfumato.mechanism.local.several.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.mechanism.local.several.epsilon import Epsilons
    from sfumato.mechanism.local.several.simulate import AnyScheme
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
