"""`sfumato forecast`: how wrong statistics of traces would be, and what they would cost, before anything is read."""

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
@click.option("--expected", type=click.IntRange(1, 10**7), help="For lengths: how many trips count in all, about.")
@JSON
def forecast(plan: Path, expected: int | None, as_json: bool) -> None:
    """Say how wrong the [[statistics]] of PLAN would be, and their epsilon; nothing is read or paid."""
    from sfumato.cli.show import show
    from sfumato.front.mobility import foreseen
    from sfumato.release.plan_reader import read_plan

    found = foreseen(read_plan(plan), expected)
    show(found, "\n".join(_lines(found)), as_json=as_json)


def _lines(found: ForecastResult) -> Sequence[str]:
    """The errors as a table, and what each accountant says."""
    from sfumato.cli.columns import aligned

    rows = [
        (one.statistic, one.number, _number(one.groups), _number(one.mean_error), _number(one.bad_error), _number(one.threshold))
        for one in found.noises
    ]  # fmt: skip
    out = [f"Protected: {found.unit}.", "", *aligned([_HEAD, *rows], {0, 1})]
    out += ["", f"An error is at most so large with probability {found.confidence:g}, by noise alone."]
    known = [one for one in found.accountants if one.epsilon is not None]
    return [*out, *(f"epsilon {one.epsilon:.4f} by {one.accountant} ({one.note})" for one in known)]


def _number(value: float | None) -> str:
    """A number, or a dash where none is known."""
    return "-" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
