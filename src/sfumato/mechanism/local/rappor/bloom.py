"""The bits that a string sets, the same in every language: SHA-256 of a length-prefixed text.

Hash i of a string in a cohort is a 32-bit word of SHA-256, modulo the number of bits. The text that is hashed:
`sfumato.rappor/1`, then the collection's name, then the string, both in UTF-8 (NFC) behind their byte length
(4 bytes, big end first), with the cohort (4 bytes) and the block number (4 bytes) between them. A block has eight
words, so up to eight hashes take one block.
"""

from __future__ import annotations

import unicodedata
from dataclasses import field
from hashlib import sha256
from struct import Struct
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.noise.portable import joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.types import IntArray

_DOMAIN = b"sfumato.rappor/1"
_WORDS = 8
"""32-bit words in a SHA-256 digest."""
_READ = Struct(f">{_WORDS}I").unpack
_CHUNK = 4096
"""Candidates hashed at a time, so that digests do not fill the memory."""


def bloom_bits(params: RapporParams, value: str, cohort: int) -> IntArray:
    """(h,) int64: the bit of each hash function, which may coincide. Basic RAPPOR: the value's own bit.

    Args:
        params: of the collection.
        value: any string; with declared values, one of them.
        cohort: 0 … m-1.

    Raises:
        ParameterError: a cohort outside, or a value that is not declared. Remedy: declare an `other`.

    Source:
        Erlingsson et al. 2014, section 3 (cohorts) and 4.1.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> home = RapporParams("home", bits=16, hashes=2, cohorts=4, f="1/2", p="1/2", q="3/4")
        >>> bloom_bits(home, "http://example.org", 3).tolist()
        [1, 11]
    """
    return np.array(Bloom(params, cohort).places(value), np.int64)


@dataclass(frozen=True, slots=True)
class Bloom:
    """The Bloom filter of one cohort, ready for many strings: what is hashed before each of them is written once.

    Args:
        params: of the collection.
        cohort: 0 … m-1.

    Raises:
        ParameterError: a cohort outside.
    """

    params: RapporParams
    cohort: int
    _heads: tuple[bytes, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.cohort < self.params.cohorts:
            raise ParameterError(
                "A cohort must lie in 0 … {cohorts}; got {cohort}.",
                "draw it once for each client.",
                cohorts=self.params.cohorts - 1,
                cohort=self.cohort,
            )
        object.__setattr__(self, "_heads", _heads(self.params, [self.cohort]))

    def places(self, value: str, encoded: bytes | None = None) -> list[int]:
        """(h,) the bit of each hash function, which may coincide.

        Args:
            value: any string; with declared values, one of them.
            encoded: `prefixed(value)`, where it stands ready.

        Raises:
            ParameterError: a value that is not declared. Remedy: declare an `other`.
        """
        params = self.params
        if params.values:
            return [_own_bit(params.values, value)]
        text = prefixed(value) if encoded is None else encoded
        words = [word for head in self._heads for word in _READ(sha256(head + text).digest())]
        return [word % params.bits for word in words[: params.hashes]]


def design_bits(params: RapporParams, candidates: Sequence[str]) -> IntArray:
    """(n_candidates, m, h) int64: the bits of every candidate in every cohort.

    Raises:
        ParameterError: as `bloom_bits`.

    Example:
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> home = RapporParams("home", bits=16, hashes=2, cohorts=4, f="1/2", p="1/2", q="3/4")
        >>> design_bits(home, ["http://example.org"])[0, 3].tolist()
        [1, 11]
    """
    if params.values:
        return np.array([_own_bit(params.values, one) for one in candidates], np.int64).reshape(-1, 1, 1)
    cohorts = range(params.cohorts)
    out = np.empty((len(candidates), params.cohorts, params.hashes), np.int64)
    for start in range(0, len(candidates), _CHUNK):
        part = candidates[start : start + _CHUNK]
        out[start : start + _CHUNK] = _hashed(params, part, cohorts)
    return out


def canonical(text: str) -> bytes:
    r"""A text in UTF-8 after NFC, as every client writes it: one string, one encoding.

    Half a surrogate pair, which is no character, becomes U+FFFD, as in browsers.

    Example:
        >>> canonical("e\u0301") == canonical("\u00e9"), canonical("\ud800").hex()
        (True, 'efbfbd')
    """
    try:
        return unicodedata.normalize("NFC", text).encode()
    except UnicodeEncodeError:
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return unicodedata.normalize("NFC", whole).encode()


def prefixed(text: str) -> bytes:
    """A text in its encoding behind its length in bytes."""
    return joined(canonical(text))


def _heads(params: RapporParams, cohorts: Sequence[int]) -> tuple[bytes, ...]:
    """What is hashed before a string, for each cohort and block of eight words."""
    name, blocks = _DOMAIN + prefixed(params.name), range(-(-params.hashes // _WORDS))
    return tuple(name + cohort.to_bytes(4, "big") + block.to_bytes(4, "big") for cohort in cohorts for block in blocks)


def _hashed(params: RapporParams, values: Sequence[str], cohorts: Sequence[int]) -> IntArray:
    """(n, cohorts, h) int64 words of the digests, modulo k."""
    heads = _heads(params, cohorts)
    digests = b"".join([sha256(head + text).digest() for text in map(prefixed, values) for head in heads])
    words = np.frombuffer(digests, ">u4").reshape(len(values), len(cohorts), -1)
    return words[:, :, : params.hashes].astype(np.int64) % params.bits


def _own_bit(values: Sequence[str], value: str) -> int:
    """The place of a declared value."""
    if value in values:
        return values.index(value)
    try:
        return [canonical(one) for one in values].index(canonical(value))
    except ValueError:
        raise ParameterError(
            "Basic RAPPOR reports one of its {n_values} declared values; this one is not.",
            "declare an `other`.",
            n_values=len(values),
        ) from None
