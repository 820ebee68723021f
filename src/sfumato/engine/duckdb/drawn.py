"""A sample of a table to be looked at quickly, kept as a file so that a large table is read once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.table.source import FrameSink

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.table.source import Source

_ROWS = b"rows"
"""Under which a kept sample says how many rows the whole table has."""


def drawn_rows(source: Source, most: int, person: str | None = None, kept: Path | None = None) -> tuple[Any, int]:
    """A table if it is small, else a sample of it as an Arrow table; and how many rows the table has.

    Args:
        source: the table.
        most: rows of the sample; a table that has no more is given whole.
        person: column that identifies persons, who then come with all their rows (about `most` of them); None: rows are drawn.
        kept: where the sample of a larger table lies or is put; None: nowhere.

    Raises:
        SourceError: the table cannot be read.
    """
    if kept is not None and kept.is_file():
        table = pq.read_table(kept)
        return table.replace_schema_metadata(), int(table.schema.metadata[_ROWS])
    engine = DuckDBEngine()
    whole: Any = engine.write(engine.scan(source), FrameSink()).frame
    if len(whole) <= most:
        return whole, len(whole)
    table = drawn(whole, most, person)
    if kept is not None:
        beside = kept.with_suffix(".new")
        pq.write_table(table.replace_schema_metadata({_ROWS: str(len(whole))}), beside)
        beside.replace(kept)
    return table, len(whole)


def drawn(whole: Any, most: int, person: str | None = None) -> Any:
    """Rows, or persons with all their rows, drawn uniformly; the same each time, so that only what is tried differs.

    Args:
        whole: an Arrow table of more than `most` rows.
        most: rows of the sample, about as many where persons are drawn.
        person: column that identifies persons; None: rows are drawn.

    Example:
        >>> import pyarrow as pa
        >>> drawn(pa.table({"who": [1, 1, 2, 2, 3, 3]}), 2, "who").num_rows
        2
    """
    rng = np.random.default_rng(0)
    if person is None:
        return whole.take(np.sort(rng.choice(len(whole), most, replace=False)))
    persons = pc.unique(whole[person])
    many = max(1, most * len(persons) // len(whole))
    return whole.filter(pc.is_in(whole[person], persons.take(rng.choice(len(persons), many, replace=False))))
