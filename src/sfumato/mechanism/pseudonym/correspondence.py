"""The table of the random pseudonym of each name, which is only ever stored encrypted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.pseudonym.canonical import canonical
from sfumato.mechanism.pseudonym.token import spelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.mechanism.secret import Secret
    from sfumato.noise.bits import Bits

MAGIC = b"sfumato correspondence 1\n"
_NONCE = 12
_WORDS = 4
"""Words of chance for a pseudonym: 256 bits, of which it shows the first."""


@dataclass(frozen=True, slots=True)
class Correspondence:
    """Pseudonyms drawn at random, one for each name of a domain.

    Args:
        domain: whose names they are.
        entries: pseudonym of each canonical name.
        fold_case: whether upper and lower case are one name.
    """

    domain: str
    entries: Mapping[str, str] = field(repr=False)
    fold_case: bool

    def with_names(self, names: Iterable[str], characters: int, *, bits: Bits) -> Correspondence:
        """The table with a fresh pseudonym for every name that has none; known ones keep theirs.

        Args:
            names: cells.
            characters: length of a fresh pseudonym.
            bits: secure chance.

        Example:
            >>> from sfumato.noise.bits import SystemBits
            >>> one = Correspondence("patients", {"Ann": "x"}, fold_case=False)
            >>> two = one.with_names(["Ann", "Bob"], 26, bits=SystemBits())
            >>> two.texts(["Ann"]), len(two.entries["Bob"])
            (['x'], 26)
        """
        wanted = dict.fromkeys(canonical(name, fold_case=self.fold_case) for name in names)
        fresh = [name for name in wanted if name not in self.entries]
        used, entries = set(self.entries.values()), dict(self.entries)
        for name in fresh:
            entries[name] = _unused(used, characters, bits)
        return Correspondence(self.domain, entries, self.fold_case)

    def texts(self, cells: Sequence[str]) -> list[str]:
        """The pseudonym of each cell, all of which are in the table."""
        return [self.entries[canonical(cell, fold_case=self.fold_case)] for cell in cells]

    def names(self, pseudonyms: Sequence[str]) -> list[str | None]:
        """The canonical name of each pseudonym; None for one that was never given."""
        back = {pseudonym: name for name, pseudonym in self.entries.items()}
        return [back.get(pseudonym) for pseudonym in pseudonyms]

    def seal(self, secret: Secret, *, bits: Bits) -> bytes:
        """The table encrypted by AES-256-GCM under a key derived for its domain.

        Names are in order, so the bytes tell how long the table is and nothing of when a name came.

        Args:
            secret: the key.
            bits: secure chance of the nonce.

        Source:
            NIST SP 800-38D, 2007.
        """
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        plain = json.dumps({"domain": self.domain, "fold_case": self.fold_case, "entries": dict(self.entries)},
                           ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass")  # fmt: skip
        nonce = bits.words(2).tobytes()[:_NONCE]
        return MAGIC + nonce + AESGCM(secret.derive("table", self.domain)).encrypt(nonce, plain, MAGIC)


def unseal(raw: bytes, domain: str, secret: Secret) -> Correspondence:
    """The table of an encrypted file.

    Args:
        raw: its bytes.
        domain: whose names are expected.
        secret: the key.

    Raises:
        ParameterError: no such file, another key, another domain, or changed bytes. Remedy: give the right ones.

    Example:
        >>> from sfumato.mechanism.secret import Secret
        >>> from sfumato.noise.bits import SystemBits
        >>> key = Secret(bytes(range(32)))
        >>> sealed = Correspondence("patients", {"Ann": "x"}, fold_case=False).seal(key, bits=SystemBits())
        >>> dict(unseal(sealed, "patients", key).entries)
        {'Ann': 'x'}
    """
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    start = len(MAGIC) + _NONCE
    try:
        plain = AESGCM(secret.derive("table", domain)).decrypt(raw[len(MAGIC) : start], raw[start:], raw[: len(MAGIC)])
    except (InvalidTag, ValueError) as error:
        raise ParameterError(
            "The table of correspondence must be one of domain {domain!r}, encrypted with this key and unchanged.",
            "give the right file, key and domain.",
            domain=domain,
        ) from error
    document = json.loads(plain.decode("utf-8", "surrogatepass"))
    return Correspondence(document["domain"], document["entries"], document["fold_case"])


def _unused(used: set[str], characters: int, bits: Bits) -> str:
    """A fresh pseudonym, noted as used."""
    while True:
        drawn = spelled(int.from_bytes(bits.words(_WORDS).tobytes(), "big"), characters)
        if drawn not in used:
            used.add(drawn)
            return drawn
