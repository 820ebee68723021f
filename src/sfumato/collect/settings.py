"""The server document: the store, and each collection with its tokens and limits."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sfumato.collect.counter import Counter
from sfumato.document.codec import read
from sfumato.document.fault import must_say
from sfumato.document.header import SERVER, without_header
from sfumato.document.loading import load, under
from sfumato.document.server import ServerDocument
from sfumato.errors import PlanError, SourceError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.release.collect.collection import read_collection
from sfumato.release.collect.rappor import RapporCollection, strings_in
from sfumato.table.contents import read_text
from sfumato.table.source import located_url
from sfumato.web.settings import check_digest, check_limits

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.document.server import Limits, Metrics, ServedTable
    from sfumato.release.collect.base import Collecting
    from sfumato.table.values import Table

_TITLE = "the server document"


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
    return load(path, "server document", lambda tables: _settings(tables, path.parent))


def _settings(document: Table, folder: Path) -> Settings:
    """What the tables of a server document say."""
    said = read(ServerDocument, without_header(document, SERVER, _TITLE), _TITLE)
    served = {}
    for name, one in said.collections.items():
        with under("collections", name):
            served[name] = _served(name, one, folder)
    check_limits(said.limits)
    with under("metrics"):
        check_digest("token_sha256", said.metrics.token, "[metrics]")
    with under("store"):
        return Settings(_store(said.store, folder), served, said.limits, said.metrics)


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
    return located_url(folder, url)


def _served(name: str, said: ServedTable, folder: Path) -> Served:
    """One [collections.NAME]."""
    where = f"[collections.{name}]"
    if not name.replace("-", "").replace("_", "").isalnum() or not name.isascii():
        raise PlanError("A collection is named by letters, digits, - and _; got {name!r}.", "rename it.", name=name)
    if (said.rappor is None) == (said.collection is None):
        raise PlanError(
            "{where} must say `rappor` (a parameter file) or `collection` (a document).",
            "say one of the two.",
            where=where,
        )
    asked: Collecting
    if said.rappor is not None or str(said.collection).endswith(".json"):
        params = RapporParams.from_json(_text(folder / str(said.rappor or said.collection)))
        candidates = () if said.candidates is None else strings_in(_text(folder / said.candidates))
        asked = RapporCollection(params, candidates)
    else:
        asked = read_collection(folder / str(said.collection))
    if said.token_sha256 is None and not said.open:
        raise must_say("token_sha256", str).below(name).below("collections").error(_TITLE)
    writer = said.token_sha256 or ""
    check_digest("token_sha256", writer, where)
    check_digest("reader_sha256", said.reader_sha256, where)
    return Served(name, Counter(asked), writer, said.reader_sha256, said.keep_reports)


def _text(path: Path) -> str:
    """A file that the document names."""
    try:
        return read_text(path, "A file of the server document")
    except SourceError as error:
        raise PlanError.of(error) from None
