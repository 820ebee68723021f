"""`sfumato studio [FOLDER]`: a folder of projects in a browser, for one user of this machine or for a team."""

from __future__ import annotations

import base64
import sys
import threading
import webbrowser
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.errors import EngineError, PlanError
from sfumato.extras import Needs

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from starlette.types import ASGIApp

    from sfumato.studio.gate import Keys
    from sfumato.studio.public import Outside
    from sfumato.studio.shelf import Shelf

_PATH = click.Path(path_type=Path)
_OPTIONS = (
    click.option("--port", type=click.IntRange(0, 65535), default=8378, show_default=True, help="0: a free one."),
    click.option("--root", "roots", type=_PATH, multiple=True, help="A folder from which tables may be read too."),
    click.option("--browser/--no-browser", default=True, help="Whether a browser is opened."),
    click.option("--users", type=_PATH, help="File of users: who signs in, with which role."),
    click.option("--add-user", metavar="NAME", help="Write a user into the file of users, and stop; the password is asked."),
    click.option("--role", type=click.Choice(["reader", "editor", "analyst"]), help="Of the user who is added."),
    click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; elsewhere only for a team, by https."),
    click.option("--behind-proxy", "proxy", metavar="ORIGIN", default="", help="Origin of the proxy before the studio, such as https://studio.example.org."),
    click.option("--proxy-address-header", "header", metavar="NAME", default="", help="Header in which the proxy tells the address of whoever comes; none is believed otherwise."),
    click.option("--tls-cert", "certificate", type=_PATH, help="Certificate for https, as PEM."),
    click.option("--tls-key", "key", type=_PATH, help="Its key."),
)  # fmt: skip


def _with_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@click.argument("folder", type=_PATH, default=Path())
@_with_options
def studio(
    folder: Path, port: int, roots: tuple[Path, ...], browser: bool, add_user: str | None, role: str | None, **outside: Any
) -> None:  # fmt: skip
    """Show the projects of FOLDER (default: the current one) in a browser, until Ctrl-C."""
    with Needs("studio", "The studio needs the packages starlette, uvicorn and python-multipart."):
        import python_multipart  # noqa: F401
        import uvicorn  # noqa: F401
    _check_system()
    from sfumato.studio.public import Outside
    from sfumato.studio.shelf import Shelf
    from sfumato.web.reached import listening

    reached = Outside(**outside)
    if add_user is not None:
        _added(reached.users, add_user, role)
        return
    if not folder.is_dir():
        raise PlanError("The studio needs a folder; there is none at {folder!r}.", "make it.", folder=str(folder))
    shelf = Shelf(folder.resolve(), tuple(root.resolve() for root in roots))
    reached.check((shelf.folder, *shelf.roots))
    reached.server.check_certificate()
    if reached.users is None:
        _run(shelf, reached, listening(reached.host, port), browser=browser)
    else:
        _check_users(reached.users)
        _run(shelf, reached, listening(reached.host, port), browser=browser and not reached.is_secure)


def _check_system() -> None:
    """A job tells that it lives by a lock that its process inherits, which Windows has not.

    Raises:
        EngineError: the system has no such locks.
    """
    if find_spec("fcntl") is None:
        raise EngineError(
            "The studio needs a system on which a process inherits locks on files, such as Linux or macOS.",
            "run it under WSL; the other commands need no such system.",
        )


def _added(users: Path | None, name: str, role: str | None) -> None:
    """A user is written into the file, with a password that is asked or read from standard input."""
    from sfumato.studio.roles import Role
    from sfumato.studio.users import add_user

    if users is None or role is None:
        raise PlanError("A user is added to a file, with a role.", "add `--users FILE --role ROLE`.")
    if sys.stdin.isatty():
        password = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    else:
        password = sys.stdin.readline().rstrip("\r\n")
    add_user(users, name, Role(role), password)
    click.echo(f"{name} is {role} in {users}.", err=True)


def _check_users(path: Path) -> None:
    from sfumato.studio.users import read_users

    if not read_users(path):
        raise PlanError("A studio for a team must have a user.", "write one with `--add-user NAME --role ROLE`.")


def _run(shelf: Shelf, reached: Outside, line: socket.socket, *, browser: bool) -> None:
    """Answer until Ctrl-C."""
    with Needs("studio", "The studio needs the package uvicorn."):
        import uvicorn
    from sfumato.web.reached import authority

    port = line.getsockname()[1]
    keys = _keys(reached, port)
    entrance = "/login" if reached.users else f"/enter?token={keys.token}"
    origin = keys.origin or f"http://{authority(reached.host, port)}"
    address = f"{origin}{keys.path}{entrance}"
    click.echo(f"Sfumato studio: {address}\nStop with Ctrl-C.", err=True)
    if browser:
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    config = uvicorn.Config(
        _application(shelf, keys, reached), log_level="error", access_log=False, server_header=False, date_header=False,
        proxy_headers=False, ws="none", timeout_graceful_shutdown=2, lifespan="off",
        ssl_certfile=reached.certificate, ssl_keyfile=reached.key,
    )  # fmt: skip
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run([line])
    click.echo("The studio has stopped; what runs goes on.", err=True)


def _application(shelf: Shelf, keys: Keys, reached: Outside) -> ASGIApp:
    """The pages, for one user or for a team."""
    from sfumato.studio.app import application
    from sfumato.studio.team import Team
    from sfumato.studio.users import Roster
    from sfumato.web.pages.gate import Public

    if reached.users is None:
        return application(shelf, keys)
    public = Public(reached.is_secure, reached.header, keys.path)
    return application(shelf, keys, Team(Roster(reached.users), public, _drawn))


def _keys(reached: Outside, port: int) -> Keys:
    """What lets the user in, drawn anew; a team has its own host by https, and needs no path that nobody else knows."""
    from sfumato.studio.gate import Keys

    path = "" if reached.is_secure else f"/{_drawn()[:12]}"
    return Keys(_drawn(), _drawn(), path, reached.hosts(port), reached.origin(port))


def _drawn() -> str:
    """256 bits as text."""
    from sfumato.noise.bits import SystemBits

    return base64.urlsafe_b64encode(SystemBits().words(4).tobytes()).decode().rstrip("=")
