"""`sfumato sweep`: runs a plan with many values, prints worth and risk of each, and draws those that none beats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.cli.careful import Careful, Folder
from sfumato.cli.options import JSON
from sfumato.errors import Interrupted, ParameterError
from sfumato.report.columns import aligned, csv_text

if TYPE_CHECKING:
    from sfumato.document.result.sweep import SweepResult
    from sfumato.release.sweep.vary import Value


@click.command(cls=Careful)
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "--vary", multiple=True, metavar="KEY=VALUES",
    help="Such as k=2..50, method=mondrian,full-domain or columns.age.perturb.deviation=1,2,5; repeat for every combination. "
    "WORD=@FILE: the named tables of a TOML file, each laid over the plan.",
)  # fmt: skip
@click.option(
    "--lattice",
    "as_lattice",
    is_flag=True,
    help="Instead: every combination of levels that a full-domain search judges.",
)
@click.option(
    "--node", "nodes", multiple=True, metavar="COLUMN=LEVEL,…",
    help="With --lattice: levels that are judged in any case, such as age=2,sex=0; repeat for more.",
)  # fmt: skip
@click.option("--worth", help="Name of the figure of worth; chosen otherwise.")
@click.option("--risk", help="Name of the figure of risk, or attack.inference and the like; chosen otherwise.")
@click.option("--also", multiple=True, metavar="NAME", help="A further figure to show for each point; repeat for more.")
@click.option("--simulate", is_flag=True, help="The table is public or a stand-in: differential privacy costs nothing.")
@click.option(
    "-o",
    "--output",
    type=Folder(path_type=Path),
    help="Folder for picture (SVG) and table (CSV, JSON).",
)
@JSON
def sweep(  # noqa: PLR0913, PLR0917
    plan: Path, vary: tuple[str, ...], as_lattice: bool, nodes: tuple[str, ...], worth: str | None, risk: str | None,
    also: tuple[str, ...], simulate: bool, output: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Run PLAN in memory with many values and show what each release is worth and risks. No release is written."""
    from sfumato.cli.show import show
    from sfumato.release.sweep.sweep import sweep as run
    from sfumato.report.progress import Line

    if as_lattice == bool(vary) or (nodes and not as_lattice):
        raise ParameterError(
            "A sweep must have either --vary or --lattice; --node goes with --lattice.", "write such as --vary k=2..50."
        )
    if as_lattice:
        from sfumato.cli.lattice import show_lattice

        show_lattice(plan, nodes, output, as_json=as_json)
        return
    values, notes = read(vary)
    line = Line()
    for note in notes:
        click.echo(note, err=True)
    try:
        found = run(plan, values, worth=worth, risk=risk, also=also, simulate=simulate, progress=line)
    finally:
        line.clear()
    written = [] if output is None else _write(output, found)
    show(found, "\n".join([*table(found), *written]), as_json=as_json)
    if found.interrupted:
        raise Interrupted("The sweep was stopped; the points that were run are shown.", "run it again for the rest.")


def read(vary: Sequence[str]) -> tuple[dict[str, list[Value]], list[str]]:
    """The values of each key, and what is said before anything runs: which ranges were thinned, and how many runs.

    Args:
        vary: texts such as `k=2..50`.

    Raises:
        ParameterError: no `=`, a key that stands twice, or too many runs.
    """
    from sfumato.release.sweep.named import named_in
    from sfumato.release.sweep.vary import grid, is_thinned, values_of

    out: dict[str, list[Value]] = {}
    notes = []
    for text in vary:
        key, sign, values = text.partition("=")
        if not sign or not key.strip() or key.strip() in out:
            raise ParameterError(
                "--vary must be KEY=VALUES, each key once; got {text!r}.", "write such as k=2..50.", text=text
            )
        if values.startswith("@"):
            out[key.strip()] = list(named_in(Path(values[1:])))
            continue
        out[key.strip()] = [*values_of(values)]
        if is_thinned(values):
            told = ", ".join(map(str, out[key.strip()]))
            notes.append(f"{key.strip()}: {len(out[key.strip()])} values of {values}: {told}")
    return out, [*notes, f"{len(grid(out))} runs"]


def table(found: SweepResult) -> list[str]:
    """The lines that a person reads: one for each point, those that none beats marked."""
    from sfumato.report.sweep import figure_text

    keys = list(found.vary)
    rows = [[*keys, "worth", "risk", *(axis.name for axis in found.also), ""]]
    for point in found.points:
        numbers = [
            figure_text(axis) for axis in (point.worth, point.risk, *(point.figures.get(a.name) for a in found.also))
        ]
        mark = "best" if point.front else "" if point.state == "done" else point.state
        rows.append([*(str(point.values[key]) for key in keys), *numbers, mark])
    texts = {i for i, key in enumerate(keys) if any(isinstance(p.values[key], str) for p in found.points)}
    texts.add(len(keys) + 2 + len(found.also))
    return [*aligned(rows, texts), "", *_axes(found), *_reasons(found)]


def _axes(found: SweepResult) -> list[str]:
    """What worth and risk are, and what the mark means."""
    named = [(name, axis) for name, axis in (("worth", found.worth), ("risk", found.risk)) if axis is not None]
    named += [("also", axis) for axis in found.also]
    return [
        *(f"{name}: {axis.label} ({axis.name}, {axis.better} is better)" for name, axis in named),
        "best: no other point has at most its risk and at least its worth, and more of one.",
    ]


def _reasons(found: SweepResult) -> list[str]:
    """Why points have no release, each reason once."""
    told = Counter((point.state, point.why) for point in found.points if point.state != "done")
    return [f"{state} ({count}): {why}" for (state, why), count in told.items()]


def _write(folder: Path, found: SweepResult) -> list[str]:
    """Make all files first, then write each whole."""
    from sfumato.cli.work import write_folder
    from sfumato.release.sweep.named import against
    from sfumato.report.chart.standalone import standalone
    from sfumato.report.sweep import picture

    files = {"sweep.csv": _csv(found), "sweep.json": found.to_json()}
    if found.worth is not None and found.risk is not None:
        files["sweep.svg"] = standalone(picture(found))
        files |= {f"sweep-{axis.name}.svg": standalone(picture(against(found, axis))) for axis in found.also}
    return write_folder(folder, files)


def _csv(found: SweepResult) -> str:
    """Every point with every figure, numbers in full."""
    keys = list(found.vary)
    figures = list(dict.fromkeys(name for point in found.points for name in point.figures))
    rows: list[list[object]] = [[*keys, "state", "front", "seconds", *figures]]
    for point in found.points:
        told = [point.state, str(point.front).lower(), point.seconds]
        rows.append([*(point.values[key] for key in keys), *told, *(point.figures.get(f) for f in figures)])
    return csv_text(rows)
