"""What every server tells Prometheus of itself: refusals and closed connections; nothing about clients."""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from sfumato.frozen import dataclass


@dataclass(slots=True)
class Tally:
    """Counters since the start of the process."""

    refused: Counter[int] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)


def refusals(tally: Tally) -> list[str]:
    """Refusals and closed connections as lines of Prometheus' text format, version 0.0.4."""
    return [
        *head("sfumato_refused_total", "counter", "Requests refused, by status."),
        *(f'sfumato_refused_total{{status="{status}"}} {n}' for status, n in sorted(tally.refused.items())),
        *head("sfumato_connections_closed_total", "counter", "Connections that the server ended, by reason."),
        *(f'sfumato_connections_closed_total{{reason="{why}"}} {n}' for why, n in sorted(tally.closed.items())),
    ]


def head(name: str, kind: str, meaning: str) -> list[str]:
    """The two comment lines before a metric."""
    return [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
