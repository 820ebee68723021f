"""How does a source become a DuckDB table with its rows in source order?"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from sfumato.engine.base import Header
from sfumato.engine.duckdb.connect import Workspace, open_workspace
from sfumato.engine.duckdb.quote import identifier, literal, path_literal
from sfumato.engine.duckdb.table import ROW, DuckTable
from sfumato.errors import SourceError
from sfumato.table.source import FileSource

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.table.source import Source


def scan(source: Source, *, memory_limit: str | None = None, threads: int | None = None) -> DuckTable:
    """Open a source.

    Raises:
        SourceError: it cannot be read.
    """
    if not isinstance(source, FileSource):
        raise SourceError("Only files can be read.", "write the table to a file.")
    space = open_workspace(memory_limit=memory_limit, threads=threads)
    if source.path.suffix == ".parquet":
        relation = f"SELECT file_row_number AS {identifier(ROW)}, * EXCLUDE (file_row_number) FROM read_parquet({path_literal(source.path)}, file_row_number = true, hive_partitioning = false)"
        kind = "parquet"
    else:
        space.connection.execute(
            f"CREATE TABLE cells AS SELECT * FROM read_csv({path_literal(source.path)}, header = true, all_varchar = true, hive_partitioning = false)"
        )
        names = [row[0] for row in space.connection.execute("DESCRIBE cells").fetchall()]
        columns = ", ".join(f"coalesce({identifier(name)}, '') AS {identifier(name)}" for name in names)
        relation = f"SELECT rowid AS {identifier(ROW)}, {columns} FROM cells"
        kind = "csv"
    space.connection.execute(f"CREATE VIEW source AS {relation}")
    described = space.connection.execute("DESCRIBE source").fetchall()[1:]
    rows = space.connection.execute("SELECT count(*) FROM source").fetchall()[0][0]
    header = Header(tuple(r[0] for r in described), tuple(r[1] for r in described), rows, kind)
    return DuckTable(space.connection, "source", header, source)
