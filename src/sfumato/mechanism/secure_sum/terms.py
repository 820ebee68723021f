"""What all parties of a secure sum agree on before it: who, how many must answer, which cells, how much noise."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.secure_sum.keys import LENGTH
from sfumato.mechanism.secure_sum.noise import SharedNoise
from sfumato.numbers.check import whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

VERSION = "sfumato.secure-sum/1"
MOST_HOLDERS = 500
MOST_CELLS = 1_000_000
_WIDTHS = (16, 32, 64)
_NUMBERS = ("threshold", "colluding", "cells", "greatest", "added")


@dataclass(frozen=True)
class Terms:
    """The terms of one sum. Everything that is sent names their digest, and holders sign for no others.

    Args:
        occasion: 32 bytes, drawn for this sum alone; whoever has taken part in it once takes part in none of this name again.
        about: 32 bytes: the digest of what is counted, such as of a plan and its cells.
        publisher: public key (Ed25519) of who adds.
        holders: public keys of all who may take part, distinct; a holder's place is its number here.
        threshold: least number of holders that must answer in every round.
        colluding: most holders that may tell the publisher all they know.
        cells: how many numbers each holder counts, at most a million.
        greatest: largest count of a holder in a cell.
        noise: what holders add in shares, if anything.
        added: least number of vectors in the sum; 0: as many as must answer.

    Raises:
        ParameterError: numbers that do not protect. Remedy: more holders must answer.

    Example:
        >>> people = tuple(bytes([i]) * 32 for i in range(3))
        >>> terms = Terms(bytes(32), bytes(32), b"p" * 32, people, threshold=2, colluding=0, cells=4, greatest=1000)
        >>> terms.width, terms_of(terms.written()) == terms
        (16, True)
    """

    occasion: bytes
    about: bytes
    publisher: bytes
    holders: tuple[bytes, ...]
    threshold: int
    colluding: int
    cells: int
    greatest: int
    noise: SharedNoise | None = None
    added: int = 0

    def __post_init__(self) -> None:
        known = (self.occasion, self.about, self.publisher, *self.holders)
        if not all(isinstance(key, bytes) and len(key) == LENGTH for key in known):
            raise ParameterError("Names and public keys must be 32 bytes each.", "give digests and keys of Ed25519.")
        if len({self.publisher, *self.holders}) != len(self.holders) + 1:
            raise ParameterError(
                "Publisher and holders must have distinct keys; two are equal.", "name each party once."
            )
        whole(len(self.holders), "number of holders", 2, MOST_HOLDERS)
        whole(self.cells, "cells", 1, MOST_CELLS)
        whole(self.greatest, "greatest", 0, 2**53)
        whole(self.added, "added", 0, len(self.holders))
        self._check_parties()
        if self.noise is not None and self.noise.among != self.honest:
            raise ParameterError(
                "Noise must be shared among the {honest} honest holders that answer at least; got {among}.",
                "give threshold - colluding.",
                honest=self.honest,
                among=self.noise.among,
            )

    def _check_parties(self) -> None:
        """Two sets of survivors cannot both be confirmed, and at least two honest counts are added."""
        n = whole(len(self.holders), "number of holders", 2, MOST_HOLDERS)
        whole(self.colluding, "colluding", 0, n - 2)
        whole(self.threshold, "threshold", 1, n)
        if 2 * self.threshold <= n + self.colluding:
            raise ParameterError(
                "More than half of {n} holders and {colluding} colluding ones must answer; `threshold` is {threshold}.",
                "raise `threshold` to {least} at least.",
                n=n,
                colluding=self.colluding,
                threshold=self.threshold,
                least=(n + self.colluding) // 2 + 1,
            )

    @property
    def honest(self) -> int:
        """Least number of holders that answer and tell nobody what they know: threshold - colluding, at least 2."""
        return self.threshold - self.colluding

    @property
    def least_added(self) -> int:
        """Least number of vectors in the sum."""
        return max(self.threshold, self.added)

    @property
    def slack(self) -> int:
        """How far noise may reach beyond the counts before a number wraps (with probability below 2⁻⁴⁰ in any cell)."""
        return 0 if self.noise is None else self.noise.reach(len(self.holders), self.cells)

    @cached_property
    def width(self) -> int:
        """Bits of the modulus, 16, 32 or 64: no sum of counts and noise within its reach comes to it.

        The largest that terms can name stays below 2⁶³: 500 · 2⁵³ + 2 · 2⁵⁵.
        """
        most = len(self.holders) * self.greatest + 2 * self.slack
        return next(width for width in _WIDTHS if most < 1 << width)

    @cached_property
    def digest(self) -> bytes:
        """What everything that is sent names."""
        return hashlib.sha256(VERSION.encode() + b"\0" + self.written()).digest()

    def written(self) -> bytes:
        """The terms as JSON, which `terms_of` reads: the same bytes for the same terms."""
        noise = self.noise and {"epsilon": str(self.noise.epsilon), "sensitivity": self.noise.sensitivity}
        told = {
            "version": VERSION,
            "occasion": self.occasion.hex(),
            "about": self.about.hex(),
            "publisher": self.publisher.hex(),
            "holders": [key.hex() for key in self.holders],
            **{name: getattr(self, name) for name in _NUMBERS},
            "noise": noise,
        }
        return json.dumps(told, separators=(",", ":"), sort_keys=True).encode()


def terms_of(raw: bytes) -> Terms:
    """The terms that were written.

    Raises:
        ParameterError: no terms, or of another version. Remedy: use the same version of Sfumato.

    Example:
        >>> terms_of(b"{}")
        Traceback (most recent call last):
        sfumato.errors.ParameterError: Terms of a secure sum must be of version 'sfumato.secure-sum/1', unchanged; these are not. Remedy: use the same version of Sfumato as the publisher.
    """
    try:
        told = json.loads(raw)
        made = _read(told)
    except (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError, RecursionError) as error:
        if isinstance(error, ParameterError):
            raise
        made = None
    if made is None or made.written() != raw:
        raise ParameterError(
            "Terms of a secure sum must be of version {version!r}, unchanged; these are not.",
            "use the same version of Sfumato as the publisher.",
            version=VERSION,
        )
    return made


def _read(told: Mapping[str, Any]) -> Terms:
    """Terms from their JSON; `written` tells whether something was left over."""
    numbers = {name: told[name] for name in _NUMBERS}
    noise = told["noise"] and SharedNoise(
        Fraction(told["noise"]["epsilon"]), told["noise"]["sensitivity"], told["threshold"] - told["colluding"]
    )
    occasion, about, publisher = (bytes.fromhex(told[name]) for name in ("occasion", "about", "publisher"))
    holders = tuple(bytes.fromhex(key) for key in told["holders"])
    return Terms(occasion, about, publisher, holders, **numbers, noise=noise)
