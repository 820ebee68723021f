"""What does a mechanism leave behind for an answer? Rows of released numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Rows: TypeAlias = tuple[tuple[float, ...], ...]
"""One tuple for each group, one number for each cell."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Released numbers by group; see `answer.Answer` for the meaning of each part."""

    keys: tuple[tuple[str, ...], ...]
    values: Rows
    low: Rows
    high: Rows
    confidence: float | None = None
    notes: tuple[str, ...] = ()
