"""Pseudonyms by a keyed function: texts of one length that look random without the key."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import field
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.pseudonym.canonical import canonical

if TYPE_CHECKING:
    from collections.abc import Sequence

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's 32 signs: no i, l, o, u."""
LEAST, MOST = 10, 51
"""Characters of a pseudonym: 50 to 255 bits."""
_BITS = 256
_RARE = 40
"""Two names share a pseudonym with probability at most 2^-40."""


@dataclass(frozen=True, slots=True)
class Token:
    """The first bits of HMAC-SHA-256 of the canonical name, five to a character.

    Args:
        key: 32 bytes derived for one domain and period.
        characters: length of a pseudonym, 10 to 51.
        fold_case: whether upper and lower case are one name.

    Raises:
        ParameterError: a length outside that range.

    Source:
        H. Krawczyk, M. Bellare and R. Canetti, RFC 2104, 1997; ENISA, "Pseudonymisation techniques and best
        practices", 2019, section 5 (message authentication codes).

    Example:
        >>> Token(bytes(32), 26, fold_case=False).texts(["Ann", " Ann "])
        ['y4a6wv1t87x0d4b29n7gj49rwt', 'y4a6wv1t87x0d4b29n7gj49rwt']
    """

    key: bytes = field(repr=False)
    characters: int
    fold_case: bool

    def __post_init__(self) -> None:
        if not LEAST <= self.characters <= MOST:
            raise ParameterError(
                "`characters` of a pseudonym must lie between {least} and {most}; got {characters}.",
                "26 characters hold 130 bits.",
                least=LEAST,
                most=MOST,
                characters=self.characters,
            )

    def texts(self, cells: Sequence[str]) -> list[str]:
        """The pseudonym of each cell."""
        return [self._name(canonical(cell, fold_case=self.fold_case)) for cell in cells]

    def _name(self, text: str) -> str:
        digest = hmac.digest(self.key, text.encode("utf-8", "surrogatepass"), "sha256")
        return spelled(int.from_bytes(digest, "big"), self.characters)


def spelled(number: int, characters: int) -> str:
    """The first 5 · characters of 256 bits in Crockford's alphabet.

    Example:
        >>> spelled(31 << 251, 2)
        'z0'
    """
    top = number >> (_BITS - 5 * characters)
    return "".join(ALPHABET[(top >> (5 * i)) & 31] for i in reversed(range(characters)))


def check_length(characters: int, names: int) -> None:
    """Refuse pseudonyms so short that two names could share one: n²/2^(b+1) must be at most 2^-40.

    Args:
        characters: of a pseudonym, 5 bits each.
        names: n, distinct names.

    Raises:
        ParameterError: too short. Remedy: says how many characters are enough.

    Example:
        >>> check_length(26, 10**9)
    """
    needed = 2 * max(names - 1, 1).bit_length() - 1 + _RARE
    if 5 * characters < needed:
        raise ParameterError(
            "Pseudonyms of {characters} characters are too short for so many names: two could share one.",
            "set `characters` to at least {needed}.",
            characters=characters,
            needed=-(-needed // 5),
        )


@dataclass(frozen=True, slots=True)
class Unkeyed:
    """SHA-256 of the canonical name in hexadecimal: what anybody can compute who guesses the name.

    Args:
        fold_case: whether upper and lower case are one name.

    Source:
        NIST FIPS 180-4, 2015.

    Example:
        >>> Unkeyed(fold_case=False).texts(["abc"])[0][:16]
        'ba7816bf8f01cfea'
    """

    fold_case: bool

    def texts(self, cells: Sequence[str]) -> list[str]:
        """The hash of each cell."""
        names = (canonical(cell, fold_case=self.fold_case) for cell in cells)
        return [hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest() for name in names]
