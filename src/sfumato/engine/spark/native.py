"""The native values that texts stand for, and cells without those that mean "missing"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sfumato.engine.duckdb.connect import open_workspace
from sfumato.engine.duckdb.quote import literal as duck_literal
from sfumato.engine.spark.quote import identifier, literal
from sfumato.engine.spark.types import WHOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.spark.table import SparkTable

_CAST = {
    "boolean": "BOOLEAN",
    "date": "DATE",
    "float": "FLOAT",
    "double": "DOUBLE",
    "timestamp": "TIMESTAMPTZ",
    "timestamp_ntz": "TIMESTAMP",
    "tinyint": "TINYINT",
    "smallint": "SMALLINT",
    "int": "INTEGER",
    "bigint": "BIGINT",
}
"""The DuckDB type of each Spark type whose texts are not the values themselves."""


def literals_of(texts: Sequence[str], kind: str) -> list[str]:
    """SQL of the native values whose canonical text is one of some texts; texts that no value has are left out.

    Args:
        texts: codes that mean "missing", for example.
        kind: Spark type of the column.

    Example:
        >>> literals_of(["99", "099", "x"], "int"), literals_of(["?"], "string")
        (['99'], ["'?'"])
    """
    if kind.startswith(("string", "varchar", "char")):
        return [literal(text) for text in texts]
    duck = _CAST.get(kind, kind.upper() if kind.startswith("decimal") else None)
    if duck is None or not texts:
        return []
    rows = ", ".join(f"({duck_literal(text)})" for text in texts)
    connection = open_workspace(threads=1).connection
    cast = f"SELECT t, TRY_CAST(t AS {duck}) AS v FROM (VALUES {rows}) s(t)"
    found = connection.sql(f"SELECT v FROM ({cast}) WHERE CAST(v AS VARCHAR) = t").to_arrow_table()
    return [_literal(value, kind) for value in found["v"].to_pylist()]


def _literal(value: Any, kind: str) -> str:
    """SQL of one native value."""
    if kind in WHOLE:
        return str(value)
    if kind == "boolean":
        return str(value).lower()
    if kind == "timestamp":
        micros = pa.array([value], pa.timestamp("us", "UTC")).cast(pa.int64())[0].as_py()
        return f"timestamp_micros({micros})"
    name = {"date": "DATE", "timestamp_ntz": "TIMESTAMP_NTZ"}.get(kind)
    return f"CAST({literal(repr(value) if kind in ('float', 'double') else str(value))} AS {name or kind})"


def cell(table: SparkTable, column: str) -> str:
    """SQL of a cell in its native type, NULL where it is missing: two cells are equal if and only if their leaves are.

    Raises:
        SchemaError: the table has no such column.
    """
    codes = literals_of(table.missing_codes(column), table.header.type_of(column))
    name = identifier(column)
    return f"IF({name} IN ({', '.join(codes)}), NULL, {name})" if codes else name
