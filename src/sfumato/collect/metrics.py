"""What does the server tell Prometheus? Its own counters; nothing about clients or reports."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.collect.writer import Writer


@dataclass(slots=True)
class Tally:
    """Counters since the start of the process."""

    batches: Counter[tuple[str, str]] = field(default_factory=Counter)
    reports: Counter[str] = field(default_factory=Counter)
    refused: Counter[int] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)


def exposition(tally: Tally, writer: Writer, *, by_collection: bool) -> str:
    """The counters in Prometheus' text format, version 0.0.4.

    Args:
        tally: what was counted.
        writer: of the store.
        by_collection: whether collections are named; otherwise all of them are one.
    """
    lines = [*_counted(tally, by_collection=by_collection)]
    lines += _head("sfumato_refused_total", "counter", "Requests refused, by status.")
    lines += [f'sfumato_refused_total{{status="{status}"}} {n}' for status, n in sorted(tally.refused.items())]
    lines += _head("sfumato_connections_closed_total", "counter", "Connections that the server ended, by reason.")
    lines += [f'sfumato_connections_closed_total{{reason="{why}"}} {n}' for why, n in sorted(tally.closed.items())]
    lines += [
        *_head("sfumato_waiting_batches", "gauge", "Batches that wait for the store."),
        f"sfumato_waiting_batches {writer.waiting}",
    ]
    lines += [
        *_head("sfumato_commits_total", "counter", "Transactions."),
        f"sfumato_commits_total {writer.timing.commits}",
    ]
    lines += [
        *_head("sfumato_commit_failures_total", "counter", "Transactions that failed."),
        f"sfumato_commit_failures_total {writer.timing.failures}",
    ]
    lines += [
        *_head("sfumato_commit_seconds_total", "counter", "Seconds spent in transactions."),
        f"sfumato_commit_seconds_total {writer.timing.seconds:.6f}",
    ]
    return "\n".join(lines) + "\n"


def _counted(tally: Tally, *, by_collection: bool) -> list[str]:
    """Batches and reports, by collection or of all."""
    batches: Counter[str] = Counter()
    for (name, fate), n in tally.batches.items():
        batches[f'collection="{name}",fate="{fate}"' if by_collection else f'fate="{fate}"'] += n
    reports: Counter[str] = Counter()
    for name, n in tally.reports.items():
        reports[f'{{collection="{name}"}}' if by_collection else ""] += n
    return [
        *_head("sfumato_batches_total", "counter", "Batches answered, by what became of them."),
        *(f"sfumato_batches_total{{{labels}}} {n}" for labels, n in sorted(batches.items())),
        *_head("sfumato_reports_total", "counter", "Reports counted."),
        *(f"sfumato_reports_total{labels} {n}" for labels, n in sorted(reports.items())),
    ]


def _head(name: str, kind: str, meaning: str) -> list[str]:
    """The two comment lines before a metric."""
    return [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
