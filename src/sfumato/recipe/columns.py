"""Long columns that an engine makes a table of: arrays in place of one object for each cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """Texts that repeat.

    Args:
        labels: distinct texts.
        codes: (n,) int64 place of each cell's text in `labels`.
    """

    labels: tuple[str, ...]
    codes: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Clocks:
    """Points in time as texts of a clock and its offset, such as `2026-03-29 03:30:00+02:00`.

    Milliseconds are written, for all cells, where some cell has any.

    Args:
        time: (n,) int64 milliseconds since 1970 UTC.
        ahead: (n,) int64 milliseconds that the clock is ahead of UTC; its seconds are not written.
    """

    time: IntArray
    ahead: IntArray


Cells: TypeAlias = Sequence[object] | np.ndarray | Coded | Clocks
"""The cells of one column."""
