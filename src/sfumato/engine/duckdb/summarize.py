"""What DuckDB answers: what every SQL engine does, and many marginals together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sfumato.engine.base import answer
from sfumato.engine.duckdb.columns import add_up
from sfumato.engine.duckdb.dialect import DuckDialect
from sfumato.engine.duckdb.faults import guarded
from sfumato.engine.duckdb.held import answered
from sfumato.engine.sql.answers import ANSWERS
from sfumato.engine.sql.marginals import marginal
from sfumato.summary.ask import Counting, Marginal, MarginalOf, Marginals
from sfumato.summary.bounded import BoundedAsk, Places

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.summary.ask import Ask

S = TypeVar("S")

_FEW = 50
"""So few columns are counted one by one, in the database."""
_TOGETHER, _CELLS = 500, 5_000_000
"""Columns and cells that are fetched together, at most."""


_HELD = frozenset((BoundedAsk, Places))
"""Asks that no cell may make fail."""


def summarize(table: DuckTable, ask: Ask[S]) -> S:
    """The summary that is asked for.

    Raises:
        SchemaError: an absent column, or a cell of a form that the ask refuses.
    """
    if type(ask) in OWN:
        return answer(OWN, table, ask)
    with guarded():
        if type(ask) in _HELD:
            return answered(table, lambda held: answer(ANSWERS, DuckDialect(held), ask))
        return answer(ANSWERS, DuckDialect(table), ask)


def marginals(table: DuckTable, ask: Marginals) -> dict[str, Marginal]:
    """The same of many columns: read together in batches, for naming one column of a wide table costs as much as all.

    Raises:
        SchemaError: the table has no such column.
    """
    columns, size = ask.columns, min(_TOGETHER, _CELLS // max(table.header.n_rows, 1))
    if len(columns) <= _FEW or size < _FEW:
        with guarded():
            return {column: marginal(DuckDialect(table), MarginalOf(column)) for column in columns}
    found: dict[str, Marginal] = {}
    for start in range(0, len(columns), size):
        found |= _together(table, columns[start : start + size])
    return found


def _together(table: DuckTable, columns: Sequence[str]) -> dict[str, Marginal]:
    """Values and counts of a batch of columns, whose cells are read once."""
    dialect = DuckDialect(table)
    asked = [f"{dialect.value(column)} AS c{place}" for place, column in enumerate(columns)]
    with guarded():
        cells = dialect.run(f"SELECT {', '.join(asked)} FROM {dialect.relation}")
    return {column: _counted(cells[place].value_counts().to_pylist()) for place, column in enumerate(columns)}


def _counted(pairs: Sequence[dict[str, Any]]) -> Marginal:
    """Sorted values with their rows, the missing one last."""
    ordered = sorted(pairs, key=lambda pair: (pair["values"] is None, (pair["values"] or "").encode()))
    return Marginal(tuple(pair["values"] for pair in ordered), np.array([pair["counts"] for pair in ordered], np.int64))


OWN: Mapping[type[Ask[Any]], Callable[[DuckTable, Any], Any]] = {Marginals: marginals, Counting: add_up}
"""What DuckDB answers in its own way."""
