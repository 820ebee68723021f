"""`sfumato serve collect | token`: run the collection server, make a token for it; `cli.serve` loads them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.errors import PlanError
from sfumato.extras import Needs
from sfumato.web.options import of_listener
from sfumato.web.postgresql import URLS

if TYPE_CHECKING:
    from sfumato.collect.store.base import Store


@click.command("collect")
@click.argument("document", type=click.Path(path_type=Path))
@of_listener(8377)
def serve_collect(document: Path, host: str, port: int) -> None:
    """Serve the collections of DOCUMENT until it is told to stop; what waits is written first."""
    with Needs("server", "The server needs the packages orjson, starlette and uvicorn."):
        from sfumato.collect.app import application
        from sfumato.web.serve import may_run, run
    from sfumato.collect.metrics import Tally
    from sfumato.collect.settings import read_settings
    from sfumato.web.reached import Reached

    settings = read_settings(document)
    may_run(settings.limits)
    tally = Tally()
    app = application(settings, store_of(settings.store), tally)
    click.echo(f"collections: {', '.join(settings.collections)}", err=True)
    run(app, settings.limits, tally, Reached(host), port=port)


@click.command()
def token() -> None:
    """Draw a token: give the first line to who may use it, put the second into the server document."""
    from sfumato.noise.bits import SystemBits
    from sfumato.web.access import new_token

    drawn, digest = new_token(SystemBits())
    click.echo(f"token:  {drawn}\nsha256: {digest}")


def store_of(url: str) -> Store:
    """The store at a url.

    Raises:
        PlanError: another kind of url.
        SourceError: the store cannot be opened.
    """
    if url.startswith("sqlite:///"):
        from sfumato.collect.store.sqlite import SqliteStore

        return SqliteStore(Path(url.removeprefix("sqlite:///")))
    if url.startswith(URLS):
        from sfumato.collect.store.postgresql import PostgresStore

        return PostgresStore(url)
    raise PlanError("`store` must be sqlite:///file or postgresql://…; it is another url.", "correct it.")
