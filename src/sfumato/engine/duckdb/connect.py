"""In which DuckDB does one table live? A private, offline one whose temporary files vanish with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb

from sfumato.engine.duckdb.quote import literal
from sfumato.engine.folders import store_folder
from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyConnection

_SIZE = re.compile(r"\s*[0-9]{1,12}(\.[0-9]{1,6})?\s*([KMGT]i?)?B\s*", re.IGNORECASE)
_OFFLINE = {
    "python_enable_replacements": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}


@dataclass(frozen=True, slots=True, eq=False)
class Workspace:
    """A private connection and its private folder (readable by its owner only).

    Args:
        connection: in-memory DuckDB that spills into `folder`.
        folder: removed when the connection is no longer used, and at exit.
    """

    connection: DuckDBPyConnection
    folder: Path


def open_workspace(*, memory_limit: str | None = None, threads: int | None = None) -> Workspace:
    """A new private DuckDB.

    Args:
        memory_limit: as DuckDB writes it ("4GB"); None: DuckDB's own (80 % of the machine).
        threads: None: one per core.

    Raises:
        ParameterError: a limit that is no size.

    Example:
        >>> open_workspace(memory_limit="1GB", threads=1).connection.sql("SELECT 1").fetchall()
        [(1,)]
    """
    if memory_limit is not None and not _SIZE.fullmatch(memory_limit):
        raise ParameterError(
            "The memory limit must be a number and a unit, such as 4GB or 500MB; got {memory_limit!r}.",
            "write it so, or leave it out.",
            memory_limit=memory_limit,
        )
    connection = duckdb.connect(":memory:", config=dict(_OFFLINE))
    folder = store_folder(connection)
    connection.execute(f"SET temp_directory = {literal(str(folder / 'spill'))}")
    connection.execute("SET preserve_insertion_order = true")
    connection.execute("SET TimeZone = 'UTC'")
    if memory_limit is not None:
        connection.execute(f"SET memory_limit = {literal(memory_limit)}")
    if threads is not None:
        connection.execute(f"SET threads = {int(threads)}")
    return Workspace(connection, folder)
