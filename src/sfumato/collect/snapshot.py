"""What the live page draws: a whole snapshot of an estimate, sent as a server-sent event."""

from __future__ import annotations

import json
from dataclasses import asdict, field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.document.result.survey import SurveyEstimatesResult
from sfumato.frozen import dataclass
from sfumato.mechanism.local.rappor.decode.decoded import Decoded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.document.result.collected import EstimatesResult
    from sfumato.document.result.survey import PartTold
    from sfumato.release.collect.base import Collecting

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


def snapshot_of(asked: Collecting, found: EstimatesResult | SurveyEstimatesResult | Decoded) -> Snapshot:
    """What the page draws of an estimate."""
    if isinstance(found, SurveyEstimatesResult):
        return _of_survey(asked.note, found)
    return _of_strings(asked.note, found) if isinstance(found, Decoded) else _of_questions(asked.note, found)


def _of_questions(note: str, found: EstimatesResult) -> Snapshot:
    many = len(found.reports) > 1
    rows = tuple(
        Row(f"{q.column}: {a.value}" if many else a.value, a.estimate, a.low, a.high)
        for q in found.questions
        for a in q.answers
    )
    return Snapshot(found.persons, rows, "Shares of all answers", note)


def _of_survey(note: str, found: SurveyEstimatesResult) -> Snapshot:
    """Shares of the last time that was answered, of all groups together; means as facts."""
    last = {
        question.name: max(
            (part for part in question.parts if part.group is None and part.reports), key=_time, default=None
        )
        for question in found.questions
    }
    rows = tuple(
        Row(f"{name}: {a.value}", a.estimate, a.low, a.high)
        for name, part in last.items()
        if part
        for a in part.answers
    )
    means = {
        name: f"{part.mean.estimate:.4g} [{part.mean.low:.4g}, {part.mean.high:.4g}]"
        for name, part in last.items()
        if part and part.mean
    }
    return Snapshot(found.persons, rows, "Shares of all answers", note, means)


def _time(part: PartTold) -> int:
    return part.time


def _of_strings(note: str, found: Decoded) -> Snapshot:
    """Discoveries; the largest estimates while there are none."""
    able = np.isfinite(found.error)
    n_found = int(np.count_nonzero(able & found.found))
    shown = np.flatnonzero(able & found.found) if n_found else np.flatnonzero(able)
    rows = tuple(
        Row(" = ".join(found.names[i]), float(found.share[i]), float(found.low[i]), float(found.high[i]))
        for i in shown.tolist()
    )
    facts = {
        "strings found": str(n_found),
        "candidates": str(len(found.names)),
        "unexplained": f"{found.unexplained:.1%}",
    }
    caption = (
        "Strings found at a false share of 5 %" if n_found else "No string is certain yet; estimates of the candidates"
    )
    return Snapshot(found.reports, rows, caption, note, facts)


def event_of(snapshot: Snapshot, number: int) -> str:
    """A snapshot as a server-sent event.

    Example:
        >>> event_of(Snapshot(0, (), "nothing yet", ""), 3).splitlines()[0]
        'id: 3'
    """
    rows = sorted(snapshot.rows, key=lambda row: -row.share)[:MOST_ROWS]
    data = asdict(snapshot) | {"rows": [asdict(row) for row in rows]}
    return f"id: {number}\nevent: estimate\ndata: {json.dumps(data, ensure_ascii=False, allow_nan=False)}\n\n"
