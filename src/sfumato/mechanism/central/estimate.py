"""What mechanisms of central differential privacy look like, and the noisy numbers that they hand out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.account.event import Event
    from sfumato.noise.bits import Bits
    from sfumato.summary.bounded import Term
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """Released numbers; safe to show.

    Args:
        values: (...) float64, one number for each group (or group and cell); NaN where a ratio has no meaning.
        low: same shape, lower end of the interval of the true (bounded) answer.
        high: same shape, upper end.
        confidence: chance, over the noise alone, that each single interval covers; proven, not asymptotic.
    """

    values: FloatArray
    low: FloatArray
    high: FloatArray
    confidence: float

    @classmethod
    def alone(cls, values: FloatArray) -> Estimate:
        """Numbers for which no interval is proven.

        Example:
            >>> Estimate.alone(np.array([3.0])).low
            array([nan])
        """
        unknown = np.full(values.shape, np.nan)
        return cls(values, unknown, unknown, np.nan)


class Mechanism(Protocol):
    """What every mechanism says of itself before any data are seen."""

    @property
    def name(self) -> str:
        """Its name ("discrete Laplace mechanism")."""
        ...

    @property
    def event(self) -> Event:
        """The price, fixed before data are seen."""
        ...

    @property
    def argument(self) -> str:
        """The sensitivity argument in one sentence."""
        ...


class NumericMechanism(Mechanism, Protocol):
    """Noisy numbers from bounded totals."""

    @property
    def terms(self) -> tuple[Term, ...]:
        """The totals it reads."""
        ...

    def decide(self, totals: IntArray, *, confidence: float, bits: Bits) -> Estimate:
        """Noisy answers from (n_terms, n_groups) int64 totals."""
        ...


class PlaceMechanism(Mechanism, Protocol):
    """Places of the public grid from those of one range column."""

    def decide(self, places: IntArray, *, bits: Bits) -> IntArray:
        """(m,) int64 places from (n,) int64 places of the data in any order."""
        ...
