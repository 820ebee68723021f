"""What if DuckDB cannot read a cell of a Parquet file? The file is loaded without the cells that nobody can hold.

DuckDB reads Parquet where it is and stops at a time after midnight, a text that is no UTF-8 or a point in time that
its type cannot tell. An error would say that such a cell exists. So the file is read through Arrow then, once, into
the private store, where such cells are missing; every other cell says what it said before.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sfumato.engine.duckdb.columnar import load_held
from sfumato.engine.duckdb.connect import Workspace
from sfumato.engine.duckdb.faults import BY_A_CELL
from sfumato.engine.duckdb.scan import view_of
from sfumato.table.source import FileSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.engine.duckdb.table import DuckTable

_Found = TypeVar("_Found")


def answered(table: DuckTable, question: Callable[[DuckTable], _Found]) -> _Found:
    """What a question finds in a table; asked again of the cells that can be held where the file has others.

    The view of the table is replaced, so that the next question finds them at once.

    Args:
        table: the table.
        question: reads the table by its name and connection.
    """
    try:
        return question(table)
    except BY_A_CELL:
        if table.header.source_kind != "parquet" or not isinstance(table.source, FileSource):
            raise
        spill = table.connection.execute("SELECT current_setting('temp_directory')").fetchall()[0][0]
        space = Workspace(table.connection, Path(spill).parent)
        return question(view_of(space, table.source, load_held(space, table.source.path)))
