"""Where do small tables of the mathematics stand in DuckDB, and how are rows joined to them?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from sfumato.engine.duckdb.leaves import enum_type
from sfumato.engine.duckdb.quote import identifier
from sfumato.table.hierarchy.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

    import duckdb


_INCOMING = "incoming_lookup"


def fresh(connection: duckdb.DuckDBPyConnection, stem: str) -> str:
    """A table or view name that the connection does not know yet."""
    known = "SELECT table_name FROM duckdb_tables() UNION SELECT view_name FROM duckdb_views()"
    names = {row[0] for row in connection.sql(known).fetchall()}
    return next(name for i in range(len(names) + 1) if (name := f"{stem}_{i}") not in names)


def store(connection: duckdb.DuckDBPyConnection, columns: Mapping[str, pa.Array], types: Mapping[str, str]) -> str:
    """Copy columns into a new temporary table; `types` names those to be cast. Returns its name."""
    name = fresh(connection, "lookup")
    cast = [f"CAST({identifier(c)} AS {types[c]}) AS {identifier(c)}" if c in types else identifier(c) for c in columns]
    connection.register(_INCOMING, pa.table(dict(columns)))
    try:
        connection.execute(f"CREATE TEMP TABLE {name} AS SELECT {', '.join(cast)} FROM {_INCOMING}")
    finally:
        connection.unregister(_INCOMING)
    return name


def label_type(connection: duckdb.DuckDBPyConnection, encoded: pa.DictionaryArray) -> str:
    """The DuckDB type that stores each label of a dictionary array, or `*`, in a few bytes."""
    texts = dict.fromkeys((*encoded.dictionary.to_pylist(), ROOT))
    return identifier(enum_type(connection, list(texts)))
