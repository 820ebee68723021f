"""Persons of a control group who are in the original table as well: they are no control, and are left out.

By the columns that name persons, where both tables have them. Else by whole rows: rows may be alike by coincidence, so
they count as the same persons only if more rows of the control have a twin in the original than rows of the original
have one among themselves. Then each row of the original takes one twin out of the control.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.errors import SourceError
from sfumato.frozen import dataclass
from sfumato.release.binding import bind_over
from sfumato.summary.classes import distinct_rows, group
from sfumato.table.schema import Column, Role

if TYPE_CHECKING:
    from sfumato.engine.base import Engine
    from sfumato.release.plan import Plan
    from sfumato.summary.ask import Tuples
    from sfumato.summary.classes import Classes
    from sfumato.summary.histogram import Histogram
    from sfumato.types import BoolArray, IntArray

T = TypeVar("T")

_SURE = 6.0
"""Standard errors above coincidence from which rows alike are taken for the same persons."""


@dataclass(frozen=True, slots=True, eq=False)
class Control:
    """A control group without the persons who are in the original.

    Args:
        classes: finest classes of those who are left.
        left_out: persons who are in the original.
        by: the columns by which they were found; empty: by whole rows.
    """

    classes: Classes
    left_out: int
    by: tuple[str, ...]

    def note(self) -> str | None:
        """What a reader should know; None: no overlap was found."""
        if not self.left_out:
            return None
        how = f"by {', '.join(self.by)}" if self.by else "by whole rows, more of which are alike than by coincidence"
        return f"{self.left_out:,} persons of the control table are in the original ({how}) and were left out of it."


def control_of(engine: Engine[T], tables: tuple[T, T], plan: Plan, ask: Tuples) -> Control:
    """The finest classes of the control group, without the persons of the original.

    Args:
        engine: where data live.
        tables: the original and the control.
        plan: which columns name persons.
        ask: the quasi-identifiers and sensitive columns, bound to the values of both tables.

    Raises:
        SourceError: nobody is left. Remedy: give persons of the same population who are not in the original.
    """
    named = _names(engine, tables, plan)
    beside = named or [c for c in _shared(engine, tables) if c not in {a.name for a in ask.quasi_identifiers}]
    more = tuple(bind_over(engine, tables, Column(name, Role.QUASI_IDENTIFYING)) for name in beside)
    whole = replace(ask, quasi_identifiers=(*ask.quasi_identifiers, *more), person=ask.person if named else None)
    original, control = (engine.summarize(table, whole) for table in tables)
    width = len(ask.quasi_identifiers)
    kept = _others(original, control, width) if named else _unlike(original, control)
    if not kept.n_classes:
        raise SourceError(
            "A control group must hold persons who are not in the original; all that were given are in it.",
            "give a table of persons of the same population who are not in the original, or none.",
        )
    left_out = int(control.persons.sum() - kept.persons.sum())
    return Control(group(kept, kept.codes[:, :width])[0], left_out, tuple(named))


def _names(engine: Engine[T], tables: tuple[T, T], plan: Plan) -> list[str]:
    """The columns that name a person, where both tables have them."""
    known = [column.name for column in plan.schema.with_role(Role.IDENTIFYING)]
    shared = _shared(engine, tables)
    person = plan.schema.person
    return [person] if person in shared else [name for name in known if name in shared]


def _shared(engine: Engine[T], tables: tuple[T, T]) -> list[str]:
    first, second = (engine.header(table).names for table in tables)
    return [name for name in first if name in second]


def _others(original: Classes, control: Classes, width: int) -> Classes:
    """The control without those whose names are in the original."""
    _, member = distinct_rows(np.concatenate((original.codes, control.codes))[:, width:])
    return control.select(~np.isin(member[original.n_classes :], member[: original.n_classes]))


def _unlike(original: Classes, control: Classes) -> Classes:
    """The control without the twins of rows of the original, where they are too many for a coincidence."""
    _, member = distinct_rows(np.concatenate((original.codes, control.codes)))
    rows = np.zeros(int(member.max(initial=-1)) + 1, np.int64)
    rows[member[: original.n_classes]] = original.rows
    theirs = rows[member[original.n_classes :]]
    if not _too_many(original.rows, control.rows, theirs > 0):
        return control
    return _fewer(control, np.maximum(control.rows - theirs, 0))


def _too_many(original: IntArray, control: IntArray, twin: BoolArray) -> bool:
    """Whether more rows of the control have a twin in the original than rows of the original have among themselves."""
    n, m = int(original.sum()), int(control.sum())
    expected = (int(original[original > 1].sum()) + 1) / (n + 2)
    error = sqrt(expected * (1 - expected) * (1 / n + 1 / m))
    return int(control[twin].sum()) / m > expected + _SURE * error


def _fewer(classes: Classes, rows: IntArray) -> Classes:
    """The same classes with fewer rows each; every class holds one value of each sensitive column."""
    kept = replace(classes, rows=rows, alone=rows).select(rows > 0)
    return replace(kept, histograms=tuple(_recounted(h, kept.rows) for h in kept.histograms))


def _recounted(histogram: Histogram, rows: IntArray) -> Histogram:
    """The counts of a histogram of which every class holds one value."""
    count = rows[histogram.owner]
    total = np.bincount(histogram.value, weights=count, minlength=len(histogram.total)).astype(np.int64)
    return replace(histogram, count=count, total=total)
