"""One person's device, which remembers without storing: its answers are drawn again from a secret key."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.noise.bits import keyed_bits

if TYPE_CHECKING:
    from sfumato.mechanism.local.longitudinal.protocol import Longitudinal
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True)
class Device:
    """One person who answers a collection again and again.

    The answer to an input is drawn from the stream of (key, collection, protocol, input), so it is the
    same each time, and independent between inputs, collections and protocols as far as anyone without
    the key can tell. The report is drawn from `bits`, anew each time.

    Args:
        protocol: what is reported and how.
        key: 16 to 64 secret bytes of this person, kept for life, never sent. It is not shown in the repr.
        collection: name of the question; another question of the same person needs another name.

    Raises:
        ParameterError: no name of the collection. Remedy: name it.

    Example:
        >>> from sfumato.mechanism.local.longitudinal.l_grr import LGRR
        >>> from sfumato.noise.bits import SystemBits
        >>> device = Device(LGRR(domain_size=4, first=1.0, permanent=2.0), bytes(range(32)), "color")
        >>> bool(device.answer(3) == device.answer(3))
        True
        >>> device.report(3, bits=SystemBits()).shape
        (1,)
    """

    protocol: Longitudinal
    key: bytes = field(repr=False, compare=False)
    collection: str

    def __post_init__(self) -> None:
        if not self.collection:
            raise ParameterError("A collection needs a name.", "name the question that is asked again and again.")
        self._stream(b"key")

    def traits(self) -> IntArray:
        """(1, t) int64: what this person drew once; it travels with the reports."""
        return self.protocol.draw_traits(1, bits=self._stream(b"traits"))

    def answer(self, value: int) -> Any:
        """The remembered answer to the value. Never send it: reports are drawn from it."""
        traits = self.traits()
        inputs = self.protocol.inputs(np.array([value]), traits)
        stream = self._stream(b"answer", int(inputs[0]).to_bytes(8, "big"))
        return self.protocol.answer(inputs, traits, bits=stream)

    def report(self, value: int, *, bits: Bits) -> Any:
        """One report, with one row.

        Raises:
            ParameterError: a value outside the domain, before any chance is drawn.
        """
        return self.protocol.report(self.answer(value), bits=bits)

    def _stream(self, *purpose: bytes) -> Bits:
        """The words that belong to a purpose."""
        return keyed_bits(self.key, b"longitudinal", self.collection.encode(), self.protocol.label, *purpose)
