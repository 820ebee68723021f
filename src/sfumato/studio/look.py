"""What is kept of a table so that pages show it at once: first rows, frequent values, small bars; and the values of a column.

It holds cells of the original, so only the owner of the project reads it, and it can be made again: it lies in the hidden
folder of the project and is no part of any document.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.frozen import dataclass
from sfumato.release.stage import staged
from sfumato.table.number import positions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sfumato.document.result.made import DraftResult
    from sfumato.studio.shelf import Project
    from sfumato.summary.ask import Marginal
    from sfumato.table.schema import Column, Schema
    from sfumato.table.source import Source

FREQUENT, BARS, ROWS = 8, 16, 60
"""Values that are named, bars of a picture, rows that are shown."""
MOST_VALUES = 200_000
"""Distinct values of a column that are kept for the preview of its hierarchy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnLook:
    """What is kept of one column.

    Args:
        name: its name.
        reason: why its role was guessed.
        distinct: its distinct values.
        missing: rows without a value.
        frequent: the most frequent values, with their rows.
        low: the lowest of the numbers or dates, as text; "": it is text.
        high: the highest.
        bars: rows in ranges of equal width, or of the most frequent values.
    """

    name: str
    reason: str
    distinct: int
    missing: int
    frequent: tuple[tuple[str, int], ...]
    low: str = ""
    high: str = ""
    bars: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What is kept of a table.

    Args:
        rows: its rows.
        columns: each column, in table order.
        first: the first rows.
        unique: share of rows that are alone on the drafted quasi-identifiers; None: not counted.
        pairs: columns that determine others, in words of the draft: (column, other, both ways).
    """

    rows: int
    columns: tuple[ColumnLook, ...]
    first: tuple[tuple[str | None, ...], ...]
    unique: float | None
    pairs: tuple[tuple[str, str, bool], ...] = ()

    def column(self, name: str) -> ColumnLook | None:
        """One column; None: the table has changed since."""
        return next((one for one in self.columns if one.name == name), None)


def keep(project: Project, drafted: DraftResult, source: Source | None, schema: Schema) -> None:
    """Look at the table of a drafted plan, and keep what pages show; nobody need have decided anything yet."""
    from sfumato.front.preview import preview

    names = tuple(column.name for column in schema.columns)
    marginals, first = preview(source, names, ROWS)
    guessed = {one.name: one for one in drafted.columns}
    columns = tuple(
        _column(schema[name], marginals[name], guessed[name].reason, guessed[name].missing) for name in names
    )
    pairs = tuple((one.column, one.other, one.both_ways) for one in drafted.recodings)
    found = Look(rows=drafted.rows, columns=columns, first=first, unique=drafted.unique, pairs=pairs)
    with staged() as stage:
        stage.write(project.hidden / "look.json", json.dumps(asdict(found), ensure_ascii=False))
        for place, name in enumerate(names):
            stage.write(values_path(project, place), json.dumps(_values(marginals[name]), ensure_ascii=False))
            stage.write(counts_path(project, place), json.dumps(_counts(marginals[name])))
        stage.commit()


def look_at(project: Project) -> Look | None:
    """What is kept; None: nothing."""
    try:
        said = json.loads((project.hidden / "look.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    columns = tuple(ColumnLook(**one) for one in said.pop("columns"))
    return Look(columns=columns, **said)


def values_path(project: Project, place: int) -> Path:
    """Where the values of a column are kept, by its place in the table."""
    return project.hidden / f"values-{place}.json"


def counts_path(project: Project, place: int) -> Path:
    """Where the rows with each of its values are kept."""
    return project.hidden / f"counts-{place}.json"


def values_of(project: Project, name: str) -> list[str | None]:
    """Distinct values of a column, as kept; [] where too many or none are."""
    out: list[str | None] = _kept(project, name, values_path)
    return out


def counts_of(project: Project, name: str) -> list[int]:
    """Rows with each of the values of a column, in the order of `values_of`; [] where they are not kept."""
    out: list[int] = _kept(project, name, counts_path)
    return out


def _kept(project: Project, name: str, path_of: Callable[[Project, int], Path]) -> list[Any]:
    """What is kept of a column beside its look."""
    found = look_at(project)
    places = [] if found is None else [i for i, one in enumerate(found.columns) if one.name == name]
    if not places or not os.path.exists(path_of(project, places[0])):  # noqa: PTH110
        return []
    out: list[Any] = json.loads(path_of(project, places[0]).read_text("utf-8"))
    return out


def _values(marginal: Marginal) -> list[str | None]:
    return list(marginal.values) if len(marginal.values) <= MOST_VALUES else []


def _counts(marginal: Marginal) -> list[int]:
    return marginal.counts.tolist() if len(marginal.values) <= MOST_VALUES else []


def _column(column: Column, marginal: Marginal, reason: str, codes: Sequence[str]) -> ColumnLook:
    """One column."""
    gone = {None, *codes}
    real = [i for i, value in enumerate(marginal.values) if value not in gone]
    order = sorted(real, key=lambda i: -int(marginal.counts[i]))
    values = [str(marginal.values[i]) for i in real]
    low, high, bars = _spread(column, values, marginal.counts[real])
    return ColumnLook(
        name=column.name,
        reason=reason,
        distinct=len(marginal.values),
        missing=int(marginal.counts.sum() - marginal.counts[real].sum()),
        frequent=tuple((str(marginal.values[i]), int(marginal.counts[i])) for i in order[:FREQUENT]),
        low=low,
        high=high,
        bars=bars or tuple(int(marginal.counts[i]) for i in order[:BARS]),
    )


def _spread(column: Column, values: list[str], counts: np.ndarray) -> tuple[str, str, tuple[int, ...]]:
    """Ends and bars of numbers and dates; of text nothing."""
    if not column.kind.is_ordered or not values:
        return "", "", ()
    at = positions(column, values)
    low, high = values[int(np.nanargmin(at))], values[int(np.nanargmax(at))]
    rows, _ = np.histogram(at[~np.isnan(at)], bins=min(BARS, max(1, len(values))), weights=counts[~np.isnan(at)])
    return low, high, tuple(int(n) for n in rows)
