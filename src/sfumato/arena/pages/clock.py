"""Phases as pages show them, by the clock of the server: what goes on, and how long it still does."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime
from math import ceil
from typing import TYPE_CHECKING, Literal

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.document.contest import PhaseTable

_UNITS = (86_400, 3_600, 60, 1)
"""Seconds of a day, an hour, a minute, a second."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A phase.

    Args:
        place: in the document, from 0.
        name: as teams read it.
        kind: "defence" or "attack".
        start, end: as people read them.
        exact: the same with seconds, for machines.
        state: whether it is over, goes on or comes.
        left: seconds until it begins, or until it ends; 0: it is over.
    """

    place: int
    name: str
    kind: str
    start: str
    end: str
    exact: tuple[str, str]
    state: Literal["before", "now", "after"]
    left: int


def shown(phases: Iterable[PhaseTable], now: datetime) -> tuple[Shown, ...]:
    """Phases in the order of the document."""
    found = []
    for place, one in enumerate(phases):
        start, end = (moment for moment in (one.start, one.end) if isinstance(moment, datetime))
        state: Literal["before", "now", "after"] = "before" if now < start else "now" if now < end else "after"
        until = {"before": start, "now": end, "after": now}[state]
        exact = (start.isoformat(), end.isoformat())
        left = ceil((until - now).total_seconds())
        found.append(Shown(place, one.name, one.kind, told(start), told(end), exact, state, left))
    return tuple(found)


def told(moment: datetime) -> str:
    """A moment as people read it, to the minute, with its offset.

    Example:
        >>> told(datetime(2026, 3, 2, 9, tzinfo=UTC))
        '2026-03-02 09:00 +00:00'
    """
    text = moment.isoformat(" ", "minutes")
    return f"{text[:16]} {text[16:]}"


def at(seconds: float, phases: Sequence[PhaseTable]) -> str:
    """A moment in seconds since 1970 as people read it, in the time of the contest's first phase, or UTC."""
    first = phases[0].start if phases else None
    zone = first.tzinfo if isinstance(first, datetime) else None
    return told(datetime.fromtimestamp(seconds, zone or UTC))


def left_told(seconds: int, units: Sequence[str]) -> str:
    """How long something still goes on, by its largest unit and the one below.

    Args:
        seconds: >= 0.
        units: names of day, hour, minute, second.

    Example:
        >>> left_told(183_845, ("d", "h", "min", "s")), left_told(59, ("d", "h", "min", "s")), left_told(0, ("d", "h", "min", "s"))
        ('2 d 3 h', '59 s', '0 s')
        >>> left_told(4 * 86_400 + 59, ("d", "h", "min", "s"))
        '4 d'
    """
    parts = [seconds // _UNITS[0], *(seconds % above // unit for above, unit in itertools.pairwise(_UNITS))]
    first = next((i for i, n in enumerate(parts) if n), len(parts) - 1)
    second = [first + 1] if any(parts[first + 1 : first + 2]) else []
    return " ".join(f"{parts[i]} {units[i]}" for i in [first, *second])
