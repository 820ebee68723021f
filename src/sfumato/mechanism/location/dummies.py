"""Dummies: walks of nobody, so that a service sees k positions of which one is true, or a trace finds company.

Walks follow public counts of moves, drawn exactly. They start anywhere people are, or in a declared zone. **They promise
nothing**: a person who does not move like the public stands out among them, and `attack.traces.dummies` measures how often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.noise.integers import uniform_integers
from sfumato.noise.permutation import permutation
from sfumato.numbers.distinct import distinct
from sfumato.summary.movement import steps_of
from sfumato.table.traces import Traces

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.summary.movement import Movement
    from sfumato.table.plane import Region
    from sfumato.types import BoolArray, IntArray


def started(movement: Movement, n: int, *, zone: BoolArray | None = None, bits: Bits) -> IntArray:
    """(n,) int64 cells in which dummies start, as likely as moves begin there.

    Args:
        movement: public counts.
        n: dummies, >= 0.
        zone: (cells,) bool in which they start; None: anywhere.
        bits: secure chance.

    Raises:
        ParameterError: nobody ever moved from a cell of the zone. Remedy: another zone, or more public traces.
    """
    weight = movement.visits if zone is None else movement.visits * zone
    ends = np.cumsum(weight)
    if not len(ends) or not ends[-1]:
        raise ParameterError(
            "Dummies must start where the public has moved.", "declare another zone, or count more public traces."
        )
    return np.searchsorted(ends, uniform_integers(n, int(ends[-1]), bits=bits), side="right").astype(np.int64)


def walked(movement: Movement, cell: IntArray, steps: int, *, bits: Bits) -> IntArray:
    """(n, steps + 1) int64 cells of walks; where nobody ever moved from, a dummy stays.

    Args:
        movement: public counts.
        cell: (n,) int64 where they start.
        steps: moves, >= 0.
        bits: secure chance.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.summary.movement import Movement
        >>> ring = Movement(3, np.array([0, 1, 2, 3]), np.array([1, 2, 0]), np.array([4, 1, 9]))
        >>> walked(ring, np.array([0, 2]), 3, bits=SystemBits()).tolist()
        [[0, 1, 2, 0], [2, 0, 1, 2]]
    """
    out = np.empty((len(cell), steps + 1), np.int64)
    out[:, 0] = cell
    before = np.concatenate([[0], np.cumsum(movement.count)])
    visits = movement.visits
    for i in range(steps):
        here, out[:, i + 1] = out[:, i], out[:, i]
        for total in distinct(visits[here]).tolist():  # one draw for all who choose among equally many moves
            of = np.flatnonzero(visits[here] == total)
            if total:
                drawn = before[movement.start[here[of]]] + uniform_integers(len(of), int(total), bits=bits)
                out[of, i + 1] = movement.to[np.searchsorted(before, drawn, side="right") - 1]
    return out


def accompanied(
    traces: Traces, movement: Movement, region: Region, seconds: int, k: int, *, bits: Bits
) -> tuple[Traces, IntArray]:
    """Traces that would be dropped (nobody is near them), each released among k - 1 walks that begin where it does.

    Each becomes the centers of its cells at regular steps; walks have the same times. Names are numbers in a random order.
    Nobody is hidden among persons here: `attack.traces.dummies` says how often the true one is found.

    Args:
        traces: of persons who have a fix each.
        movement: public counts of the same region and steps.
        region: declared cells.
        seconds: of a step, >= 1.
        k: records for each person, >= 2.
        bits: secure chance.

    Returns:
        The records, and for each name the code of its person; -1: nobody's. The second is never published.

    Raises:
        ParameterError: k below 2, or no step.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.summary.movement import movement_of
        >>> from sfumato.table.plane import Plane, Region
        >>> region = Region(Plane(45.0, 4.8), metres=1000, rows=4, columns=1)
        >>> walk = Traces("UTC", ("a",), np.zeros(2, int), np.array([0, 180_000]), np.array([45.001, 45.03]), np.full(2, 4.801))
        >>> records, owner = accompanied(walk, movement_of(walk, region, 60), region, 60, 3, bits=SystemBits())
        >>> len(records.persons), len(records), sorted(owner.tolist())
        (3, 12, [-1, -1, 0])
    """
    if k < 2:
        raise ParameterError("Company needs at least 2 records for a person; got k = {k}.", "such as 5.", k=k)
    steps = steps_of(traces, region, seconds)
    begin = np.flatnonzero(steps.number == 0)
    longest = int(steps.number.max(initial=0))
    walks = walked(movement, np.repeat(steps.cell[begin], k - 1), longest, bits=bits)
    company = walks.reshape(len(begin), k - 1, longest + 1)[steps.piece, :, steps.number].T
    shown = np.concatenate([steps.cell[None], company])
    person = steps.person[None] * k + np.arange(k)[:, None]
    names = permutation(len(traces.persons) * k, bits=bits)
    time = np.broadcast_to(steps.time, shown.shape).ravel()
    who = names[person.ravel()]
    order = np.lexsort((time, who))
    places = np.stack(np.divmod(shown.ravel()[order], region.columns), axis=1)
    owner = np.full(len(names), -1, np.int64)
    owner[names[np.arange(len(traces.persons)) * k]] = np.arange(len(traces.persons))
    labels = tuple(map(str, range(len(names))))
    return Traces(traces.zone, labels, who[order], time[order], *region.centers_of(places)), owner


@dataclass(slots=True)
class Company:
    """k positions a request: the true one among walks that go on from request to request.

    Args:
        movement: public counts.
        cell: (k - 1,) int64 where the dummies are; make them with `started`.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> from sfumato.summary.movement import Movement
        >>> ring = Movement(3, np.array([0, 1, 2, 3]), np.array([1, 2, 0]), np.array([4, 1, 9]))
        >>> company = Company(ring, np.array([0, 1]))
        >>> sorted(company.request(2, bits=SystemBits()).tolist()), sorted(company.request(0, bits=SystemBits()).tolist())
        ([1, 2, 2], [0, 0, 2])
    """

    movement: Movement
    cell: IntArray

    def request(self, true: int, *, bits: Bits) -> IntArray:
        """(k,) int64 cells in a random order; the dummies have made a move."""
        self.cell = walked(self.movement, self.cell, 1, bits=bits)[:, 1]
        everybody = np.append(self.cell, true)
        return everybody[permutation(len(everybody), bits=bits)]
