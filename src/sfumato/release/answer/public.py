"""Public tables in memory, whichever engine holds the private one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.engine.duckdb.columns import texts
from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.table.source import FileSource, FrameSink, FrameSource, SqlSource, uri_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.base import Engine
    from sfumato.table.source import Source

_OF_CLUSTERS = ("spark:", "jdbc:")


def public_rows(engine: Engine[Any], source: Source, names: Sequence[str]) -> tuple[tuple[str | None, ...], ...]:
    """Some columns of a public table as canonical texts, row by row; None where a cell is missing.

    A row whose first cell, the key, is missing fits no private row, as in SQL, and is left out.

    The embedded engine reads it, as it reads every file of this computer. What only a cluster can read comes through
    the engine of the private table.

    Args:
        engine: of the private table.
        source: the public table; read in full.
        names: its columns, the key first.

    Raises:
        SourceError: it cannot be read.
        SchemaError: a column is not there.

    Example:
        >>> import pyarrow as pa
        >>> public_rows(DuckDBEngine(), FrameSource(pa.table({"town": ["A", None], "size": [5, 7]})), ["size", "town"])
        (('5', 'A'), ('7', None))
    """
    if _is_on_cluster(source):
        source = FrameSource(engine.write(engine.scan(source), FrameSink("arrow")).frame)
    table = DuckDBEngine().scan(source)
    cells = [texts(table, name) for name in names]
    return tuple(row for row in zip(*cells, strict=True) if row[0] is not None)


def _is_on_cluster(source: Source) -> bool:
    """Whether only a cluster reads it."""
    match source:
        case FrameSource(frame=frame):
            return type(frame).__module__.startswith("pyspark.")
        case SqlSource(url=url):
            return url.startswith(_OF_CLUSTERS)
        case FileSource(path=path):
            return uri_of(path) is not None
