"""The order in which rows are written: that of the table, sorted only where they do not come so already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.engine.spark.table import ROW

if TYPE_CHECKING:
    from sfumato.engine.spark.table import SparkTable


def in_order(table: SparkTable) -> Any:
    """The columns of a table, its rows in order."""
    return (table.frame if table.in_order else table.frame.sort(ROW)).drop(ROW)
