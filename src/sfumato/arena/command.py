"""`sfumato serve arena`: the server of a contest; and what its organiser does beside it: teams, all again, the report."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.extras import Needs
from sfumato.web.options import of_server, reached_from

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.arena.room import Room
    from sfumato.arena.store import Store

FILE = click.Path(path_type=Path)
CONTEST = click.option("--contest", required=True, type=FILE, help="Document of the contest.")
_FOLDER = click.option(
    "--store", required=True, type=FILE, help="Folder of what is handed in; made if it is not there."
)
_DATABASE = click.option(
    "--database", metavar="URL", help="postgresql://… or env:NAME, instead of a file in the folder."
)


def of_store(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the options that say where a contest is kept."""
    return _FOLDER(_DATABASE(command))


@click.command("arena")
@click.argument("contest", type=FILE)
@of_store
@of_server(8380)
def serve_arena(contest: Path, store: Path, database: str | None, port: int, **reached: Any) -> None:
    """Serve the CONTEST: teams hand in by token, every file is judged by a process of its own, and a board tells."""
    from sfumato.arena.jail import apart
    from sfumato.arena.serving import Arena
    from sfumato.arena.timetable import Timetable
    from sfumato.arena.worker import Worker
    from sfumato.contest.opening import open_judge, read_contest
    from sfumato.document.server import Limits

    with Needs("server", "The server needs the packages starlette and uvicorn."):
        import python_multipart  # noqa: F401 - forms need it

        from sfumato.arena.app import arena_app
        from sfumato.arena.pages.app import pages_app
        from sfumato.web.serve import may_run, run
    from sfumato.web.metrics import Tally
    from sfumato.web.reached import authority

    at = reached_from(**reached)
    said, judge = read_contest(contest), open_judge(contest)
    limits, tally = Limits(body=said.limits.bytes, memory=max(said.limits.bytes, 256_000_000), seconds=300.0), Tally()
    may_run(limits)
    opened, room = opened_at(store.absolute(), database)
    worker = Worker(opened, room, contest, said.limits.seconds)
    if not apart():
        click.echo(
            "warning: this system gives no network of its own to the judge; files are judged with the machine's.",
            err=True,
        )
    with room.alone():
        click.echo(f"contest: {judge.name}, {judge.original.rows:,} lines, {len(opened.teams())} teams", err=True)
        if port and not at.proxied:
            click.echo(f"pages: http{'s' if at.certificate else ''}://{authority(at.host, port)}/", err=True)
        timetable = Timetable(contest)
        arena = Arena(said, judge.game, opened, room, worker, limits, timetable=timetable)
        pages = pages_app(arena, judge, timetable, contest.absolute().parent, is_secure=at.is_secure)
        run(arena_app(arena, tally, pages), limits, tally, at, port=port)


@click.command("team")
@click.argument("name")
@of_store
def team(name: str, store: Path, database: str | None) -> None:
    """Make a team NAME, or a new token for it, and print the token once: only its digest is kept."""
    from sfumato.arena.keys import new_team

    opened, _ = opened_at(store, database)
    try:
        token = new_team(opened, name, now=time.time())
    finally:
        opened.close()
    click.echo(token)


@click.command("key")
@of_store
def key(store: Path, database: str | None) -> None:
    """Make a token for the organiser's page, and print it once; the one before is worth nothing then."""
    from sfumato.arena.keys import new_organiser

    opened, room = opened_at(store.absolute(), database)
    opened.close()
    click.echo(new_organiser(room.folder))


@click.command("report")
@of_store
@CONTEST
@click.option("-o", "--output", required=True, type=FILE, help="HTML file to write.")
@click.option("--language", type=click.Choice(("en", "fr")), default="en", show_default=True)
def report(store: Path, database: str | None, contest: Path, output: Path, language: str) -> None:
    """Write what survived, and which attack won where, as a page."""
    from sfumato.arena.board import best_attack, by_target, found_in, standings
    from sfumato.arena.store import counts
    from sfumato.contest.opening import open_judge
    from sfumato.release.stage import staged
    from sfumato.report.contest import Shown, Team, render_contest

    judge, (opened, _) = open_judge(contest), opened_at(store, database)
    shown, attacks = tuple(one for one in opened.published() if counts(one)), opened.attacks()
    board = standings(judge.game, opened.teams(), shown, attacks)
    opened.close()
    on = by_target(attacks)
    lines = [
        Shown(one.id, one.team, said["metrics"], said["worth"], found_in(one, tried), best_attack(one, tried))
        for one in shown
        if (said := one.result) is not None and (tried := on.get(one.id, [])) is not None
    ]
    teams = [Team(one.team, one.defence, one.attack, one.submission) for one in board]
    with staged() as stage:
        stage.write(output, render_contest(judge.name, teams, lines, language))
        stage.commit()


def opened_at(folder: Path, database: str | None) -> tuple[Store, Room]:
    """Tables and files of a contest, ready and belonging together.

    Args:
        folder: of the files; made if absent.
        database: URL of the tables, or `env:NAME`; None: a file in the folder.

    Raises:
        PlanError: the folder has the files of another database, or there is no such variable.
        SourceError: the database cannot be opened.
    """
    from sfumato.arena.room import Room
    from sfumato.arena.store import Store
    from sfumato.errors import PlanError

    if database is not None and database.startswith("env:"):
        name = database.removeprefix("env:")
        database = os.environ.get(name)
        if not database:
            raise PlanError("`--database` names the variable {name}; it must hold a URL.", "set it.", name=name)
    room = Room(folder)
    room.ready()
    store = Store(folder / "arena.db" if database is None else database)
    room.belong(store.identity())
    return store, room
