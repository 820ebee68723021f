"""How does a person watch a collection? A page that redraws its estimate as reports arrive.

The page, its style and its script are static; the estimate comes as server-sent events, each a whole snapshot. The
reader's token is typed into the page and kept in the tab alone: it stands in no address.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

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

MOST_ROWS = 100
"""Rows of a snapshot; the largest shares come first."""

STATIC: Mapping[str, str] = {"live.css": "text/css", "live.js": "text/javascript"}


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


def live_page(name: str, events: str) -> str:
    """The page of a collection.

    Args:
        name: of the collection.
        events: address of its event stream, on this server.

    Example:
        >>> "<h1>a&lt;b</h1>" in live_page("a<b", "/collections/ab/events")
        True
    """
    text = static("live.html")
    return text.replace("{{ name }}", escape(name)).replace("{{ events }}", escape(events, quote=True))


def static(name: str) -> str:
    """A file that ships with the server."""
    return files("sfumato.collect").joinpath("static", name).read_text("utf-8")
