"""Options that several commands have, each declared once; an option that was renamed answers to its old name too."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.parser import _OptionParser


class Renamed(click.Option):
    """An option that still answers to the names it had, which help and messages do not show.

    Args:
        former: those names.
        declared, more: as of any option.
    """

    def __init__(self, declared: Sequence[str], *, former: Sequence[str], **more: Any) -> None:
        super().__init__(declared, **more)
        self.former = tuple(former)

    def add_to_parser(self, parser: _OptionParser, ctx: click.Context) -> None:
        """Let the parser know all names."""
        shown = self.opts
        try:
            self.opts = [*shown, *self.former]
            super().add_to_parser(parser, ctx)
        finally:
            self.opts = shown


JSON = click.option("--json", "as_json", is_flag=True, help="Print the documented result as JSON.")
PLAN = click.option(
    "--plan", "plan_path", type=click.Path(path_type=Path), help="Take roles and hierarchies from this plan."
)
QUASI_IDENTIFIER = click.option(
    "--quasi-identifier", "quasi_identifiers", cls=Renamed, former=["--qi"], multiple=True, metavar="COLUMN",
    help="A quasi-identifying column; repeat for more.",
)  # fmt: skip
SENSITIVE = click.option("--sensitive", multiple=True, metavar="COLUMN", help="A sensitive column; repeat for more.")
MISSING = click.option("--missing", multiple=True, metavar="CODE", help="A text that means `missing`; repeat for more.")
RISK_THRESHOLD = click.option(
    "--risk-threshold", cls=Renamed, former=["--threshold"], type=float, default=0.2, show_default=True,
    help="A record is at risk above this probability.",
)  # fmt: skip
CONFIDENCE = click.option("--confidence", type=float, default=0.95, show_default=True, help="Of each interval.")
