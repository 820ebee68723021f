"""Secrets, such as those that make pseudonyms, and the keys derived from them for each domain and period."""

from __future__ import annotations

import base64
import binascii
from dataclasses import field
from typing import TYPE_CHECKING

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits

LENGTH = 32
"""Bytes of a key."""
_VARIED = 16
"""Fewest different bytes: random keys have fewer with probability below 1e-12, typed ones nearly always."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A key that is never shown: its repr is empty, and it is compared by nobody.

    Args:
        material: at least 32 bytes. Make it with `parse_key` or `new_key`.

    Example:
        >>> Secret(bytes(range(32)))
        Secret()
    """

    material: bytes = field(repr=False)

    def derive(self, *context: str) -> bytes:
        """32 bytes for one purpose: HKDF-SHA-256 with the context, each part preceded by its length.

        Two different contexts never give the same input, so keys of different columns, domains and periods are
        independent: knowing some of them tells nothing of the others.

        Args:
            context: what the key is for, such as a domain and a period.

        Source:
            H. Krawczyk, P. Eronen, RFC 5869, 2010.

        Example:
            >>> key = Secret(bytes(range(32)))
            >>> key.derive("x", "y") == key.derive("", "xy")
            False
        """
        return key_for(self.material, "sfumato.pseudonym/1", *context)


def key_for(material: bytes, *context: str) -> bytes:
    """32 bytes of secret ones for one purpose, as `Secret.derive` says; the context begins with what uses them."""
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    info = b"".join(prefixed(part) for part in context)
    return HKDF(algorithm=SHA256(), length=LENGTH, salt=None, info=info).derive(material)


def prefixed(text: str) -> bytes:
    r"""UTF-8 bytes preceded by their number in eight bytes, so that joined texts can be told apart.

    Example:
        >>> prefixed("a")
        b'\x00\x00\x00\x00\x00\x00\x00\x01a'
    """
    raw = text.encode("utf-8", "surrogatepass")
    return len(raw).to_bytes(8, "big") + raw


def parse_key(text: str, where: str) -> Secret:
    """A key from its text: hexadecimal digits or Base64 of at least 32 random bytes.

    Args:
        text: the secret; blanks and line ends around it do not count.
        where: what holds it, for messages. The secret itself is never shown.

    Raises:
        ParameterError: too short, not readable, or not random. Remedy: make one with `sfumato pseudonymize --new-key`.

    Example:
        >>> parse_key("correct horse battery staple", "SECRET")
        Traceback (most recent call last):
        sfumato.errors.ParameterError: The key in SECRET must be at least 32 random bytes, in hexadecimal or Base64. Remedy: make one with `sfumato pseudonymize --new-key FILE`.
    """
    material = _decoded(text.strip())
    if material is None or len(material) < LENGTH or len(set(material)) < _VARIED:
        raise ParameterError(
            "The key in {where} must be at least {length} random bytes, in hexadecimal or Base64.",
            "make one with `sfumato pseudonymize --new-key FILE`.",
            where=where,
            length=LENGTH,
        )
    return Secret(material)


def new_key(bits: Bits) -> str:
    """The text of a new key: 64 hexadecimal digits.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> len(new_key(SystemBits()))
        64
    """
    return bits.words(LENGTH // 8).astype("<u8").tobytes().hex()


def _decoded(text: str) -> bytes | None:
    """The bytes of a key; None where the text is no key."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        pass
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
