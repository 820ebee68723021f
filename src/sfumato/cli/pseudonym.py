"""`sfumato pseudonymize`: several tables, the same pseudonyms, a key that is kept apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import click

from sfumato.cli.careful import Careful
from sfumato.cli.options import JSON

_FILE = click.Path(path_type=Path)


@click.command(cls=Careful)
@click.argument("document", type=_FILE, required=False)
@click.option("--new-key", type=_FILE, help="Make a random key in this new file, and nothing else.")
@JSON
def pseudonymize(document: Path | None, new_key: Path | None, as_json: bool) -> None:
    """Replace names by pseudonyms in the tables that DOCUMENT lists, consistently over all of them."""
    from sfumato.cli.work import as_json as to_text
    from sfumato.noise.bits import SystemBits
    from sfumato.release.pseudonymize import pseudonymize as carry_out
    from sfumato.release.secrets import write_new_key

    if (document is None) == (new_key is None):
        raise click.UsageError("Give either DOCUMENT or --new-key FILE.")
    if new_key is not None:
        write_new_key(new_key, bits=SystemBits())
        made = {"format": "sfumato.key/1", "file": str(new_key)}
        click.echo(to_text(made) if as_json else f"Wrote {new_key}: keep it apart from every table made with it.")
        return
    done = carry_out(cast("Path", document))
    click.echo(to_text(done) if as_json else "\n".join(_lines(done)))


def _lines(done: Mapping[str, object]) -> list[str]:
    """What was done, for people."""
    lines = []
    for table in cast("Sequence[Mapping[str, object]]", done["tables"]):
        columns = cast("Sequence[Mapping[str, object]]", table["columns"])
        names = ", ".join(f"{column['column']} (domain {column['domain']})" for column in columns)
        lines.append(f"{table['path']} -> {table['output']}: {table['rows']} rows; pseudonyms in {names}")
        left = cast("Sequence[str]", table["dropped"])
        lines += [f"  left out: {', '.join(left)}"] if left else []
        for column in columns:
            for figure in cast("Sequence[Mapping[str, object]]", column["risk"]):
                value = cast("float | None", figure["value"])
                lines.append(f"  {column['column']}, {figure['label']}: {'none' if value is None else f'{value:.2%}'}")
    return lines + [f"note: {note}" for note in cast("Sequence[str]", done["notes"])]
