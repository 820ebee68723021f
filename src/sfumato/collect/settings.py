"""The server document: the store, and each collection with its tokens and limits."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.collect.counter import Counter
from sfumato.errors import PlanError, SourceError
from sfumato.mechanism.local.rappor.params import RapporParams
from sfumato.release.collect.collection import read_collection
from sfumato.release.collect.rappor import RapporCollection, strings_in
from sfumato.release.document import Section, load_toml
from sfumato.table.contents import read_text
from sfumato.web.settings import hashed, limits_from, metrics_from

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sfumato.release.collect.base import Collecting
    from sfumato.web.settings import Limits, Metrics

VERSION = 1


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
        limits_from(top.table("limits")), metrics_from(top.table("metrics")),
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


def _served(name: str, section: Section, folder: Path) -> Served:
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
    asked: Collecting
    if rappor is not None or str(oracle).endswith(".json"):
        params = RapporParams.from_json(_text(folder / str(rappor or oracle)))
        asked = RapporCollection(params, () if candidates is None else strings_in(_text(folder / candidates)))
    else:
        asked = read_collection(folder / str(oracle))
    found = Served(
        name, Counter(asked), hashed(section, "token_sha256", needed=not section.default("open", bool, value=False)),
        hashed(section, "reader_sha256", needed=True), section.default("keep_reports", bool, value=False),
    )  # fmt: skip
    section.finish()
    return found


def _text(path: Path) -> str:
    """A file that the document names."""
    try:
        return read_text(path, "A file of the server document")
    except SourceError as error:
        raise PlanError.of(error) from None
