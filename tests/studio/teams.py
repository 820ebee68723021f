"""A studio of a team in this process: its users, its clock, and what each of them is answered."""

from dataclasses import dataclass, field
from pathlib import Path

import httpx
from tests.studio.conftest import finished

from sfumato.studio.app import application
from sfumato.studio.gate import Keys
from sfumato.studio.shelf import OWNERS, Shelf
from sfumato.studio.team import Team
from sfumato.studio.users import Roster
from sfumato.web.pages.gate import Public
from sfumato.web.password import Cost, digest

ORIGIN = "https://studio.example.org"
COOKIE = "__Host-sfumato"
PASSWORD = "four words nobody guesses"
CHEAP = Cost(2, 1, 1)
"""Of a guess in these tests: next to nothing."""
ROLES = {"rita": "reader", "ada": "editor", "alan": "analyst", "bob": "editor"}
"""All but Bob own the projects of these tests."""


def user_table(name, role, password=PASSWORD):
    """One user of the file, whose password costs next to nothing."""
    kept = digest(password, b"%16d" % len(name), CHEAP)
    return f'[users.{name}]\nrole = "{role}"\npassword = "{kept}"\n'


def write_users(path: Path, *tables: str) -> None:
    """A file of users that only its owner reads."""
    path.write_text('format = "sfumato.users/1"\n' + "".join(tables))
    path.chmod(0o600)


@dataclass
class House:
    """A team and its studio.

    Args:
        shelf: its projects.
        users: the file of users.
        header: the header of addresses that is believed.
        now: seconds of the clock.
    """

    shelf: Shelf
    users: Path
    header: str = ""
    now: float = 1000.0
    drawn: int = 0
    app: object = field(init=False)
    team: Team = field(init=False)

    def __post_init__(self):
        if not self.users.exists():
            write_users(self.users, *(user_table(name, role) for name, role in ROLES.items()))
        self.team = Team(Roster(self.users), Public(True, self.header), self._drawn, lambda: self.now, CHEAP)
        keys = Keys("token", "session", "", frozenset({"studio.example.org"}), ORIGIN)
        self.app = application(self.shelf, keys, self.team)

    def _drawn(self):
        self.drawn += 1
        return f"drawn-{self.drawn}"

    def ask(self, method, path, *, cookie="", peer="192.0.2.7", headers=None, **more):
        """One answer; a change comes from the studio's origin unless the headers say otherwise."""
        return self.ask_all([(method, path, cookie, peer, headers or {}, more)])[0]

    def ask_all(self, requests):
        """Answers to requests that come at once."""
        import asyncio

        async def one(method, path, cookie, peer, headers, more):
            transport = httpx.ASGITransport(self.app, client=(peer, 1))
            own = {"origin": ORIGIN} if method == "POST" else {}
            own |= {"cookie": f"{COOKIE}={cookie}"} if cookie else {}
            async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
                return await client.request(method, path, headers={**own, **headers}, **more)

        async def every():
            return await asyncio.gather(*(one(*request) for request in requests))

        return finished(every())

    def try_in(self, name, password=PASSWORD, **more):
        """An answer to a name and a password."""
        return self.ask("POST", "/login", data={"name": name, "password": password}, **more)

    def sign_in(self, name, **more):
        """The cookie of somebody who signed in."""
        answer = self.try_in(name, **more)
        assert answer.status_code == 303, answer.text
        return answer.headers["set-cookie"].split(";")[0].removeprefix(f"{COOKIE}=")


def owned(folder: Path, *names: str) -> None:
    """Make users the owners of a project."""
    (folder / OWNERS).write_text("".join(f"{name}\n" for name in names), "utf-8")
