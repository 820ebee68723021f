"""Submissions that come with PWS Cup 2019."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.contest.game import Defence
from sfumato.contest.pwscup.regions import HIDDEN, KM
from sfumato.noise.integers import uniform_integers
from sfumato.noise.planar_laplace import planar_laplace
from sfumato.table.lines import Labels, Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.contest.game import Rules
    from sfumato.contest.pwscup.regions import Grid
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

MERGED = 4
"""Rows and columns of regions that become one."""
METRES = 50
EPSILON = Fraction(4, 1000)
"""Metres between the points to which noise is drawn, and ε of geo-indistinguishability for each metre."""


def _labelled(region: IntArray, names: list[str]) -> Lines:
    """The lines of a submission: one label each."""
    used, codes = np.unique(region, return_inverse=True)
    texts = [names[i] for i in used.tolist()]
    order = np.argsort(texts)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    labels = Labels(tuple(texts[i] for i in order.tolist()), place[codes.ravel()])
    return Lines({"reg_id": labels}, len(region), 2)


def as_it_is(_grid: Grid) -> Callable[[Lines, Rules, Bits], Lines]:
    """Regions as they are."""
    return lambda original, _rules, _bits: _labelled(original.whole("reg_id"), [str(i) for i in range(_grid.n + 1)])


def merged(grid: Grid) -> Callable[[Lines, Rules, Bits], Lines]:
    """Squares of four by four regions, of which half are hidden by a coin."""
    row, column = np.divmod(np.arange(grid.n), grid.columns)
    block = row // MERGED * -(-grid.columns // MERGED) + column // MERGED
    names = [" ".join(map(str, (np.nonzero(block == one)[0] + 1).tolist())) for one in range(int(block.max()) + 1)]

    def protect(original: Lines, _rules: Rules, bits: Bits) -> Lines:
        hidden = uniform_integers(original.rows, 2, bits=bits) == 1
        return _labelled(np.where(hidden, len(names), block[original.whole("reg_id") - 1]), [*names, HIDDEN])

    return protect


def noisy(grid: Grid) -> Callable[[Lines, Rules, Bits], Lines]:
    """Planar Laplace noise on the center, and the region where it falls; beyond the grid the nearest one."""
    rows = grid.n // grid.columns
    heights, widths = np.unique(grid.latitude), np.unique(grid.longitude)

    def protect(original: Lines, _rules: Rules, bits: Bits) -> Lines:
        at = original.whole("reg_id") - 1
        steps = planar_laplace(original.rows, EPSILON * METRES, bits=bits) * METRES / 1000
        north = _nearest(heights, grid.latitude[at] + steps[:, 1] / KM[0])
        east = _nearest(widths, grid.longitude[at] + steps[:, 0] / KM[1])
        return _labelled(np.minimum(north, rows - 1) * grid.columns + east + 1, [str(i) for i in range(grid.n + 1)])

    return protect


def _nearest(centers: np.ndarray, position: np.ndarray) -> IntArray:
    """(n,) the nearest center of each position."""
    return np.searchsorted((centers[1:] + centers[:-1]) / 2, position)


def defences_on(grid: Grid) -> Mapping[str, Defence]:
    """All of them."""
    found = (
        Defence("as-it-is", "Regions as they are; only the names change.", as_it_is(grid)),
        Defence("merged", "Squares of sixteen regions, half of them hidden by a coin.", merged(grid)),
        Defence("noisy", "Planar Laplace noise of 4 for each kilometre on every region.", noisy(grid)),
    )
    return {one.name: one for one in found}
