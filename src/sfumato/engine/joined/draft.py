"""A release while it is put together: rows with inner names, and the SQL of each published cell."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Generic

from sfumato.engine.base import ROW
from sfumato.engine.joined.rows import R
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa
    from duckdb import DuckDBPyConnection

    from sfumato.engine.joined.rows import Table


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
class Draft(Generic[R]):
    """Parts of a release. Inside, the columns of the table are called c0, c1, …: PySpark trips over odd names.

    Args:
        table: what is released.
        connection: of the embedded engine, which writes texts.
        rows: its rows, `__row` and the columns, then those that steps have added.
        cells: published cells that are not the column itself.
        added: new first columns, each as SQL with its name.
        hides: the columns that a suppressed row hides.
        gone: SQL, whether a row is suppressed; None: none is.
        n_joins: lookups that were joined.
    """

    table: Table
    connection: DuckDBPyConnection
    rows: R
    cells: dict[str, Cell] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)
    hides: tuple[str, ...] = ()
    gone: str | None = None
    n_joins: int = 0

    @classmethod
    def of(cls, table: Table, rows: R, connection: DuckDBPyConnection) -> Draft[R]:
        """Nothing is changed yet."""
        named = [f"{rows.identifier(name)} AS c{i}" for i, name in enumerate(table.header.names)]
        return cls(table, connection, rows.select(ROW, *named))

    def inner(self, column: str) -> str:
        """The inner name of a column.

        Raises:
            SchemaError: the table has no such column.
        """
        self.table.header.type_of(column)
        return f"c{self.table.header.names.index(column)}"

    def join(
        self, columns: Mapping[str, pa.Array], keys: Mapping[str, str], between: tuple[str, ...] = ()
    ) -> dict[str, str]:
        """Join a lookup; see `Rows.joined`.

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
        return {name: self.rows.known(f"{prefix}hit", prefix + name, kind) for name, kind in rest.items()}

    def attach(self, columns: Mapping[str, pa.Array], keys: Mapping[str, str], between: tuple[str, ...] = ()) -> None:
        """Join a lookup under the names of its own; null where it has no entry. See `Rows.joined`."""
        self.rows = self.rows.joined(columns, keys, between)
