"""The private catalog of DuckDB in which one table lives: how names are quoted, where loaded cells lie, and how they are seen."""

from __future__ import annotations

import re
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.engine.duckdb.database import Databases, store_of
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pyarrow as pa
    from duckdb import DuckDBPyConnection

    from sfumato.table.source import Dialect


_SIZE = re.compile(r"\s*[0-9]{1,12}(\.[0-9]{1,6})?\s*([KMGT]i?)?B\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Workspace:
    """A private connection, its catalog and its private folder (readable by its owner only).

    Args:
        connection: to a catalog of its own in an in-memory DuckDB.
        catalog: its name.
        place: where the folder is, once `folder` was asked for; removed when the connection is no longer used, and at exit.
    """

    connection: DuckDBPyConnection
    catalog: str
    place: Path

    @property
    def folder(self) -> Path:
        """The folder, which is made when it is first asked for."""
        self.place.mkdir(mode=0o700, exist_ok=True)
        return self.place


def open_workspace(
    *, memory_limit: str | None = None, threads: int | None = None, databases: Databases | None = None
) -> Workspace:
    """A new private workspace.

    Args:
        memory_limit: as DuckDB writes it ("4GB"); None: DuckDB's own (80 % of the machine).
        threads: None: one per core.
        databases: in one of which it is opened; None: in one of its own.

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
    database = (Databases() if databases is None else databases).at(memory_limit, threads)
    connection, catalog = database.catalog()
    return Workspace(connection, catalog, database.folder / catalog)


def workspace_of(connection: DuckDBPyConnection) -> Workspace:
    """The workspace of a connection that `open_workspace` made.

    Example:
        >>> space = open_workspace(threads=1)
        >>> workspace_of(space.connection) == space
        True
    """
    asked = "SELECT current_database(), current_setting('temp_directory')"
    catalog, spill = connection.execute(asked).fetchall()[0]
    return Workspace(connection, catalog, Path(spill).parent / catalog)


_GLOB = re.compile(r"([*?\[])")


def identifier(name: str) -> str:
    """A column or table name, quoted (a quote inside is doubled).

    Example:
        >>> print(identifier('an "odd" name'))
        "an ""odd"" name"
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text constant, quoted.

    Example:
        >>> print(literal("l'âge"))
        'l''âge'
    """
    return "'" + text.replace("'", "''") + "'"


def path_literal(path: Path) -> str:
    """A file name as a text constant that names this one file, whatever signs it holds.

    Example:
        >>> from pathlib import PurePosixPath
        >>> path_literal(PurePosixPath("a[1]/all*.parquet"))
        "'a[[]1]/all[*].parquet'"
    """
    return literal(_GLOB.sub(r"[\1]", str(path)))


def identifiers(names: Iterable[str]) -> str:
    """Several names, separated by commas.

    Example:
        >>> identifiers(["a", "b c"])
        '"a", "b c"'
    """
    return ", ".join(identifier(name) for name in names)


_IN_MEMORY = 64 << 20
"""Bytes of a source that is kept in memory at most, where a cell takes sixteen bytes and more; on disk few."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a reader found, as SQL, and what is known about it.

    Args:
        origin: what stands after FROM.
        row: expression of the 0-based source position.
        cells: expression of each column.
        names: distinct column names, in order.
        kind: as in `Header.source_kind`.
        dialect: of a CSV file.
        sha256: of a file.
        notes: what a person should see.
        loose: names of the columns whose type was found by looking at their cells.
        labels: for the place of each column that is held as an ENUM of sorted texts, these texts.
        distinct: a table of the same cells with equal rows once, and `n`, how many they are; None: there is none.
    """

    origin: str
    row: str
    cells: tuple[str, ...]
    names: tuple[str, ...]
    kind: str
    dialect: Dialect | None = None
    sha256: str | None = None
    notes: tuple[str, ...] = ()
    loose: frozenset[str] = frozenset()
    labels: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    distinct: str | None = None


def make_room(space: Workspace, n_bytes: int | None) -> str:
    """Name of a table that does not exist yet: in memory if it will be small, else on disk.

    Args:
        space: the workspace.
        n_bytes: size of the source; None: unknown.
    """
    if n_bytes is not None and n_bytes <= _IN_MEMORY:
        return "cells"
    space.connection.execute("PRAGMA disable_checkpoint_on_shutdown")  # the store is removed, not kept in good order
    store = store_of(space.catalog)
    space.connection.execute(f"ATTACH IF NOT EXISTS {literal(str(space.folder / 'store.duckdb'))} AS {store}")
    return f"{store}.main.cells"


def numbered(width: int) -> tuple[str, ...]:
    """Names of stored columns: c0, c1 … (free of whatever the source calls them)."""
    return tuple(f"c{position}" for position in range(width))


def store_batches(
    space: Workspace, table: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch]
) -> tuple[str, ...]:
    """Stream Arrow batches into `table` as columns c0, c1 … in their order; a cell that cannot be held is missing.

    Returns:
        The stored columns.
    """
    import pyarrow as pa

    columns = numbered(len(schema))
    stored = pa.schema([(name, _stored_type(field.type)) for name, field in zip(columns, schema, strict=True)])
    reader = pa.RecordBatchReader.from_batches(stored, (_under(stored, batch) for batch in batches))
    space.connection.register("incoming", reader)
    try:
        space.connection.execute(f"CREATE TABLE {table} AS SELECT * FROM incoming")
    finally:
        space.connection.unregister("incoming")
    return columns


def _stored_type(kind: pa.DataType) -> pa.DataType:
    """The type that DuckDB reads; text for a column that never holds a value."""
    import pyarrow as pa

    from sfumato.engine.arrow_cells import holdable

    return pa.string() if pa.types.is_null(kind) else holdable(pa.nulls(0, kind)).type


def _under(schema: pa.Schema, batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch under other names, without cells that cannot be held."""
    import pyarrow as pa

    from sfumato.engine.arrow_cells import holdable

    held = map(holdable, batch.columns)
    columns = [
        column if column.type == field.type else column.cast(field.type)
        for column, field in zip(held, schema, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
