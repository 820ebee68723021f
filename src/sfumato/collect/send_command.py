"""`sfumato collect send`: reports of a file to a server; `cli.collect` loads it."""

from __future__ import annotations

import os
from pathlib import Path

import click


@click.command()
@click.argument("collection", type=click.Path(path_type=Path))
@click.argument("reports", type=click.Path(path_type=Path))
@click.option("--to", "address", required=True, help="Address of the collection, such as https://survey.example/collections/students.")  # fmt: skip
@click.option("--token-env", help="Environment variable that holds the token with which reports may be sent.")
@click.option("--patience", type=float, default=300.0, show_default=True, help="Seconds without an answer after which it is given up.")  # fmt: skip
@click.option("--authority", type=click.Path(path_type=Path), help="Certificates by which that of the server is checked, as PEM.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the documented result as JSON.")
def send(  # noqa: PLR0913, PLR0917
    collection: Path, reports: Path, address: str, token_env: str | None, patience: float, authority: Path | None, as_json: bool
) -> None:  # fmt: skip
    """Send REPORTS (.jsonl) of COLLECTION to a server, each until it is counted; begun again, it goes on."""
    from sfumato.collect.sender import Sender
    from sfumato.errors import PlanError
    from sfumato.release.collect.collection import read_collection
    from sfumato.report.progress import Line

    token = "" if token_env is None else os.environ.get(token_env)
    if token is None:
        raise PlanError("`--token-env` names the variable {name!r}, which is not set.", "set it.", name=token_env)
    asked, line = read_collection(collection), Line()
    try:
        found = Sender(address, token, patience, authority).send(asked, reports, line)
    finally:
        line.clear()
    said = f"   sent: {found.counted:,} of {found.batches:,} batches; {found.known:,} were counted before\n"
    click.echo(found.to_json() if as_json else said, nl=False)
