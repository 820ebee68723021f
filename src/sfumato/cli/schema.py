"""`sfumato schema`: the JSON Schema of a kind of document, for editors and validators."""

from __future__ import annotations

from pathlib import Path

import click

from sfumato.cli.careful import Careful
from sfumato.document.catalog import RESULTS, WRITTEN


@click.command(cls=Careful)
@click.argument("document", type=click.Choice([*WRITTEN, *RESULTS]))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="A file; otherwise the schema is printed.")
def schema(document: str, output: Path | None) -> None:
    """Print the JSON Schema of a kind of DOCUMENT: what people write (plan, data, …) or what Sfumato writes (result, …)."""
    from sfumato.cli.work import write_text
    from sfumato.document.catalog import schema_text

    text = schema_text(document)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_text(output, text, internal=False)
