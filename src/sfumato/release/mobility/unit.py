"""Whom a statistic of traces protects, and what is seen of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.attack.traces.stays import Stays, stays
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.sensitivity import checked_neighbors
from sfumato.summary.contributions import Contributions
from sfumato.table.trips import by_week
from sfumato.table.unit import UNBOUNDED, Unit

if TYPE_CHECKING:
    from sfumato.table.traces import Traces
    from sfumato.table.unit import Neighbors
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class TraceUnit:
    """Whom each answer protects.

    Args:
        neighbors: which traces are neighbors: those of one person are added or removed, or replaced.
        weekly: whether a unit is one week of a person (Monday to Sunday of local clocks). A person who is seen in n weeks
            is then protected by n times the ε only. False: all that is seen of a person.

    Example:
        >>> from sfumato.table.unit import Neighbors
        >>> TraceUnit(Neighbors.ADD_REMOVE, weekly=False).sentence
        'adding or removing a person, with all fixes'
    """

    neighbors: Neighbors
    weekly: bool

    def __post_init__(self) -> None:
        checked_neighbors(self.neighbors)

    @property
    def sentence(self) -> str:
        """The unit in words."""
        verb = "adding or removing" if self.neighbors.sides == 1 else "replacing"
        return f"{verb} " + ("one week of a person" if self.weekly else "a person, with all fixes")

    @property
    def of_ledger(self) -> Unit:
        """The unit that a ledger writes down: each answer bounds what counts."""
        return Unit(self.neighbors, "week of a person" if self.weekly else "person", UNBOUNDED, UNBOUNDED)


Weights = Mapping[str, float]
"""How many people of the population each person stands for, by name."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What is seen of each unit. Private.

    Args:
        traces: each unit is a person of it.
        weights: (units,) int64 >= 0; None: nobody has one.
    """

    traces: Traces
    weights: IntArray | None
    _stays: dict[tuple[float, float], Stays] = field(default_factory=dict, repr=False)

    def stays(self, seconds: float, metres: float) -> Stays:
        """Where units stay; found once."""
        key = (seconds, metres)
        if key not in self._stays:
            self._stays[key] = stays(self.traces, seconds=seconds, metres=metres)
        return self._stays[key]


def seen_of(traces: Traces, unit: TraceUnit, weights: Weights | None) -> Seen:
    """The traces of each unit, with whole weights.

    Args:
        traces: of persons.
        unit: whom the answers protect.
        weights: of persons; one who is not named has weight 1. Weights are rounded to whole numbers; what is below 0 or no
            number is 0.

    Raises:
        ParameterError: weights that are no mapping. Remedy: from names of persons to numbers.

    Example:
        >>> from sfumato.table.traces import Traces
        >>> from sfumato.table.unit import Neighbors
        >>> two = Traces("UTC", ("a", "b"), np.array([0, 1]), np.zeros(2, int), np.zeros(2), np.zeros(2))
        >>> seen_of(two, TraceUnit(Neighbors.ADD_REMOVE, weekly=True), {"b": 499.7}).weights.tolist()
        [1, 500]
    """
    if weights is not None and not isinstance(weights, Mapping):
        raise ParameterError(
            "Weights must be a mapping from names of persons to numbers.", 'such as {"ann": 120, "bob": 95}.'
        )
    whose = np.arange(len(traces.persons))
    units = traces
    if unit.weekly:
        units, whose = by_week(traces)
    if weights is None:
        return Seen(units, None)
    given = np.array([float(weights.get(name, 1)) for name in traces.persons])
    whole = np.rint(np.clip(np.nan_to_num(given, nan=0.0), 0, 2**31 - 1)).astype(np.int64)
    return Seen(units, whole[whose])


def weighed(given: Contributions, weights: IntArray | None, most: int | None) -> Contributions:
    """Contributions times the weight of their person, cut to the declared bound.

    Args:
        given: of units.
        weights: (units,) int64; None: everybody has weight 1.
        most: the greatest weight; None: weights do not count.

    Example:
        >>> one = Contributions(np.array([0]), np.array([0]), np.array([3]), groups=1)
        >>> weighed(one, np.array([500]), most=10).amount.tolist()
        [30]
    """
    if most is None or weights is None:
        return given
    factor = np.minimum(weights, most)[given.person]
    return Contributions(given.person, given.group, given.amount * factor, given.groups)
