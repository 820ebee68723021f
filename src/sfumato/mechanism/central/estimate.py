"""What does a mechanism of central differential privacy hand out? Noisy numbers with proven intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

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


class NumericMechanism(Protocol):
    """Noisy numbers from bounded totals: the price and the ask are fixed before any data are seen."""

    @property
    def name(self) -> str:
        """The mechanism in the field's words ("discrete Laplace mechanism")."""
        ...

    @property
    def event(self) -> Event:
        """The price, fixed before data are seen."""
        ...

    @property
    def terms(self) -> tuple[Term, ...]:
        """The totals it reads."""
        ...

    @property
    def argument(self) -> str:
        """The sensitivity argument in one sentence."""
        ...

    def decide(self, totals: IntArray, *, confidence: float, bits: Bits) -> Estimate:
        """Noisy answers from (n_terms, n_groups) int64 totals."""
        ...
