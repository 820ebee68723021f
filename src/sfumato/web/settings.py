"""What every server document may say: limits of connections and bodies, metrics, and tokens by their digest."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from math import inf
from typing import TYPE_CHECKING

from sfumato.errors import PlanError

if TYPE_CHECKING:
    from sfumato.release.document import Section

_DIGEST = 64
"""Hexadecimal digits of a SHA-256."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is taken.

    Args:
        body: bytes of a request at most.
        head: bytes of its first line and headers at most; of a request sent ahead of an answer up to twice as many.
        seconds: until a request must have arrived in full, from its first byte; and how long an answer may stay unread.
        first_byte: seconds until a request must begin, on a new connection and after an answer.
        connections: that may be open.
        connections_per_address: from one IPv4 address, or one /64 of IPv6.
        memory: bytes of all bodies that arrive or wait for the store.
        waiting: batches that may wait for the store.
        batches_per_second: of one collection, on average; None: as many as come.
    """

    body: int = 4_000_000
    head: int = 16_384
    seconds: float = 30.0
    first_byte: float = 10.0
    connections: int = 500
    connections_per_address: int = 100
    memory: int = 256_000_000
    waiting: int = 10_000
    batches_per_second: float | None = None


@dataclass(frozen=True, slots=True)
class Metrics:
    """What `/metrics` tells whom.

    Args:
        collections: whether it counts by collection, and so names them.
        token: SHA-256 of the token with which it is read, in hexadecimal; "": anybody may.
    """

    collections: bool = False
    token: str = ""


def limits_from(section: Section) -> Limits:
    """[limits], all optional."""
    usual = Limits()
    found = Limits(
        body=section.default("body", int, usual.body),
        head=section.default("head", int, usual.head),
        seconds=section.default("seconds", float, usual.seconds),
        first_byte=section.default("first_byte", float, usual.first_byte),
        connections=section.default("connections", int, usual.connections),
        connections_per_address=section.default("connections_per_address", int, usual.connections_per_address),
        memory=section.default("memory", int, usual.memory),
        waiting=section.default("waiting", int, usual.waiting),
        batches_per_second=section.optional("batches_per_second", float),
    )
    section.finish()
    if not all(limit is None or 0 < limit < inf for limit in astuple(found)):
        raise PlanError("Every limit in [limits] must be a finite number above 0.", "correct it.")
    if found.memory < found.body:
        raise PlanError("`memory` in [limits] must hold one `body` at least.", "raise the one or lower the other.")
    return found


def metrics_from(section: Section) -> Metrics:
    """[metrics], all optional."""
    found = Metrics(section.default("collections", bool, value=False), hashed(section, "token_sha256", needed=False))
    section.finish()
    return found


def hashed(section: Section, key: str, *, needed: bool) -> str:
    """A SHA-256 in hexadecimal; the token itself never stands in a document."""
    text = section.required(key, str) if needed else section.default(key, str, "")
    if text and (len(text) != _DIGEST or set(text) - set("0123456789abcdef")):
        raise PlanError(
            "`{key}` in {where} must be a SHA-256 in hexadecimal.",
            "make one with `sfumato serve token`.",
            key=key,
            where=section.where,
        )
    return text
