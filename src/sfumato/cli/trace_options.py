"""Options that name the columns of a table of fixes."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from sfumato.front.traces import TraceColumns

F = TypeVar("F", bound=Callable[..., Any])

WRITTEN = ("local", "utc", "seconds", "milliseconds")
"""As `table.clock.Written`, which is not loaded for a list of options."""
_NAMES = ("person", "time", "latitude", "longitude", "zone", "written")
_OPTIONS = (
    click.option("--person", metavar="COLUMN", help="Traces: who."),
    click.option("--time", metavar="COLUMN", help="Traces: when."),
    click.option("--latitude", metavar="COLUMN", help="Traces: degrees."),
    click.option("--longitude", metavar="COLUMN", help="Traces: degrees."),
    click.option("--zone", help="Traces: time zone of the persons, such as Europe/Paris."),
    click.option("--written", type=click.Choice(WRITTEN), help="Traces: how times are written."),
    click.option("--same-names", is_flag=True, help="Traces: persons have the same names in both tables."),
    click.option("--check-ins", is_flag=True, help="Traces: fixes are visits; cells are places, instead of stays."),
)


def TRACES(command: F) -> F:  # noqa: N802
    """All of them on a command."""
    return reduce(lambda done, option: option(done), reversed(_OPTIONS), command)


def columns_of(said: dict[str, Any]) -> TraceColumns | None:
    """The columns that were named; None: none was.

    Raises:
        UsageError: some were named and others not.
    """
    from sfumato.front.traces import TraceColumns

    given = [name for name in _NAMES if said[name] is not None]
    if not given:
        return None
    absent = [f"--{name}" for name in _NAMES if said[name] is None]
    if absent:
        raise click.UsageError(f"Traces need {', '.join(absent)} too.")
    return TraceColumns(**{name: said[name] for name in _NAMES})
