"""What does the server serve? One TOML document: the store, and each collection with its tokens and limits."""

from __future__ import annotations

import os
from dataclasses import astuple, dataclass
from math import inf
from typing import TYPE_CHECKING

from sfumato.collect.counter import OracleCounter, RapporCounter
from sfumato.errors import PlanError, SourceError
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.release.collect.collection import read_collection
from sfumato.release.document import Section, load_toml
from sfumato.table.contents import read_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.collect.counter import Counter

VERSION = 1
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


@dataclass(frozen=True, slots=True, eq=False)
class Served:
    """One collection.

    Args:
        name: in addresses; letters, digits, `-` and `_`.
        counter: how it counts.
        writer: SHA-256 of the token with which reports may be sent, in hexadecimal; "": anybody may.
        reader: SHA-256 of the token with which counts and estimates may be read.
        keep_reports: whether bodies are stored beside the counts.
    """

    name: str
    counter: Counter
    writer: str
    reader: str
    keep_reports: bool


@dataclass(frozen=True, slots=True, eq=False)
class Settings:
    """The whole document: url of the store, collections by name, limits, metrics."""

    store: str
    collections: Mapping[str, Served]
    limits: Limits
    metrics: Metrics


def read_settings(path: Path) -> Settings:
    """Read a server document; paths in it are relative to its folder.

    Raises:
        PlanError: it cannot be read, or a key is absent, unknown or out of range.
        ParameterError: the parameters of a collection are none.
    """
    top = Section("the server document", load_toml(path, "server document"))
    if top.required("sfumato-server", int) != VERSION:
        raise PlanError("`sfumato-server` must be {version}.", "correct it.", version=VERSION)
    served = {
        name: _served(name, Section(f"[collections.{name}]", items), path.parent)
        for name, items in top.required("collections", dict).items()
    }
    found = Settings(
        _store(top.required("store", str), path.parent), served,
        _limits(top.table("limits")), _metrics(top.table("metrics")),
    )  # fmt: skip
    top.finish()
    return found


def _store(url: str, folder: Path) -> str:
    """A relative SQLite path is relative to the document; `env:NAME` is read from the environment."""
    if url.startswith("env:"):
        found = os.environ.get(url.removeprefix("env:"))
        if not found:
            raise PlanError(
                "`store` names the variable {removeprefix!r}, which is not set.",
                "set it.",
                removeprefix=url.removeprefix("env:"),
            )
        url = found
    if url.startswith("sqlite:///") and not url.startswith("sqlite:////"):
        return f"sqlite:///{(folder / url.removeprefix('sqlite:///')).resolve()}"
    return url


def _limits(section: Section) -> Limits:
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


def _metrics(section: Section) -> Metrics:
    """[metrics], all optional."""
    found = Metrics(section.default("collections", bool, value=False), _hashed(section, "token_sha256", needed=False))
    section.finish()
    return found


def _served(name: str, section: Section, folder: Path) -> Served:
    """One [collections.NAME]."""
    if not name.replace("-", "").replace("_", "").isalnum() or not name.isascii():
        raise PlanError("A collection is named by letters, digits, - and _; got {name!r}.", "rename it.", name=name)
    rappor, oracle = section.optional("rappor", str), section.optional("collection", str)
    candidates = section.optional("candidates", str)
    if (rappor is None) == (oracle is None):
        raise PlanError(
            "{where} must say `rappor` (a parameter file) or `collection` (a document).",
            "say one of the two.",
            where=section.where,
        )
    counter: Counter
    if rappor is not None:
        counter = RapporCounter(RapporParams.from_json(_text(folder / rappor)), _lines(folder, candidates))
    else:
        counter = OracleCounter(read_collection(folder / str(oracle)))
    found = Served(
        name, counter, _hashed(section, "token_sha256", needed=not section.default("open", bool, value=False)),
        _hashed(section, "reader_sha256", needed=True), section.default("keep_reports", bool, value=False),
    )  # fmt: skip
    section.finish()
    return found


def _hashed(section: Section, key: str, *, needed: bool) -> str:
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


def _lines(folder: Path, name: str | None) -> tuple[str, ...]:
    """Candidate strings, one a line."""
    if name is None:
        return ()
    return tuple(dict.fromkeys(line for line in _text(folder / name).splitlines() if line))


def _text(path: Path) -> str:
    """A file that the document names."""
    try:
        return read_text(path, "A file of the server document")
    except SourceError as error:
        raise PlanError.of(error) from None
