"""`sfumato reproduce | demonstrate`: published experiments run again, and attacks shown on exact and private answers."""

from __future__ import annotations

from pathlib import Path

import click

from sfumato.cli.careful import Careful, Folder
from sfumato.cli.options import JSON


@click.command(cls=Careful)
@click.argument("name", required=False)
@click.option("--data", type=click.Path(path_type=Path), help="The table it needs, or a folder that holds it.")
@click.option(
    "-o",
    "--output",
    type=Folder(path_type=Path),
    help="Folder for table (CSV, JSON) and pictures (SVG).",
)
@click.option("--runs", type=click.IntRange(1), help="How often each cell is measured (default: as published).")
@click.option("--quick", is_flag=True, help="A coarser version, in seconds.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of all chance; the data are public.")
@JSON
def reproduce(  # noqa: PLR0913, PLR0917
    name: str | None, data: Path | None, output: Path | None, runs: int | None, quick: bool, seed: int, as_json: bool
) -> None:
    """Run the published experiment NAME again, beside reference values; without NAME, list them."""
    from sfumato.cli.reproduce import show_catalog, show_experiment
    from sfumato.study.reproduce.catalog import EXPERIMENTS

    if name is None:
        show_catalog("reproduce", EXPERIMENTS, as_json=as_json)
    else:
        show_experiment(name, EXPERIMENTS, data, output, runs=runs, quick=quick, seed=seed, as_json=as_json)


@click.command(cls=Careful)
@click.argument("name", required=False)
@click.option(
    "-o",
    "--output",
    type=Folder(path_type=Path),
    help="Folder for table (CSV, JSON) and pictures (SVG).",
)
@click.option("--runs", type=click.IntRange(1), help="How often each cell is measured.")
@click.option("--quick", is_flag=True, help="A coarser version, in seconds.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of all chance; the data are synthetic.")
@JSON
def demonstrate(name: str | None, output: Path | None, runs: int | None, quick: bool, seed: int, as_json: bool) -> None:
    """Watch the attack NAME succeed on exact answers and fail on private ones; without NAME, list them."""
    from sfumato.cli.reproduce import show_catalog, show_experiment
    from sfumato.study.demonstrate.catalog import DEMONSTRATIONS

    if name is None:
        show_catalog("demonstrate", DEMONSTRATIONS, as_json=as_json)
    else:
        show_experiment(name, DEMONSTRATIONS, None, output, runs=runs, quick=quick, seed=seed, as_json=as_json)
