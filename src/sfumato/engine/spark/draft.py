"""What is a release made of, while it is put together? Rows with inner names, and the SQL of each published cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.engine.spark.faults import refuse
from sfumato.engine.spark.leaves import type_of
from sfumato.engine.spark.lookup import joined
from sfumato.engine.spark.quote import identifier
from sfumato.engine.spark.store import runs_on_spark
from sfumato.engine.spark.table import ROW

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa
    from duckdb import DuckDBPyConnection

    from sfumato.engine.spark.table import SparkTable

_NEW = (
    "Every row must have values that the recipe knows; some rows are new.",
    "keep the source as it is while it is read, or decide a recipe for the new table.",
)


@dataclass(frozen=True, slots=True)
class Cell:
    """The published cell of one column.

    Args:
        value: SQL.
        text: SQL, its text; asked for only where suppressed rows are published as `*`.
    """

    value: str
    text: str


@dataclass(slots=True)
class Draft:
    """Parts of a release. Inside, the columns of the table are called c0, c1, …: PySpark trips over odd names.

    Args:
        table: what is released.
        connection: of the embedded engine, which writes texts.
        frame: its rows, `__row` and the columns, then those that steps have added.
        cells: published cells that are not the column itself.
        added: new first columns, each as SQL with its name.
        hides: the columns that a suppressed row hides.
        gone: SQL, whether a row is suppressed; None: none is.
        n_joins: lookups that were joined.
        in_order: whether the rows still come in the order of `__row`.
    """

    table: SparkTable
    connection: DuckDBPyConnection
    frame: Any
    cells: dict[str, Cell] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)
    hides: tuple[str, ...] = ()
    gone: str | None = None
    n_joins: int = 0
    in_order: bool = True

    @classmethod
    def of(cls, table: SparkTable, connection: DuckDBPyConnection) -> Draft:
        """Nothing is changed yet."""
        named = [f"{identifier(name)} AS c{i}" for i, name in enumerate(table.header.names)]
        in_order = table.in_order and runs_on_spark(table.session)
        return cls(table, connection, table.frame.selectExpr(ROW, *named), in_order=in_order)

    def inner(self, column: str) -> str:
        """The inner name of a column.

        Raises:
            SchemaError: the table has no such column.
        """
        type_of(self.table, column)
        return f"c{self.table.header.names.index(column)}"

    def join(
        self, columns: Mapping[str, pa.Array], keys: Mapping[str, str], between: tuple[str, ...] = ()
    ) -> dict[str, str]:
        """Join a lookup; see `lookup.joined`.

        Returns:
            SQL for each of its columns that are no keys. It fails where the lookup has no entry.
        """
        import pyarrow as pa

        prefix, self.n_joins = f"l{self.n_joins}_", self.n_joins + 1
        size = len(next(iter(columns.values())))
        stored = {prefix + name: column for name, column in columns.items()}
        stored[f"{prefix}hit"] = pa.repeat(True, size)
        what, *ends = between or ("",)
        inner = {prefix + there: here for there, here in keys.items()}
        self.attach(stored, inner, (what, *(prefix + end for end in ends)) if between else ())
        rest = {name: column.type for name, column in columns.items() if name not in keys and name not in ends}
        return {name: _known(prefix, name, kind) for name, kind in rest.items()}

    def attach(self, columns: Mapping[str, pa.Array], keys: Mapping[str, str], between: tuple[str, ...] = ()) -> None:
        """Join a lookup under the names of its own; null where it has no entry. See `lookup.joined`."""
        self.frame, is_everywhere = joined(self.frame, columns, keys, between)
        self.in_order = self.in_order and is_everywhere


def _known(prefix: str, name: str, kind: pa.DataType) -> str:
    """SQL for a column of a lookup that every row must find."""
    from pyspark.sql.pandas.types import from_arrow_type

    plain = kind.value_type if hasattr(kind, "value_type") else kind
    failure = refuse(*_NEW, from_arrow_type(plain).simpleString())
    return f"CASE WHEN {prefix}hit IS NULL THEN {failure} ELSE {prefix}{name} END"
