"""The joint between mathematics and data: scan, summarize, add up, apply, write."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sfumato.noise.bits import Bits
    from sfumato.recipe.recipe import Recipe
    from sfumato.summary.ask import Ask
    from sfumato.summary.bounded import BoundedAsk, BoundedPlaces, BoundedTotals
    from sfumato.summary.classes import Classes
    from sfumato.summary.counting import Counting
    from sfumato.table.dialect import Dialect
    from sfumato.table.source import Sink, Source
    from sfumato.types import IntArray

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Header:
    """What is known of a table before its cells are looked at.

    Args:
        names: column names, in order.
        types: native type of each ("VARCHAR" for every CSV column).
        n_rows: rows of the table.
        source_kind: "csv", "parquet", "excel", "arrow", "pandas", "polars", "duckdb", "sql".
        dialect: how the CSV is written; None otherwise.
        sha256: digest of the source's bytes; None where the source is no file.
        notes: what a person should see before going on (columns renamed, rows left out, guesses).
        loose: columns whose type was found by looking at their cells (pandas objects and truth values, SQLite): one
            cell may change it, so nothing that must not depend on a cell may depend on it.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    n_rows: int
    source_kind: str
    dialect: Dialect | None = None
    sha256: str | None = None
    notes: tuple[str, ...] = ()
    loose: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Marginal:
    """Distinct values of one column as canonical text (None: missing), with row counts."""

    values: tuple[str | None, ...]
    counts: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Receipt:
    """What was written: exactly one of `path` (files), `frame` (memory) and `table` (SQL) is set.

    `names` are those of the columns of a file, which a file without header does not tell. `formulas` names the columns
    of a CSV file with cells that quoting changes, and how many of these a spreadsheet would run as they were.
    """

    n_rows: int
    kind: str
    path: Path | None = None
    sha256: str | None = None
    n_bytes: int | None = None
    frame: object = None
    table: str | None = None
    names: tuple[str, ...] = ()
    formulas: Mapping[str, int] = field(default_factory=dict)


class Engine(Protocol[T]):
    """Where data live. T is the engine's own handle of a table."""

    def scan(self, source: Source) -> T:
        """Open a source; nothing is copied into memory that need not be."""
        ...

    def header(self, table: T) -> Header:
        """Names, types, size and dialect."""
        ...

    def marginal(self, table: T, column: str) -> Marginal:
        """Distinct values of a column, in no particular order."""
        ...

    def marginals(self, table: T, columns: Sequence[str]) -> Mapping[str, Marginal]:
        """The same of several columns, in time that grows as their number."""
        ...

    def estimate_tuples(self, table: T, columns: Sequence[str]) -> int:
        """About how many distinct tuples of the columns there are, within a few percent; no tuple is kept."""
        ...

    def summarize(self, table: T, ask: Ask) -> Classes:
        """Count the distinct quasi-identifier tuples at the finest level, once."""
        ...

    def check(self, table: T, ask: BoundedAsk) -> None:
        """Refuse an ask that the table's columns and types cannot answer, before it is paid; no row is read."""
        ...

    def totals(self, table: T, ask: BoundedAsk) -> BoundedTotals:
        """Bounded totals by group, for central differential privacy. Fails for no cell that rows may hold."""
        ...

    def places(self, table: T, ask: BoundedAsk, column: str) -> BoundedPlaces:
        """Grid places of one range column in the bounded rows of one group. Fails for no cell that rows may hold."""
        ...

    def canonical(self, table: T, column: str, texts: Sequence[str]) -> tuple[str, ...]:
        """What public texts are among the cells of a column, by its type alone: equal where they are one cell.

        Raises:
            SchemaError: there is no such column, or none that can be asked about.
        """
        ...

    def add_up(self, table: T, counting: Counting) -> IntArray:
        """(size,) int64: counts of all rows, made part by part and added up (reports of local privacy)."""
        ...

    def apply(self, table: T, recipe: Recipe, *, bits: Bits) -> T:
        """The released table. `bits` is read only where the recipe asks for chance."""
        ...

    def make(self, columns: Mapping[str, Sequence[object]]) -> T:
        """A small table of the mathematics, such as the second one of Anatomy: columns of equal length."""
        ...

    def write(self, table: T, sink: Sink) -> Receipt:
        """Write beside, then rename; an interrupted write leaves nothing."""
        ...
