"""Who may read a survey in a browser: whoever typed the reader's token once; then a cookie that only this survey gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.web.access import knows
from sfumato.web.pages.gate import Public
from sfumato.web.pages.sessions import Sessions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.responses import Response

    from sfumato.collect.settings import Served


def root_of(name: str) -> str:
    """Where the pages of a survey are, and where alone its cookie is sent.

    Example:
        >>> root_of("students")
        '/collections/students/research'
    """
    return f"/collections/{name}/research"


class Door:
    """Who is in. A session belongs to one survey and to the digest of its token, so that another token ends it.

    Tokens have 256 bits: nobody guesses one, however often somebody tries.

    Args:
        collections: what is served, by name.
        clock: seconds that never go back.
        drawn: a new secret text.
    """

    def __init__(self, collections: Mapping[str, Served], clock: Callable[[], float], drawn: Callable[[], str]) -> None:
        kept = {name: served.reader for name, served in collections.items()}
        self._sessions = Sessions(kept.get, clock, drawn)

    def sign_in(self, served: Served, token: str, answer: Response, *, is_secure: bool) -> bool:
        """Give a cookie to whoever has the reader's token; whether it was that one.

        Args:
            served: the survey.
            token: what was typed.
            answer: takes the cookie.
            is_secure: whether the page was reached by https.
        """
        if not knows(f"Bearer {token.strip()}", served.reader):
            return False
        Public(is_secure, path=root_of(served.name)).keep(answer, self._sessions.begin(served.name))
        return True

    def is_in(self, served: Served, headers: Mapping[str, str]) -> bool:
        """Whether somebody comes with a cookie of this survey."""
        return self._sessions.name(Public().given(headers)) == served.name

    def leave(self, served: Served, headers: Mapping[str, str], answer: Response, *, is_secure: bool) -> None:
        """The session is over, here and in the browser."""
        self._sessions.end(Public().given(headers))
        Public(is_secure, path=root_of(served.name)).drop(answer)
