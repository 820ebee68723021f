"""Maps of where fixes and persons are, and how far two maps are from each other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.extras import Needs
from sfumato.frozen import dataclass
from sfumato.utility.traces.keys import joined

if TYPE_CHECKING:
    from sfumato.table.plane import Region
    from sfumato.table.traces import Traces
    from sfumato.types import FloatArray, IntArray

SOURCE = "V. Primault, Accio, 2018: HeatMapDistortion"
MOST_CELLS = 2_500
"""Cells of the rectangle in which mass is moved at least cost."""


@dataclass(frozen=True, slots=True, eq=False)
class Heat:
    """Cells with at least one fix, by rising number.

    Args:
        cell: (m,) int64.
        fixes: (m,) int64 in each.
        persons: (m,) int64 with a fix in each.
    """

    cell: IntArray
    fixes: IntArray
    persons: IntArray


def heat(traces: Traces, region: Region) -> Heat:
    """How many fixes, and of how many persons, are in each cell.

    Args:
        traces: all fixes.
        region: the cells; what is outside counts in the nearest one.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> from sfumato.table.traces import Traces
        >>> there = Traces("UTC", ("a", "b"), np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.0, 0.0, 0.01]), np.zeros(3))
        >>> found = heat(there, Region(Plane(0, 0), 1000, 2, 1))
        >>> found.cell.tolist(), found.fixes.tolist(), found.persons.tolist()
        ([0, 1], [2, 1], [1, 1])
    """
    rows = joined(region.codes_of(traces.latitude, traces.longitude), traces.person)
    pair, fixes = np.unique(rows.key, return_counts=True)
    cell, at = np.unique(rows.first(pair), return_index=True)
    if not len(cell):
        return Heat(*(np.zeros(0, np.int64) for _ in range(3)))
    return Heat(cell, np.add.reduceat(fixes, at).astype(np.int64), np.diff(np.append(at, len(pair))).astype(np.int64))


def side_by_side(one: Heat, other: Heat) -> tuple[IntArray, FloatArray, FloatArray]:
    """Cells of either map, and the share of the fixes of each map in each of them.

    Raises:
        ParameterError: a map is empty. Remedy: measure a release that has fixes.
    """
    if not len(one.cell) or not len(other.cell):
        raise ParameterError("Both maps must have a fix.", "measure a release that has fixes.")
    cells = np.union1d(one.cell, other.cell)
    shares = []
    for found in (one, other):
        share = np.zeros(len(cells))
        share[np.searchsorted(cells, found.cell)] = found.fixes / found.fixes.sum()
        shares.append(share)
    return cells, shares[0], shares[1]


def topsoe(p: FloatArray, q: FloatArray) -> float:
    """Σ p ln(2p/(p + q)) + q ln(2q/(p + q)), in nats: 0 for equal maps, 2 ln 2 for maps without a common cell.

    Source:
        F. Topsøe, "Some inequalities for information divergence", IEEE Trans. Inf. Theory 46, 2000.

    Example:
        >>> topsoe(np.array([1.0, 0.0]), np.array([0.0, 1.0])) == 2 * math.log(2)
        True
    """
    middle = (p + q) / 2
    return max(_divergence(p, middle) + _divergence(q, middle), 0.0)


def kullback_leibler(p: FloatArray, q: FloatArray) -> float:
    """Σ p ln(p/q), in nats; infinite where a cell of p is empty in q.

    Source:
        S. Kullback, R. Leibler, "On information and sufficiency", Annals of Mathematical Statistics 22, 1951.

    Example:
        >>> kullback_leibler(np.array([0.5, 0.5]), np.array([1.0, 0.0]))
        inf
    """
    return math.inf if bool(((p > 0) & (q == 0)).any()) else max(_divergence(p, q), 0.0)


def total_variation(p: FloatArray, q: FloatArray) -> float:
    """½ Σ |p - q|: the share of the mass that lies in other cells.

    Example:
        >>> total_variation(np.array([0.5, 0.5]), np.array([1.0, 0.0]))
        0.5
    """
    return float(np.abs(p - q).sum() / 2)


def cosine(p: FloatArray, q: FloatArray) -> float:
    """Σ p q / (|p| |q|): 1 for equal maps, 0 for maps without a common cell.

    Example:
        >>> round(cosine(np.array([0.5, 0.5]), np.array([1.0, 0.0])), 4)
        0.7071
    """
    return min(float(p @ q / math.sqrt((p @ p) * (q @ q))), 1.0)


def earth_movers(cells: IntArray, p: FloatArray, q: FloatArray, region: Region) -> tuple[float, float]:
    """Metres, on average, by which mass must be moved to make one map the other, along rows and columns of cells.

    The least cost of flows between neighboring cells, solved as a linear program with four flows a cell over the
    rectangle that holds both maps. Where that has more than 2,500 cells, they are made twice as wide until it has not.

    Args:
        cells: (m,) int64 cells.
        p: (m,) share of each.
        q: (m,) share of each.
        region: of the cells.

    Returns:
        The metres, and the side of the cells that were taken.

    Raises:
        ParameterError: SciPy is missing.

    Source:
        H. Ling, K. Okada, "An efficient earth mover's distance algorithm for robust histogram comparison", IEEE PAMI 29,
        2007: with ground distance L1, flows between neighbors suffice.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> earth_movers(np.array([0, 5]), np.array([1.0, 0.0]), np.array([0.5, 0.5]), Region(Plane(0, 0), 100, 3, 3))
        (150.0, 100.0)
    """
    while True:
        row, column = np.divmod(cells, region.columns)
        row, column = row - row.min(), column - column.min()
        shape = int(row.max()) + 1, int(column.max()) + 1
        if shape[0] * shape[1] <= MOST_CELLS:
            break
        cells, region = inside(cells, region, 2)
    supply = np.zeros(shape)
    np.add.at(supply, (row, column), p - q)
    moved = 0.0 if shape == (1, 1) else _least_flow(supply)
    return round(moved * float(region.side), 9), float(region.side)


def inside(cells: IntArray, region: Region, times: int) -> tuple[IntArray, Region]:
    """The cells of `region.coarser(times)` in which cells lie, and that region.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> inside(np.array([0, 5]), Region(Plane(0, 0), 100, 3, 3), 2)[0].tolist()
        [0, 1]
    """
    coarse = region.coarser(times)
    row, column = np.divmod(cells, region.columns)
    return row // times * coarse.columns + column // times, coarse


def _least_flow(supply: FloatArray) -> float:
    """The least Σ |flow| over edges of a grid that takes all supply to where it is negative."""
    with Needs("learn", "The earth mover's distance needs SciPy."):
        from scipy.optimize import linprog
        from scipy.sparse import coo_array
    number = np.arange(supply.size).reshape(supply.shape)
    source = np.concatenate((number[:-1].ravel(), number[:, :-1].ravel()))
    target = np.concatenate((number[1:].ravel(), number[:, 1:].ravel()))
    out, into = np.append(source, target), np.append(target, source)
    edge = np.arange(len(out))
    shape = supply.size, len(out)
    balance = coo_array((np.ones(len(out)), (out, edge)), shape) - coo_array((np.ones(len(out)), (into, edge)), shape)
    even = supply.ravel() - supply.mean()
    found = linprog(np.ones(len(out)), A_eq=balance.tocsr()[1:], b_eq=even[1:], method="highs")
    return max(float(found.fun), 0.0)


def _divergence(p: FloatArray, q: FloatArray) -> float:
    """Σ p ln(p/q) over the cells where p is above 0."""
    here = p > 0
    return float((p[here] * np.log(p[here] / q[here])).sum())
