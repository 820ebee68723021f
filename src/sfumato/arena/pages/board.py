"""The leaderboard, for everybody: teams by defence, attack or both, and the front of worth and defence."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from starlette.concurrency import run_in_threadpool

from sfumato.arena.board import by_target, found_in, standings
from sfumato.arena.store import counts
from sfumato.frozen import dataclass
from sfumato.language.words import words
from sfumato.report.contest import Shown, front

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from sfumato.arena.board import Order, Standing
    from sfumato.arena.pages.site import Site

ORDERS = {"defence": "Defence", "attack": "Attack", "both": "Both"}
"""What teams are ordered by, with its title."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardPages:
    """The leaderboard.

    Args:
        site: what pages need.
    """

    site: Site

    async def show(self, request: Request) -> Response:
        """The board as everybody may see it now."""
        by = cast("Order", request.query_params.get("by", "defence"))
        by = by if by in ORDERS else "defence"
        teams, shown = await run_in_threadpool(self._board, by)
        picture = front(shown, words(self.site.words(request).language)) if shown else ""
        return self.site.answer(
            request, "board.html", here="board", teams=teams, by=by, orders=ORDERS, picture=picture, shown=shown
        )  # fmt: skip

    def _board(self, by: Order) -> tuple[list[Standing], list[Shown]]:
        """Teams in their order; published submissions by number, so that their order tells nothing. Both rounded."""
        arena = self.site.arena
        digits, published, attacks = arena.digits, arena.store.published(), arena.store.attacks()
        teams = standings(arena.game, arena.store.teams(), published, attacks, digits=digits, by=by)
        tried = by_target(attacks)
        shown = [
            Shown(one.id, one.team, {}, float((one.result or {})["worth"]), round(found_in(one, tried.get(one.id, ())), digits), "")
            for one in sorted(published, key=lambda one: one.id)
            if counts(one)
        ]  # fmt: skip
        return teams, shown
