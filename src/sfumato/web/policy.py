"""The headers of every answer: nothing is stored, nothing from elsewhere or inline is run, and in no frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import Message, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""Content security policy of the page: nothing from elsewhere, nothing inline, and in no frame."""

_CSP = b"content-security-policy"


def headers_with(policy: str, referrer: str = "no-referrer") -> tuple[tuple[bytes, bytes], ...]:
    """Headers of every answer under a content security policy.

    Args:
        policy: the content security policy.
        referrer: who learns from which page a request comes. Under "no-referrer" a browser tells no origin of a form
            either; pages with forms say "same-origin".
    """
    return (
        (b"cache-control", b"no-store"), (_CSP, policy.encode()), (b"referrer-policy", referrer.encode()),
        (b"x-content-type-options", b"nosniff"),
    )  # fmt: skip


GUARDED = headers_with(POLICY)
"""Headers of every answer of the collection server, refusals too."""


def guarded_by(policy: str, referrer: str = "no-referrer") -> Callable[[Send], Send]:
    """What makes of a way to send answers one that adds these headers, except those that an answer has itself."""
    guarded = headers_with(policy, referrer)

    def wrap(send: Send) -> Send:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = list(message.get("headers", ()))
                names = {name.lower() for name, _ in own}
                message["headers"] = [*own, *(pair for pair in guarded if pair[0] not in names)]
            await send(message)

        return send_guarded

    return wrap


guarded = guarded_by(POLICY)
"""A way to send answers of the collection server that adds its headers."""
