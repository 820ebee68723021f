"""What does the DuckDB engine hold of one table? A view in a private connection, and its header."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.engine.names import ROW

if TYPE_CHECKING:
    import duckdb

    from sfumato.engine.base import Header
    from sfumato.table.source import Source

__all__ = ["ROW", "DuckTable"]


@dataclass(frozen=True, slots=True, eq=False)
class DuckTable:
    """A table that DuckDB can read, with its source position as column `__row`.

    The canonical text of a cell is DuckDB's cast of its native value to VARCHAR (`5.0`, `true`,
    `2020-01-31`, `2020-01-31 08:00:00`); a cell of a CSV file is its text, unchanged.

    Args:
        connection: private connection of this table; its temporary files live as long as it does.
            Use it itself: a table in memory is not visible to its cursors.
        name: view or table of `connection`; columns: `__row` BIGINT (0-based position in the
            source), then `header.names` with their native types.
        header: names, types, size, dialect.
        source: where it came from.
        compact: view with the same rows and columns whose labels are ENUMs, cheaper to sort and to
            write; None: `name` is as good.
    """

    connection: duckdb.DuckDBPyConnection
    name: str
    header: Header
    source: Source
    compact: str | None = None

    def missing_codes(self, column: str) -> tuple[str, ...]:
        """Texts that mean "missing" in that column, besides a native NULL."""
        return tuple(dict.fromkeys((*self.source.missing, *self.source.missing_in.get(column, ()))))
