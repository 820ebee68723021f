"""Single columns read out of a table row by row, and a table made of columns.

For jobs about rows that no summary can do: a device's answers to be perturbed, reports to be counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.duckdb.leaves import cell_text
from sfumato.engine.duckdb.scan import scan
from sfumato.engine.duckdb.table import BATCH, ROW, DuckTable, guarded
from sfumato.engine.duckdb.write import write
from sfumato.engine.made import made
from sfumato.errors import SchemaError
from sfumato.table.source import FrameSource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa

    from sfumato.engine.base import Receipt
    from sfumato.engine.duckdb.database import Databases
    from sfumato.recipe.columns import Cells
    from sfumato.summary.ask import Counting
    from sfumato.table.source import Sink
    from sfumato.types import IntArray


def codes(table: DuckTable, column: str, values: Sequence[str]) -> IntArray:
    """(n,) int64: place of each row's text in a declared domain, in row order.

    Args:
        table: the table.
        column: one of its columns.
        values: the domain, distinct texts.

    Raises:
        SchemaError: an absent column, or rows whose value (a missing one too) is not declared.

    Example:
        >>> import pyarrow as pa
        >>> table = scan(FrameSource(pa.table({"color": ["red", "blue", "red"]})))
        >>> codes(table, "color", ["red", "blue"]).tolist()
        [0, 1, 0]
    """
    encoded = _texts(table, column).dictionary_encode().unify_dictionaries().combine_chunks()
    place = {value: code for code, value in enumerate(values)}
    known = np.array([*(place.get(text, -1) for text in encoded.dictionary.to_pylist()), -1], np.int64)
    out: IntArray = known[encoded.indices.fill_null(len(known) - 1).to_numpy(zero_copy_only=False)]
    outside = int((out < 0).sum())
    if outside:
        raise SchemaError(
            "Every row of {column!r} must hold one of its {n_values} declared values; {outside} rows do not.",
            "declare every value that can occur (an `other` too), or leave these rows out.",
            column=column,
            n_values=len(values),
            outside=outside,
        )
    return out


def texts(table: DuckTable, column: str) -> list[str | None]:
    """The cells of a column as text, in row order; None where null."""
    cells: list[str | None] = _texts(table, column).to_pylist()
    return cells


def add_up(table: DuckTable, counting: Counting) -> IntArray:
    """(size,) int64: the counts of all rows, made batch by batch and added up.

    Raises:
        SchemaError: an absent column.
        ReportError: rows that cannot be counted.
    """
    for column in counting.columns:
        table.header.type_of(column)
    total = np.zeros(counting.size, np.int64)
    read = f"SELECT {', '.join(map(cell_text, counting.columns))} FROM {table.name}"
    with guarded():
        for batch in table.connection.sql(read).to_arrow_reader(BATCH):
            total += counting.count([column.to_pylist() for column in batch.columns])
    return total


def write_columns(columns: Mapping[str, Cells], sink: Sink) -> Receipt:
    """Write columns of equal length as a table, beside its final name, then renamed."""
    return write(table_of(columns), sink)


def table_of(columns: Mapping[str, Cells], databases: Databases | None = None) -> DuckTable:
    """Columns of equal length as a table of the engine, in one of some databases or in one of its own."""
    return scan(FrameSource(made(columns)), databases=databases)


def _texts(table: DuckTable, column: str) -> pa.ChunkedArray:
    """The cells of a column as Arrow text."""
    table.header.type_of(column)
    with guarded():
        found = table.connection.sql(f"SELECT {cell_text(column)} AS v FROM {table.name} ORDER BY {ROW}")
        return found.to_arrow_table()["v"]
