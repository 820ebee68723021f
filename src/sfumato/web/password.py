"""Passwords as they are kept: a slow digest with its salt, from which nobody reads the password back."""

from __future__ import annotations

import base64
import hashlib
import hmac
import unicodedata

from sfumato.errors import PlanError
from sfumato.frozen import dataclass

LEAST, MOST = 12, 1024
"""Characters of a password that is chosen, and bytes of one that is tried."""
SALT = 16
"""Bytes of a salt."""
_NAME, _LENGTH = "scrypt", 32


@dataclass(frozen=True, slots=True)
class Cost:
    """What one guess costs: 128·n·r bytes of memory, p times over.

    Args:
        n: a power of 2.
        r: size of a block.
        p: how often.

    Source: RFC 7914, section 2; the numbers are those of the OWASP Password Storage Cheat Sheet (2024).
    """

    n: int = 1 << 15
    r: int = 8
    p: int = 3


USUAL = Cost()
_HIGHEST = Cost(1 << 17, 16, 16)
"""Above this a digest that somebody wrote by hand would stop the server."""


def digest(password: str, salt: bytes, cost: Cost = USUAL) -> str:
    """What is kept of a password: the name, the cost, the salt and the digest.

    Args:
        password: as it was typed; letters that look alike are taken as one (NFKC).
        salt: drawn for this password.
        cost: of one guess.

    Example:
        >>> kept = digest("correct horse", b"0" * 16, Cost(2, 1, 1))
        >>> kept.split("$")[:4], is_of(kept, "correct horse"), is_of(kept, "wrong")
        (['scrypt', '2', '1', '1'], True, False)
    """
    return "$".join(
        (_NAME, *map(str, (cost.n, cost.r, cost.p)), _text(salt), _text(_scrypt(password, salt, cost, _LENGTH)))
    )


def is_of(kept: str, password: str) -> bool:
    """Whether a digest is the one of a password; both are compared in constant time.

    Raises:
        PlanError: this is no digest.
    """
    cost, salt, found = parts(kept)
    return len(password.encode("utf-8", "surrogatepass")) <= MOST and hmac.compare_digest(
        _scrypt(password, salt, cost, len(found)), found
    )


def parts(kept: str) -> tuple[Cost, bytes, bytes]:
    """Cost, salt and digest of what is kept.

    Raises:
        PlanError: it is written otherwise, or costs more than a server can bear.
    """
    try:
        name, n, r, p, salt, found = kept.split("$")
        cost, pair = Cost(int(n), int(r), int(p)), (_bytes(salt), _bytes(found))
    except ValueError:
        name, cost, pair = "", Cost(), (b"", b"")
    good = (
        1 < cost.n <= _HIGHEST.n and not cost.n & cost.n - 1 and 0 < cost.r <= _HIGHEST.r and 0 < cost.p <= _HIGHEST.p
    )
    if name != _NAME or not good or len(pair[0]) < SALT or len(pair[1]) != _LENGTH:
        raise PlanError("A password must be kept as `scrypt$n$r$p$salt$digest`.", "set it anew with --add-user.")
    return cost, *pair


def check_chosen(password: str) -> None:
    """Refuse a password that is guessed soon.

    Raises:
        PlanError: it is shorter than 12 characters, or longer than is ever tried.
    """
    if len(password) < LEAST or len(password.encode("utf-8", "surrogatepass")) > MOST:
        raise PlanError(
            "A password must have {least} characters at least and {most} bytes at most.",
            "choose some words that do not belong together.",
            least=LEAST,
            most=MOST,
        )


def _scrypt(password: str, salt: bytes, cost: Cost, length: int) -> bytes:
    plain = unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
    room = 128 * cost.r * (cost.n + cost.p + 2) + (1 << 20)
    return hashlib.scrypt(plain, salt=salt, n=cost.n, r=cost.r, p=cost.p, maxmem=room, dklen=length)


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
