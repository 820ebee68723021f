"""`sfumato arena …`: contests of anonymisation, judged here; what teams and organisers do with a server stands in `arena`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.cli.lazy import LazyGroup
from sfumato.cli.options import JSON

if TYPE_CHECKING:
    from sfumato.document.result.contest import SubmissionResult
    from sfumato.language.words import Words

_FILE = click.Path(path_type=Path)
_CONTEST = click.option("--contest", required=True, type=_FILE, help="Document of the contest.")
_OUT = click.option("-o", "--output", required=True, type=_FILE, help="File to write.")
_SUBMISSION = click.argument("submission", type=_FILE)
REFUSED = 3
"""Exit code of a file that breaks the rules."""


_BESIDE = {
    "team": ("sfumato.arena.command", "team"),
    "key": ("sfumato.arena.command", "key"),
    "report": ("sfumato.arena.command", "report"),
    "rejudge": ("sfumato.arena.organiser", "rejudge"),
    "audit": ("sfumato.arena.organiser", "audit"),
    "archive": ("sfumato.arena.packing", "archive"),
    "import": ("sfumato.arena.exchange", "import_answers"),
    "scores": ("sfumato.arena.exchange", "scores"),
    "open": ("sfumato.arena.packing", "open_archive"),
    **{
        name: ("sfumato.arena.hand", name) for name in ("submit", "own", "choose", "targets", "fetch", "board", "about")
    },
}
"""Commands of the server's organiser and of teams, loaded when they are asked for."""


@click.group(cls=LazyGroup, beside=_BESIDE)
def arena() -> None:
    """Judge contests in which teams anonymise a table and attack each other's.

    The judge is the same here and on the server: what it says of a file at home is what it says there.
    """


@arena.command()
@click.argument("folder", type=_FILE)
@click.option("--name", default="An afternoon", show_default=True, help="Of the contest.")
@click.option("--persons", type=click.IntRange(1, 10_000), default=20, show_default=True)
@click.option("--weeks", type=click.IntRange(1, 100), default=3, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="The same town for the same number.")
def example(folder: Path, name: str, persons: int, weeks: int, seed: int) -> None:
    """Write a contest to begin with to FOLDER, which is made: the positions of persons of a town that is drawn."""
    from sfumato.contest.example import example_document, example_table
    from sfumato.errors import ParameterError, SourceError
    from sfumato.release.stage import staged

    if not name.isprintable() or set(name) & set('"\\'):
        raise ParameterError("A contest needs a name of printable characters without quotes.", "choose another one.")
    table = example_table(persons, weeks, seed=seed)
    if folder.exists():
        raise SourceError("The folder {name!r} must not be there.", "choose another place.", name=folder.name)
    folder.mkdir()
    with staged() as stage:
        stage.write(folder / "original.tsv", table)
        stage.write(folder / "contest.toml", example_document(name), internal=False)
        stage.commit()
    said = _words().gettext("{n} lines of {persons} persons: {folder}")
    click.echo(said.format(n=table.count(b"\n"), persons=persons, folder=folder))


@arena.command()
@_CONTEST
def rules(contest: Path) -> None:
    """Say what a contest measures, what comes with it, and where `compat` differs from `fixed`."""
    from sfumato.contest.opening import open_judge

    judge, say = open_judge(contest), _words()
    _ = say.gettext
    first = _("{contest}: {game}, rules {version}").format(
        contest=judge.name, game=judge.game.name, version=judge.rules.version
    )
    lines = [first, _("metrics:")]
    for name in judge.weights:
        one = judge.game.metrics[name]
        differs = " " + _("In compat: {what}").format(what=say.say(one.differs)) if one.differs else ""
        lines.append(f"  {name:<16} {say.say(one.says)}{differs}")
    for title, known in ((_("attacks:"), judge.game.attacks), (_("defences:"), judge.game.defences)):
        lines += [title, *(f"  {name:<16} {say.say(one.says)}" for name, one in known.items())]
    click.echo("\n".join(lines))


@arena.command()
@_SUBMISSION
@_CONTEST
@JSON
def check(submission: Path, contest: Path, as_json: bool) -> None:
    """Say whether a submission keeps the rules, with line and column of each fault."""
    from sfumato.contest.opening import open_judge

    _tell(open_judge(contest).check(submission), as_json=as_json)


@arena.command()
@_SUBMISSION
@_CONTEST
@JSON
def score(submission: Path, contest: Path, as_json: bool) -> None:
    """Score a submission: its worth by metric, what the contest's own attacks find, and both together."""
    from sfumato.contest.opening import open_judge

    _tell(open_judge(contest).score(submission), as_json=as_json)


@arena.command()
@_SUBMISSION
@_CONTEST
@_OUT
@click.option("--key", "key_output", required=True, type=_FILE, help="Where the secret key is written.")
def publish(submission: Path, contest: Path, output: Path, key_output: Path) -> None:
    """Write what attackers see of a submission, in an order drawn anew, and the secret key to it."""
    from sfumato.contest.opening import open_judge
    from sfumato.noise.bits import SystemBits
    from sfumato.release.stage import staged

    text, made = open_judge(contest).publish(submission, SystemBits())
    with staged() as stage:
        stage.write(key_output, json.dumps(made.written(), indent=1) + "\n", internal=True)
        stage.write(output, text, internal=False)
        stage.commit()
    said = _words().gettext("{n} to find: {output}; the key is secret: {key}")
    click.echo(said.format(n=made.cells, output=output, key=key_output))


@arena.command()
@click.argument("attack", type=_FILE)
@_CONTEST
@click.option(
    "--submission", required=True, type=_FILE, help="The submission that is attacked, as its team handed it in."
)
@click.option("--key", required=True, type=_FILE, help="The key that `publish` wrote.")
@JSON
def attack(attack: Path, contest: Path, submission: Path, key: Path, as_json: bool) -> None:
    """Score an attack file: the share of the key that it finds."""
    from sfumato.cli.show import show
    from sfumato.cli.work import read_text
    from sfumato.contest.key import key_from
    from sfumato.contest.opening import open_judge
    from sfumato.contest.telling import verdict_told
    from sfumato.table.values import parsed_json

    said = parsed_json(read_text(key), "The key", "take the file that the judge wrote.")
    found = open_judge(contest).attack(submission, key_from(said), attack)
    show(found, verdict_told(found.to_dict(), _words()), as_json=as_json)
    if found.faults:
        raise SystemExit(REFUSED)


@arena.command()
@click.argument("name")
@click.argument("published", type=_FILE)
@_CONTEST
@_OUT
def guess(name: str, published: Path, contest: Path, output: Path) -> None:
    """Attack a published table by an attack that comes with the contest, and write the attack file."""
    from sfumato.cli.work import write_text
    from sfumato.contest.opening import open_judge

    write_text(output, open_judge(contest).guess(name, published).decode(), internal=False)


@arena.command()
@click.argument("name")
@_CONTEST
@_OUT
def defend(name: str, contest: Path, output: Path) -> None:
    """Write a submission by a defence that comes with the contest."""
    from sfumato.cli.work import write_text
    from sfumato.contest.opening import open_judge
    from sfumato.noise.bits import SystemBits

    write_text(output, open_judge(contest).defend(name, SystemBits()).decode(), internal=False)


@arena.command()
@_CONTEST
@_OUT
@click.option("--image", required=True, help="Container image that holds Sfumato, in which submissions are scored.")
def bundle(contest: Path, output: Path, image: str) -> None:
    """Write the contest as a bundle for Codabench: a table is handed in, and the judge here is its scoring program."""
    from sfumato.cli.work import write_text
    from sfumato.contest.bundle import bundle as packed

    write_text(output, packed(contest, image), internal=True)


def _tell(found: SubmissionResult, *, as_json: bool) -> None:
    """Print what was said of a submission."""
    from sfumato.cli.show import show
    from sfumato.contest.telling import verdict_told

    say = _words()
    text = verdict_told(found.to_dict(), say) or say.gettext("The submission keeps the rules.")
    show(found, text, as_json=as_json)
    if found.faults:
        raise SystemExit(REFUSED)


def _words() -> Words:
    """The words of whoever reads the terminal."""
    from sfumato.language.words import terminal_words

    return terminal_words()
