"""What is the query of a release made of, while it is put together?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.engine.duckdb.table import DuckTable


@dataclass(frozen=True, slots=True)
class Label:
    """Where the label of a recoded column is found.

    Args:
        sql: an ENUM; NULL: the cell is published as it was written.
        enum: its type, which also holds `*`.
        is_total: whether it is never NULL.
    """

    sql: str
    enum: str
    is_total: bool


@dataclass(slots=True)
class Query:
    """Parts of the query of a release while they are put together; `r` are the rows of the table.

    Args:
        table: what is released.
        only: SQL conditions that a row must meet to be released at all.
        inner: further columns of `r`, over the columns of the table.
        joins: joins to `r`.
        labels: the label of each recoded column.
        added: new columns, each as SQL with its name; they come first.
        hides: the columns that a suppressed row hides.
        suppressed: SQL, whether a row is suppressed; None: none is.
        filters: conditions that every released row meets.
    """

    table: DuckTable
    only: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)
    joins: list[str] = field(default_factory=list)
    labels: dict[str, Label] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)
    hides: tuple[str, ...] = ()
    suppressed: str | None = None
    filters: list[str] = field(default_factory=list)

    @property
    def rows(self) -> str:
        """SQL for what stands after FROM."""
        return f"{self.table.name} WHERE {' AND '.join(self.only)}" if self.only else self.table.name

    def read(self, sql: str) -> str:
        """Compute an expression with each row; the name under which it is found."""
        if sql not in self.inner:
            self.inner.append(sql)
        return f"r.__x{self.inner.index(sql)}"
