"""The commands: `sfumato draft | convert | run | apply | risk | compare | attack | hierarchy | report | collect | survey | reproduce |
demonstrate | pseudonymize | query | budget | accuracy | forecast | graph | schema | simulate | sweep | versions | serve |
arena`.

Commands whose answer a script would read have `--json`. A user's mistake ends with one message on standard error and the exit code
of its class (see `sfumato.errors`), never with a traceback.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import unicodedata
from codecs import lookup
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from sfumato import __version__
from sfumato.cli.careful import CarefulGroup
from sfumato.cli.options import JSON, MISSING, PLAN, QUASI_IDENTIFIER, RISK_THRESHOLD, SENSITIVE
from sfumato.errors import Interrupted, SfumatoError

if TYPE_CHECKING:
    from collections.abc import Sequence

_DELIMITER = click.option("--delimiter", help="Separator of a CSV file; sniffed otherwise.")
_ENCODING = click.option("--encoding", help="Encoding of a CSV file; sniffed otherwise.")
_QUERY = click.option("--query", help="Table name or SELECT, when SOURCE is an SQL URL.")


_HELD = (32 << 20) - (64 << 10)
"""Bytes that are asked for once, written to by nobody and given back at once. From then on glibc keeps twice as many bytes of
what is given back for the next who asks (mallopt(3), "dynamic mmap threshold"; 32 MiB is its bound): the system makes a
third fewer pages. Other C libraries take no notice.
"""
_ON_TABLES = frozenset(("draft", "init", "run", "apply", "risk", "compare", "attack", "sweep"))
"""Commands that need the engine whatever they are asked."""
FORMER = {"init": "draft", "rappor": "collect"}
"""Commands that were renamed: the old name is still understood, and not shown."""


ELSEWHERE = {
    "accuracy": "answer",
    "arena": "arena",
    "attack": "attack",
    "budget": "answer",
    "collect": "collect",
    "demonstrate": "experiments",
    "forecast": "forecast",
    "graph": "graph",
    "pseudonymize": "pseudonym",
    "query": "answer",
    "reproduce": "experiments",
    "schema": "schema",
    "serve": "serve",
    "simulate": "answer",
    "survey": "survey",
    "sweep": "sweep",
    "versions": "versions",
}
"""Commands that stand in modules of their own, each loaded when it is asked for."""


class _Commands(CarefulGroup):
    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands."""
        return sorted({*super().list_commands(ctx), *ELSEWHERE})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, or of the name that it had."""
        name = FORMER.get(cmd_name, cmd_name)
        if name not in ELSEWHERE:
            return super().get_command(ctx, name)
        found: click.Command = getattr(import_module(f"sfumato.cli.{ELSEWHERE[name]}"), name)
        return found


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sfumato")
def commands() -> None:
    """Publish a table about persons: what was done, what is promised, what it is worth, what breaks it."""


@commands.command()
@click.argument("source")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Where to write the plan (default: beside SOURCE)."
)
@click.option("--force", is_flag=True, help="Overwrite an existing plan.")
@click.option(
    "--words",
    type=click.Path(path_type=Path),
    help="Your own word list for the guesses; it decides before the shipped.",
)
@_QUERY
@_DELIMITER
@_ENCODING
@JSON
def draft(
    source: str,
    output: Path | None,
    force: bool,
    words: Path | None,
    query: str | None,
    delimiter: str | None,
    encoding: str | None,
    as_json: bool,
) -> None:
    """Look at SOURCE and write a first plan with guesses to be checked."""
    from sfumato.cli.show import show_draft
    from sfumato.cli.work import where
    from sfumato.front.drafting import draft_plan

    place = where(source, query=query, delimiter=delimiter, encoding=encoding)
    show_draft(draft_plan(place, output, force=force, words=words), as_json=as_json)


@commands.command()
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "--engine", help="Where the work is done: duckdb, spark, or a cluster such as spark://host:7077 or local[2]."
)
@click.option("--memory-limit", help="Most memory the embedded engine may use, such as 4GB.")
@JSON
def run(plan: Path, engine: str | None, memory_limit: str | None, as_json: bool) -> None:
    """Carry out PLAN: write the release, its report and its result."""
    from sfumato.cli.show import show_result
    from sfumato.cli.work import run_plan

    show_result(run_plan(plan, engine=engine, memory_limit=memory_limit), as_json=as_json)


@commands.command()
@click.argument("plan", type=click.Path(path_type=Path))
@click.argument("result", type=click.Path(path_type=Path))
@click.argument("source", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Where to write the new release.")
@JSON
def apply(plan: Path, result: Path, source: Path, output: Path, as_json: bool) -> None:
    """Recode the new rows of SOURCE as RESULT, a release made by PLAN, was recoded."""
    from sfumato.cli.show import show_result
    from sfumato.cli.work import apply_result

    show_result(apply_result(plan, result, source, output), as_json=as_json)


@commands.command()
@click.argument("source")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="A file; its suffix tells the kind."
)
@MISSING
@_QUERY
@_DELIMITER
@_ENCODING
@JSON
def convert(
    source: str, output: Path, missing: tuple[str, ...], query: str | None, delimiter: str | None, encoding: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Copy SOURCE into another kind of file (Parquet for a cluster), cell by cell, without recoding anything."""
    from sfumato.cli.show import show_copy
    from sfumato.cli.work import copy_table, where

    place = where(source, query=query, delimiter=delimiter, encoding=encoding, missing=missing)
    show_copy(copy_table(place, output), as_json=as_json)


@commands.command()
@click.argument("source")
@PLAN
@QUASI_IDENTIFIER
@SENSITIVE
@MISSING
@RISK_THRESHOLD
@click.option("--population", type=int, help="Persons in the population, for population risk.")
@_QUERY
@_DELIMITER
@_ENCODING
@JSON
def risk(
    source: str, plan_path: Path | None, quasi_identifiers: tuple[str, ...], sensitive: tuple[str, ...], missing: tuple[str, ...],
    risk_threshold: float, population: int | None, query: str | None, delimiter: str | None, encoding: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Measure what an intruder gains from SOURCE, whoever made it."""
    from sfumato.cli.show import show_risk
    from sfumato.cli.work import plan_at, where
    from sfumato.front.tables import assess_risk

    found = assess_risk(
        where(source, query=query, delimiter=delimiter, encoding=encoding, missing=missing),
        plan=plan_at(plan_path), quasi_identifiers=quasi_identifiers, sensitive=sensitive, risk_threshold=risk_threshold,
        population=population,
    )  # fmt: skip
    show_risk(found, as_json=as_json)


@commands.command()
@click.argument("original")
@click.argument("release")
@PLAN
@QUASI_IDENTIFIER
@SENSITIVE
@MISSING
@RISK_THRESHOLD
@click.option("--target", help="Column that a model shall predict.")
@JSON
def compare(
    original: str, release: str, plan_path: Path | None, quasi_identifiers: tuple[str, ...], sensitive: tuple[str, ...],
    missing: tuple[str, ...], risk_threshold: float, target: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Measure what RELEASE is worth and what it risks, beside ORIGINAL."""
    from sfumato.cli.show import show_comparison
    from sfumato.cli.work import plan_at, where
    from sfumato.front.tables import compare as measure

    found = measure(
        where(original, missing=missing), where(release, missing=missing), plan=plan_at(plan_path),
        quasi_identifiers=quasi_identifiers, sensitive=sensitive, risk_threshold=risk_threshold, target=target,
    )  # fmt: skip
    show_comparison(found, as_json=as_json)


@commands.command()
@click.argument("source")
@click.argument("column")
@PLAN
@click.option("--spec", help="A hierarchy in TOML, such as 'width = 5, then = [10, 20]'.")
@click.option("--kind", type=click.Choice(["text", "integer", "decimal", "date"]), help="How the column is understood.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write it as CSV: value, parent, …, root.")
@JSON
def hierarchy(
    source: str,
    column: str,
    plan_path: Path | None,
    spec: str | None,
    kind: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Show how COLUMN of SOURCE generalizes: as planned, as --spec says, or as proposed."""
    from sfumato.cli.show import show_hierarchy
    from sfumato.cli.work import plan_at, where
    from sfumato.front.tables import hierarchy as hierarchy_of

    found = hierarchy_of(where(source), column, plan=plan_at(plan_path), spec=spec, kind=kind)
    show_hierarchy(found, output, as_json=as_json)


@commands.command()
@click.argument("result", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write (default: beside RESULT); .pdf: as PDF.")  # fmt: skip
@click.option("--pdf", is_flag=True, help="As PDF (extra `pdf`), instead of HTML.")
@click.option("--language", type=click.Choice(["en", "fr"]), default="en", help="Language of the report.")
@JSON
def report(result: Path, output: Path | None, pdf: bool, language: str, as_json: bool) -> None:
    """Write the report of RESULT, the JSON that `run` wrote, as HTML or PDF."""
    from sfumato.cli.show import show_report
    from sfumato.cli.work import write_report

    show_report(write_report(result, output, pdf=pdf, language=language), as_json=as_json)


@commands.command(context_settings={"ignore_unknown_options": True, "help_option_names": []}, add_help_option=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def nearby(context: click.Context, arguments: tuple[str, ...]) -> None:
    """Find what is near without telling where one is: places from two servers, friends by tokens."""
    _beside("sfumato.nearby.command", "nearby", context, arguments)


@commands.command(context_settings={"ignore_unknown_options": True, "help_option_names": []}, add_help_option=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def join(context: click.Context, arguments: tuple[str, ...]) -> None:
    """Publish one table together with other holders, whose publisher nobody trusts: the rows stay here until then."""
    _beside("sfumato.together.command", "join", context, arguments)


@commands.command(context_settings={"ignore_unknown_options": True, "help_option_names": []}, add_help_option=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def together(context: click.Context, arguments: tuple[str, ...]) -> None:
    """Make keys and cards of those who publish together."""
    _beside("sfumato.together.command", "together", context, arguments)


@commands.command(context_settings={"ignore_unknown_options": True, "help_option_names": []}, add_help_option=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def studio(context: click.Context, arguments: tuple[str, ...]) -> None:
    """Open a folder of projects in a browser: the same plans, runs and results, by clicks and keys."""
    _beside("sfumato.studio.command", "studio", context, arguments)


def _beside(module: str, name: str, context: click.Context, arguments: tuple[str, ...]) -> None:
    """Run a command of another application beside this one."""
    found = getattr(import_module(module), name)
    with found.make_context(name, list(arguments), parent=context.parent, help_option_names=["-h", "--help"]) as inner:
        found.invoke(inner)


def main() -> None:
    """Run a command; a user's mistake is a message and an exit code, never a traceback."""
    _stop_alike()
    for stream in (sys.stdout, sys.stderr):
        say_everything(stream)
    _load(sys.argv[1:])
    try:
        commands(prog_name="sfumato", standalone_mode=False)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        _fail(Interrupted("The work was stopped.", "run the command again; what has no place yet was removed."))
    except SfumatoError as error:
        _fail(error)


def _load(words: Sequence[str]) -> None:
    """Load what commands on tables work with, and leave it out of the search for garbage: modules hold none.

    Each search would go through all that was loaded, an eighth of the time of a small run.
    """
    if words and words[0] in _ON_TABLES and not {"-h", "--help"}.intersection(words):
        gc.disable()
        import_module("sfumato.cli.work")
        gc.freeze()
        gc.enable()
        bytes(_HELD)


def say_everything(stream: TextIO) -> None:
    """Nothing that is printed stops a command because an encoding lacks a letter, as those of Windows lack →.

    A file and another program get UTF-8, as every document has it; a terminal shows ? instead.

    Args:
        stream: where it is printed; one without an encoding of its own, or with UTF-8, stays as it is.

    Example:
        >>> import io
        >>> file = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
        >>> say_everything(file)
        >>> _ = file.write("before → after"), file.flush()
        >>> file.buffer.getvalue().decode()
        'before → after'
    """
    if not isinstance(stream, TextIOWrapper) or lookup(stream.encoding).name == "utf-8":
        return
    if stream.isatty():
        stream.reconfigure(errors="replace")
    else:
        stream.reconfigure(encoding="utf-8")


def _stop_alike() -> None:
    """A request to end (SIGTERM) and a terminal that goes (SIGHUP) clean up as Ctrl-C does, unless they are ignored."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def _fail(error: SfumatoError) -> None:
    """Say what went wrong and leave with its exit code."""
    from sfumato.language.told import told
    from sfumato.language.words import of_terminal, words

    language = of_terminal(os.environ)
    said, _ = told(error, language), words(language).gettext
    place = f"\n{_('Place: {place}').format(place=said.place)}" if said.place else ""
    problem, remedy = (
        _("Error: {problem}").format(problem=said.problem),
        _("Remedy: {remedy}").format(remedy=said.remedy),
    )
    click.echo(without_controls(f"{problem}\n{remedy}{place}"), err=True)
    sys.exit(error.exit_code)


def without_controls(text: str) -> str:
    r"""A text with what steers a terminal spelled out: other parties and servers had a hand in some messages.

    Example:
        >>> print(without_controls("told by North\x1b[2J"))
        told by North\x1b[2J
    """
    steers = (c for c in set(text) - {"\n"} if unicodedata.category(c) in ("Cc", "Cf"))
    return text.translate({ord(c): c.encode("unicode_escape").decode("ascii") for c in steers})
