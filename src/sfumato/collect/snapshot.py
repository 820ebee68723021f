"""What the live page draws: a whole snapshot of an estimate, sent as a server-sent event."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_ROWS = 100
"""Rows of a snapshot; the largest shares come first."""


@dataclass(frozen=True, slots=True)
class Row:
    """One answer: its estimated share and interval."""

    label: str
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the page draws.

    Args:
        reports: number of reports that were counted.
        rows: estimates; the largest come first.
        caption: what the rows are.
        note: what a reader must know.
        facts: short facts, by name.
    """

    reports: int
    rows: tuple[Row, ...]
    caption: str
    note: str
    facts: Mapping[str, str] = field(default_factory=dict)


def event_of(snapshot: Snapshot, number: int) -> str:
    """A snapshot as a server-sent event.

    Example:
        >>> event_of(Snapshot(0, (), "nothing yet", ""), 3).splitlines()[0]
        'id: 3'
    """
    rows = sorted(snapshot.rows, key=lambda row: -row.share)[:MOST_ROWS]
    data = asdict(snapshot) | {"rows": [asdict(row) for row in rows]}
    return f"id: {number}\nevent: estimate\ndata: {json.dumps(data, ensure_ascii=False, allow_nan=False)}\n\n"
