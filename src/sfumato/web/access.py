"""Who may do what, and how often: tokens by their digest, a bucket of requests, and the refusal of a request."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.noise.bits import Bits


def knows(header: str | None, digest: str) -> bool:
    """Whether an Authorization header bears the token of this SHA-256; compared in constant time.

    Example:
        >>> knows("Bearer secret", hashlib.sha256(b"secret").hexdigest()), knows(None, "0" * 64), knows(None, "")
        (True, False, True)
    """
    if not digest:
        return True
    given = token_digest(header)
    return given is not None and hmac.compare_digest(given, digest)


def token_digest(header: str | None) -> str | None:
    """The SHA-256 in hexadecimal of the token that an Authorization header bears; None: it bears none.

    Example:
        >>> token_digest("Basic secret"), token_digest("bearer secret") == hashlib.sha256(b"secret").hexdigest()
        (None, True)
    """
    scheme, _, token = (header or "").partition(" ")
    return secret_digest(token) if scheme.lower() == "bearer" else None


def secret_digest(secret: str) -> str:
    """The SHA-256 in hexadecimal of a drawn secret, which is all that a server keeps of it."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def new_token(bits: Bits) -> tuple[str, str]:
    """A token of 256 bits, as text, and the SHA-256 of it in hexadecimal, which is all that a server keeps.

    Args:
        bits: a secure source of chance.
    """
    drawn = base64.urlsafe_b64encode(bits.words(4).tobytes()).decode().rstrip("=")
    return drawn, secret_digest(drawn)


@dataclass(slots=True)
class Bucket:
    """A token bucket: `rate` batches a second on average, two seconds' worth at once.

    Args:
        rate: batches a second; None: no limit.
        level: batches that may come now.
        at: when the level was right, in seconds of a steady clock.
    """

    rate: float | None
    level: float = 0.0
    at: float | None = None

    def take(self, now: float) -> float:
        """0 if a batch may come now, else the seconds to wait.

        Example:
            >>> bucket = Bucket(rate=1)
            >>> bucket.take(0.0), bucket.take(0.0), bucket.take(0.0), bucket.take(1.5)
            (0.0, 0.0, 1.0, 0.0)
        """
        if self.rate is None:
            return 0.0
        most = max(1.0, 2 * self.rate)
        self.level = most if self.at is None else min(most, self.level + (now - self.at) * self.rate)
        self.at = now
        if self.level < 1:
            return (1 - self.level) / self.rate
        self.level -= 1
        return 0.0


class Refused(Exception):
    """A request that is answered with another status than 200.

    Args:
        status: of HTTP.
        problem: what must be true.
        remedy: what to do.
        wait: seconds after which it may come again.
        headers: more of them.
    """

    def __init__(
        self,
        status: int,
        problem: str,
        remedy: str,
        *,
        wait: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.status, self.problem, self.remedy, self.wait, self.headers = status, problem, remedy, wait, headers
        super().__init__(problem)
