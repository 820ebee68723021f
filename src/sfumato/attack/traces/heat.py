"""Persons found again by their heat map: how their fixes are spread over large cells (the AP attack)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.attack.traces.places import nearest_person
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.distinct import distinct
from sfumato.table.cells import EARTH

if TYPE_CHECKING:
    from sfumato.table.traces import Traces
    from sfumato.types import BoolArray, FloatArray, IntArray

CELL = 800.0
"""Metres of a cell's side, as in the paper."""


@dataclass(frozen=True, slots=True, eq=False)
class HeatMaps:
    """Shares of persons' fixes by cell.

    Args:
        persons: how many; one without a line has no fix.
        person: (n,) int64 codes, rising.
        cell: (n,) int64, rising within a person.
        share: (n,) float64 > 0, of sum 1 for each person.
    """

    persons: int
    person: IntArray
    cell: IntArray
    share: FloatArray


def cells_of_earth(latitude: FloatArray, longitude: FloatArray, metres: float) -> IntArray:
    """(n,) int64 cells of about that side anywhere: rows along parallels, each with columns of its own width.

    Args:
        latitude: degrees.
        longitude: degrees.
        metres: side, >= 1.

    Raises:
        ParameterError: a smaller side.

    Example:
        >>> cells = cells_of_earth(np.array([45.001, 45.002, 45.1]), np.array([4.8, 4.8, 4.8]), 800)
        >>> bool(cells[0] == cells[1]), bool(cells[0] == cells[2])
        (True, False)
    """
    if not 1 <= metres <= 1e7:
        raise ParameterError("Cells must have a side of 1 m to 10 000 km.", "such as 800.")
    height = float(np.degrees(metres / EARTH))
    row = np.floor((np.asarray(latitude) + 90) / height)
    middle = np.minimum(np.abs((row + 0.5) * height - 90), 90 - height / 2)
    width = height / np.cos(np.radians(middle))
    column = np.floor((np.asarray(longitude) + 180) / width)
    return row.astype(np.int64) * 2**27 + column.astype(np.int64)


def heat_maps(traces: Traces, metres: float = CELL, *, which: BoolArray | None = None) -> HeatMaps:
    """The heat map of each person.

    Args:
        traces: of all persons.
        metres: side of a cell.
        which: (n,) bool: fixes that count; None: all.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> one = Traces("UTC", ("a",), np.zeros(3, int), np.arange(3), np.array([45.0, 45.0, 46.0]), np.zeros(3))
        >>> heat_maps(one).share.round(2).tolist()
        [0.67, 0.33]
    """
    cell, person = cells_of_earth(traces.latitude, traces.longitude, metres), traces.person
    if which is not None:
        cell, person = cell[which], person[which]
    return maps_of(person, cell, len(traces.persons))


def maps_of(person: IntArray, cell: IntArray, persons: int) -> HeatMaps:
    """The heat map of each person from the cells where it was seen.

    Args:
        person: (n,) int64 codes in [0, persons), in any order.
        cell: (n,) int64.
        persons: how many there are.
    """
    cells, of = np.unique(cell, return_inverse=True)
    pairs, count = np.unique(person * max(len(cells), 1) + of.ravel(), return_counts=True)
    who, which_cell = np.divmod(pairs, max(len(cells), 1))
    total = np.bincount(person, minlength=persons)
    return HeatMaps(persons, who, cells[which_cell], count / total[who])


def topsoe(one: HeatMaps, other: HeatMaps) -> FloatArray:
    """(persons, persons) float64: Σ p ln(2p/(p + q)) + q ln(2q/(p + q)) in nats, 0 to 2 ln 2; infinite for nobody's map.

    A cell that one of two has alone gives its share times ln 2, so that only common cells are looked at.

    Source:
        M. Maouche, S. Ben Mokhtar, S. Bouchenak, "AP-Attack: a novel user re-identification attack on mobility datasets",
        MobiQuitous 2017; formula as in Accio's `DistanceUtils`.

    Example:
        >>> here = HeatMaps(2, np.array([0, 1, 1]), np.array([5, 5, 6]), np.array([1.0, 0.5, 0.5]))
        >>> topsoe(here, here).round(4).tolist()
        [[0.0, 0.4315], [0.4315, 0.0]]
    """
    order = np.argsort(other.cell, kind="stable")
    cell, who, share = other.cell[order], other.person[order], other.share[order]
    low, high = (np.searchsorted(cell, one.cell, side) for side in ("left", "right"))
    starts = np.searchsorted(one.person, np.arange(one.persons + 1))
    out = np.full((one.persons, other.persons), 2 * np.log(2))
    for a in distinct(one.person).tolist():
        own = slice(starts[a], starts[a + 1])
        n = high[own] - low[own]
        at = np.repeat(low[own] - np.cumsum(n) + n, n) + np.arange(n.sum())
        p, q = np.repeat(one.share[own], n), share[at]
        both = p * np.log(p / (p + q)) + q * np.log(q / (p + q))
        out[a] += np.bincount(who[at], both, other.persons)
    blank = [np.bincount(maps.person, minlength=maps.persons) == 0 for maps in (one, other)]
    out[blank[0]], out[:, blank[1]] = np.inf, np.inf
    return np.asarray(np.maximum(out, 0.0))


@dataclass(frozen=True, slots=True)
class HeatLink:
    """For each person without a name, the named one whose heat map diverges least."""

    attack: ClassVar[str] = "heat map"

    def guess(self, view: HeatMaps, knowledge: HeatMaps, rng: np.random.Generator, /) -> IntArray:
        """(persons of the view,) int64 codes of the knowledge; equal ones are drawn; -1: without a map."""
        return nearest_person(topsoe(view, knowledge), rng)
