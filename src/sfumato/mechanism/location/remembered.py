"""Memoised reports: each cell of a person is drawn once and reported again whenever the person is there.

A person who stays at home is not found by averaging. When the person is at a cell it was at before still shows.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.base import Guarantee
from sfumato.noise.bits import keyed_bits
from sfumato.numbers.check import as_whole
from sfumato.numbers.enclosure import round_up
from sfumato.numbers.exact import bounded

if TYPE_CHECKING:
    from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Remembered:
    """One draw for each person and true cell.

    Promise: two persons whose visits have the same pattern (the i-th and the j-th visit of one are to one cell just where
    those of the other are), and whose m distinct cells lie d_1 … d_m metres apart, make no reports more than
    e^(ε (d_1 + … + d_m)) times likelier, however many reports there are. Nothing is promised between persons of different
    patterns: equal reports tell who returns, and when.

    Args:
        protection: how a cell is drawn.

    Source:
        K. Chatzikokolakis, C. Palamidessi, M. Stronati, "Location privacy via geo-indistinguishability", SIGLOG News 2015,
        on reports that are kept for recurrent places; memoisation as in RAPPOR, CCS 2014.

    Example:
        >>> from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.table.plane import Plane, Region
        >>> once = Remembered(GeoIndistinguishable(Region(Plane(45.70, 4.78), 50, 200, 200), "0.01"))
        >>> cells = np.array([[3, 4], [9, 9], [3, 4]])
        >>> reports, is_drawn = once.randomize(np.zeros(3, int), cells, bits=SystemBits())
        >>> reports[0].tolist() == reports[2].tolist(), is_drawn.tolist()
        (True, [True, True, False])
    """

    protection: GeoIndistinguishable

    def randomize(self, person: IntArray, cells: IntArray, *, bits: Bits) -> tuple[IntArray, IntArray]:
        """Reported cells, and which of them were drawn: the first visit of a person to each cell.

        Args:
            person: (n,) int64 codes.
            cells: (n, 2) int64 true cells of the region.
            bits: source of chance.

        Returns:
            (n, 2) int64 cells and (n,) bool.

        Raises:
            ParameterError: a cell outside the region. Remedy: `region.cells_of`.
        """
        region = self.protection.region
        self.protection.checked(cells)
        place = np.asarray(person, np.int64), cells[:, 0] * region.columns + cells[:, 1]
        order = np.lexsort((np.arange(len(cells)), place[1], place[0]))
        is_new = np.ones(len(cells), bool)
        is_new[1:] = (np.diff(place[0][order]) != 0) | (np.diff(place[1][order]) != 0)
        drawn = self.protection.randomize(cells[order[is_new]], bits=bits)
        reports, first = np.empty_like(drawn, shape=(len(cells), 2)), np.zeros(len(cells), bool)
        reports[order] = drawn[np.cumsum(is_new) - 1]
        first[order[is_new]] = True
        return reports, first

    def guarantee(self, cells: int) -> Guarantee:
        """The promise of one person who visits at most so many distinct cells, however many reports there are."""
        m = as_whole("cells", cells, low=1)
        epsilon = bounded("epsilon", self.protection.epsilon)
        return Guarantee(
            name="geo-indistinguishability, memoised",
            statement=(
                f"Two persons of the same pattern of visits whose {m} distinct cells have centers at most d metres apart "
                f"make no reports, however many, more than e^({round_up(m * epsilon):g} d) times likelier."
            ),
            definition="A cell is drawn once for each person and reported again; distinct cells add up.",
            parameters={"epsilon": epsilon, "cells": m, "cell": self.protection.region.side},
            kind="proved",
            source="Andrés, Bordenabe, Chatzikokolakis and Palamidessi, CCS 2013, definition 3.1, once for each cell",
            assumptions=(
                *self.protection.guarantee().assumptions[:2],
                "When a person returns to a cell is not hidden: persons of different patterns may be told apart.",
            ),
        )


@dataclass(frozen=True, slots=True)
class RememberingDevice:
    """One person's device: what it reports of a cell is drawn again from a secret key, so that no cell is stored.

    Its state is the key. The key says nothing of where the person was; together with reports it does, so it is kept.

    Args:
        protection: how a cell is drawn.
        key: 16 to 64 secret bytes of this person, kept for as long as reports are made. Not shown in the repr.
        collection: what the reports are for; another collection needs another name.

    Raises:
        ParameterError: a key of another length, or no name.

    Example:
        >>> from sfumato.mechanism.location.geo_indistinguishable import GeoIndistinguishable
        >>> from sfumato.table.plane import Plane, Region
        >>> lyon = GeoIndistinguishable(Region(Plane(45.70, 4.78), 50, 200, 200), "0.01")
        >>> device = RememberingDevice(lyon, bytes(range(32)), "air quality")
        >>> device.report(45.75, 4.85) == device.report(45.75, 4.85), "key" in repr(device)
        (True, False)
    """

    protection: GeoIndistinguishable
    key: bytes = field(repr=False, compare=False)
    collection: str

    def __post_init__(self) -> None:
        if not self.collection:
            raise ParameterError("A collection needs a name.", "name what the reports are for.")
        keyed_bits(self.key, b"location")

    def report(self, latitude: float, longitude: float) -> tuple[float, float]:
        """The reported position: a center of a cell, the same whenever the person is in this cell.

        Raises:
            ParameterError: a position that is no place.
        """
        at: tuple[FloatArray, FloatArray] = np.array([latitude]), np.array([longitude])
        cell = self.protection.region.cells_of(*at)
        stream = keyed_bits(self.key, b"location", self.collection.encode(), self._label, cell.astype("<i8").tobytes())
        lat, lon = self.protection.region.centers_of(self.protection.randomize(cell, bits=stream))
        return float(lat[0]), float(lon[0])

    @property
    def _label(self) -> bytes:
        """What was declared: other cells or another epsilon are drawn anew."""
        region = self.protection.region
        parts = (region.plane.latitude, region.plane.longitude, region.side, region.rows, region.columns)
        return repr((*map(str, parts), str(bounded("epsilon", self.protection.epsilon)))).encode()
