"""`sfumato arena archive | open`: a contest as one file, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sfumato.arena.command import CONTEST, FILE, of_store, opened_at
from sfumato.language.words import terminal_words

if TYPE_CHECKING:
    from pathlib import Path


@click.command("archive")
@of_store
@CONTEST
@click.option("-o", "--output", required=True, type=FILE, help="ZIP file to write.")
@click.option("--with-secrets", is_flag=True, help="With the contest's tables and keys: all can be judged again.")
def archive(store: Path, database: str | None, contest: Path, output: Path, with_secrets: bool) -> None:
    """Write the contest as one file: document, submissions, what was published, attacks, scores, audit log, digests.

    It is the organiser's: with the original table at hand, the order of a submission's lines tells whose they are.
    """
    from sfumato.arena.archive import pack
    from sfumato.release.stage import staged

    opened, room = opened_at(store, database)
    with staged() as stage:
        draft = stage.draft(output)
        digest = pack(draft, contest, opened, room, with_secrets=with_secrets)
        draft.chmod(0o600)
        stage.commit()
    opened.close()
    click.echo(f"{digest}  {output}")


@click.command("open")
@click.argument("archive", type=FILE)
@click.argument("folder", type=FILE)
@click.option("--database", metavar="URL", help="postgresql://… or env:NAME, empty, instead of a file in the folder.")
def open_archive(archive: Path, folder: Path, database: str | None) -> None:
    """Open ARCHIVE, whose digests are verified, as FOLDER: the document and the store, as for a server. Teams need new tokens."""
    from sfumato.arena.archive import unpack

    listed = unpack(archive, folder.absolute(), lambda store: opened_at(store, database)[0])
    _ = terminal_words().gettext
    last = (
        _("with tables and keys") if listed.has_secrets else _("without tables and keys: nothing can be judged again")
    )
    said = _("{contest}: {teams} teams, {files} files, {last}")
    click.echo(said.format(contest=listed.contest, teams=len(listed.teams), files=len(listed.files), last=last))
