"""What the judge of a contest tells: of a submission, and of an attack on one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from sfumato.document.result.codec import Document
from sfumato.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultTold:
    """What is wrong with a file.

    Args:
        line: of the file, from 1; 0: the file as a whole.
        column: name of the column; null: the line as a whole.
        must: what must be true there.
    """

    line: int
    column: str | None
    must: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionResult(Document):
    """A submission, judged.

    Args:
        contest: its name.
        rules: "fixed" or "compat".
        submission_sha256: digest of the file that was judged, unpacked.
        faults: what is wrong with it, by line; empty: it is accepted.
        metrics: worth by metric, in [0, 1]; empty where it was refused or only checked.
        worth: metrics together; null where there are none.
        attacks: what each attack that comes with the contest finds, in [0, 1].
        score: worth and attacks together, in [0, 1]; null where there is no worth.
    """

    tag: ClassVar[tuple[str, str]] = ("format", "sfumato.submission/1")
    contest: str
    rules: str
    submission_sha256: str
    faults: tuple[FaultTold, ...]
    metrics: Mapping[str, float]
    worth: float | None
    attacks: Mapping[str, float]
    score: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundResult(Document):
    """An attack on a submission, judged.

    Args:
        contest: its name.
        attack_sha256: digest of the attack file.
        faults: what is wrong with it; empty: it counts.
        found: the share of the key that it finds, in [0, 1]; null where it was refused.
    """

    tag: ClassVar[tuple[str, str]] = ("format", "sfumato.contest-attack/1")
    contest: str
    attack_sha256: str
    faults: tuple[FaultTold, ...]
    found: float | None
