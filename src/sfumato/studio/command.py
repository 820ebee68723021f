"""`sfumato studio [FOLDER]`: a folder of projects in a browser."""

from __future__ import annotations

import base64
import socket
import threading
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.errors import PlanError
from sfumato.extras import Needs

if TYPE_CHECKING:
    from sfumato.studio.gate import Keys


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@click.option("--port", type=click.IntRange(0, 65535), default=8378, show_default=True, help="0: a free one.")
@click.option(
    "--root",
    "roots",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A folder from which tables may be read too.",
)
@click.option("--browser/--no-browser", default=True, help="Whether a browser is opened.")
def studio(folder: Path, port: int, roots: tuple[Path, ...], browser: bool) -> None:
    """Show the projects of FOLDER (default: the current one) in a browser, until Ctrl-C."""
    with Needs("studio", "The studio needs the packages starlette, uvicorn, python-multipart and babel."):
        import babel  # noqa: F401
        import python_multipart  # noqa: F401
        import uvicorn

        from sfumato.studio.app import application
    from sfumato.studio.shelf import Shelf

    if not folder.is_dir():
        raise PlanError("The studio needs a folder; there is none at {folder!r}.", "make it.", folder=str(folder))
    listening = _listening(port)
    keys = _keys(listening.getsockname()[1])
    address = f"http://127.0.0.1:{listening.getsockname()[1]}{keys.path}/enter?token={keys.token}"
    click.echo(f"Sfumato studio: {address}\nStop with Ctrl-C.", err=True)
    if browser:
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    app = application(Shelf(folder.resolve(), tuple(root.resolve() for root in roots)), keys)
    config = uvicorn.Config(
        app, log_level="error", access_log=False, server_header=False, date_header=False, proxy_headers=False, ws="none",
        timeout_graceful_shutdown=2, lifespan="off",
    )  # fmt: skip
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run([listening])
    click.echo("The studio has stopped; what runs goes on.", err=True)


def _keys(port: int) -> Keys:
    """What lets the user in, drawn anew."""
    from sfumato.studio.gate import Keys

    hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost"))
    return Keys(_drawn(), _drawn(), f"/{_drawn()[:12]}", hosts)


def _drawn() -> str:
    """256 bits as text."""
    from sfumato.noise.bits import SystemBits

    return base64.urlsafe_b64encode(SystemBits().words(4).tobytes()).decode().rstrip("=")


def _listening(port: int) -> socket.socket:
    """A socket on this machine alone.

    Raises:
        PlanError: the port is taken.
    """
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(("127.0.0.1", port))
        made.listen()  # from here on whoever opens the printed address waits for the first answer
    except OSError as error:
        made.close()
        raise PlanError(
            "Port {port} must be free; {strerror}.",
            "choose another with --port; 0 takes a free one.",
            port=port,
            strerror=error.strerror,
        ) from None
    return made
