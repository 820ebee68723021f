"""What an intruder gains from a column whose cells were changed: intervals, ranks, links and guesses.

All figures are of one column alone: an intruder who knows other columns of a person can do better.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.summary.blur import deviation
from sfumato.summary.figure import Figure

if TYPE_CHECKING:
    from sfumato.summary.blur import Alike, Blur, Pairs
    from sfumato.types import FloatArray, IntArray

_INTERVALS = (1, 5, 10)
"""Half-widths of the intervals, in percent of the published value."""
_SHARE_OF_SD = 0.05
"""Half-width in standard deviations of the column."""
_SHARE_OF_RANKS = 0.01
"""Half-width in ranks, as a share of the cells."""

_DRISK = "J. Mateo-Sanz, F. Sebé, J. Domingo-Ferrer, Outlier Protection in Continuous Microdata Masking, PSD 2004"
_LINKAGE = "J. Domingo-Ferrer, V. Torra, A Quantitative Comparison of Disclosure Control Methods for Microdata, 2001"
_GUESS = "G. Smith, On the Foundations of Quantitative Information Flow, FoSSaCS 2009, section 3.2"


def value_risk(numbers: FloatArray, counts: IntArray, blur: Blur) -> tuple[Figure, ...]:
    """How near published numbers stay to the original ones.

    Formula: Σ c_v P(published value of v lies in I_v) / Σ c_v, for the intervals I_v of each figure.

    Args:
        numbers: (m,) float64, original values of the leaves; NaN: left out (missing).
        counts: (m,) int64, cells of each leaf.
        blur: where published values lie.

    Returns:
        Shares of the cells; none when no cell has a number.

    Source:
        J. Mateo-Sanz, F. Sebé and J. Domingo-Ferrer, PSD 2004; J. Domingo-Ferrer and V. Torra, "A Quantitative
        Comparison of Disclosure Control Methods for Microdata", 2001, sections 3 and 4.

    Example:
        >>> from sfumato.summary.blur import Pairs
        >>> swap = Pairs(np.array([0, 1]), np.array([1, 0]), np.ones(2), np.array([5.0, 7.0]), np.array([5.0, 7.0]),
        ...              kept=np.array([0, 1]))
        >>> [figure.value for figure in value_risk(np.array([5.0, 7.0]), np.ones(2, np.int64), swap)]
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    known = np.isfinite(numbers) & (counts > 0)
    if not known.any():
        return ()
    x = np.where(known, numbers, np.nan)
    cells = np.where(known, counts, 0)

    def share(low: FloatArray, high: FloatArray) -> float:
        return min(float(cells @ blur.within(low, high) / cells.sum()), 1.0)

    near = [_interval(percent, share(*_relative(x, percent / 100))) for percent in _INTERVALS]
    return (*near, _by_deviation(share(*_around(x, cells))),
            _by_rank(share(*_ranks(x, cells, _SHARE_OF_RANKS))), _by_link(_linked(x, cells, blur)))  # fmt: skip


def unchanged(counts: IntArray, blur: Blur) -> Figure:
    """Share of the cells that are published as they were: Σ c_v P(v is published as v) / Σ c_v.

    Args:
        counts: (m,) int64, cells of each leaf, those of a missing one 0.
        blur: where published values lie.
    """
    total = counts.sum()
    return Figure(
        name="unchanged",
        label="Unchanged cells",
        value=min(float(counts @ blur.same(len(counts)) / total), 1.0) if total else None,
        definition="Cells that are published as they were / cells, expected over the chance of the method.",
        source="the share of cells that the method leaves",
    )


def guess_risk(counts: IntArray, pairs: Pairs | Alike) -> tuple[Figure, ...]:
    """How often the original value of a cell is guessed from the published one, by the best guess.

    Formula: before, max_v c_v / n; after, Σ_y max_v w(v, y) / n with w(v, y) cells of v published as y.

    Args:
        counts: (m,) int64, cells of each leaf, those of a missing one 0.
        pairs: counted or expected cells of each pair.

    Returns:
        The guess without and with the release.

    Source:
        G. Smith, "On the Foundations of Quantitative Information Flow", FoSSaCS 2009, section 3.2.

    Example:
        >>> from sfumato.summary.blur import Pairs
        >>> merged = Pairs(np.array([0, 1]), np.array([0, 0]), np.array([3.0, 1.0]), None, None, kept=np.array([0]))
        >>> [figure.value for figure in guess_risk(np.array([3, 1]), merged)]
        [0.75, 0.75]
    """
    n = int(counts.sum())
    if not n:
        return ()
    return (
        Figure("guess_before", "Best guess without the release", float(counts.max() / n),
               "Cells of the most frequent original value / cells.", _GUESS),
        Figure("guess_after", "Best guess from the published value", min(float(pairs.best().sum() / n), 1.0),
               "Sum over published values of the cells of their most likely original value / cells: by an intruder who "
               "knows how many cells of each original value are published as each value, which bounds what any other "
               "one can guess.", _GUESS),
    )  # fmt: skip


def _relative(x: FloatArray, share: float) -> tuple[FloatArray, FloatArray]:
    """The published values y with |x - y| <= share |y|: between x/(1+share) and x/(1-share)."""
    near, far = x / (1 + share), x / (1 - share)
    return np.minimum(near, far), np.maximum(near, far)


def _around(x: FloatArray, cells: IntArray) -> tuple[FloatArray, FloatArray]:
    """The published values within a share of the standard deviation."""
    half = _SHARE_OF_SD * deviation(x, cells)
    return x - half, x + half


def _ranks(x: FloatArray, cells: IntArray, share: float) -> tuple[FloatArray, FloatArray]:
    """The values whose rank in the original is at most `share` of the cells away from some cell of the leaf."""
    order = np.argsort(x, kind="stable")  # NaN last, without cells
    ordered, stop = x[order], np.cumsum(cells[order])
    n = int(stop[-1])
    window = int(share * n)
    known = int(np.isfinite(ordered).sum())
    lowest = np.maximum(stop - cells[order] - window, 0)
    highest = np.minimum(stop - 1 + window, n - 1)
    low, high = np.full(len(x), np.nan), np.full(len(x), np.nan)
    low[order] = ordered[np.minimum(np.searchsorted(stop, lowest, side="right"), known - 1)]
    high[order] = ordered[np.minimum(np.searchsorted(stop, highest, side="right"), known - 1)]
    return low, high


def _linked(x: FloatArray, cells: IntArray, blur: Blur) -> float:
    """Share of the cells that are linked back by taking the nearest original value, and one of its cells at random."""
    known = np.flatnonzero(np.isfinite(x))
    distinct, place = np.unique(x[known], return_inverse=True)
    middle = (distinct[1:] + distinct[:-1]) / 2
    low, high = np.full(len(x), np.nan), np.full(len(x), np.nan)
    low[known] = np.concatenate(([-np.inf], middle))[place]
    high[known] = np.concatenate((middle, [np.inf]))[place]
    together = np.bincount(place, weights=cells[known])
    chance = np.zeros(len(x))
    chance[known] = cells[known] / together[place]
    return min(float(chance @ blur.within(low, high) / cells.sum()), 1.0)


def _interval(percent: int, value: float) -> Figure:
    """The figure of an interval around the published value."""
    return Figure(
        name=f"within_{percent}_percent",
        label=f"Original within {percent} % of the published value",
        value=value,
        definition=f"Cells with |original - published| <= {percent} % of |published| / cells, expected over the chance "
        "of the method.",
        source=_DRISK,
    )


def _by_deviation(value: float) -> Figure:
    """The figure of an interval in standard deviations."""
    return Figure(
        name="within_deviation",
        label="Original within 0.05 standard deviations",
        value=value,
        definition="Cells with |original - published| <= 0.05 standard deviations of the original column / cells.",
        source=_DRISK,
    )


def _by_rank(value: float) -> Figure:
    return Figure(
        name="within_rank",
        label="Original within 1 % of the ranks",
        value=value,
        definition="Cells whose published value lies at most 1 % of the cells away in rank / cells; ties count as near.",
        source=_DRISK,
    )


def _by_link(value: float) -> Figure:
    return Figure(
        name="linked",
        label="Cells linked by the nearest value",
        value=value,
        definition="Cells found again by an intruder who knows every original value of this column, takes the nearest "
        "to each published one, and one of its cells at random / cells; halfway counts as found.",
        source=_LINKAGE,
    )
