"""What breaks a release of traces, by doing: `sfumato.trace-attack/1`."""

from __future__ import annotations

from typing import ClassVar, Literal

from sfumato.document.result.attack import AttackedTable, TriedAttack
from sfumato.document.result.codec import Document
from sfumato.frozen import dataclass
from sfumato.types import Share


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceAttackResult(Document):
    """Every attack on released traces, each beside its control.

    Args:
        sfumato: version of the program that wrote it.
        release: the table that was attacked.
        original: the table that it was made from.
        zone: time zone of the persons, by which night and weeks are told.
        places: what a place is to the intruder: stays, or cells with fixes.
        linked: how the judge knows who of the release is who: by their names, or by all days of the original.
        persons: persons of the original.
        released: persons of the release whom the judge could link.
        fixes: fixes of the original that were read.
        fixes_released: fixes of the release that were read.
        guesses: most persons looked for by each attack.
        confidence: of the intervals.
        seed: of persons drawn, ties and controls.
        risk_threshold: the largest accepted risk.
        attacks: every attack.
        notes: what a reader should know beside the rates.
    """

    tag: ClassVar = ("format", "sfumato.trace-attack/1")
    sfumato: str
    release: AttackedTable
    original: AttackedTable
    zone: str
    places: Literal["stays", "cells"]
    linked: Literal["names", "days"]
    persons: int
    released: int
    fixes: int
    fixes_released: int
    guesses: int
    confidence: Share
    seed: int
    risk_threshold: Share
    attacks: tuple[TriedAttack, ...]
    notes: tuple[str, ...]
