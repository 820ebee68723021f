"""A question that is asked again and again by a memoised protocol: what a phone draws once stays on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.mechanism.local.longitudinal.memory import Memory, collect, start
from sfumato.mechanism.local.longitudinal.wire import bits_per_person, pack, rows_of, split, unpack
from sfumato.mechanism.local.survey.public import parameters_of

if TYPE_CHECKING:
    from sfumato.mechanism.local.longitudinal.protocol import Longitudinal
    from sfumato.mechanism.local.oracle import Support
    from sfumato.noise.bits import Bits
    from sfumato.table.values import Item
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class Remembered:
    """One of several values, remembered randomized. Answers are codes 0 … k-1; a report is traits, then parts.

    Args:
        protocol: memoised, with its epsilons and domain.
        label: the name of the protocol.

    Example:
        >>> from sfumato.mechanism.local.longitudinal.l_grr import LGRR
        >>> Remembered(LGRR(4, 1.0, 2.0), "L-GRR").bits_per_report
        2
    """

    protocol: Longitudinal
    label: str

    @property
    def name(self) -> str:
        """Of the protocol."""
        return self.label

    @property
    def epsilon(self) -> float:
        """Of one report."""
        return self.protocol.epsilon_first

    @property
    def size(self) -> int:
        """One support for each value."""
        return self.protocol.domain_size

    @property
    def supports(self) -> tuple[Support, ...]:
        """Of each value: how often a report supports it where it holds, and where it does not."""
        return (self.protocol.support,) * self.size

    @property
    def bits_per_report(self) -> int:
        """Of traits and parts."""
        return bits_per_person(self.protocol)

    def start(self, n: int, *, bits: Bits) -> Memory:
        """What n phones remember before the first time."""
        return start(self.protocol, n, bits=bits)

    def again(self, memory: Memory, answers: IntArray, *, bits: Bits) -> tuple[IntArray, Memory]:
        """Reports of n phones, and what they remember afterwards."""
        reports, later = collect(self.protocol, memory, answers, bits=bits)
        return rows_of(reports, memory.traits), later

    def pack(self, reports: IntArray) -> bytes:
        """See `Reports.pack`."""
        return pack(self.protocol, reports)

    def unpack(self, payload: bytes, n: int) -> IntArray:
        """See `Reports.unpack`."""
        return unpack(self.protocol, payload, n)

    def count(self, reports: IntArray) -> IntArray:
        """Reports that support each value."""
        return self.protocol.count_support(*split(self.protocol, reports))

    def parameters(self) -> dict[str, Item]:
        """See `Reports.parameters`."""
        return parameters_of(self.protocol)
