"""The bits of each candidate. Those that set the same ones cannot be told apart, and are named together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from sfumato.types import BoolArray, FloatArray, IntArray

CHUNK = 1 << 21
"""Places looked up at a time, so that 10⁵ candidates do not fill the memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The design matrix, column by column: its entries are 0 and 1, with at most m·h ones in a column.

    Args:
        names: names of the candidates of each column, usually one.
        places: (n_columns, m·h) int64 row of each one, cohort · k + bit; sorted.
        counts: (n_columns, m·h) bool, False where a hash repeats a place.
        n_rows: m·k.
        by_row: (number of ones,) int32 columns that have a one in row 0, then in row 1, and so on.
        starts: (n_rows + 1,) int64 where each row begins in `by_row`.
    """

    names: tuple[tuple[str, ...], ...]
    places: IntArray
    counts: BoolArray
    n_rows: int
    by_row: npt.NDArray[np.int32]
    starts: IntArray

    def __len__(self) -> int:
        """Number of columns."""
        return len(self.names)

    def column(self, j: int) -> FloatArray:
        """(n_rows,) float64 zeros and ones of one column."""
        out = np.zeros(self.n_rows)
        out[self.places[j][self.counts[j]]] = 1
        return out

    def sums(self, rows: FloatArray) -> FloatArray:
        """(n_columns,) float64: the sum over the ones of each column, Xᵀ·rows."""
        out = np.empty(len(self))
        step = max(1, CHUNK // self.places.shape[1])
        for start in range(0, len(self), step):
            part = slice(start, start + step)
            out[part] = np.where(self.counts[part], rows[self.places[part]], 0.0).sum(axis=1)
        return out

    def shared(self, j: int, rows: FloatArray) -> FloatArray:
        """(n_columns,) float64: the sum over the ones that each column has in common with column j.

        Only the rows of column j are looked up, so that 10⁵ candidates take a moment.
        """
        held = self.places[j][self.counts[j]]
        parts = [self.by_row[self.starts[row] : self.starts[row + 1]] for row in held]
        weights = np.repeat(rows[held], [len(part) for part in parts])
        total = np.bincount(np.concatenate(parts), weights=weights, minlength=len(self))
        return total.astype(np.float64, copy=False)


def candidates_from(names: Sequence[str], design: IntArray, bits: int) -> Candidates:
    """The columns of distinct candidates.

    Args:
        names: (n,) texts, distinct.
        design: (n, m, h) int64 bits of each candidate in each cohort.
        bits: k.

    Raises:
        ParameterError: names that repeat, a design of another length, or bits outside 0 … k-1. Remedy: give each
            candidate once.

    Example:
        >>> found = candidates_from(["a", "b"], np.array([[[0, 0], [1, 2]], [[0, 0], [2, 1]]]), bits=4)
        >>> found.names, found.column(0).tolist()
        ((('a', 'b'),), [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0])
    """
    if len(set(names)) < len(names) or design.ndim != 3 or len(design) != len(names):
        raise ParameterError("Candidates must be distinct texts, one for each row of the design.", "give each once.")
    cohorts = design.shape[1]
    if np.any(design < 0) or np.any(design >= bits):
        raise ParameterError("A design must hold bits 0 … {bits}.", "count its bits from 0.", bits=bits - 1)
    rows = design + bits * np.arange(cohorts)[:, np.newaxis]
    places = np.sort(rows.reshape(len(names), cohorts * design.shape[2]), axis=1)
    counts = np.ones(places.shape, bool)
    counts[:, 1:] = places[:, 1:] != places[:, :-1]
    key = np.where(counts, places, -1)
    key.sort(axis=1)
    grouped: dict[bytes, list[int]] = {}
    for j, row in enumerate(key):
        grouped.setdefault(row.tobytes(), []).append(j)
    first = np.array([members[0] for members in grouped.values()], np.int64)
    together = tuple(tuple(names[j] for j in members) for members in grouped.values())
    return _with_index(together, places[first], counts[first], cohorts * bits)


def _with_index(names: tuple[tuple[str, ...], ...], places: IntArray, counts: BoolArray, n_rows: int) -> Candidates:
    """The columns, and for each row which of them have a one there."""
    column, _ = np.nonzero(counts)
    rows = places[counts]
    by_row = column[np.argsort(rows, kind="stable")].astype(np.int32)
    starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=n_rows))))
    return Candidates(names, places, counts, n_rows, by_row, starts)
