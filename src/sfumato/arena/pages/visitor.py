"""Who comes to the pages of a contest: a team or the organiser, by a token that was typed once; then by a cookie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.arena.keys import ORGANISER, is_organiser
from sfumato.frozen import dataclass
from sfumato.web.access import secret_digest
from sfumato.web.pages.sessions import Sessions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sfumato.arena.store import Store

_TEAM = "team "


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who has signed in.

    Args:
        team: name of the team; "": it is the organiser.
    """

    team: str

    @property
    def is_organiser(self) -> bool:
        """Whether it is the organiser."""
        return not self.team


class Doors:
    """Who may come in, and who is in. A session is known by the digest of the token, so that a new token ends it.

    Tokens have 256 bits: nobody guesses one, however often somebody tries.

    Args:
        store: knows the teams.
        folder: of the store, where the organiser's digest is.
        clock: seconds that never go back.
        drawn: a new secret text.
    """

    def __init__(self, store: Store, folder: Path, clock: Callable[[], float], drawn: Callable[[], str]) -> None:
        self._store, self._folder = store, folder
        self._sessions = Sessions(self._known, clock, drawn)

    def sign_in(self, token: str) -> str | None:
        """The cookie of a new session; None: nobody has this token."""
        digest = secret_digest(token.strip())
        return None if self._known(digest) is None else self._sessions.begin(digest)

    def visitor(self, cookie: str) -> Visitor | None:
        """Who comes with a cookie; None: nobody."""
        found = self._sessions.session(cookie) if cookie else None
        return None if found is None else Visitor(found.kept.removeprefix(_TEAM) if found.kept != ORGANISER else "")

    def end(self, cookie: str) -> None:
        """Whoever has it goes out."""
        self._sessions.end(cookie)

    def _known(self, digest: str) -> str | None:
        """Whose token has a digest; None: nobody's."""
        if is_organiser(self._folder, digest):
            return ORGANISER
        team = self._store.team_of(digest)
        return None if team is None else _TEAM + team
