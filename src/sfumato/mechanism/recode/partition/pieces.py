"""What was parted: whole tuples, or pieces of tuples whose rows go to several classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.recode.partition.criteria import Judge, Sizes
from sfumato.mechanism.recode.partition.cuts import Table
from sfumato.summary.classes import Classes

if TYPE_CHECKING:
    from sfumato.mechanism.recode.partition.publish import Runs
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Tuples whose rows may be parted.

    Args:
        origin: (n_pieces,) int64, tuple of each piece.
        rows: (n_pieces,) int64, its rows, >= 1.
    """

    origin: IntArray
    rows: IntArray

    def table(self, whole: Table) -> Table:
        """The pieces as tuples of their own."""
        finest = whole.judge.finest
        classes = Classes(finest.codes[self.origin], rows=self.rows, alone=self.rows)
        return Table(
            whole.layout,
            whole.ranks[:, self.origin],
            Sizes(self.rows, self.rows, None, None),
            Judge(classes, whole.judge.criteria, whole.judge.floor),
        )

    def part(self, at: IntArray, left_rows: IntArray) -> Pieces:
        """Part the listed pieces; the right parts are appended."""
        rows = self.rows.copy()
        rows[at] = left_rows
        return Pieces(np.concatenate((self.origin, self.origin[at])), np.concatenate((rows, self.rows[at] - left_rows)))


@dataclass(frozen=True, slots=True, eq=False)
class Parted:
    """A partition as it was made.

    Args:
        table: the tuples, or the pieces of tuples, that were parted.
        member: (n,) int64, class of each.
        pieces: where each piece comes from; None: tuples stayed whole.
        runs: the tuples class by class, where the partition left them so; None: they must be sorted.
    """

    table: Table
    member: IntArray
    pieces: Pieces | None = None
    runs: Runs | None = None
