"""How people move from cell to cell in a step of time: public counts, from which walks are drawn and by which they are judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.table.traces import pieces, positions_at

if TYPE_CHECKING:
    from sfumato.table.plane import Region
    from sfumato.table.traces import Traces
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Movement:
    """Moves between cells, counted.

    Args:
        cells: of the region; cells are numbered row by row from the south-west.
        start: (cells + 1,) int64 where the moves of each cell begin.
        to: (m,) int64 the cell that is moved to, rising within a cell.
        count: (m,) int64 > 0 moves.
    """

    cells: int
    start: IntArray
    to: IntArray
    count: IntArray

    def log_chance(self, here: IntArray, there: IntArray) -> FloatArray:
        """(n,) float64 nats of moves; a move that was never seen counts as half of one.

        Args:
            here: (n,) int64 cells.
            there: (n,) int64 cells.
        """
        key = np.repeat(np.arange(self.cells), np.diff(self.start)) * self.cells + self.to
        wanted = here * self.cells + there
        at = np.minimum(np.searchsorted(key, wanted), max(len(key) - 1, 0))
        seen = np.where(key[at] == wanted, self.count[at], 0.5) if len(key) else np.full(len(wanted), 0.5)
        return np.asarray(np.log(seen / (self.visits[here] + 0.5)))

    @property
    def visits(self) -> IntArray:
        """(cells,) int64 moves that begin in each cell."""
        ends = np.concatenate([[0], np.cumsum(self.count)])[self.start]
        return np.diff(ends)


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Where persons were at regular steps, piece after piece of their traces.

    Args:
        piece: (n,) int64, rising from 0.
        person: (n,) int64 codes.
        number: (n,) int64 of the step in its piece, from 0.
        time: (n,) int64 milliseconds since 1970 UTC.
        cell: (n,) int64.
    """

    piece: IntArray
    person: IntArray
    number: IntArray
    time: IntArray
    cell: IntArray


def steps_of(traces: Traces, region: Region, seconds: int, gap: float = 3600.0) -> Steps:
    """Where persons were at every step of each piece of a trace, in order: what a device that reports regularly would have said.

    Args:
        traces: sorted fixes.
        region: declared cells; outside the nearest one.
        seconds: of a step, >= 1.
        gap: seconds without a fix after which a new piece begins.

    Raises:
        ParameterError: no step.

    Example:
        >>> from sfumato.table.plane import Plane, Region
        >>> from sfumato.table.traces import Traces
        >>> region = Region(Plane(45.0, 4.8), metres=1000, rows=4, columns=1)
        >>> walk = Traces("UTC", ("a",), np.zeros(2, int), np.array([0, 180_000]), np.array([45.001, 45.03]), np.full(2, 4.801))
        >>> steps_of(walk, region, 60).cell.tolist()
        [0, 1, 2, 3]
    """
    if seconds < 1:
        raise ParameterError("A step must last at least 1 second; got {seconds}.", "such as 300.", seconds=seconds)
    piece = pieces(traces, gap, by_day=False)
    begin = np.flatnonzero(np.concatenate([np.ones(min(len(traces), 1), bool), np.diff(piece) != 0]))
    end = np.append(begin[1:], len(traces)) - 1 if len(begin) else begin
    number = (traces.time[end] - traces.time[begin]) // (seconds * 1000) + 1
    of = np.repeat(np.arange(len(begin)), number)
    step = np.arange(len(of)) - np.repeat(np.cumsum(number) - number, number)
    time = traces.time[begin][of] + step * seconds * 1000
    person = traces.person[begin][of]
    return Steps(of, person, step, time, region.codes_of(*positions_at(traces, person, time)))


def movement_of(traces: Traces, region: Region, seconds: int, gap: float = 3600.0) -> Movement:
    """Moves of public traces. **They are published with every walk that is drawn from them: never count private traces.**.

    Args:
        traces: of persons whose moves are public.
        region: declared cells.
        seconds: of a step.
        gap: seconds without a fix after which a new piece begins.

    Raises:
        ParameterError: see `steps_of`.
    """
    steps = steps_of(traces, region, seconds, gap)
    same, cell = steps.piece[1:] == steps.piece[:-1], steps.cell
    cells = region.rows * region.columns
    key, count = np.unique(cell[:-1][same] * cells + cell[1:][same], return_counts=True)
    start = np.searchsorted(key // cells, np.arange(cells + 1)).astype(np.int64)
    return Movement(cells, start, key % cells, count.astype(np.int64))
