"""What the Spark engine holds of one table: a lazy DataFrame with the position of its rows, and its header.

Rows are written in the order of the table, sorted only where they do not come so already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.engine.base import ROW
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.engine.base import Header
    from sfumato.table.source import Source

__all__ = ["ROW", "SparkTable"]


@dataclass(frozen=True, slots=True, eq=False)
class SparkTable:
    """A table that Spark can read.

    The canonical text of a cell is the same as the embedded engine's (`5.0`, `true`, `2020-01-31`): it is made of
    the native value on the driver, from distinct values only, never by Spark's own cast.

    Args:
        frame: a `pyspark.sql.DataFrame`, classic or Connect; columns: `__row`, which grows in the order of the rows
            but may have gaps (BIGINT; text once the rows were shuffled), then `header.names` with their native types.
        header: names, types (Spark's `simpleString`, such as "string", "int", "double"), size.
        source: where it came from.
        in_order: whether the rows of the frame surely come in the order of `__row`, so that nobody needs to sort them.
        bare: `frame` itself, and the same rows without `__row`, which costs Spark something even where nobody asks
            for it. It holds for that very frame only; None: `frame` is as good.
    """

    frame: Any
    header: Header
    source: Source
    in_order: bool = False
    bare: tuple[Any, Any] | None = None

    @property
    def unordered(self) -> Any:
        """The frame for questions that no order of rows can change; it may lack `__row`."""
        return self.bare[1] if self.bare is not None and self.bare[0] is self.frame else self.frame

    @property
    def session(self) -> Any:
        """The session of the frame."""
        return self.frame.sparkSession

    def missing_codes(self, column: str) -> tuple[str, ...]:
        """Texts that mean "missing" in that column, besides a native NULL."""
        return tuple(dict.fromkeys((*self.source.missing, *self.source.missing_in.get(column, ()))))


def in_order(table: SparkTable) -> Any:
    """The columns of a table, its rows in order."""
    return (table.frame if table.in_order else table.frame.sort(ROW)).drop(ROW)
