"""Checks that methods on traces and on graphs share: columns that a section names, and results of several tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import PlanError, SchemaError
from sfumato.table.source import SqlSink

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.release.plan import Plan


def check_named(section: str, wanted: Iterable[str], names: Sequence[str]) -> None:
    """Refuse a table without the columns of a section; others are left out.

    Args:
        section: of the plan.
        wanted: columns that it names.
        names: columns of the table.

    Raises:
        SchemaError: one is absent. Remedy: correct the names.
    """
    absent = [name for name in wanted if name not in names]
    if absent:
        raise SchemaError(
            "Every column of [{section}] must be in the table; absent: {absent}.",
            "correct the names (they are compared exactly, blanks included).",
            section=section,
            absent=absent,
        ).below(section)


def check_places(plan: Plan, tables: int) -> None:
    """Refuse several statistics where one table of a database is asked for.

    Raises:
        PlanError: there are more. Remedy: write files, or ask for one statistic.
    """
    if isinstance(plan.output.sink, SqlSink) and tables > 1:
        raise PlanError(
            "Several statistics are written to files; a table of a database holds one.",
            "give [output] a `path`, or ask for one statistic.",
        ).below("output")
