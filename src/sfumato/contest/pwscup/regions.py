"""Regions of a grid, and labels of cells: one region, several of them, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.table.lines import Labels
    from sfumato.types import BoolArray, FloatArray, IntArray

HIDDEN = "*"
KM = (111.0, 91.0)
"""Kilometres of a degree of latitude and of longitude, as the contest takes them."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Regions 1 … n.

    Args:
        latitude: (n,) float64 of the centers.
        longitude: (n,) float64 of the centers.
        weighs: (n,) float64 how much a region counts that is found: 10 for hospitals, else 1.
        columns: regions of a row, from west to east; rows go from south to north.

    Raises:
        ParameterError: arrays of other lengths, or rows that are not full.
    """

    latitude: FloatArray
    longitude: FloatArray
    weighs: FloatArray
    columns: int

    def __post_init__(self) -> None:
        sizes = {len(self.latitude), len(self.longitude), len(self.weighs)}
        if len(sizes) != 1 or not 1 <= self.columns <= len(self.latitude) or len(self.latitude) % self.columns:
            raise ParameterError(
                "Regions must be the cells of a grid, row by row.",
                "give each region its center, and the same number a row.",
            )

    @property
    def n(self) -> int:
        """How many regions there are."""
        return len(self.latitude)

    def kilometres(self) -> FloatArray:
        """(n, n) float64 between all centers."""
        north = (self.latitude[:, None] - self.latitude[None, :]) * KM[0]
        east = (self.longitude[:, None] - self.longitude[None, :]) * KM[1]
        return np.sqrt(north**2 + east**2)


@dataclass(frozen=True, slots=True, eq=False)
class Meanings:
    """Which regions each label stands for.

    Args:
        share: (labels, n) float64: 1/m for each of its m regions; a hidden one and what is no label have zeros.
        is_label: (labels,) whether it is written as it must be.
    """

    share: FloatArray
    is_label: BoolArray

    @property
    def size(self) -> IntArray:
        """(labels,) how many regions each stands for; 0: hidden."""
        return np.asarray((self.share > 0).sum(axis=1))


def meanings(labels: Labels, n: int) -> Meanings:
    """What texts such as `17`, `17 18 49` and `*` stand for. A region is named once in a text.

    Example:
        >>> from sfumato.table.lines import Labels
        >>> found = meanings(Labels(("*", "1 3", "2", "9"), np.zeros(0, int)), 3)
        >>> found.share.tolist(), found.is_label.tolist()
        ([[0.0, 0.0, 0.0], [0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]], [True, True, True, False])
    """
    share, good = np.zeros((len(labels.names), n)), np.zeros(len(labels.names), bool)
    for i, name in enumerate(labels.names):
        words = [] if name == HIDDEN else name.split(" ")
        numbers = [int(word) for word in words if word.isascii() and word.isdigit() and 1 <= int(word[:9]) <= n]
        good[i] = len(numbers) == len(words) and len(set(numbers)) == len(numbers)
        if good[i] and numbers:
            share[i, np.array(numbers) - 1] = 1 / len(numbers)
    return Meanings(share, good)
