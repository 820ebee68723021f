"""`sfumato reproduce | demonstrate`: published experiments run again, and attacks shown on exact and private answers.

They are listed, or one is run, printed, and written as a table with pictures.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.careful import Careful, Folder
from sfumato.cli.options import JSON
from sfumato.report.columns import aligned, csv_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.document.result.experiment import ExperimentResult
    from sfumato.study.reproduce.experiment import Cell, Column, Experiment, Figure, Outcome

_OUTPUT = click.option(
    "-o", "--output", type=Folder(path_type=Path), help="Folder for table (CSV, JSON) and pictures (SVG)."
)
_QUICK = click.option("--quick", is_flag=True, help="A coarser version, in seconds.")
_FORMS: Mapping[str, Callable[[Any], str]] = {
    "text": str,
    "count": lambda value: f"{value:,}",
    "number": lambda value: f"{value:.4g}",
    "scientific": lambda value: f"{value:.2e}",
    "sigma": lambda value: f"{value:+.1f}",
    "percent": lambda value: f"{100 * value:.1f} %",
}


@click.command(cls=Careful)
@click.argument("name", required=False)
@click.option("--data", type=click.Path(path_type=Path), help="The table it needs, or a folder that holds it.")
@_OUTPUT
@click.option("--runs", type=click.IntRange(1), help="How often each cell is measured (default: as published).")
@_QUICK
@click.option("--seed", type=int, default=1, show_default=True, help="Of all chance; the data are public.")
@JSON
def reproduce(name: str | None, data: Path | None, output: Path | None, as_json: bool, **settings: Any) -> None:
    """Run the published experiment NAME again, beside reference values; without NAME, list them."""
    from sfumato.study.catalog import EXPERIMENTS

    if name is None:
        _list("sfumato reproduce NAME --data FOLDER", EXPERIMENTS, as_json=as_json)
    else:
        _run(EXPERIMENTS, name, data, output, as_json=as_json, **settings)


@click.command(cls=Careful)
@click.argument("name", required=False)
@_OUTPUT
@click.option("--runs", type=click.IntRange(1), help="How often each cell is measured.")
@_QUICK
@click.option("--seed", type=int, default=1, show_default=True, help="Of all chance; the data are synthetic.")
@JSON
def demonstrate(name: str | None, output: Path | None, as_json: bool, **settings: Any) -> None:
    """Watch the attack NAME succeed on exact answers and fail on private ones; without NAME, list them."""
    from sfumato.study.catalog import DEMONSTRATIONS

    if name is None:
        _list("sfumato demonstrate NAME", DEMONSTRATIONS, as_json=as_json)
    else:
        _run(DEMONSTRATIONS, name, None, output, as_json=as_json, **settings)


def _list(how: str, experiments: Mapping[str, Experiment], *, as_json: bool) -> None:
    """Print what can be run."""
    from sfumato.cli.show import show
    from sfumato.study.catalog import catalog

    found, lines = catalog(experiments), []
    for one in found.experiments:
        runs = "computed exactly" if one.runs is None else f"{one.runs} {one.unit}"
        lines.append(f"{one.name}\n  {one.what}\n  from: {one.origin}\n  about {one.duration}, {runs}")
        lines.append(f"  data: {one.data or 'none'}\n")
    show(found, "\n".join([*lines, f"Run one: {how} -o FOLDER"]), as_json=as_json)


def _run(
    experiments: Mapping[str, Experiment], name: str, data: Path | None, output: Path | None, *, as_json: bool, **settings: Any
) -> None:  # fmt: skip
    """Run an experiment, write what was asked for, and print it."""
    from sfumato.cli.show import show
    from sfumato.language.words import of_terminal
    from sfumato.report.progress import Line
    from sfumato.study.catalog import reproduce as run
    from sfumato.study.reproduce.french import document_in_french, outcome_in_french

    line = Line()
    try:
        outcome, document = run(name, data, progress=line, experiments=experiments, **settings)
    finally:
        line.clear()
    one = experiments[name]
    is_french = bool(one.french) and of_terminal(os.environ) == "fr"
    if is_french:
        outcome = outcome_in_french(one, outcome)
        document = document_in_french(one, document, outcome)
    written = [] if output is None else _write(output, name, outcome, document, is_french=is_french)
    show(document, "\n".join([*_text(document, outcome, is_french=is_french), *written]), as_json=as_json)


def draw(figure: Figure) -> str:
    """The picture of a figure as an SVG document."""
    from sfumato.report.chart.lines import Axes, Curve, lines
    from sfumato.report.chart.standalone import standalone

    measured = [line.name for line in figure.lines if line.kind == "measured"]
    levels = [line.name for line in figure.lines if line.kind == "level"]
    forms = {"measured": "line", "reference": "hollow", "level": "level"}
    curves = [
        Curve(
            line.name,
            line.values,
            levels.index(line.name) if line.kind == "level" else measured.index(line.like or line.name),
            forms[line.kind],
            line.spread,
        )
        for line in figure.lines
    ]
    axes = Axes(
        figure.axes, figure.log, figure.marks, lambda value: f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
    )
    return standalone(lines(figure.points, curves, figure.title, axes))


def _write(folder: Path, name: str, outcome: Outcome, document: ExperimentResult, *, is_french: bool) -> list[str]:
    """Make all files first, then write each whole; all speak the language of the terminal."""
    from sfumato.cli.work import write_folder

    files = {f"{name}.csv": _csv(outcome, is_french=is_french), f"{name}.json": document.to_json()}
    for figure in outcome.figures:
        files[f"{name}.svg" if figure is outcome.figures[0] else f"{name}-{figure.name}.svg"] = draw(figure)
    return write_folder(folder, files, internal=False)


def _csv(outcome: Outcome, *, is_french: bool) -> str:
    """All columns, numbers in full; English heads are the keys of the JSON, French ones the titles."""
    keys = [column.key for column in outcome.columns]
    heads = [column.title or column.key for column in outcome.columns] if is_french else keys
    return csv_text([heads, *([row[key] for key in keys] for row in outcome.rows)])


def _text(document: ExperimentResult, outcome: Outcome, *, is_french: bool) -> list[str]:
    """The table for people; a line is left free where the first column changes."""
    shown, what = [column for column in outcome.columns if column.title], document.what
    spelled = [[_cell(row, column, is_french=is_french) for column in shown] for row in outcome.rows]
    cells = [[column.title for column in shown], *spelled]
    lines = aligned(cells, {i for i, column in enumerate(shown) if column.form == "text"})
    head = (f"{document.experiment}\u00a0: {what}", f"d'après\u00a0: {document.origin}", _used_in_french(document))
    english = (f"{document.experiment}: {what}", f"from: {document.origin}", _used(document))
    colon = "\u00a0:" if is_french else ":"
    out = [*(head if is_french else english), ""]
    for i, row in enumerate(cells):
        if i and shown[0].form == "text" and row[0] != cells[i - 1][0]:
            out.append("")
        out.append(lines[i])
    return [*out, "", *outcome.notes, *(f"{column.title}{colon} {column.meaning}" for column in shown)]


def _used(document: ExperimentResult) -> str:
    """Data, runs and seed in one line."""
    data, settings = document.data, document.settings
    parts = [] if data is None else [f"data: {data.file}, {data.rows:,} rows"]
    if settings.runs is not None:
        parts.append(f"runs: {settings.runs}, seed: {settings.seed}")
    return "; ".join([*parts, "quick version"] if settings.quick else parts or ["computed exactly"])


def _used_in_french(document: ExperimentResult) -> str:
    """The seed, and whether it is the quick version."""
    quick = "\u00a0; version rapide" if document.settings.quick else ""
    return f"graine\u00a0: {document.settings.seed}{quick}"


def _cell(row: Mapping[str, Cell], column: Column, *, is_french: bool) -> str:
    from sfumato.study.reproduce.french import number_in_french

    value = row[column.key]
    text = "" if value is None else _FORMS[column.form](value)
    return number_in_french(text) if is_french and column.form != "text" else text
