"""One client: its string's Bloom bits, randomized for a lifetime, and once more for each report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.local.rappor.bloom import bloom_bits, canonical
from sfumato.noise.bernoulli import bernoulli
from sfumato.noise.portable import portable_coins, portable_integers

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray

_DOMAIN = b"sfumato.rappor-client/1"


@dataclass(frozen=True, slots=True)
class RapporClient:
    """One client of one collection. It keeps nothing but its secret: the rest is derived from it, always the same.

    The permanent response flips each Bloom bit with probability f/2, which is the paper's 1 with f/2, 0 with f/2,
    kept with 1 - f. The flips are drawn from the secret, the collection, the cohort and the string, so the same
    string meets the same flips in every report, on every start and in every language. One-time RAPPOR (f = 0) has no
    permanent noise: there the whole report is drawn from the secret, and a second report about a string is the first
    one again.

    Over a lifetime the server learns at most ε∞ of each *different* string that this secret reports. Devices of one
    person that do not share a secret multiply it.

    Args:
        params: of the collection.
        secret: 16 to 64 bytes, drawn by the operating system once and kept on the device.

    Raises:
        ParameterError: a secret of another length. Remedy: draw 32 bytes.

    Source:
        Erlingsson et al. 2014, sections 3 and 3.3.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> from sfumato.noise.bits import SystemBits
        >>> home = RapporParams("home", bits=16, hashes=2, cohorts=4, f="1/2", p="1/2", q="3/4")
        >>> client = RapporClient(home, bytes(32))
        >>> client.cohort, client.report("http://example.org", bits=SystemBits()).shape
        (2, (16,))
    """

    params: RapporParams
    secret: bytes = field(repr=False)
    cohort: int = field(init=False)

    def __post_init__(self) -> None:
        drawn = portable_integers(1, self.params.cohorts, self.secret, _DOMAIN, b"cohort", self._collection)
        object.__setattr__(self, "cohort", int(drawn[0]))

    @property
    def _collection(self) -> bytes:
        """The digest of the parameters: another collection, another stream."""
        return bytes.fromhex(self.params.digest)

    def permanent(self, value: str) -> BoolArray:
        """(k,) bool: the permanent response to a string. It stays on the device.

        Raises:
            ParameterError: a value that basic RAPPOR does not declare. Remedy: declare an `other`.
        """
        bloom = np.zeros(self.params.bits, bool)
        bloom[bloom_bits(self.params, value, self.cohort)] = True
        return bloom ^ self._drawn(value, b"permanent", self.params.f / 2)

    def report(self, value: str, *, bits: Bits) -> BoolArray:
        """(k,) bool: what is sent, the instantaneous response to the permanent one.

        Args:
            value: the string.
            bits: fresh chance for this report.

        Raises:
            ParameterError: as `permanent`.
        """
        kept, params = self.permanent(value), self.params
        if params.is_one_time:
            ones, zeros = (
                self._drawn(value, name, share) for name, share in ((b"ones", params.q), (b"zeros", params.p))
            )
        else:
            ones, zeros = (bernoulli(params.bits, share, bits=bits) for share in (params.q, params.p))
        return np.where(kept, ones, zeros)

    def _drawn(self, value: str, purpose: bytes, share: Fraction) -> BoolArray:
        """(k,) coins that belong to this secret, string and purpose for ever."""
        context = (_DOMAIN, purpose, self._collection, self.cohort.to_bytes(4, "big"), canonical(value))
        return portable_coins(self.params.bits, share, self.secret, *context)
