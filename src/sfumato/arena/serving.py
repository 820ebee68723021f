"""What is served, whatever it is asked by: the contest now, and what of it a team and everybody may see."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sfumato.arena.board import DIGITS, standings
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.arena.board import Order, Standing
    from sfumato.arena.room import Room
    from sfumato.arena.store import Handed, Store
    from sfumato.arena.timetable import Timetable
    from sfumato.arena.worker import Worker
    from sfumato.contest.game import Game
    from sfumato.document.contest import ContestDocument, PhaseTable
    from sfumato.document.server import Limits

EXACT = 4
"""Digits of scores that hide nothing any longer."""


@dataclass(frozen=True, slots=True, eq=False)
class Arena:
    """Everything that the routes need.

    Args:
        contest: its document.
        game: its kind.
        store: what was handed in.
        room: where the files are.
        worker: who judges.
        limits: of requests; `body` is the largest file.
        clock: seconds since 1970.
        timetable: the phases as they are now; None: as the document said.
    """

    contest: ContestDocument
    game: Game
    store: Store
    room: Room
    worker: Worker
    limits: Limits
    clock: Callable[[], float] = time.time
    timetable: Timetable | None = None

    @property
    def phases(self) -> tuple[PhaseTable, ...]:
        """When teams defend and attack."""
        return self.contest.phase if self.timetable is None else self.timetable.phases()

    def now(self) -> datetime:
        """By the clock of the server."""
        return datetime.fromtimestamp(self.clock(), UTC)

    def phase(self, kind: str) -> PhaseTable | None:
        """The phase of a kind that is now; None: there is none."""
        now = self.now()
        return next((p for p in self.phases if p.kind == kind and p.start <= now < p.end), None)

    def is_open(self, kind: str) -> bool:
        """Whether something may be handed in: always, where no phase is declared."""
        return not self.phases or self.phase(kind) is not None

    @property
    def digits(self) -> int:
        """Of what attacks find: few until the last phase of attacks has ended, and for ever where there is none."""
        ends = [p.end for p in self.phases if p.kind == "attack"]
        return EXACT if ends and all(end <= self.now() for end in ends) else DIGITS

    def standings(self, by: Order = "defence") -> list[Standing]:
        """The board as everybody may see it now; asks the store."""
        store = self.store
        return standings(self.game, store.teams(), store.published(), store.attacks(), digits=self.digits, by=by)


def told_to_team(one: Handed, digits: int) -> dict[str, Any]:
    """A file as its team sees it."""
    result = dict(one.result or {})
    if one.target is not None and isinstance(result.get("found"), float):
        result["found"] = round(result["found"], digits)
    return {
        "number": one.id, "target": one.target, "at": one.at, "sha256": one.sha256, "state": one.state, "result": result,
        "published": one.published,
    }  # fmt: skip
