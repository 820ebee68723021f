"""`sfumato serve arena`: the server of a contest; and what its organiser does beside it: teams, all again, the archive."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.extras import Needs

if TYPE_CHECKING:
    from sfumato.arena.store import Store

_FILE = click.Path(path_type=Path)
_STORE = click.option(
    "--store", required=True, type=_FILE, help="Folder of what is handed in; made if it is not there."
)
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@click.command("arena")
@click.argument("contest", type=_FILE)
@_STORE
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8380, show_default=True, help="0: a free one.")
@click.option(
    "--behind-proxy", is_flag=True, help="A proxy in front encrypts: needed for an address that is not this machine's."
)
def serve_arena(contest: Path, store: Path, host: str, port: int, behind_proxy: bool) -> None:
    """Serve the CONTEST: teams hand in by token, every file is judged by a process of its own, and a board tells."""
    from sfumato.arena.jail import apart
    from sfumato.arena.room import Room
    from sfumato.arena.worker import Worker
    from sfumato.contest.opening import open_judge, read_contest
    from sfumato.document.server import Limits
    from sfumato.errors import ParameterError

    with Needs("server", "The server needs the packages fastapi and uvicorn."):
        from sfumato.arena.app import Arena, arena_app
        from sfumato.web.serve import may_run, run
    from sfumato.web.metrics import Tally

    if host not in _LOOPBACK and not behind_proxy:
        raise ParameterError(
            "Tokens and submissions must travel encrypted.",
            "put a proxy in front and say --behind-proxy, or listen on 127.0.0.1.",
        )
    said, judge = read_contest(contest), open_judge(contest)
    limits, tally = Limits(body=said.limits.bytes, memory=max(said.limits.bytes, 256_000_000), seconds=300.0), Tally()
    may_run(limits)
    opened = _opened(store)
    room = Room(store.absolute())
    worker = Worker(opened, room, contest, said.limits.seconds)
    if not apart():
        click.echo(
            "warning: this system gives no network of its own to the judge; files are judged with the machine's.",
            err=True,
        )
    click.echo(f"contest: {judge.name}, {judge.original.rows:,} lines, {len(opened.teams())} teams", err=True)
    run(arena_app(Arena(said, judge.game, opened, room, worker, limits), tally), limits, tally, host=host, port=port)


@click.command("team")
@click.argument("name")
@_STORE
def team(name: str, store: Path) -> None:
    """Make a team NAME, or a new token for it, and print the token once: only its digest is kept."""
    from sfumato.errors import ParameterError
    from sfumato.noise.bits import SystemBits
    from sfumato.web.access import new_token

    if not 1 <= len(name) <= 60 or not name.isprintable() or name != name.strip():
        raise ParameterError("A team needs a name of 1 to 60 printable characters.", "choose another one.")
    token, digest = new_token(SystemBits())
    opened = _opened(store)
    opened.add_team(name, digest, now=time.time())
    opened.close()
    click.echo(token)


@click.command("again")
@_STORE
def again(store: Path) -> None:
    """Let the judge judge everything again, as after a change of metrics. Keys and what is published stay."""
    opened = _opened(store)
    n = opened.again(now=time.time())
    opened.close()
    click.echo(f"{n} files wait for the judge; start the server if it does not run.")


@click.command("report")
@_STORE
@click.option("--contest", required=True, type=_FILE, help="Document of the contest.")
@click.option("-o", "--output", required=True, type=_FILE, help="HTML file to write.")
@click.option("--language", type=click.Choice(("en", "fr")), default="en", show_default=True)
def report(store: Path, contest: Path, output: Path, language: str) -> None:
    """Write what survived, and which attack won where, as a page."""
    from sfumato.arena.board import best_attack, found_in, standings
    from sfumato.contest.opening import open_judge
    from sfumato.release.stage import staged
    from sfumato.report.contest import Shown, Team, render_contest

    judge, opened = open_judge(contest), _opened(store)
    shown, attacks = opened.published(), opened.attacks()
    board = standings(judge.game, opened.teams(), shown, attacks)
    opened.close()
    lines = [
        Shown(one.id, one.team, said["metrics"], said["worth"], found_in(one, attacks), best_attack(one, attacks))
        for one in shown
        if (said := one.result) is not None
    ]
    teams = [Team(one.team, one.defence, one.attack, one.submission) for one in board]
    with staged() as stage:
        stage.write(output, render_contest(judge.name, teams, lines, language))
        stage.commit()


def _opened(folder: Path) -> Store:
    """The store in a folder that is ready."""
    from sfumato.arena.room import Room
    from sfumato.arena.store import Store

    Room(folder).ready()
    return Store(folder / "arena.db")
