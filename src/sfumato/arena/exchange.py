"""`sfumato arena import | scores`: answers of a phase of Codabench come into a contest, and its scores are compared."""

from __future__ import annotations

import json
import time
import zipfile
from typing import TYPE_CHECKING, Any

import click

from sfumato.arena.command import CONTEST, FILE, of_store, opened_at
from sfumato.arena.keys import check_name
from sfumato.arena.store import Reused
from sfumato.contest.codabench import answers_in, owners_of, scores_of
from sfumato.contest.unpack import DAMAGE, copied, damaged, digest_of
from sfumato.errors import SourceError
from sfumato.frozen import dataclass
from sfumato.language.words import terminal_words
from sfumato.report.columns import aligned

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.arena.room import Room
    from sfumato.arena.store import Handed, Store
    from sfumato.contest.codabench import Answer, Scored

NEAR = 1e-6
"""How far a score may be from the judge's: Codabench keeps ten digits."""
REFUSED = 3
"""Exit code of scores that are not the judge's."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an archive of answers may hold.

    Args:
        each: bytes of one answer, as it was handed in.
        total: bytes of all.
    """

    each: int
    total: int


def bring_in(archive: Path, owners: Mapping[int, str], store: Store, room: Room, limits: Limits) -> tuple[int, int]:
    """Note the answers of an archive, each under its number there: brought in again they are not noted twice.

    Args:
        archive: as Codabench hands it out.
        owners: by number, where names do not tell them.
        store: tables of the contest.
        room: its files.
        limits: of what is unpacked.

    Returns:
        How many are new, and how many there are.

    Raises:
        SourceError: a name, an owner, a limit, or a damaged archive; answers before it are noted.
    """
    new, left = 0, limits.total
    try:
        with zipfile.ZipFile(archive) as opened:
            answers = answers_in(opened, owners)
            for one in answers:
                check_name(one.owner)
            for one in answers:
                with room.arrival() as path:
                    with opened.open(one.member) as file:
                        copied(file, path, min(limits.each, left))
                    left -= path.stat().st_size
                    new += _noted(one, path, store, room)
    except DAMAGE as error:
        raise damaged(archive) from error
    return new, len(answers)


def _noted(one: Answer, path: Path, store: Store, room: Room) -> bool:
    """One answer takes its place; whether it is new."""
    digest, request, now = digest_of(path).hex(), request_of(one.submission), time.time()
    try:
        with store.holding():
            store.enter(one.owner)
            number, is_new = store.hand_in(one.owner, None, digest, now=now, most=2**31, request=request)
            if is_new:
                path.replace(room.file(number))
    except Reused:
        raise SourceError(
            "Submission {n} must be the file that was brought in before; it is another one.",
            "use a store of its own for another competition.",
            n=one.submission,
        ) from None
    return is_new


def request_of(submission: int) -> str:
    """The name of a request of a submission that came from Codabench."""
    return f"codabench-{submission}"


def differences(told: Sequence[Scored], judged: Mapping[int, Handed]) -> list[tuple[Scored, str, float, float | None]]:
    """Scores that are not the judge's: whose, which column, what is told, and what the judge says; None: nothing.

    Args:
        told: by Codabench.
        judged: by number there; others are not compared. A submission that is refused scores 0.
    """
    found = []
    for one in told:
        here = None if one.submission is None else judged.get(one.submission)
        if here is None or here.result is None:
            continue
        said = {"score": 0.0, "worth": 0.0} if here.result.get("faults") else _scores(here.result)
        for name, value in one.scores.items():
            mine = said.get(name)
            if mine is None or abs(mine - value) > NEAR:
                found.append((one, name, value, mine))
    return found


def _scores(result: Mapping[str, Any]) -> dict[str, float]:
    """What the scoring program of a bundle writes."""
    return {"score": result["score"], "worth": result["worth"], **result["metrics"]}


@click.command("import")
@click.argument("archive", type=FILE)
@of_store
@CONTEST
@click.option("--list", "listed", type=FILE, help="List of submissions as CSV, where names tell no owner.")
@click.option(
    "--most-bytes", type=click.IntRange(1), default=20_000_000_000, show_default=True, help="Of all together."
)
def import_answers(
    archive: Path, store: Path, database: str | None, contest: Path, listed: Path | None, most_bytes: int
) -> None:
    """Bring in the answers of a phase of Codabench: ARCHIVE as its organiser downloads it. They wait for the judge here.

    A team is made for each owner, as yet without a token.
    """
    from sfumato.contest.opening import read_contest

    limits = Limits(read_contest(contest).limits.bytes, most_bytes)
    owners = {} if listed is None else owners_of(listed)
    opened, room = opened_at(store, database)
    new, n = bring_in(archive, owners, opened, room, limits)
    opened.close()
    _ = terminal_words().gettext
    click.echo(_("{n} answers, {new} of them new; they wait for the judge.").format(n=n, new=new))


@click.command("scores")
@click.argument("results", type=FILE)
@of_store
@click.option("--json", "as_json", is_flag=True, help="Print the scores as JSON.")
def scores(results: Path, store: Path, database: str | None, as_json: bool) -> None:
    """Read the scores that Codabench hands out, RESULTS, and say where they are not those of the judge here."""
    told = scores_of(results)
    opened, _room = opened_at(store, database)
    judged = {
        one.submission: here for one in told if one.submission is not None
        if (here := opened.sent(one.owner, request_of(one.submission))) is not None
    }  # fmt: skip
    opened.close()
    _ = terminal_words().gettext
    found = differences(told, judged)
    if as_json:
        lines = [{"phase": one.phase, "owner": one.owner, "submission": one.submission, "scores": dict(one.scores)} for one in told]  # fmt: skip
        click.echo(json.dumps(lines, indent=2, ensure_ascii=False))
    else:
        columns = list(dict.fromkeys(name for one in told for name in one.scores))
        rows = [
            [one.owner, str(one.submission or ""), *(_cell(one.scores.get(name)) for name in columns)] for one in told
        ]
        click.echo("\n".join(aligned([[_("team"), _("no."), *columns], *rows], {0})))
    click.echo(_("{n} of {m} are judged here too.").format(n=len(judged), m=len(told)), err=as_json)
    for one, name, value, mine in found:
        text = _("{team}, {number}, {column}: {told} there, {mine} here.")
        click.echo(text.format(team=one.owner, number=one.submission, column=name, told=_cell(value), mine=_cell(mine)), err=as_json)  # fmt: skip
    if found:
        raise SystemExit(REFUSED)


def _cell(value: float | None) -> str:
    """A score, or nothing."""
    return "–" if value is None else f"{value:.6f}"
