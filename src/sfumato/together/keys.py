"""Who is who: a card with two public keys, certified by an authority or known by its fingerprint; and the secret half.

Ed25519 signs, X25519 agrees on keys. Both stand in one file, for its owner alone; the card is public.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import field
from typing import TYPE_CHECKING, Any

from sfumato.errors import ParameterError, SourceError
from sfumato.frozen import dataclass
from sfumato.mechanism.secret import prefixed
from sfumato.release.secrets import write_new

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

_FORMAT, _CARD = "sfumato.together-key/1", "sfumato.together-card/1"
CARD = ".card"
"""Suffix of the card beside a key."""
_LONGEST = 60
_KEY = 32
_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Card:
    """What everybody may know of a party.

    Args:
        name: of 1 to 60 printable characters.
        signing: public Ed25519 key, 32 bytes in hexadecimal.
        exchange: public X25519 key, likewise.
        certificate: signature of an authority, in hexadecimal; "": none.
    """

    name: str
    signing: str
    exchange: str
    certificate: str = ""

    @property
    def fingerprint(self) -> str:
        """SHA-256 of name and keys, in hexadecimal: what is compared by telephone."""
        return hashlib.sha256(self.certified()).hexdigest()

    def certified(self) -> bytes:
        """What an authority signs."""
        return b"".join(prefixed(part) for part in (_CARD, self.name, self.signing, self.exchange))

    def verifying(self) -> Ed25519PublicKey:
        """The key that verifies signatures."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.signing))

    def agreeing(self) -> X25519PublicKey:
        """The key with which secrets are agreed on."""
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

        return X25519PublicKey.from_public_bytes(bytes.fromhex(self.exchange))

    def is_certified_by(self, authority: str) -> bool:
        """Whether an authority of this public key signed the card."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(authority))
            key.verify(bytes.fromhex(self.certificate), self.certified())
        except (InvalidSignature, ValueError):
            return False
        return True

    def to_dict(self) -> dict[str, str]:
        """As JSON holds it."""
        return {
            "format": _CARD, "name": self.name, "signing": self.signing, "exchange": self.exchange,
            "certificate": self.certificate,
        }  # fmt: skip


def card_from(said: Any) -> Card:
    """A card that somebody sent.

    Raises:
        ParameterError: it is none.
    """
    good = isinstance(said, dict) and said.get("format") == _CARD and all(isinstance(v, str) for v in said.values())
    card = Card(*(str(said.get(key, "")) for key in ("name", "signing", "exchange", "certificate"))) if good else None
    if card is None or not _is_name(card.name) or not _is_key(card.signing) or not _is_key(card.exchange):
        raise ParameterError("A card must hold a name and two public keys.", "make one with `sfumato together key`.")
    return card


@dataclass(frozen=True, slots=True)
class Identity:
    """A party with its secret keys, which are never shown.

    Args:
        card: the public half.
        seed: 64 bytes: the secret Ed25519 and X25519 keys.
    """

    card: Card
    seed: bytes = field(repr=False)

    @property
    def name(self) -> str:
        """Name of the party."""
        return self.card.name

    def signing(self) -> Ed25519PrivateKey:
        """The key that signs."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self.seed[:_KEY])

    def exchange(self) -> X25519PrivateKey:
        """The key with which secrets are agreed on."""
        from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

        return X25519PrivateKey.from_private_bytes(self.seed[_KEY:])


def new_identity(name: str, seed: bytes) -> Identity:
    """A party.

    Args:
        name: of 1 to 60 printable characters.
        seed: 64 secure random bytes.

    Raises:
        ParameterError: another name.

    Example:
        >>> ada = new_identity("Ada", bytes(range(64)))
        >>> ada.name, ada.card.signing[:8], "seed" in repr(ada)
        ('Ada', '03a107bf', False)
    """
    if not _is_name(name):
        raise ParameterError("A party needs a name of 1 to 60 printable characters.", "choose another one.")
    bare = Identity(Card(name, "", ""), seed)
    keys = (bare.signing().public_key(), bare.exchange().public_key())
    return Identity(Card(name, *(key.public_bytes_raw().hex() for key in keys)), seed)


def certified(card: Card, authority: Identity) -> Card:
    """The card with the signature of an authority.

    Example:
        >>> one, other = new_identity("North", bytes(range(64))), new_identity("Ministry", bytes(range(1, 65)))
        >>> certified(one.card, other).is_certified_by(other.card.signing)
        True
    """
    return Card(card.name, card.signing, card.exchange, authority.signing().sign(card.certified()).hex())


def write_identity(path: Path, identity: Identity) -> None:
    """Write a party into a new file that only its owner may read.

    Raises:
        SourceError: the file is there, or cannot be written.
    """
    said = {"format": _FORMAT, "name": identity.name, "seed": identity.seed.hex()}
    try:
        write_new(path, json.dumps(said, indent=1) + "\n")
    except OSError as error:
        raise SourceError(
            "A new key must go to a new file; {name!r}: {strerror}.", "choose another name.",
            name=path.name, strerror=error.strerror,
        ) from error  # fmt: skip


def read_identity(path: Path) -> Identity:
    """The party of a file, with the certificate of the card beside it, if there is one.

    Raises:
        SourceError: it cannot be read, or holds none.
    """
    said = _read(path, "The key file")
    try:
        seed = bytes.fromhex(said["seed"])
        if said["format"] == _FORMAT and len(seed) == 2 * _KEY:
            return _with_card(new_identity(said["name"], seed), path.with_suffix(CARD))
    except (KeyError, TypeError, ValueError):
        pass
    raise SourceError("{name!r} must hold a key.", "make one with `sfumato together key`.", name=path.name)


def _with_card(identity: Identity, path: Path) -> Identity:
    """The party with the certificate of its card."""
    if not path.exists():
        return identity
    card = read_card(path)
    if card.fingerprint != identity.card.fingerprint:
        raise SourceError("{name!r} must be the card of the key beside it; it is another one.", "correct the names of the files.",
                          name=path.name)  # fmt: skip
    return Identity(card, identity.seed)


def read_card(path: Path) -> Card:
    """The card of a file.

    Raises:
        SourceError: it cannot be read. ParameterError: it holds none.
    """
    return card_from(_read(path, "The card"))


def _read(path: Path, what: str) -> dict[str, Any]:
    from sfumato.table.contents import read_text

    try:
        said = json.loads(read_text(path, what)[:_MOST])
    except ValueError:
        said = None
    return said if isinstance(said, dict) else {}


def _is_name(name: object) -> bool:
    return isinstance(name, str) and 1 <= len(name) <= _LONGEST and name.isprintable() and name == name.strip()


def _is_key(text: str) -> bool:
    return len(text) == 2 * _KEY and not set(text) - set("0123456789abcdef")
