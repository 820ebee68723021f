"""What comes back from a question: numbers, their intervals, and what was done, promised and paid."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias, cast

from sfumato.errors import LedgerError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.table.values import Table

FORMAT = "sfumato.answer/1"

Rows: TypeAlias = tuple[tuple[float, ...], ...]
"""One tuple for each group, one number for each cell."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Released numbers by group; see `Answer` for the meaning of each part."""

    keys: tuple[tuple[str, ...], ...]
    values: Rows
    low: Rows
    high: Rows
    confidence: float | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A released answer; everything in it may be published.

    Args:
        question: the question in one line.
        by: grouping columns.
        keys: the key of each group, in the order of `by`; one empty key without groups.
        cells: what the numbers of a group are ("count", "mean of age", "quantile 1/4 of age").
        values: the noisy numbers; NaN where one has no meaning.
        low: lower ends of the intervals of the exact answers.
        high: upper ends.
        confidence: chance, over the noise alone, that each single interval covers; None: no interval is proven.
        mechanism: name of what was done.
        cost: the event that was charged, as data.
        price: the cost in words ("epsilon 1/2").
        sensitivity: why the noise suffices, in a sentence.
        unit: who is protected against what, in words.
        seeded: True if the noise came from a seeded source, which protects nobody.
        notes: what a reader should know (values clamped, groups selected).
    """

    question: str
    by: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    cells: tuple[str, ...]
    values: Rows
    low: Rows
    high: Rows
    confidence: float | None
    mechanism: str
    cost: Table
    price: str
    sensitivity: str
    unit: str
    seeded: bool
    notes: tuple[str, ...] = ()

    def _repr_html_(self) -> str | None:
        """The numbers with their intervals and the price, in a notebook."""
        from sfumato.document.result.codec import drawn

        return drawn(self)

    @property
    def value(self) -> float:
        """The number, where there is exactly one.

        Raises:
            LookupError: there are several. Remedy: read `values`, or `table`.
        """
        if len(self.keys) != 1 or len(self.cells) != 1:
            raise LookupError(f"This answer has {len(self.keys)} groups of {len(self.cells)} numbers: read `values`.")
        return self.values[0][0]

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the one number."""
        _ = self.value
        return self.low[0][0], self.high[0][0]

    def table(self) -> dict[str, list[object]]:
        """Columns for a data frame: the keys, then each number with its interval.

        Where a number has the name of a key or of another number, it is called "noisy …".

        Example:
            >>> one = ((3.0,),)
            >>> Answer("count()", (), ((),), ("count",), one, one, one, 0.95, "", {}, "", "", "", False).table()
            {'count': [3.0], 'count low': [3.0], 'count high': [3.0]}
            >>> by = ("count",)
            >>> Answer("count()", by, (("a",),), ("count",), one, one, one, 0.95, "", {}, "", "", "", False).table()
            {'count': ['a'], 'noisy count': [3.0], 'noisy count low': [3.0], 'noisy count high': [3.0]}
        """
        out: dict[str, list[object]] = {name: [key[i] for key in self.keys] for i, name in enumerate(self.by)}
        for i, cell in enumerate(self.cells):
            parts = {"": self.values, " low": self.low, " high": self.high}
            name = cell
            while any(name + end in out for end in parts):
                name = f"noisy {name}"
            out |= {name + end: [row[i] for row in rows] for end, rows in parts.items()}
        return out

    def to_data(self) -> dict[str, object]:
        """What its JSON holds: NaN is null, infinities are texts."""
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        data |= {name: _written(data[name]) for name in ("values", "low", "high")}
        return {"format": FORMAT, **data}

    def to_json(self) -> str:
        """Stable JSON, `sfumato.answer/1`."""
        return json.dumps(self.to_data(), ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Answer:
        """The answer that `to_json` wrote.

        Raises:
            LedgerError: another format. Remedy: read it with the version that wrote it.

        Example:
            >>> one = ((float("nan"),),)
            >>> old = Answer("count()", (), ((),), ("count",), one, one, one, 0.95, "", {}, "", "", "", False)
            >>> Answer.from_json(old.to_json()).table()
            {'count': [nan], 'count low': [nan], 'count high': [nan]}
        """
        data = json.loads(text)
        if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
            raise LedgerError(
                "A stored answer must have the format {format!r}.",
                "read it with the version that wrote it.",
                format=FORMAT,
            )
        data |= {name: _read(data[name]) for name in ("values", "low", "high")}
        data |= {name: tuple(data[name]) for name in ("by", "cells", "notes")}
        data["keys"] = tuple(tuple(key) for key in data["keys"])
        return cls(**data)


def _written(rows: Rows) -> Sequence[Sequence[float | str | None]]:
    """Numbers that JSON can hold."""
    if all(map(math.isfinite, chain.from_iterable(rows))):
        return rows
    return [[_number(value) for value in row] for row in rows]


def _number(value: float) -> float | str | None:
    """A number, None for NaN, "inf" or "-inf"."""
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else str(value)


def _read(rows: Sequence[Sequence[object]]) -> Rows:
    """The numbers that `_written` wrote."""
    if set(map(type, chain.from_iterable(rows))) <= {float}:
        return cast("Rows", tuple(map(tuple, rows)))
    return tuple(tuple(math.nan if value is None else float(cast("float", value)) for value in row) for row in rows)
