"""`sfumato forecast`: how wrong statistics of traces or of a graph would be, and what they would cost, before anything is read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sfumato.cli.careful import Careful
from sfumato.cli.options import JSON

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.document.result.trace_statistics import ForecastResult

_HEAD = ("statistic", "number", "groups", "mean error", "at most", "persons needed")


@click.command(cls=Careful)
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "--expected",
    type=click.IntRange(1, 10**7),
    help="For lengths of trips: how many trips count in all, about. For a graph: how many edges there are, about.",
)
@click.option(
    "--vertices", type=click.IntRange(2), help="For a graph: how many vertices there are, where no table lists them."
)
@JSON
def forecast(plan: Path, expected: int | None, vertices: int | None, as_json: bool) -> None:
    """Say how wrong the [[statistics]] of PLAN would be, and their epsilon; nothing private is read, and nothing paid."""
    from sfumato.cli.show import show
    from sfumato.front.mobility import foreseen
    from sfumato.release.plan_reader import read_plan

    found = foreseen(read_plan(plan), expected, vertices)
    show(found, "\n".join(_lines(found)), as_json=as_json)


def _lines(found: ForecastResult) -> Sequence[str]:
    """The errors as a table, and what each accountant says."""
    from sfumato.report.columns import aligned

    rows = [
        (f"{one.statistic} *" if one.tried else one.statistic, one.number, _number(one.groups), _number(one.mean_error), _number(one.bad_error), _number(one.threshold))
        for one in found.noises
    ]  # fmt: skip
    table: list[tuple[str, ...]] = [_HEAD, *rows]
    if all(one.threshold is None for one in found.noises):
        table = [row[:-1] for row in table]
    out = [f"Protected: {found.unit}.", "", *aligned(table, {0, 1})]
    out += ["", f"An error is at most so large with probability {found.confidence:g}, by noise alone."]
    if any(one.tried for one in found.noises):
        out.append("Lines with * were tried on public random graphs of the size: yours may be easier or harder.")
    known = [one for one in found.accountants if one.epsilon is not None]
    return [*out, *(f"epsilon {one.epsilon:.4f} by {one.accountant} ({one.note})" for one in known)]


def _number(value: float | None) -> str:
    """A number, or a dash where none is known."""
    return "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
