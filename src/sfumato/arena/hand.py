"""`sfumato arena submit | own | choose | targets | fetch | board | about`: what a team does at the server of a contest."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.contest.telling import verdict_told
from sfumato.errors import ParameterError
from sfumato.language.words import terminal_words
from sfumato.report.columns import aligned

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.arena.seat import Seat
    from sfumato.language.words import Words

_FILE = click.Path(path_type=Path)
_SERVER = click.option(
    "--server", required=True, metavar="URL", envvar="SFUMATO_ARENA", show_envvar=True, help="Address of the contest."
)
_TOKEN = click.option(
    "--token-file",
    required=True,
    type=_FILE,
    envvar="SFUMATO_ARENA_TOKEN",
    show_envvar=True,
    help="File that holds the team's token.",
)
_CA = click.option("--ca", type=_FILE, help="Certificates, as PEM, by which the server's is checked.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print what the server says, as JSON.")
_NUMBER = click.argument("number", type=click.IntRange(1))
REFUSED = 3
"""Exit code of a file that the judge does not accept."""


def _at_server(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the options that say where the contest is and who asks."""
    return _SERVER(_TOKEN(_CA(_JSON(command))))


@click.command("submit")
@click.argument("file", type=_FILE)
@click.option("--on", "target", type=click.IntRange(1), help="The published submission that FILE attacks.")
@click.option("--patience", type=float, default=600.0, show_default=True, help="Seconds to wait for the judge; 0: not.")
@_at_server
def submit(
    file: Path, target: int | None, patience: float, as_json: bool, **where: Any
) -> None:  # fmt: skip
    """Hand in FILE, a submission or an attack on a published one, and print what the judge says of it.

    Where the network fails it is sent again; the same file is counted once, however often it is sent.
    """
    seat, say = _seat(**where), terminal_words()
    given = seat.hand_in(file, target)
    found = seat.judged(given["number"], patience=patience) if patience > 0 else {"state": "waiting", **given}
    if as_json:
        _print(found)
    else:
        _ = say.gettext
        first = _("{number}: handed in") if given.get("new", True) else _("{number}: handed in before")
        click.echo(f"{first.format(number=given['number'])}\n{_state(found, say)}")
    if found["state"] in {"refused", "failed"}:
        raise SystemExit(REFUSED)


@click.command("own")
@_at_server
def own(as_json: bool, **where: Any) -> None:
    """List what the team handed in, the newest first: number, target, state, score or what was found, and since when it is published."""
    found = _seat(**where).get("/own")
    say = terminal_words()
    _ = say.gettext
    head = [_("no."), _("on"), _("state"), _("score"), _("published")]
    rows = [[_cell(one["number"]), _cell(one["target"]), _named(one["state"], say), _cell(_score(one)), _when(one["published"])] for one in found["files"]]  # fmt: skip
    _show(found, [head, *rows], {2, 4}, as_json=as_json)


@click.command("choose")
@_NUMBER
@click.option("--withdraw", is_flag=True, help="Take it back instead, as long as nobody has attacked it.")
@_at_server
def choose(number: int, withdraw: bool, as_json: bool, **where: Any) -> None:
    """Let other teams attack the accepted submission NUMBER: its lines are published in an order drawn anew."""
    seat, _ = _seat(**where), terminal_words().gettext
    if withdraw:
        seat.withdraw(number)
        said = _("{number} is withdrawn.")
    else:
        seat.publish(number)
        said = _("{number} is published.")
    if as_json:
        _print({"withdrawn" if withdraw else "published": number})
    else:
        click.echo(said.format(number=number))


@click.command("targets")
@_at_server
def targets(as_json: bool, **where: Any) -> None:
    """List the published submissions of all teams."""
    found = _seat(**where).get("/published")
    _ = terminal_words().gettext
    head = [_("no."), _("team"), _("published")]
    rows = [[_cell(one["number"]), one["team"], _when(one["since"])] for one in found["published"]]
    _show(found, [head, *rows], {1, 2}, as_json=as_json)


@click.command("fetch")
@click.argument("numbers", type=click.IntRange(1), nargs=-1, required=True)
@click.option("-o", "--output", type=_FILE, help="File to write, of one submission.")
@click.option("--into", type=_FILE, help="Folder to write to, of any: each file is called by its number.")
@_at_server
def fetch(numbers: tuple[int, ...], output: Path | None, into: Path | None, as_json: bool, **where: Any) -> None:
    """Fetch what is published of the submissions NUMBERS."""
    places = {} if into is None else {one: into / str(one) for one in numbers}
    if output is not None and into is None and len(numbers) == 1:
        places = {numbers[0]: output}
    if not places:
        raise ParameterError("What is fetched needs a place.", "name a file with -o for one, a folder with --into.")
    seat = _seat(**where)
    most = int(seat.get("/contest")["bytes"])
    if into is not None:
        into.mkdir(exist_ok=True)
    for number, place in places.items():
        seat.fetch(number, place, most)
        if not as_json:
            click.echo(f"{number}: {place}")
    if as_json:
        _print({str(number): str(place) for number, place in places.items()})


@click.command("board")
@click.option("--by", type=click.Choice(("defence", "attack", "both")), default="defence", show_default=True)
@_SERVER
@_CA
@_JSON
def board(by: str, as_json: bool, **where: Any) -> None:
    """Print the board: teams by their defence, by what they found in those of others, or by both."""
    found = _seat(**where).get(f"/board?by={by}")
    _ = terminal_words().gettext
    shown = ("defence", "attack", "both", "submission", "worth", "found")
    head = [_("team"), _("defence"), _("attack"), _("both"), _("submission"), _("worth"), _("found")]
    rows = [[one["team"], *(_cell(one[name]) for name in shown)] for one in found["teams"]]
    _show(found, [head, *rows], {0}, as_json=as_json)


@click.command("about")
@_SERVER
@_CA
@_JSON
def about(as_json: bool, **where: Any) -> None:
    """Print what everybody may know of the contest: phases, metrics, and how much a team may hand in."""
    found = _seat(**where).get("/contest")
    if as_json:
        _print(found)
        return
    _ = terminal_words().gettext
    lines = [
        _("{contest}: {game}, rules {version}").format(
            contest=found["name"], game=found["game"], version=found["version"]
        ),
        *(f"{one['name']}: {one['start']} – {one['end']}" for one in found["phases"]),
        f"{_('metrics:')} {', '.join(found['metrics'])}",
        _("submissions: {submissions}; published: {published}; attacks on each: {attacks}").format(**found["quota"]),
    ]
    click.echo("\n".join(lines))


def _seat(**where: Any) -> Seat:
    """The seat of whoever asks; what it is made of is loaded when a server is asked."""
    from sfumato.arena.seat import seat_at

    return seat_at(**where)


def _state(one: Mapping[str, Any], say: Words) -> str:
    """What the judge says of a file, and what it found."""
    verdict = verdict_told(one.get("result") or {}, say)
    return "\n".join(filter(None, (_named(one["state"], say), verdict)))


def _named(state: str, say: Words) -> str:
    """How far a file is."""
    _ = say.gettext
    known = {
        "waiting": _("waiting"), "judging": _("with the judge"), "accepted": _("accepted"), "refused": _("refused"),
        "failed": _("could not be judged"),
    }  # fmt: skip
    return known.get(state, state)


def _score(one: Mapping[str, Any]) -> float | None:
    """What the judge made of a file, as one number."""
    said = one["result"] or {}
    found: float | None = said.get("score" if one["target"] is None else "found")
    return found


def _cell(value: float | None) -> str:
    """A number, or nothing."""
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)


def _when(seconds: float | None) -> str:
    """A moment by UTC, or nothing."""
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%SZ")


def _show(found: Mapping[str, Any], rows: Sequence[Sequence[str]], left: set[int], *, as_json: bool) -> None:
    """A table, or what the server said."""
    if as_json:
        _print(found)
        return
    click.echo("\n".join(aligned(rows, left)))


def _print(found: Mapping[str, Any]) -> None:
    """What the server said."""
    click.echo(json.dumps(found, indent=2, ensure_ascii=False, sort_keys=True))
