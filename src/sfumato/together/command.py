"""`sfumato serve together`: the publisher. `sfumato join`: a holder. `sfumato together key | certify | card | demonstrate`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.extras import Needs
from sfumato.web.options import of_server, reached_from

if TYPE_CHECKING:
    from sfumato.engine.duckdb.engine import DuckDBEngine
    from sfumato.release.tools import Tools
    from sfumato.together.holder import Holder
    from sfumato.together.publisher import Publisher
    from sfumato.together.sums.publisher import SumPublisher

_FILE = click.Path(path_type=Path)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_KEY = click.option("--key", required=True, type=_FILE, help="Own key, as `sfumato together key` makes them.")


@click.command("together")
@click.argument("terms", type=_FILE)
@_KEY
@click.option(
    "--store", default="sqlite:///together.db", show_default=True, help="URL: sqlite:///file or postgresql://…"
)
@of_server(8381)
@click.option("--abandon", is_flag=True, help="End the publication without a release, and tell the holders.")
def serve_together(terms: Path, key: Path, store: str, port: int, abandon: bool, **reached: Any) -> None:
    """Publish by TERMS one table of holders who do not trust the publisher; it goes on where it was stopped."""
    from sfumato.engine.duckdb.engine import DuckDBEngine
    from sfumato.errors import ParameterError

    with Needs("server", "The server needs the packages starlette and uvicorn."):
        from sfumato.together.app import together_app
        from sfumato.web.serve import may_run, run
    from sfumato.noise.bits import SystemBits
    from sfumato.together.keys import read_identity
    from sfumato.together.publisher import Publisher
    from sfumato.together.releasing import check_output, write_release
    from sfumato.together.store import store_of
    from sfumato.together.terms import read_terms
    from sfumato.together.token_publisher import TokenPublisher
    from sfumato.web.metrics import Tally

    at = reached_from(**reached)
    agreed, engine = read_terms(terms), DuckDBEngine()
    kind = Publisher if agreed.said.kind == "hospitals" else TokenPublisher
    publisher = kind(
        agreed,
        read_identity(key),
        store_of(store, agreed.digest),
        _tools(),
        lambda one, rows: write_release(one, rows, engine),
    )
    check_output(publisher)
    if publisher.identity.card.fingerprint != agreed.said.publisher:
        raise ParameterError(
            "The publisher must be the one whose fingerprint the terms hold; this key is of another.",
            "use the right key.",
        )
    served = publisher if agreed.said.sums is None else _with_sums(publisher, engine)
    may_run(agreed.said.limits)
    publisher.invite(SystemBits().words(4).tobytes())
    if abandon and not publisher.has_ended:
        publisher.abandon({"problem": "The publisher ended it.", "by": publisher.name})
    click.echo(f"terms: {agreed.digest[:16]}…, {agreed.said.holders:,} {agreed.said.kind}", err=True)
    tally = Tally()
    run(together_app(served, tally), agreed.said.limits, tally, at, port=port)


@click.command()
@click.argument("server")
@click.argument("terms", type=_FILE)
@click.argument("source", type=_FILE)
@_KEY
@click.option("--state", required=True, type=_FILE, help="Folder of what was said, to go on after a stop; one for each publication.")  # fmt: skip
@click.option(
    "--group-key", type=_FILE, help="Key that all tokens share, as `sfumato pseudonymize --new-key` makes them."
)
@click.option("--patience", type=click.FloatRange(0), default=600.0, show_default=True, help="Seconds for which the publisher may be away.")  # fmt: skip
@_JSON
def join(  # noqa: PLR0913, PLR0917 - one option each
    server: str,
    terms: Path,
    source: Path,
    key: Path,
    state: Path,
    group_key: Path | None,
    patience: float,
    as_json: bool,
) -> None:
    """Take part in the publication at SERVER by TERMS with the rows of SOURCE, which stay here."""
    from dataclasses import replace

    from sfumato.engine.duckdb.engine import DuckDBEngine
    from sfumato.errors import ParameterError
    from sfumato.noise.bits import SystemBits
    from sfumato.release.secrets import read_key
    from sfumato.table.source import FileSource
    from sfumato.together.carrier import Carrier
    from sfumato.together.checks import Watch
    from sfumato.together.client import Folder, Line, until_done
    from sfumato.together.hospital import Hospital
    from sfumato.together.keys import read_identity
    from sfumato.together.table import read_held
    from sfumato.together.terms import read_terms

    agreed, line = read_terms(terms), Line(server, patience)
    old = agreed.plan.source
    place = replace(old, path=source, kind=None) if isinstance(old, FileSource) else FileSource(source)
    held = read_held(place, agreed, DuckDBEngine(), SystemBits())
    party = (agreed, read_identity(key), held, line, Folder(state), Watch())
    holder: Holder
    if agreed.said.kind == "tokens":
        if group_key is None:
            raise ParameterError("Tokens share a key; none was given.", "add `--group-key`.")
        shared = read_key(group_key).derive("sfumato.together")
        holder = Carrier(*party, shared, SystemBits())
    elif agreed.said.sums is not None:
        from sfumato.together.sums.hospital import SumHospital
        from sfumato.together.sums.session import sums_of

        holder = SumHospital(*party, sums=sums_of(agreed), bits=SystemBits())
    else:
        holder = Hospital(*party)
    try:
        done = until_done(holder.steps(), lambda kind: click.echo(f"waiting: {kind.value}", err=True))
    finally:
        line.close()
    told = {
        "rows": done.rows, "of": held.n_rows, "classes": done.classes, "left_out": done.left_out, "joined": done.joined,
        "messages": line.messages, "sent": line.sent, "received": line.received, "release": dict(done.release),
    }  # fmt: skip
    if as_json:
        click.echo(json.dumps(told, sort_keys=True))
        return
    where = (
        f"published, in {done.classes:,} classes of all holders" if done.classes else "in noisy counts of all holders"
    )
    click.echo(f"{done.rows:,} of {held.n_rows:,} rows are {where}.")
    if done.joined:
        click.echo(f"{done.joined:,} classes were joined with others: values of one broke a promise.")
    if done.left_out:
        click.echo(f"{done.left_out:,} classes were left out: their values broke a promise.")
    click.echo(f"{line.messages:,} messages, {line.sent:,} bytes sent, {line.received:,} received.")


@click.group()
def together() -> None:
    """Keys and cards of those who publish together."""


@together.command("key")
@click.argument("name")
@click.option("-o", "--output", required=True, type=_FILE, help="New file of the key; its card is written beside it, with `.card`.")  # fmt: skip
@_JSON
def new_key(name: str, output: Path, as_json: bool) -> None:
    """Make a key for NAME, and its public card; prints the fingerprint, to be compared by telephone."""
    from sfumato.noise.bits import SystemBits
    from sfumato.together.keys import CARD, new_identity, write_identity

    identity = new_identity(name, SystemBits().words(8).tobytes())
    write_identity(output, identity)
    _write_card(output.with_suffix(CARD), identity.card.to_dict())
    said = {"fingerprint": identity.card.fingerprint, "signing key": identity.card.signing}
    _tell(
        said,
        {"name": name, "fingerprint": identity.card.fingerprint, "signing": identity.card.signing},
        as_json=as_json,
    )


@together.command("card")
@click.argument("card", type=_FILE)
@_JSON
def show_card(card: Path, as_json: bool) -> None:
    """Print whose CARD it is, and its fingerprint."""
    from sfumato.together.keys import read_card

    found = read_card(card)
    said = {"name": found.name, "fingerprint": found.fingerprint}
    signed = bool(found.certificate)
    _tell(said | {"certified": "yes" if signed else "no"}, said | {"certified": signed}, as_json=as_json)


@together.command()
@click.argument("card", type=_FILE)
@click.option("--authority", required=True, type=_FILE, help="Key of the authority.")
@_JSON
def certify(card: Path, authority: Path, as_json: bool) -> None:
    """Sign CARD as an authority, in its place. Confirm its fingerprint with its owner before."""
    from sfumato.together.keys import certified, read_card, read_identity

    signed = certified(read_card(card), read_identity(authority))
    _write_card(card, signed.to_dict())
    said = {"name": signed.name, "fingerprint": signed.fingerprint, "certified": True}
    _tell({"certified": f"{signed.name} ({signed.fingerprint})"}, said, as_json=as_json)


@together.command()
@click.option("-o", "--output", required=True, type=_FILE, help="New folder for rows, keys, terms and the release.")
@click.option("--source", type=_FILE, help="A table that is dealt to three hospitals; absent: 600 made-up patients.")
@click.option("--plan", type=_FILE, help="Its plan, which writes release.csv and result.json.")
@click.option(
    "--sums", is_flag=True, help="The made-up patients are added by secure sums, and illnesses steer the classes."
)
@click.option(
    "--counts", is_flag=True, help="They are added with noise, and noisy counts are published instead of rows."
)
@_JSON
def demonstrate(
    output: Path, source: Path | None, plan: Path | None, *, sums: bool, counts: bool, as_json: bool
) -> None:
    """Watch three hospitals and a publisher on this machine publish one table that none of them has."""
    from sfumato.errors import ParameterError
    from sfumato.noise.bits import SystemBits
    from sfumato.table.contents import read_text
    from sfumato.together.demonstrating import ADDED, COUNTED, OWN, SHOWN, carry_out, prepare, summary

    if (sums or counts) and (source is not None or plan is not None):
        raise ParameterError(
            "Values of a table that is added by sums must be declared; `--sums` and `--counts` declare those of the made-up patients.",
            "leave `--source` and `--plan` out, or write terms of your own.",
        )
    shown = COUNTED if counts else ADDED if sums else SHOWN if plan is None else OWN
    prepare(output, source, plan, SystemBits(), shown)
    carry_out(output, lambda line: click.echo(line, err=as_json))
    if as_json:
        click.echo(read_text(output / "result.json", "The result"), nl=False)
        return
    click.echo("\n".join(summary(output)))


def _tell(lines: dict[str, str], said: dict[str, Any], *, as_json: bool) -> None:
    """Print what a command did: in lines, or as JSON."""
    click.echo(json.dumps(said, sort_keys=True) if as_json else "\n".join(f"{k}: {v}" for k, v in lines.items()))


def _write_card(path: Path, said: dict[str, str]) -> None:
    from sfumato.release.stage import staged

    with staged() as stage:
        stage.write(path, json.dumps(said, indent=1) + "\n", internal=False)
        stage.commit()


def _with_sums(publisher: Publisher, engine: DuckDBEngine) -> SumPublisher:
    """The publisher of terms that say [sums]."""
    from time import monotonic

    from sfumato.together.sums.publisher import SumPublisher
    from sfumato.together.sums.releasing import write_counts
    from sfumato.together.sums.session import sums_of

    sums = sums_of(publisher.terms)
    return SumPublisher(publisher, sums, monotonic, lambda released: write_counts(publisher, sums, released, engine))


def _tools() -> Tools:
    """Chance and clock of the method."""
    from time import monotonic

    from sfumato.mechanism.recode.decision import silent
    from sfumato.noise.bits import SystemBits
    from sfumato.release.tools import Tools

    return Tools(SystemBits(), monotonic, silent)
