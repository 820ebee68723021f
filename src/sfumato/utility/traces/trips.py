"""How far trips go, how far around its middle a person moves, and how varied its places are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.table.plane import distance, on_sphere
from sfumato.table.traces import pieces
from sfumato.utility.traces.keys import joined

if TYPE_CHECKING:
    from sfumato.table.plane import Region
    from sfumato.table.traces import Traces
    from sfumato.types import FloatArray

LENGTH_SOURCE = "C. Villani, Topics in Optimal Transportation, 2003, section 2.2"
GYRATION_SOURCE = "M. González, C. Hidalgo, A.-L. Barabási, Nature 453, 2008"
ENTROPY_SOURCE = "C. Song, Z. Qu, N. Blumm, A.-L. Barabási, Science 327, 2010"


def trip_lengths(traces: Traces, *, gap: float, by_day: bool = True) -> FloatArray:
    """(m,) float64: metres from fix to fix of each piece of a trace that has two or more.

    Args:
        traces: all fixes.
        gap: seconds without a fix that end a trip.
        by_day: whether a local day ends it too.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> one = Traces("UTC", ("a",), np.zeros(3, int), np.arange(3), np.array([0.0, 0.01, 0.0]), np.zeros(3))
        >>> trip_lengths(one, gap=60).round().tolist()
        [2224.0]
    """
    piece = pieces(traces, gap, by_day=by_day)
    lat, lon = traces.latitude, traces.longitude
    at = np.flatnonzero(np.diff(piece) == 0)
    step = distance(lat[at], lon[at], lat[at + 1], lon[at + 1])
    used, of = np.unique(piece[at], return_inverse=True)
    return np.bincount(of.ravel(), step, minlength=len(used)).astype(np.float64)


def gyration(traces: Traces) -> FloatArray:
    """(persons,) float64: root of the mean of squared metres of a person's fixes from their middle; NaN without a fix.

    Distances are straight in space.

    Source:
        M. González, C. Hidalgo, A.-L. Barabási, "Understanding individual human mobility patterns", Nature 453, 2008.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> two = Traces("UTC", ("a", "b"), np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.0, 0.01, 5.0]), np.zeros(3))
        >>> gyration(two).round().tolist()
        [556.0, 0.0]
    """
    n = len(traces.persons)
    spot = on_sphere(traces.latitude, traces.longitude)
    fixes = np.bincount(traces.person, minlength=n)
    with np.errstate(invalid="ignore"):
        middle = np.stack([np.bincount(traces.person, spot[:, i], n) / fixes for i in range(3)], axis=1)
        squares = ((spot - middle[traces.person]) ** 2).sum(axis=1)
        return np.asarray(np.sqrt(np.bincount(traces.person, squares, n) / fixes))


def entropy(traces: Traces, region: Region) -> FloatArray:
    """(persons,) float64: -Σ p log₂ p over the share p of a person's fixes in each cell, in bits; NaN without a fix.

    Source:
        C. Song et al., "Limits of predictability in human mobility", Science 327, 2010: temporal-uncorrelated entropy.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> from sfumato.table.traces import Traces
        >>> two = Traces("UTC", ("a", "b"), np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.0, 0.01, 0.0]), np.zeros(3))
        >>> entropy(two, Region(Plane(0, 0), 1000, 2, 1)).tolist()
        [1.0, 0.0]
    """
    n = len(traces.persons)
    rows = joined(traces.person, region.codes_of(traces.latitude, traces.longitude))
    pair, fixes = np.unique(rows.key, return_counts=True)
    who, total = rows.first(pair), np.bincount(traces.person, minlength=n)
    share = fixes / total[who]
    return np.where(total > 0, np.bincount(who, -share * np.log2(share), n) + 0.0, np.nan)


def mean_change(after: FloatArray, before: FloatArray) -> float | None:
    """Mean of |after - before| over persons who have both, over the mean of before; None where that is 0 or nobody has.

    Example:
        >>> mean_change(np.array([2.0, 5.0, np.nan]), np.array([1.0, 3.0, 9.0]))
        0.75
    """
    both = np.isfinite(after) & np.isfinite(before)
    scale = float(before[both].mean()) if both.any() else 0.0
    return float(np.abs(after - before)[both].mean()) / scale if scale > 0 else None


def apart(one: FloatArray, other: FloatArray) -> float | None:
    """The earth mover's distance of two samples of numbers: the mean distance of their quantiles; None if one is empty.

    Source:
        C. Villani, "Topics in Optimal Transportation", 2003, section 2.2: ∫ |F - G|.

    Example:
        >>> apart(np.array([0.0, 1.0]), np.array([5.0, 6.0])), apart(np.array([0.0]), np.array([0.0, 2.0]))
        (5.0, 1.0)
    """
    if not len(one) or not len(other):
        return None
    values = np.sort(np.concatenate((one, other)))
    f, g = (np.searchsorted(np.sort(x), values[:-1], "right") / len(x) for x in (one, other))
    return float((np.abs(f - g) * np.diff(values)).sum())
