"""Results as they are printed: text for people, JSON for scripts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.cli.work import write_text

if TYPE_CHECKING:
    from sfumato.document.result.codec import Document
    from sfumato.document.result.judged import ComparisonResult, RiskResult
    from sfumato.document.result.made import CopyResult, DraftResult, ReportResult
    from sfumato.release.publish import Release
    from sfumato.summary.figure import Figure
    from sfumato.table.hierarchy.tree import Hierarchy

_SHOWN = 20
"""Lines of a hierarchy shown on a terminal."""


def show_result(release: Release, *, as_json: bool) -> None:
    """Print a release."""
    from sfumato.language.words import of_terminal, words
    from sfumato.report.text import render_text

    if as_json:
        click.echo(release.result.to_json(), nl=False)
        return
    language = of_terminal(os.environ)
    click.echo(render_text(release.result, language))
    output = release.plan.output
    for name, path in (("release", release.path), ("report", output.report), ("result", output.result)):
        if path is not None and path.exists():
            click.echo(f"{words(language).gettext(name):>8}: {path}")


def show(found: Document, text: str, *, as_json: bool) -> None:
    """Print a result as JSON for scripts, or as text for people."""
    click.echo(found.to_json() if as_json else f"{text}\n", nl=False)


def show_draft(drafted: DraftResult, *, as_json: bool) -> None:
    """Print the guesses of a first plan."""
    width = max(len(column.name) for column in drafted.columns)
    lines = [f"{c.name:<{width}}  {c.role:<17}  {c.kind:<8} {c.reason}" for c in drafted.columns]
    lines += [f"note: {found.column!r} determines {found.other!r}" for found in drafted.recodings]
    if drafted.unique is not None:
        lines.append(f"{drafted.unique:.1%} of the rows are alone on the proposed quasi-identifiers together")
    special = _recognised(drafted, width)
    if special is not None:
        show(drafted, "\n".join(special), as_json=as_json)
        return
    lines.append(f"Wrote {drafted.plan}: check every role, then `sfumato run {drafted.plan}`.")
    show(drafted, "\n".join(lines), as_json=as_json)


def _recognised(drafted: DraftResult, width: int) -> list[str] | None:
    """What is said of a table of traces or of edges; None: it is neither."""
    ends: tuple[str, ...]
    if drafted.traces:
        ends, columns, kind = ("person", "time", "latitude", "longitude"), drafted.traces, "traces"
        said, check = "who was when and where", "zone and region"
    elif drafted.graph:
        ends, columns, kind = ("one end", "other end"), drafted.graph, "a graph"
        said, check = "edges, who is connected with whom", "unit, vertices and prices"
    else:
        return None
    return [
        *(f"{column:<{width}}  {name}" for name, column in zip(ends, columns, strict=True)),
        f"This is a table of {said}: the plan is one of {kind}.",
        f"Wrote {drafted.plan}: check {check}, then `sfumato run {drafted.plan}`.",
    ]


def show_risk(measured: RiskResult, *, as_json: bool) -> None:
    """Print what an intruder gains."""
    if as_json:
        click.echo(measured.to_json(), nl=False)
        return
    named = list(measured.quasi_identifiers)
    click.echo(f"{measured.source.rows} rows, {measured.classes} classes, quasi-identifiers: {named}")
    _figures(measured.risk)
    if not measured.classes:
        click.echo("The table publishes nobody: there is nothing to judge.")
        return
    click.echo("\nQuasi-identifiers that distinguish most (distinct tuples over rows, pairs of rows that differ)")
    for subset in measured.subsets[:10]:
        click.echo(f"  {subset.distinction:>8.4%}  {subset.separation:>8.4%}  {', '.join(subset.columns)}")
    click.echo("")
    for answer in measured.wp216:
        click.echo(f"{answer.criterion:>12}: {answer.verdict} ({_number(answer.value)}) {answer.test}")


def show_comparison(measured: ComparisonResult, *, as_json: bool) -> None:
    """Print what a release is worth and what it risks."""
    if as_json:
        click.echo(measured.to_json(), nl=False)
        return
    click.echo("What it is worth")
    _figures(measured.worth)
    before = {figure.name: figure.value for figure in measured.risk.before}
    click.echo("\nWhat breaks it (before → after)")
    for figure in measured.risk.after:
        click.echo(f"  {_number(before.get(figure.name)):>12} → {_number(figure.value):>12}  {figure.label}")
    for note in measured.notes:
        click.echo(f"note: {note}")


def show_hierarchy(tree: Hierarchy, output: Path | None, *, as_json: bool) -> None:
    """Print a hierarchy, or write it as CSV."""
    from sfumato.document.result.made import HierarchyResult
    from sfumato.table.hierarchy.propose import to_csv

    text = to_csv(tree)
    if output is not None:
        write_text(output, text)
    levels = [len(names) for names in tree.labels]
    lines = text.splitlines()
    more = [f"… {len(lines) - _SHOWN} more values"] if len(lines) > _SHOWN else []
    told = "\n".join([*lines[:_SHOWN], *more, f"nodes by level: {levels}"])
    show(HierarchyResult(column=tree.column, nodes=tuple(levels), csv=text), told, as_json=as_json)


def show_copy(written: CopyResult, *, as_json: bool) -> None:
    """Where a table was copied to."""
    show(written, f" copy: {written.path} ({written.rows:,} rows)", as_json=as_json)


def show_report(written: ReportResult, *, as_json: bool) -> None:
    """Print where a report is."""
    show(written, f"  report: {written.report}", as_json=as_json)


def _figures(figures: Sequence[Figure]) -> None:
    for figure in figures:
        click.echo(f"  {_number(figure.value):>12}  {figure.label}")


def _number(value: object) -> str:
    """A number as people read it; a dash where there is none."""
    if not isinstance(value, (int, float)):
        return "–"
    return f"{value:,.0f}" if float(value).is_integer() and abs(value) >= 10 else f"{value:.6g}"
