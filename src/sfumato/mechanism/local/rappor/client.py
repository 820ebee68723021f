"""One client: its string's Bloom bits, randomized for a lifetime, and once more for each report."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.bloom import Bloom, prefixed
from sfumato.noise.portable import PortableCoin, PortableKey, joined
from sfumato.noise.response import Response

if TYPE_CHECKING:
    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray

_DOMAIN = b"sfumato.rappor-client/1"


@dataclass(frozen=True, slots=True)
class RapporClient:
    """One client of one collection. It keeps nothing but its secret and what is derived from it, always the same.

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
    _key: PortableKey = field(init=False, repr=False, compare=False)
    _permanent: tuple[bytes, PortableCoin] = field(init=False, repr=False, compare=False)
    _bloom: Bloom = field(init=False, repr=False, compare=False)
    _response: Response | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        params, key = self.params, PortableKey(self.secret)
        cohort = int(key.integers(1, params.cohorts, joined(_DOMAIN, b"cohort", self._collection))[0])
        object.__setattr__(self, "cohort", cohort)
        object.__setattr__(self, "_key", key)
        object.__setattr__(self, "_permanent", (self._context(b"permanent"), PortableCoin(params.f / 2)))
        object.__setattr__(self, "_bloom", Bloom(params, cohort))
        object.__setattr__(self, "_response", None if params.is_one_time else Response(params.p, params.q))

    @property
    def _collection(self) -> bytes:
        """The digest of the parameters: another collection, another stream."""
        return bytes.fromhex(self.params.digest)

    def _context(self, purpose: bytes) -> bytes:
        """What a stream is for, but for the string."""
        return joined(_DOMAIN, purpose, self._collection, self.cohort.to_bytes(4, "big"))

    def permanent(self, value: str) -> BoolArray:
        """(k,) bool: the permanent response to a string. It stays on the device.

        Raises:
            ParameterError: a value that basic RAPPOR does not declare. Remedy: declare an `other`.
        """
        text, (context, coin) = prefixed(value), self._permanent
        kept = coin.tossed(self.params.bits, self._key, context + text)
        for place in set(self._bloom.places(value, text)):
            kept[place] = not kept[place]
        return kept

    def report(self, value: str, *, bits: Bits) -> BoolArray:
        """(k,) bool: what is sent, the instantaneous response to the permanent one.

        Args:
            value: the string.
            bits: fresh chance for this report.

        Raises:
            ParameterError: as `permanent`.
        """
        kept = self.permanent(value)
        if self._response is not None:
            return self._response.tossed(kept, bits=bits)
        params, text = self.params, prefixed(value)
        ones, zeros = (
            PortableCoin(share).tossed(params.bits, self._key, self._context(purpose) + text)
            for purpose, share in ((b"ones", params.q), (b"zeros", params.p))
        )
        return np.where(kept, ones, zeros)
