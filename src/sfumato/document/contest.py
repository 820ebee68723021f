"""The document of a contest as it is written: the table and what may change, worth, attacks, phases, teams and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date
from typing import Literal, TypeAlias

from sfumato.document.spec import key
from sfumato.frozen import dataclass

GameName: TypeAlias = Literal["insanonym", "darc", "pwscup-identity", "pwscup-trace"]
"""The kind of a contest."""
Together: TypeAlias = Literal["mean", "median", "min"]
"""How metrics become one number."""
_MUST, _REMEDY = "a moment with its offset", "write such as 2026-12-01T09:00:00+01:00."


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestTable:
    """The secret table, which the judge keeps, and what attackers have.

    Args:
        original: file of lines that teams anonymise; paths are beside the document.
        reference: file of lines that attackers have; absent: the original itself.
        regions: file of regions with the columns reg_id, y(center), x(center) and hospital, for contests over a grid.
    """

    original: str
    reference: str | None = None
    regions: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesTable:
    """What teams may change.

    Args:
        version: "fixed", or "compat": rules and metrics with the faults that the contest had.
        period: within which a person keeps one pseudonym; absent: as the contest had it.
        most_deleted: largest share of lines that may be deleted; absent: as the contest had it.
        most_guesses: most guesses for a person and period; absent: as the contest had it.
    """

    version: Literal["fixed", "compat"] = "fixed"
    period: Literal["all", "week", "month"] | None = None
    most_deleted: float | None = None
    most_guesses: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricTable:
    """One metric of worth.

    Args:
        name: as `sfumato arena rules` lists them.
        weight: in the mean, > 0.
    """

    name: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseTable:
    """A time in which teams defend or attack.

    Args:
        name: as teams read it.
        kind: what may be handed in.
        start: first moment, with its offset.
        end: first moment after it, with its offset.
    """

    name: str
    kind: Literal["defence", "attack"]
    start: date = field(metadata=key(must=_MUST, remedy=_REMEDY))
    end: date = field(metadata=key(must=_MUST, remedy=_REMEDY))


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaTable:
    """How much a team may hand in.

    Args:
        submissions: of a defence, in all.
        published: submissions that attackers see, at most.
        attacks: on one submission of another team.
    """

    submissions: int = 50
    published: int = 3
    attacks: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestLimits:
    """What one submission may cost the judge.

    Args:
        bytes: of a file, unpacked.
        seconds: of its judgement.
        memory: bytes of the process that judges it.
    """

    bytes: int = 2_000_000_000
    seconds: float = 120.0
    memory: int = 4_294_967_296


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestDocument:
    """A contest of anonymisation.

    Args:
        name: as teams read it.
        game: its kind.
        table: the table.
        rules: what may change.
        metric: what worth is measured by; absent: all metrics of the kind alike.
        worth: how metrics become one number; absent: as the contest had it.
        attacks: attacks that come with it and are tried on each submission; absent: all.
        phase: when teams defend and attack; absent: always.
        quota: how much a team may hand in.
        limits: what a submission may cost.
        welcome: what the first page says, by language.
    """

    name: str
    game: GameName
    table: ContestTable
    rules: RulesTable = RulesTable()
    metric: tuple[MetricTable, ...] = ()
    worth: Together | None = None
    attacks: tuple[str, ...] | None = None
    phase: tuple[PhaseTable, ...] = ()
    quota: QuotaTable = QuotaTable()
    limits: ContestLimits = ContestLimits()
    welcome: Mapping[str, str] = field(default_factory=dict)
