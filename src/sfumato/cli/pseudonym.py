"""`sfumato pseudonymize`: several tables, the same pseudonyms, a key that is kept apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from sfumato.cli.careful import Careful
from sfumato.cli.options import JSON

if TYPE_CHECKING:
    from sfumato.document.result.made import PseudonymsResult

_FILE = click.Path(path_type=Path)


@click.command(cls=Careful)
@click.argument("document", type=_FILE, required=False)
@click.option("--new-key", type=_FILE, help="Make a random key in this new file, and nothing else.")
@JSON
def pseudonymize(document: Path | None, new_key: Path | None, as_json: bool) -> None:
    """Replace names by pseudonyms in the tables that DOCUMENT lists, consistently over all of them."""
    from sfumato.cli.show import show
    from sfumato.document.result.made import KeyResult
    from sfumato.noise.bits import SystemBits
    from sfumato.release.pseudonymize import pseudonymize as carry_out
    from sfumato.release.secrets import write_new_key

    if (document is None) == (new_key is None):
        raise click.UsageError("Give either DOCUMENT or --new-key FILE.")
    if new_key is not None:
        write_new_key(new_key, bits=SystemBits())
        show(
            KeyResult(file=str(new_key)),
            f"Wrote {new_key}: keep it apart from every table made with it.",
            as_json=as_json,
        )
        return
    done = carry_out(cast("Path", document))
    show(done, "\n".join(_lines(done)), as_json=as_json)


def _lines(done: PseudonymsResult) -> list[str]:
    """What was done, for people."""
    lines = []
    for table in done.tables:
        names = ", ".join(f"{column.column} (domain {column.domain})" for column in table.columns)
        lines.append(f"{table.path} -> {table.output}: {table.rows} rows; pseudonyms in {names}")
        lines += [f"  left out: {', '.join(table.dropped)}"] if table.dropped else []
        for column in table.columns:
            for figure in column.risk:
                shown = "none" if figure.value is None else f"{figure.value:.2%}"
                lines.append(f"  {column.column}, {figure.label}: {shown}")
    return lines + [f"note: {note}" for note in done.notes]
