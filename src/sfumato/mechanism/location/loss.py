"""The epsilon of the planar law on cells, computed from the law itself: all pairs of cells, all reports, clamping included."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.numbers.check import positive

if TYPE_CHECKING:
    from sfumato.types import FloatArray

_MOST_CELLS = 4096
_MOST_PAIRS = 256
"""Cells of which all pairs and all reports are compared."""
_MOST_WINDOW = 4_000_000
_DEEP = 45.0
"""Nats by which what lies outside the window is below the least likely report."""
_MARGIN = 1e-11
"""Relative error of a sum of float64 exponentials, generously: terms err by 2⁻⁴¹, sums of 4 · 10⁶ terms by less."""


def weights(rate: Fraction, rows: int, columns: int) -> tuple[FloatArray, FloatArray]:
    """Lower and upper bounds of how likely every report is from every cell, up to one common factor.

    The report from cell x is x plus a point of ℤ² with weight e^(-rate · length), moved to the nearest cell of the
    region: a border cell has the weights of all beyond it. Far points are cut off and their weight, at most
    Σ_{k>R} 8k e^(-rate k), is added to every upper bound.

    Args:
        rate: nats per cell, > 0.
        rows: of the region.
        columns: of the region; at most 4,096 cells, and rates that are not tiny.

    Returns:
        Two (cells, cells) float64: from a cell (row by row), to a report.

    Raises:
        ParameterError: too much to add up. Remedy: a smaller region: the epsilon does not depend on it.

    Example:
        >>> low, high = weights(Fraction(1), 1, 2)
        >>> bool((low <= high).all()), bool(low[0, 0] > low[0, 1])
        (True, True)
    """
    a = float(positive(rate, "rate"))
    reach = max(rows, columns) + math.ceil((_DEEP + 2 * math.log(2 + 1 / a)) / a + math.hypot(rows, columns))
    if rows * columns > _MOST_CELLS or (2 * reach + 1) ** 2 > _MOST_WINDOW:
        raise _too_much(_MOST_CELLS, rows, columns)
    steps = np.arange(-reach, reach + 1)
    window = np.exp(-a * np.hypot(steps[:, None], steps[None, :]))
    by_rows = np.stack([[window[part].sum(axis=0) for part in line] for line in _parts(rows, reach)])
    out = np.stack([[by_rows[:, :, part].sum(axis=2) for part in line] for line in _parts(columns, reach)])
    table = out.transpose(2, 0, 3, 1).reshape(rows * columns, rows * columns)
    q = math.exp(-a)
    rest = 8 * math.exp(-a * (reach + 1)) * ((reach + 1) / (1 - q) + q / (1 - q) ** 2)
    return table * (1 - _MARGIN), (table + rest) * (1 + _MARGIN)


def _too_much(most: int, rows: int, columns: int) -> ParameterError:
    """What is raised for a region that is too large."""
    return ParameterError(
        "The law is added up over at most {most} cells and rates that are not tiny; got {rows} x {columns}.",
        "take a smaller region or larger cells.",
        most=most,
        rows=rows,
        columns=columns,
    )


def _parts(size: int, reach: int) -> list[list[slice]]:
    """The steps of the window that lead from each place to each report, along one axis."""
    whole = 2 * reach + 1
    return [
        [
            slice(0 if to == 0 else to - at + reach, whole if to == size - 1 else to - at + reach + 1)
            for to in range(size)
        ]
        for at in range(size)
    ]


def law_of(rate: Fraction, rows: int, columns: int) -> FloatArray:
    """(cells, cells) float64: the probability of every report from every cell, rows adding up to 1; for measuring only.

    Raises:
        ParameterError: see `weights`.

    Example:
        >>> law_of(Fraction(1), 1, 2).sum(axis=1).round(12).tolist()
        [1.0, 1.0]
    """
    low, high = weights(rate, rows, columns)
    middle = low + high
    return np.asarray(middle / middle.sum(axis=1, keepdims=True), np.float64)


def largest_loss(rate: Fraction, rows: int, columns: int) -> float:
    """The largest ln(Pr[report | x] / Pr[report | x']) / |x - x'| over all cells x, x' and reports of a region.

    Args:
        rate: nats per cell.
        rows: of the region.
        columns: of the region; 2 to 256 cells.

    Returns:
        Nats per cell, never below the truth and at most 10⁻¹⁰ above it. The theorem says: at most `rate`; where a cell
        is no border cell, exactly `rate`.

    Raises:
        ParameterError: see `weights`.

    Example:
        >>> round(largest_loss(Fraction(1, 2), 3, 3), 9)
        0.5
    """
    if rows * columns > _MOST_PAIRS:
        raise _too_much(_MOST_PAIRS, rows, columns)
    low, high = weights(rate, rows, columns)
    at = np.stack(np.divmod(np.arange(rows * columns), columns), axis=1)
    apart = np.hypot(*(at[:, None, :] - at[None, :, :]).transpose(2, 0, 1))
    worst = 0.0
    for x in range(len(at)):
        loss = np.log(high[x] / low).max(axis=1)
        others = apart[x] > 0
        worst = max(worst, float((loss[others] / apart[x][others]).max(initial=0.0)))
    return math.nextafter(worst * (1 + 1e-15), math.inf)
