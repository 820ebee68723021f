"""What the collection server tells Prometheus: its own counters; nothing about clients or reports."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING

from sfumato.frozen import dataclass
from sfumato.web import metrics
from sfumato.web.metrics import head, refusals

if TYPE_CHECKING:
    from sfumato.collect.writer import Writer


@dataclass(slots=True)
class Tally(metrics.Tally):
    """Counters since the start of the process."""

    batches: Counter[tuple[str, str]] = field(default_factory=Counter)
    reports: Counter[str] = field(default_factory=Counter)


def exposition(tally: Tally, writer: Writer, *, by_collection: bool) -> str:
    """The counters in Prometheus' text format, version 0.0.4.

    Args:
        tally: what was counted.
        writer: of the store.
        by_collection: whether collections are named; otherwise all of them are one.
    """
    timing = writer.timing
    lines = [*_counted(tally, by_collection=by_collection), *refusals(tally)]
    for name, kind, meaning, value in (
        ("sfumato_waiting_batches", "gauge", "Batches that wait for the store.", f"{writer.waiting}"),
        ("sfumato_commits_total", "counter", "Transactions.", f"{timing.commits}"),
        ("sfumato_commit_failures_total", "counter", "Transactions that failed.", f"{timing.failures}"),
        ("sfumato_commit_seconds_total", "counter", "Seconds spent in transactions.", f"{timing.seconds:.6f}"),
    ):
        lines += [*head(name, kind, meaning), f"{name} {value}"]
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
        *head("sfumato_batches_total", "counter", "Batches answered, by what became of them."),
        *(f"sfumato_batches_total{{{labels}}} {n}" for labels, n in sorted(batches.items())),
        *head("sfumato_reports_total", "counter", "Reports counted."),
        *(f"sfumato_reports_total{labels} {n}" for labels, n in sorted(reports.items())),
    ]
