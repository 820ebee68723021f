"""One vertex as a party: it keeps its own list of neighbors and its own noise, and says once that it leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from sfumato.errors import QueryError
from sfumato.noise.discrete_laplace import discrete_laplace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.mechanism.graph.cores.rising import RisingPeeling
    from sfumato.noise.bits import Bits

_NEVER = 2**62
"""The round from which one that has left would answer again."""


class Party:
    """A vertex that takes part in peeling by rising thresholds on its own device.

    What all say is on a board that all read; thresholds follow from the round and are not taken from anybody. The price
    of the method is that of all parties together if the board shows everybody the same. It holds secret noise, so it can
    be neither copied nor pickled.

    Args:
        neighbors: numbers of its neighbors; private.
        method: what was agreed on.
        bits: its own source of chance.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.mechanism.graph.cores.rising import RisingPeeling
        >>> from sfumato.noise.bits import SystemBits
        >>> one = Party([3, 8], RisingPeeling(10, Fraction(1)), bits=SystemBits())
        >>> one.leaves(1000, gone=[])
        True
    """

    __slots__ = ("_method", "_neighbors", "_next", "_noise")

    def __init__(self, neighbors: Iterable[int], method: RisingPeeling, *, bits: Bits) -> None:
        self._neighbors, self._method, self._next = set(neighbors), method, 0
        self._noise = int(discrete_laplace(1, method.scale, bits=bits)[0])

    def leaves(self, t: int, gone: Iterable[int]) -> bool:
        """Whether it leaves in round t; then it says so on the board, and answers no more.

        Args:
            t: round, later than those it was asked before.
            gone: vertices that left in earlier rounds; who is gone stays gone.

        Raises:
            QueryError: the round is not a later one, or it has left. Remedy: ask each round once.
        """
        if not self._next <= t:
            raise QueryError("A vertex answers rounds in rising order, until it leaves.", "ask each round once.")
        self._neighbors -= set(gone)
        here = self._method.fine * len(self._neighbors) - self._noise
        is_leaving = here <= self._method.first + self._method.rise.numerator * t
        self._next = _NEVER if is_leaving else t + 1
        return is_leaving

    def __repr__(self) -> str:
        return "<Party of peeling>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A party holds secret noise and leaves once: it cannot be copied.")

    def __copy__(self) -> NoReturn:
        self.__reduce__()

    def __deepcopy__(self, memo: object) -> NoReturn:
        self.__reduce__()
