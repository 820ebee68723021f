"""A noisy table that agrees with its noisy margins: the least squares fit, in closed form."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.types import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Margin:
    """Noisy sums of a table over all axes but some.

    Args:
        axes: the axes that are kept, in rising order; () for the grand total.
        values: noisy sums, one axis for each kept one.
        variance: of the noise of each sum, >= 0; 0: known exactly.
    """

    axes: tuple[int, ...]
    values: FloatArray
    variance: float


def fit_margins(table: FloatArray, variance: float, margins: Sequence[Margin]) -> FloatArray:
    """The table x with the least Σ (x - table)²/variance + Σ_margins Σ (sums of x - values)²/variance of the margin.

    Sums of it over any axes then agree with each other, and use all that was released. With independent noise of
    these variances no linear unbiased estimate has a smaller variance.

    Proof: a table is the sum of its components (of the mean, of each axis, of each pair of axes …), which averaging over
    axes keeps or annuls. A margin over kept axes K, spread back over the table, is N times the components within K, N
    the number of cells of each sum. So the normal equations fall apart into one number for each component: the
    mean of the table's component and of each margin's divided by N, weighted with 1/variance and N/variance. A margin
    that is known exactly replaces the components within it.

    Args:
        table: noisy cells, any number of axes.
        variance: of the noise of each cell, > 0.
        margins: noisy or exact sums; for each set of axes at most one. Exact ones must agree with each other.

    Returns:
        Same shape as the table.

    Raises:
        ParameterError: shapes that do not fit, or variances below 0. Remedy: keep the axes that the values have.

    Source:
        Least squares under noise: M. Hay, V. Rastogi, G. Miklau, D. Suciu, "Boosting the accuracy of differentially
        private histograms through consistency", VLDB 2010, section 4; the closed form over components is ours.

    Example:
        >>> fit_margins(np.array([1.0, 2.0]), 1.0, [Margin((), np.array(6.0), 0.0)]).tolist()
        [2.5, 3.5]
    """
    cells = np.asarray(table, np.float64)
    spread = [_spread(margin, cells.shape) for margin in margins]
    if not variance > 0 or len({margin.axes for margin in margins}) < len(margins):
        raise ParameterError(
            "A fit needs cells with a variance above 0, and one margin for each set of axes.", "merge equal margins."
        )
    out = np.zeros(cells.shape)
    for size in range(cells.ndim + 1):
        for axes in combinations(range(cells.ndim), size):
            inside = [(m, s) for m, s in zip(margins, spread, strict=True) if set(axes) <= set(m.axes)]
            out += _component(_average(cells, variance, inside), axes)
    return out


def _average(cells: FloatArray, variance: float, inside: list[tuple[Margin, FloatArray]]) -> FloatArray:
    """The best estimate of a component: of the cells and of the margins that show it."""
    exact = [means for margin, means in inside if margin.variance == 0]
    if exact:
        return exact[0]
    total, weight = cells / variance, 1 / variance
    for margin, means in inside:
        share = cells.size / means[_distinct(margin, cells.ndim)].size / margin.variance
        total, weight = total + share * means, weight + share
    return total / weight


def _distinct(margin: Margin, n_axes: int) -> tuple[slice | int, ...]:
    """One cell for each sum of a margin."""
    return tuple(slice(None) if axis in margin.axes else 0 for axis in range(n_axes))


def _spread(margin: Margin, shape: tuple[int, ...]) -> FloatArray:
    """Each sum divided evenly over its cells."""
    kept = tuple(shape[axis] for axis in margin.axes if 0 <= axis < len(shape))
    if kept != np.shape(margin.values) or len(kept) != len(margin.axes) or margin.variance < 0:
        raise ParameterError(
            "A margin that keeps axes {axes} of a table of shape {shape} must have shape {kept} and a variance "
            ">= 0; got {shape2} and {variance}.",
            "sum over the other axes.",
            axes=margin.axes,
            shape=shape,
            kept=kept,
            shape2=np.shape(margin.values),
            variance=margin.variance,
        )
    wide = np.expand_dims(margin.values, tuple(axis for axis in range(len(shape)) if axis not in margin.axes))
    return np.asarray(np.broadcast_to(wide, shape) * (np.prod(kept) / np.prod(shape)), np.float64)


def _component(values: FloatArray, axes: tuple[int, ...]) -> FloatArray:
    """Deviations from the mean along some axes, means along all others."""
    out = values
    for axis in range(values.ndim):
        mean = out.mean(axis=axis, keepdims=True)
        out = out - mean if axis in axes else np.broadcast_to(mean, values.shape)
    return np.asarray(out, np.float64)
