"""What does one person send whose string nobody could list? Three reports, derived from one secret."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.mechanism.local.rappor.client import RapporClient
from sfumato.mechanism.local.rappor.unknown.params import placed
from sfumato.noise.portable import portable_integers

if TYPE_CHECKING:
    from sfumato.mechanism.local.rappor.unknown.params import UnknownParams
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray

_DOMAIN = b"sfumato.rappor-unknown/1"


@dataclass(frozen=True, slots=True)
class UnknownClient:
    """One client. Its pair of positions is drawn from its secret once, so that more reports tell no more positions.

    Args:
        params: of the collection.
        secret: 16 to 64 bytes, drawn by the operating system once and kept on the device.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> from sfumato.mechanism.local.rappor.unknown.params import UnknownParams
        >>> from sfumato.noise.bits import SystemBits
        >>> part = {"bits": 64, "hashes": 1, "cohorts": 8, "f": "1/4", "p": "1/4", "q": "3/4"}
        >>> both = UnknownParams(RapporParams("w", **part), RapporParams("p", **part), alphabet="abc", pad="_", length=6, size=2)
        >>> client = UnknownClient(both, bytes(32))
        >>> [report.shape for report in client.report("abba", bits=SystemBits())], client.pair in both.pairs
        ([(64,), (64,), (64,)], True)
    """

    params: UnknownParams
    secret: bytes = field(repr=False)
    pair: tuple[int, int] = field(init=False)

    def __post_init__(self) -> None:
        both = bytes.fromhex(self.params.whole.digest + self.params.piece.digest)
        drawn = portable_integers(1, len(self.params.pairs), self.secret, _DOMAIN, b"pair", both)
        object.__setattr__(self, "pair", self.params.pairs[int(drawn[0])])

    @property
    def cohorts(self) -> tuple[int, int]:
        """Cohorts of the whole and of both pieces; they are sent along, as the pair is."""
        return RapporClient(self.params.whole, self.secret).cohort, RapporClient(self.params.piece, self.secret).cohort

    def report(self, value: str, *, bits: Bits) -> tuple[BoolArray, BoolArray, BoolArray]:
        """Reports of the whole, and of the pieces at the first and the second position.

        Args:
            value: the string.
            bits: fresh chance for these reports.

        Raises:
            ParameterError: a string that does not fit. Remedy: see `UnknownParams.cut`.
        """
        pieces = self.params.cut(value)
        part = RapporClient(self.params.piece, self.secret)
        one, two = (part.report(placed(at, pieces[at]), bits=bits) for at in self.pair)
        return RapporClient(self.params.whole, self.secret).report(value, bits=bits), one, two
