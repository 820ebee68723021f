"""Batches of any collection, as JSON documents that devices send to a server or write one a line, and as rows of a table.

`{"format": "sfumato.batch/1", "collection": digest, "batch": id, "reports": base64}`. The id makes a retry harmless:
each id is counted once.
"""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.duckdb.columns import write_columns
from sfumato.errors import ReportError, SourceError
from sfumato.frozen import dataclass
from sfumato.release.collect.base import counts_of, size_of
from sfumato.release.collect.once import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from sfumato.engine.base import Receipt
    from sfumato.release.collect.base import Collecting, Counts, Read, Sent
    from sfumato.table.source import Sink

BATCH = "sfumato.batch/1"
MOST_ID = 128
"""Characters of a batch id."""

_KEYS = {"format", "collection", "batch", "reports"}
_FORMER_KEYS = _KEYS | {"cohorts"}
_CURE = "send what a device makes."


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """One batch from anyone at all, checked.

    Args:
        name: its id, 1 … 128 printable characters.
        read: what it holds.
    """

    name: str
    read: Read


def wrapped(wire: bytes) -> str:
    """Wire bytes as text."""
    return base64.b64encode(wire).decode()


def unwrapped(line: str) -> bytes:
    """The wire bytes of a text.

    Raises:
        ReportError: it is no base64. Remedy: send that batch again.
    """
    try:
        return base64.b64decode(line, validate=True)
    except ValueError as error:  # also binascii.Error; text beyond ASCII is a plain ValueError
        raise ReportError("Reports must be base64 text; a line is not.", "send that batch again.") from error


def to_json(asked: Collecting, sent: Sent) -> str:
    """The document of a batch."""
    return json.dumps(
        {"format": BATCH, "collection": asked.digest(), "batch": sent.batch, "reports": wrapped(sent.wire)}
    )


def from_data(asked: Collecting, data: object) -> Batch:
    """The batch of a parsed document from anyone at all: every part of it is checked.

    Raises:
        ReportError: no such document, another collection, or damaged reports. The message never shows a report.
    """
    given = data if isinstance(data, dict) else {}
    is_former = set(given) == _FORMER_KEYS and given["format"] == asked.former
    if not is_former and (set(given) != _KEYS or given["format"] != BATCH):
        raise ReportError("A batch must have the format {batch!r} and exactly its keys.", _CURE, batch=BATCH)
    if given["collection"] != asked.digest():
        raise ReportError(
            "A batch must come from devices with the server's document; this is another.", "give both one document."
        )
    name, line = given["batch"], given["reports"]
    if not isinstance(name, str) or not 0 < len(name) <= MOST_ID or not name.isprintable() or not isinstance(line, str):
        raise ReportError(
            "A batch id must be a text of 1 to {most_id} printable characters, reports a text.", _CURE, most_id=MOST_ID
        )
    return Batch(name, asked.read_former(given) if is_former else asked.read(unwrapped(line)))


def from_json(asked: Collecting, text: str | bytes) -> Batch:
    """The batch of a document, as `from_data`."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReportError("A batch must be JSON.", _CURE) from error
    return from_data(asked, data)


def lines_of(paths: Sequence[Path]) -> Iterator[tuple[str, bytes]]:
    """The batches in files, one a line, each with its place.

    Raises:
        SourceError: a file that cannot be read.
    """
    for path in paths:
        try:
            with path.open("rb") as file:
                yield from ((f"{path.name!r}, line {i}", line) for i, line in enumerate(file, 1) if line.strip())
        except OSError as error:
            raise SourceError("{path!r} must be a readable file.", "correct the path.", path=str(path)) from error


def count_batches(asked: Collecting, lines: Iterable[tuple[str, bytes]]) -> tuple[Counts, int, int]:
    """Count batches that were written one a line, each once: a client that retries sends one batch again.

    Args:
        asked: what was asked.
        lines: (where it stands, for messages; a batch).

    Returns:
        The counts, the number of batches counted, and of batches that came again.

    Raises:
        ReportError: a line that is no batch of this collection, or an id with two contents. Remedy: named there.
    """
    total, seen, again = np.zeros(size_of(asked), np.int64), dict[str, bytes](), 0
    for place, line in lines:
        try:
            batch = from_json(asked, line)
        except ReportError as error:
            raise ReportError.of(error, "{at}: ", at=place) from error
        content = hashlib.sha256(line.strip()).digest()
        if batch.name in seen:
            if seen[batch.name] != content:
                raise ReportError(
                    "{place}: a batch id must stand for one content; this one was met with another.",
                    "find out which client sends two batches under one id.",
                    place=place,
                )
            again += 1
            continue
        seen[batch.name] = content
        total += asked.add_up([batch.read.content])
    return counts_of(asked, total, of=[digest_of(dict.fromkeys(seen, 1))]), len(seen), again


def write_reports(asked: Collecting, sent: Sequence[Sent], sink: Sink) -> Receipt:
    """Write batches as a table: one row of wire bytes (base64) for each, with the random name that makes it count once."""
    columns: dict[str, Sequence[object]] = {
        "collection": [asked.digest()] * len(sent),
        "batch": [one.batch for one in sent],
        "persons": [one.persons for one in sent],
        "reports": [wrapped(one.wire) for one in sent],
    }
    return write_columns(columns, sink)


def report_lines(asked: Collecting, sent: Sequence[Sent]) -> Iterator[str]:
    """The same batches as JSON documents, one a line, as a server receives them."""
    return (to_json(asked, one) for one in sent)
