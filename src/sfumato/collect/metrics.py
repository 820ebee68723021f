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


def exposition(tally: Tally, writer: Writer) -> str:
    """The counters in Prometheus' text format, version 0.0.4."""
    lines = [*_head("sfumato_batches_total", "counter", "Batches answered, by what became of them.")]
    lines += [
        f'sfumato_batches_total{{collection="{c}",fate="{f}"}} {n}' for (c, f), n in sorted(tally.batches.items())
    ]
    lines += _head("sfumato_reports_total", "counter", "Reports counted.")
    lines += [f'sfumato_reports_total{{collection="{c}"}} {n}' for c, n in sorted(tally.reports.items())]
    lines += _head("sfumato_refused_total", "counter", "Requests refused, by status.")
    lines += [f'sfumato_refused_total{{status="{status}"}} {n}' for status, n in sorted(tally.refused.items())]
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


def _head(name: str, kind: str, meaning: str) -> list[str]:
    """The two comment lines before a metric."""
    return [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
