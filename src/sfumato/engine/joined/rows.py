"""Rows of a table while a release is put together: what an engine with frames must be able to do with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import pyarrow as pa

    from sfumato.engine.base import Header

    Batches = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]

R = TypeVar("R", bound="Rows")


class Table(Protocol):
    """What is known of the table that is released."""

    @property
    def header(self) -> Header:
        """Names, types and size."""
        ...

    def missing_codes(self, column: str) -> tuple[str, ...]:
        """Texts that mean "missing" in that column, besides a native NULL."""
        ...


class Rows(Protocol):
    """Lazy rows; every method gives new ones. One column, `__row`, grows in table order."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        ...

    @property
    def types(self) -> tuple[str, ...]:
        """Their native types."""
        ...

    @property
    def schema(self) -> pa.Schema:
        """Their Arrow types."""
        ...

    @property
    def in_order(self) -> bool:
        """Whether the rows surely come in the order of `__row`."""
        ...

    def select(self, *sql: str) -> Self:
        """Other columns, each as SQL with its name; `*` is all of them. A window function may lose the order."""
        ...

    def where(self, sql: str) -> Self:
        """The rows that meet a condition."""
        ...

    def joined(self, columns: Mapping[str, pa.Array], keys: Mapping[str, str], between: Sequence[str] = ()) -> Self:
        """The rows with the columns of a lookup; null where it has no entry.

        Args:
            columns: the lookup, keys included; one entry at most fits each row, and no name is one of the rows'.
            keys: for each key of the lookup the column of the rows that must be equal to it; null equals null.
            between: empty, or three columns: one of the rows, which must be at least the second and below the third,
                both of the lookup.
        """
        ...

    def mapped(self, work: Batches, new: Mapping[str, pa.DataType]) -> Self:
        """What a function of batches makes of the rows: the same columns and new ones."""
        ...

    def drawn(self) -> Self:
        """The same rows, computed now, and never again: chance must be drawn once."""
        ...

    def shuffled(self, key: str) -> Self:
        """The rows in an order that a secret key says: uniform for whoever lacks it."""
        ...

    def distinct(self, names: Sequence[str]) -> pa.Table:
        """The distinct tuples of some columns, in memory."""
        ...

    def count(self) -> int:
        """Number of rows."""
        ...

    def identifier(self, name: str) -> str:
        """A column name, quoted."""
        ...

    def literal(self, text: str) -> str:
        """A text constant."""
        ...

    def known(self, hit: str, value: str, kind: pa.DataType) -> str:
        """SQL of a value that a lookup has for every row; where `hit` is NULL, the source has changed: a `SchemaError`."""
        ...

    def mark(self, column: str, cell: str) -> str:
        """SQL of a subset mark; a cell that says neither is a `SchemaError`."""
        ...
