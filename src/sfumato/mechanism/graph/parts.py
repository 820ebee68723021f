"""What is made of several private numbers of a graph, and reads nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

from sfumato.account.event import Composed
from sfumato.numbers.check import checked_epsilon
from sfumato.table.graph import EDGE_UNIT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.account.event import Event


class Priced(Protocol):
    """Something with a price."""

    @property
    def event(self) -> Event:
        """The price, fixed before the graph is seen."""
        ...


class OfParts(ABC):
    """Costs what its parts cost, and protects an edge as they do. A frozen dataclass with `epsilon`."""

    __slots__ = ()

    epsilon: Fraction

    def __post_init__(self) -> None:
        checked_epsilon(self.epsilon)
        self._check()
        _ = self.parts

    def _check(self) -> None:  # noqa: B027 - most have nothing to refuse
        """Refuse parameters outside their range."""

    @property
    @abstractmethod
    def parts(self) -> Sequence[Priced]:
        """The private numbers."""

    @property
    def event(self) -> Composed:
        """The price, fixed before the graph is seen."""
        return Composed(tuple(part.event for part in self.parts))

    @property
    def unit(self) -> str:
        """Whom it protects, in words."""
        return EDGE_UNIT
