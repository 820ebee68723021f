"""What private core numbers look like, and what every mechanism that makes them says of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.account.event import Event
    from sfumato.noise.bits import Bits
    from sfumato.table.graph import Graph
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class PrivateCores:
    """Released core numbers, and the whole process; all of it is safe to show, at the price of the mechanism.

    Args:
        numbers: (n,) int64 estimates, 0 … n - 1.
        rounds: (n,) int64 arrays, what was published in each round: whoever heard every message knows these and no
            more, and `numbers` follow from them.
    """

    numbers: IntArray
    rounds: tuple[IntArray, ...]


def possible(numbers: IntArray) -> IntArray:
    """Estimates cut to what core numbers of so many vertices can be: 0 … n - 1. It reads what is published, and is free.

    Example:
        >>> possible(np.array([-2, 1, 7])).tolist()
        [0, 1, 2]
    """
    return np.clip(numbers, 0, len(numbers) - 1)


class CoreMechanism(Protocol):
    """Private core numbers of a graph."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def event(self) -> Event:
        """The price for one edge, fixed before the graph is seen, for all rounds together."""
        ...

    @property
    def argument(self) -> str:
        """Why it costs no more, in one sentence."""
        ...

    @property
    def is_local(self) -> bool:
        """Whether each vertex can draw its own noise and send only what is published: no curator is trusted."""
        ...

    def decide(self, graph: Graph, *, bits: Bits) -> PrivateCores:
        """The estimates, with all that was said."""
        ...
