"""What somebody who holds a table wants to see of it: its first rows, and the values of its columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.front.tables import source_of
from sfumato.summary.ask import FirstRows, Marginals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.summary.ask import Marginal


def preview(
    source: object, columns: Sequence[str], rows: int
) -> tuple[Mapping[str, Marginal], tuple[tuple[str | None, ...], ...]]:
    """Distinct values of columns, and the first rows.

    Args:
        source: a table in memory, a path, or a source.
        columns: which columns; none: no column is read, and no row.
        rows: rows at most.

    Example:
        >>> import pyarrow as pa
        >>> values, first = preview(pa.table({"zip": ["01", "75", "01"]}), ["zip"], 2)
        >>> values["zip"].counts.tolist(), first
        ([2, 1], (('01',), ('75',)))
    """
    if not columns:
        return {}, ()
    engine = DuckDBEngine()
    table = engine.scan(source_of(source, None))
    values = engine.summarize(table, Marginals(tuple(columns)))
    return values, engine.summarize(table, FirstRows(tuple(columns), rows))


def first_rows(source: object, rows: int) -> tuple[tuple[str, ...], tuple[tuple[str | None, ...], ...]]:
    """Names of the columns, and the first rows.

    Args:
        source: a table in memory, a path, or a source.
        rows: rows at most.
    """
    engine = DuckDBEngine()
    table = engine.scan(source_of(source, None))
    names = engine.header(table).names
    return names, engine.summarize(table, FirstRows(names, rows)) if names else ()
