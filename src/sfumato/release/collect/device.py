"""Devices are played for a whole table: each row's answers become a report, and many reports a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engine.duckdb.columns import write_columns
from sfumato.release.collect.batch import to_json, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.engine.base import Receipt
    from sfumato.release.collect.base import Collecting, Sent
    from sfumato.table.source import Sink


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
