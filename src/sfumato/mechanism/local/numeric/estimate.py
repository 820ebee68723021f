"""Mean, variance and histogram of the persons' numbers, and how wrong they can be.

All rest on tables h over the reports (`decode`) with E[h(report) | value] = what is asked of the value.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.numeric.base import check_numeric_reports
from sfumato.mechanism.local.numeric.decode import unbiased

if TYPE_CHECKING:
    from sfumato.mechanism.local.numeric.base import NumericMechanism
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Estimate:
    """An unbiased estimate with its interval.

    Args:
        value: the estimate; noise can carry it outside the bounds.
        standard_error: its estimated standard deviation, >= 0.
        low: lower end of the interval.
        high: upper end.
        confidence: share of repetitions in which a normal law puts the truth between them.
    """

    value: float
    standard_error: float
    low: float
    high: float
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Unbiased shares of the grid points, with standard errors.

    Args:
        points: (steps+1,) float64, grid points.
        shares: (steps+1,) float64, summing to 1; noise can make some negative.
        standard_errors: (steps+1,) float64 >= 0.
    """

    points: FloatArray
    shares: FloatArray
    standard_errors: FloatArray


def estimate_mean(mechanism: NumericMechanism, reports: IntArray, *, confidence: float = 0.95) -> Estimate:
    """The mean of the persons' values: the mean of the decoded reports.

    Unbiased. The standard error is the larger of the decoded reports' own and of the least that the
    mechanism can have; it counts the difference between persons too, so the interval also covers the
    mean of the law that the persons come from, and is a little wide for the mean of these persons.

    Args:
        mechanism: what made the reports.
        reports: (n,) int64, n >= 1.
        confidence: of the interval, in (0, 1).

    Returns:
        The estimate in the values' unit.

    Raises:
        ReportError: reports that the mechanism cannot make. Remedy: use the mechanism that made them.

    Source:
        N. Wang et al., ICDE 2019, section III.

    Example:
        >>> import numpy as np
        >>> from sfumato.mechanism.local.numeric.duchi import Duchi
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> found = estimate_mean(Duchi(Grid(-1.0, 1.0, steps=1), epsilon=1.0), np.repeat([0, 1], 500))
        >>> abs(round(found.value, 9)), round(found.high, 3)
        (0.0, 0.134)
    """
    decoded = mechanism.decode()[check_numeric_reports(mechanism, reports)]
    spread = point_variance(mechanism)
    own = float(decoded.var(ddof=1)) if len(decoded) > 1 else worst_variance(mechanism)
    return _interval(float(decoded.mean()), max(own, float(spread.min())) / len(decoded), confidence)


def estimate_variance(mechanism: NumericMechanism, reports: IntArray, *, confidence: float = 0.95) -> Estimate:
    """The variance (1/n)Σ(x - mean)² of the persons' values.

    With h decoding x and g decoding x²: (1-1/n)·mean(g) - ((Σh)² - Σh²)/n², unbiased since the products
    of different persons' h have the mean x·x'. Values between grid points add up to step²/4, by which
    rounding at random raises E[x²].

    Args:
        mechanism: what made the reports.
        reports: (n,) int64, n >= 2.
        confidence: of the interval, in (0, 1), by the delta method: it holds as n grows.

    Returns:
        The estimate in the values' unit, squared; noise can make it negative.

    Raises:
        ParameterError: fewer than two reports, or reports that do not determine a variance (Duchi's bit).
            Remedy: collect with another mechanism.

    Example:
        >>> import numpy as np
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> from sfumato.mechanism.local.numeric.piecewise import Piecewise
        >>> mechanism = Piecewise(Grid.integers(0, 4), epsilon=20.0)
        >>> round(estimate_variance(mechanism, np.repeat([0, 4], 500)).value, 3)
        4.0
    """
    codes = check_numeric_reports(mechanism, reports)
    n, middle = len(codes), (mechanism.grid.low + mechanism.grid.high) / 2
    if n < 2:
        raise ParameterError("A variance needs at least two reports; one was given.", "wait for reports.")
    first = (mechanism.decode() - middle)[codes]
    second = unbiased(mechanism.matrix(), (mechanism.grid.points() - middle) ** 2)[codes]
    value = (1 - 1 / n) * second.mean() - (first.sum() ** 2 - (first**2).sum()) / n**2
    influence = second - 2 * first.mean() * first
    return _interval(float(value), float(influence.var(ddof=1)) / n, confidence)


def estimate_histogram(mechanism: NumericMechanism, reports: IntArray) -> Histogram:
    """The share of the persons at each grid point, unbiased.

    A value between two points counts for both, in proportion (linear binning). The finer the grid, the
    larger the errors: count on as many points as bins are wanted, or use `estimate_distribution`.

    Args:
        mechanism: what made the reports.
        reports: (n,) int64, n >= 2.

    Raises:
        ParameterError: reports that do not determine shares (Duchi's bit). Remedy: another mechanism.

    Example:
        >>> import numpy as np
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> from sfumato.mechanism.local.numeric.square_wave import SquareWave
        >>> mechanism = SquareWave(Grid.integers(0, 2), epsilon=20.0)
        >>> abs(estimate_histogram(mechanism, np.array([0, 0, 1, 2])).shares.round(3)).tolist()
        [0.5, 0.25, 0.25]
    """
    counts = np.bincount(check_numeric_reports(mechanism, reports), minlength=mechanism.n_outputs)
    matrix, n = mechanism.matrix(), int(counts.sum())
    table = unbiased(matrix, np.eye(len(matrix)))
    shares = counts @ table / n
    spread = (counts @ table**2 / n - shares**2) * n / max(n - 1, 1)
    least = (matrix @ table**2 - np.eye(len(matrix))).min(axis=0)
    return Histogram(mechanism.grid.points(), shares, np.sqrt(np.maximum(spread, least) / n))


def histogram_variance(mechanism: NumericMechanism, frequencies: FloatArray, n: int) -> FloatArray:
    """Exact variance of each share of `estimate_histogram`, for a fixed table with values on the grid.

    Var_v = (1/n) Σ_c f_c (Σ_j P[c,j] H[j,v]² - [c=v]), with P H = identity.

    Args:
        mechanism: what makes the reports.
        frequencies: (steps+1,) float64, true shares.
        n: number of persons, >= 1.

    Returns:
        (steps+1,) float64.

    Example:
        >>> import numpy as np
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> from sfumato.mechanism.local.numeric.square_wave import SquareWave
        >>> histogram_variance(SquareWave(Grid.integers(0, 1), 1.0), np.array([0.5, 0.5]), 100).round(6).tolist()
        [0.009207, 0.009207]
    """
    matrix = mechanism.matrix()
    table = unbiased(matrix, np.eye(len(matrix)))
    out: FloatArray = frequencies @ (matrix @ table**2 - np.eye(len(matrix))) / n
    return out


def point_variance(mechanism: NumericMechanism) -> FloatArray:
    """(steps+1,) float64: exact variance of a decoded report at each grid point."""
    middle = (mechanism.grid.low + mechanism.grid.high) / 2
    out: FloatArray = mechanism.matrix() @ (mechanism.decode() - middle) ** 2 - (mechanism.grid.points() - middle) ** 2
    return out


def report_variance(mechanism: NumericMechanism, values: FloatArray | IntArray) -> FloatArray:
    """Exact variance of the decoded report of each value, rounding to the grid included.

    Between points i and i+1, at share t: (1-t)·v_i + t·v_(i+1) + t(1-t)·step².

    Args:
        mechanism: what makes the reports.
        values: (n,) real numbers between the bounds.

    Returns:
        (n,) float64. Their sum over n² is the exact variance of `estimate_mean` for these persons.

    Raises:
        ParameterError: see `Grid.positions`.

    Example:
        >>> import numpy as np
        >>> from sfumato.mechanism.local.numeric.duchi import Duchi
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> report_variance(Duchi(Grid(-1.0, 1.0, steps=8), epsilon=1.0), np.array([0.0, 1.0])).round(3).tolist()
        [4.683, 3.683]
    """
    at = mechanism.grid.positions(values)
    share = at - np.floor(at)
    between = np.interp(at, np.arange(mechanism.grid.steps + 1), point_variance(mechanism))
    out: FloatArray = between + share * (1 - share) * mechanism.grid.step**2
    return out


def worst_variance(mechanism: NumericMechanism) -> float:
    """The largest variance of a decoded report over all values between the bounds.

    Between two points the variance is a parabola in the share t, highest at 1/2 + (v_(i+1) - v_i)/(2·step²)
    or at an end.

    Example:
        >>> from sfumato.mechanism.local.numeric.duchi import Duchi
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> round(worst_variance(Duchi(Grid(-1.0, 1.0, steps=1), epsilon=1.0)), 3)
        4.683
    """
    spread, step = point_variance(mechanism), mechanism.grid.step
    share = np.clip(0.5 + np.diff(spread) / (2 * step**2), 0, 1)
    inside = (1 - share) * spread[:-1] + share * spread[1:] + share * (1 - share) * step**2
    return float(inside.max())


def _interval(value: float, variance: float, confidence: float) -> Estimate:
    if not isinstance(confidence, float) or not 0 < confidence < 1:
        raise ParameterError(
            "confidence must lie between 0 and 1; got {confidence!r}.", "use 0.95, say.", confidence=confidence
        )
    error = math.sqrt(max(variance, 0.0))
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * error
    return Estimate(value, error, value - reach, value + reach, confidence)
