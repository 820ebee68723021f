"""Passwords of databases, as somebody typed them: in the memory of the studio alone, for whoever typed them, until they are old.

Nothing here is written anywhere: a studio that is started again asks again. A process of a job is handed the password that it
needs through its standard input, with the address that it is for, and gives it to no other database.
"""

from __future__ import annotations

import json
import time
from dataclasses import field, replace
from typing import TYPE_CHECKING

from sfumato.errors import SourceError
from sfumato.frozen import dataclass
from sfumato.table.source import SqlSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sfumato.table.source import Source

LONGEST = 12 * 3600.0
"""Seconds after which a password is forgotten."""


class Locked(SourceError):
    """A database wants a password that nobody has typed."""


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """One password.

    Args:
        password: as it was typed.
        since: seconds of the clock.
    """

    password: str = field(repr=False)
    since: float


@dataclass(slots=True, eq=False)
class Vault:
    """Passwords by user and address of a database.

    Args:
        clock: seconds that never go back.
    """

    clock: Callable[[], float] = time.monotonic
    _all: dict[tuple[str, str], Kept] = field(default_factory=dict, repr=False)

    def keep(self, user: str, url: str, password: str) -> None:
        """A password that was typed; an empty one says that none is needed."""
        self._all[user, url] = Kept(password, self.clock())

    def found(self, users: Iterable[str], url: str) -> str | None:
        """What one of these users typed for a database; None: nothing, or too long ago.

        Example:
            >>> vault = Vault(lambda: 0.0)
            >>> vault.keep("ada", "postgresql://host/base", "secret")
            >>> vault.found(["ada"], "postgresql://host/base"), vault.found(["bob"], "postgresql://host/base")
            ('secret', None)
        """
        self._all = {key: one for key, one in self._all.items() if self.clock() - one.since < LONGEST}
        there = (self._all.get((user, url)) for user in users)
        return next((one.password for one in there if one is not None), None)

    def forget(self, user: str) -> None:
        """Whoever goes out takes the passwords along."""
        self._all = {key: one for key, one in self._all.items() if key[0] != user}


def handed_over(passwords: Mapping[str, str]) -> str:
    """What a process reads from its standard input, by address of a database; "": it needs no password."""
    needed = {url: password for url, password in passwords.items() if password}
    return json.dumps(needed) if needed else ""


def key_in(text: str, url: str) -> str:
    """The password that was handed over for this very database; "": none was."""
    said = json.loads(text) if text else {}
    return str(said.get(url, ""))


def opened_with(text: str, source: Source) -> Source:
    """A source with the password that was handed over, if it was for this very database.

    Example:
        >>> text = handed_over({"postgresql://host/base": "secret"})
        >>> [opened_with(text, SqlSource(url, "t")).password for url in ("postgresql://host/base", "postgresql://other/base")]
        ['secret', '']
    """
    return replace(source, password=key_in(text, source.url)) if isinstance(source, SqlSource) else source
