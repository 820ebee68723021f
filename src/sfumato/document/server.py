"""The document of a server as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from sfumato.document.spec import key
from sfumato.frozen import dataclass


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
        batches_per_second: of one collection, on average; absent: as many as come.
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
    token: str = field(default="", metadata=key("token_sha256"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedTable:
    """One collection.

    Args:
        rappor: the parameters of RAPPOR, a JSON file; or `collection`.
        collection: the document of a collection.
        candidates: a file of strings to look for, one a line.
        open: whether anybody may send reports.
        token_sha256: SHA-256 of the token with which reports may be sent, in hexadecimal.
        reader_sha256: SHA-256 of the token with which counts and estimates may be read, in hexadecimal.
        keep_reports: whether bodies are stored beside the counts.
    """

    rappor: str | None = None
    collection: str | None = None
    candidates: str | None = None
    open: bool = False
    token_sha256: str | None = None
    reader_sha256: str
    keep_reports: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerDocument:
    """What a server serves.

    Args:
        store: URL of the store, or `env:NAME`.
        collections: what is served, by its name in addresses.
        limits: how much is taken.
        metrics: what `/metrics` tells whom.
    """

    collections: Mapping[str, ServedTable]
    store: str
    limits: Limits = field(default_factory=Limits)
    metrics: Metrics = field(default_factory=Metrics)
