"""The headers of every answer: nothing is stored, nothing from elsewhere or inline is run, and in no frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Message, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""Content security policy of the page: nothing from elsewhere, nothing inline, and in no frame."""

GUARDED: tuple[tuple[bytes, bytes], ...] = (
    (b"cache-control", b"no-store"), (b"content-security-policy", POLICY.encode()),
    (b"referrer-policy", b"no-referrer"), (b"x-content-type-options", b"nosniff"),
)  # fmt: skip
"""Headers of every answer, refusals too."""


def guarded(send: Send) -> Send:
    """A way to send answers that adds these headers."""

    async def send_guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *GUARDED]
        await send(message)

    return send_guarded
