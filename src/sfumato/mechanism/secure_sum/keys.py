"""Keys: agreed between two holders, made for one purpose, and what they seal and sign."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sfumato.errors import ProtocolError

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits

LENGTH = 32
"""Bytes of every key, secret or public."""
SIGNATURE = 64
NONCE = 12
"""Bytes of a nonce, drawn for each box."""
SEAL = NONCE + 16
"""Bytes that sealing adds."""
_NAME = b"sfumato.secure-sum/1\0"


def drawn_key(bits: Bits) -> bytes:
    """A fresh secret key.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> len(drawn_key(SystemBits()))
        32
    """
    return bits.words(LENGTH // 8).astype("<u8").tobytes()


def public_of(secret: bytes) -> bytes:
    """The public key that others agree with: of X25519.

    Source: RFC 7748.
    """
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def shared(secret: bytes, public: bytes) -> bytes:
    """What two holders have in common and nobody else: each takes its own secret and the other's public key.

    Raises:
        ProtocolError: a public key with which nothing is secret. Remedy: its holder must be left out.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> one, other = drawn_key(SystemBits()), drawn_key(SystemBits())
        >>> shared(one, public_of(other)) == shared(other, public_of(one))
        True
    """
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

    try:
        return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError:
        raise ProtocolError(
            "A public key must let two holders agree on a secret; one does not.", "leave its holder out."
        ) from None


def made_for(material: bytes, purpose: str, digest: bytes, *places: int) -> bytes:
    """The key for one purpose, one sum and the places of holders in this order: HKDF-SHA-256.

    Source: RFC 5869.
    """
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    info = _NAME + purpose.encode() + b"\0" + digest + b"".join(place.to_bytes(2, "big") for place in places)
    return HKDF(algorithm=SHA256(), length=LENGTH, salt=None, info=info).derive(material)


def commitment_of(seed: bytes, digest: bytes, place: int) -> bytes:
    """What a holder tells of its seed beforehand, so that a seed from wrong shares is noticed: SHA-256."""
    return hashlib.sha256(_NAME + b"seed\0" + digest + place.to_bytes(2, "big") + seed).digest()


def sealed(key: bytes, plain: bytes, about: bytes, *, bits: Bits) -> bytes:
    """Encrypted by AES-256-GCM, behind a fresh nonce.

    Source: NIST SP 800-38D.
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = bits.words(2).tobytes()[:NONCE]
    return nonce + AESGCM(key).encrypt(nonce, plain, about)


def unsealed(key: bytes, box: bytes, about: bytes) -> bytes | None:
    """What was sealed; None where the key, the bytes or what it is about differ."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        return AESGCM(key).decrypt(box[:NONCE], box[NONCE:], about)
    except (InvalidTag, ValueError):
        return None


def identity_of(secret: bytes) -> bytes:
    """The public key by which signatures are checked: of Ed25519.

    Source: RFC 8032.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def signature_of(secret: bytes, told: bytes) -> bytes:
    """The signature of what is told."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(secret).sign(told)


def is_signed(public: bytes, signature: bytes, told: bytes) -> bool:
    """Whether whoever has this public key signed it.

    Example:
        >>> is_signed(identity_of(bytes(32)), signature_of(bytes(32), b"yes"), b"no")
        False
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, told)
    except (InvalidSignature, ValueError):
        return False
    return True
