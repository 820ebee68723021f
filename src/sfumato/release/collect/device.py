"""How do answers become reports? What a device does, here for a whole table of persons at once."""

from __future__ import annotations

import base64
import uuid
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.duckdb.columns import codes, write_columns
from sfumato.engine.duckdb.scan import scan

if TYPE_CHECKING:
    from sfumato.engine.base import Receipt
    from sfumato.mechanism.recode.decision import Progress
    from sfumato.noise.bits import Bits
    from sfumato.release.collect.collection import Collection
    from sfumato.table.source import Sink, Source
    from sfumato.types import IntArray


def randomize(
    collection: Collection, source: Source, sink: Sink, *, bits: Bits, batch: int, progress: Progress
) -> Receipt:
    """Perturb each row's answers and write the reports: one line of wire bytes (base64) for `batch` persons.

    Each line has a random name of its own, by which a server knows that it was counted already.

    Every answer is checked against the declared values before any chance is drawn; a row with another
    answer stops everything, and nothing is written.

    Args:
        collection: what is asked.
        source: one row for each person.
        sink: where the reports go.
        bits: secure chance.
        batch: persons in one line, >= 1; a device that sends for itself writes 1.
        progress: called after each batch.
    """
    answers = answers_of(collection, source)
    protocol = collection.protocol_object()
    lines: list[str] = []
    sizes: list[int] = []
    for start in range(0, len(answers), batch):
        part = answers[start : start + batch]
        reports = protocol.randomize(part if collection.is_scheme else part[:, 0], bits=bits)
        lines.append(base64.b64encode(protocol.to_bytes(reports)).decode())
        sizes.append(len(part))
        progress(start + len(part), len(answers), "randomizing")
    digests, names = [collection.digest()] * len(lines), [uuid.uuid4().hex for _ in lines]
    return write_columns({"collection": digests, "batch": names, "persons": sizes, "reports": lines}, sink)


def answers_of(collection: Collection, source: Source) -> IntArray:
    """(n, d) int64: place of each person's answers among the declared values.

    Raises:
        SchemaError: a question without a column, or rows with an undeclared answer.
    """
    table = scan(source)
    return np.stack([codes(table, q.column, q.values) for q in collection.questions], axis=1)
