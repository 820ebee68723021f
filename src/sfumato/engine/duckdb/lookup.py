"""Where do small tables of the mathematics stand in DuckDB, and how are rows joined to them?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.engine.duckdb.leaves import enum_type
from sfumato.engine.duckdb.quote import identifier
from sfumato.table.hierarchy.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb

    from sfumato.types import IntArray

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


def taken(encoded: pa.DictionaryArray, member: IntArray) -> pa.DictionaryArray:
    """The labels of the classes `member`; null where it is -1."""
    return encoded.take(pa.array(member, pa.int64(), mask=member < 0))


def codes_of(encoded: pa.DictionaryArray, labels: Sequence[str | None]) -> IntArray:
    """(len(labels),) int64: the dictionary index of each text, -1 for None, -2 for a text it lacks."""
    index = {text: code for code, text in enumerate(encoded.dictionary.to_pylist())}
    return np.array([-1 if text is None else index.get(text, -2) for text in labels], np.int64)


def indices(encoded: pa.DictionaryArray) -> IntArray:
    """(n,) int64: the dictionary index of each entry, -1 for null."""
    out: IntArray = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return out
