"""The leaderboard, for everybody: teams by defence, attack or both, and the front of worth and defence."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from starlette.concurrency import run_in_threadpool

from sfumato.arena.board import found_in
from sfumato.arena.store import counts
from sfumato.frozen import dataclass
from sfumato.language.words import words
from sfumato.report.contest import Shown, front

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from sfumato.arena.board import Order
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
        arena = self.site.arena
        teams = await run_in_threadpool(arena.standings, by)
        shown = await run_in_threadpool(self._shown)
        picture = front(shown, words(self.site.words(request).language)) if shown else ""
        others = max(1, len({one.team for one in shown}) - 1)
        return self.site.answer(
            request, "board.html", here="board", teams=teams, by=by, orders=ORDERS, picture=picture, shown=shown, others=others
        )  # fmt: skip

    def _shown(self) -> list[Shown]:
        """Published submissions with what attacks find, rounded as on the board, by number: their order tells nothing."""
        store, digits = self.site.arena.store, self.site.arena.digits
        attacks = store.attacks()
        return [
            Shown(one.id, one.team, {}, float((one.result or {})["worth"]), round(found_in(one, attacks), digits), "")
            for one in sorted(store.published(), key=lambda one: one.id)
            if counts(one)
        ]
