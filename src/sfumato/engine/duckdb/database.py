"""Private, offline databases of DuckDB in memory, in which each table has a catalog of its own.

To open a database costs as much as some hundred statements, most of it for its functions; a catalog in one costs
three. So the tables of an engine that have the same limits share a database while it is in use. They share its memory
limit and its threads, and see nothing of each other: what one makes lies in its own catalog, what it registers and sets
belongs to its own connection.
"""

from __future__ import annotations

import itertools
import shutil
import weakref
from contextlib import suppress
from dataclasses import field
from typing import TYPE_CHECKING

import duckdb

from sfumato.engine.folders import store_folder
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from duckdb import DuckDBPyConnection

_GIVEN_BACK = "16MB"
"""Memory that is freed at once, such as what a large file was read into, is given back to the system from this size on."""
_OFFLINE = {
    "python_enable_replacements": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}


@dataclass(frozen=True, eq=False)
class Database:
    """A database and its private folder (readable by its owner only).

    Args:
        connection: makes the connections of the catalogs; runs no query of theirs.
        folder: what is spilled, and a folder for each catalog that needs one; removed with the database, and at exit.
        numbers: of the catalogs.
    """

    connection: DuckDBPyConnection
    folder: Path
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def catalog(self) -> tuple[DuckDBPyConnection, str]:
        """A connection to a new catalog, and its name; the catalog and its folder go with the connection.

        Example:
            >>> connection, name = open_database(None, 1).catalog()
            >>> connection.sql("SELECT current_database()").fetchall() == [(name,)]
            True
        """
        name = f"w{next(self.numbers)}"
        connection = self.connection.cursor()
        connection.execute(f"ATTACH ':memory:' AS {name}")
        connection.execute(f"USE {name}")
        weakref.finalize(connection, self._remove, name).atexit = False
        return connection, name

    def _remove(self, name: str) -> None:
        """Forget a catalog and its store, and remove its folder."""
        with suppress(duckdb.Error), self.connection.cursor() as connection:
            connection.execute(f"DETACH DATABASE IF EXISTS {store_of(name)}")
            connection.execute(f"DETACH DATABASE IF EXISTS {name}")
        shutil.rmtree(self.folder / name, ignore_errors=True)


def store_of(catalog: str) -> str:
    """Name of the catalog on disk that belongs to one in memory.

    Example:
        >>> store_of("w1")
        'w1_store'
    """
    return f"{catalog}_store"


def open_database(memory_limit: str | None, threads: int | None) -> Database:
    """A new database.

    Args:
        memory_limit: as DuckDB writes it ("4GB"); None: DuckDB's own (80 % of the machine).
        threads: None: one per core.
    """
    at_once = {} if threads is None else {"threads": str(int(threads))}
    connection = duckdb.connect(":memory:", config={**_OFFLINE, **at_once})
    folder = store_folder(connection)
    settings = {
        "temp_directory": str(folder / "spill").replace("'", "''"),
        "preserve_insertion_order": "true",
        "TimeZone": "UTC",
        "allocator_bulk_deallocation_flush_threshold": _GIVEN_BACK,
        **({} if memory_limit is None else {"memory_limit": memory_limit}),
    }
    for name, value in settings.items():
        connection.execute(f"SET GLOBAL {name} = '{value}'")
    return Database(connection, folder)


class Databases:
    """The databases in use, at most one for each pair of limits."""

    def __init__(self) -> None:
        self._open: weakref.WeakValueDictionary[tuple[str | None, int | None], Database] = weakref.WeakValueDictionary()

    def at(self, memory_limit: str | None, threads: int | None) -> Database:
        """The database with these limits; a new one where none is in use.

        Example:
            >>> databases = Databases()
            >>> first = databases.at("1GB", 1)
            >>> databases.at("1GB", 1) is first, databases.at("2GB", 1) is first
            (True, False)
        """
        found = self._open.get((memory_limit, threads))
        if found is None:
            found = self._open[memory_limit, threads] = open_database(memory_limit, threads)
        return found
