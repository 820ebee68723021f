"""`sfumato arena rejudge | audit`: what the organiser of a contest does with what was handed in."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from sfumato.arena.command import CONTEST, of_store, opened_at
from sfumato.errors import SourceError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sfumato.arena.room import Room
    from sfumato.arena.store import Handed, Store
    from sfumato.arena.worker import Worker

_JSON = click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")


@dataclass(frozen=True, slots=True)
class Change:
    """A file of which the judge says something else than before.

    Args:
        file: its number.
        team: whose it is.
        before: its state, and its worth and score, or what it finds.
        after: the same now.
    """

    file: int
    team: str
    before: str
    after: str


def judged_anew(store: Store, worker: Worker, *, now: float) -> tuple[int, tuple[Change, ...]]:
    """Everything is judged again, here and now; how many files, and which are told otherwise. Nobody else may judge.

    Raises:
        SourceError: the store failed; what is left waits.
    """
    before = store.everything()
    store.put_back()
    n = store.again(now=now)
    while worker.next_one() is not None:
        pass
    return n, changes(before, store.everything())


def check_keys(store: Store, room: Room) -> None:
    """Refuse to judge where keys are gone: they would be drawn anew, and no attack would find what it found.

    Raises:
        SourceError: an accepted submission has none.
    """
    for one in store.everything():
        if one.target is None and one.state == "accepted" and not room.key(one.id).exists():
            raise SourceError(
                "Every accepted submission must have its key; submission {n} has none.",
                "open an archive that was written with its secrets.",
                n=one.id,
            )


def changes(before: Iterable[Handed], after: Iterable[Handed]) -> tuple[Change, ...]:
    """What is told otherwise, by number.

    Example:
        >>> from sfumato.arena.store import Handed
        >>> one, other = (Handed(1, "red", None, 0.0, "", "accepted", {"score": said}, None) for said in (0.5, 0.25))
        >>> changes([one], [other])
        (Change(file=1, team='red', before='accepted 0.5000', after='accepted 0.2500'),)
    """
    known = {one.id: one for one in before}
    found = [
        Change(one.id, one.team, _told(known[one.id]), _told(one))
        for one in after
        if one.id in known and (known[one.id].state, known[one.id].result) != (one.state, one.result)
    ]
    return tuple(sorted(found, key=lambda one: one.file))


def _told(one: Handed) -> str:
    """State and scores."""
    said = one.result or {}
    scores = (said.get(name) for name in (("worth", "score") if one.target is None else ("found",)))
    return " ".join([one.state, *(f"{score:.4f}" for score in scores if score is not None)])


@click.command("rejudge")
@of_store
@CONTEST
@_JSON
def rejudge(store: Path, database: str | None, contest: Path, as_json: bool) -> None:
    """Judge everything again, as after a change of metrics, and say what changed. Keys and what is published stay.

    Where a server runs on the store, it judges: files wait for it, and count as they did until then.
    """
    from sfumato.arena.worker import Worker
    from sfumato.contest.opening import open_judge, read_contest
    from sfumato.language.words import terminal_words

    open_judge(contest)
    _ = terminal_words().gettext
    opened, room = opened_at(store.absolute(), database)
    with ExitStack() as stack:
        stack.callback(opened.close)
        try:
            stack.enter_context(room.alone())
        except SourceError:
            n = opened.again(now=time.time())
            _print({"waiting": n}, _("{n} files wait for the server that runs.").format(n=n), as_json=as_json)
            return
        check_keys(opened, room)
        worker = Worker(opened, room, contest, read_contest(contest).limits.seconds)
        n, found = judged_anew(opened, worker, now=time.time())
    lines = [f"{one.file:>6} {one.team}: {one.before} → {one.after}" for one in found]
    last = _("{n} files judged, {m} otherwise than before.").format(n=n, m=len(found))
    told = {"judged": n, "changed": [asdict(one) for one in found]}
    _print(told, "\n".join([*lines, last]), as_json=as_json)


@click.command("audit")
@of_store
@_JSON
def audit(store: Path, database: str | None, as_json: bool) -> None:
    """Print who did what when: the time by UTC, who, what, and the number of the file, between tabs."""
    opened, _ = opened_at(store, database)
    rows = [(_moment(at), who, what, file) for at, who, what, file in opened.audit()]
    opened.close()
    text = "\n".join("\t".join((at, who, what, "" if file is None else str(file))) for at, who, what, file in rows)
    _print([dict(zip(("at", "who", "what", "file"), row, strict=True)) for row in rows], text, as_json=as_json)


def _moment(at: float) -> str:
    """A moment by UTC."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def _print(told: object, text: str, *, as_json: bool) -> None:
    """What was found, for people or for programs."""
    click.echo(json.dumps(told, indent=2, ensure_ascii=False) if as_json else text)
