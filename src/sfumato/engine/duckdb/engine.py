"""The embedded engine behind the joint of `engine/base.py`, and what it answers: what every SQL engine does, and many marginals
together.

DuckDB reads Parquet where it is and stops at a time after midnight, a text that is no UTF-8 or a point in time that
its type cannot tell. An error would say that such a cell exists. So the file is read through Arrow then, once, into
the private store, where such cells are missing; every other cell says what it said before.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sfumato.engine.arrow_arrays import ints
from sfumato.engine.base import answer
from sfumato.engine.duckdb.apply import apply
from sfumato.engine.duckdb.columns import add_up, table_of
from sfumato.engine.duckdb.connect import identifier, workspace_of
from sfumato.engine.duckdb.database import Databases
from sfumato.engine.duckdb.dialect import DuckDialect
from sfumato.engine.duckdb.scan import scan, view_of
from sfumato.engine.duckdb.table import BATCH, BY_A_CELL, guarded
from sfumato.engine.duckdb.write import write
from sfumato.engine.sql.answers import ANSWERS, LATER
from sfumato.engine.sql.marginals import marginal
from sfumato.engine.sql.tuples import counted, rows_of
from sfumato.frozen import dataclass
from sfumato.summary.ask import Counting, Marginal, MarginalOf, Marginals
from sfumato.table.source import FileSource

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.engine.base import Header, Receipt
    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.noise.bits import Bits
    from sfumato.recipe.columns import Cells
    from sfumato.recipe.recipe import Recipe
    from sfumato.summary.ask import Ask
    from sfumato.summary.bounded import BoundedAsk
    from sfumato.table.source import Sink, Source
    from sfumato.types import IntArray

_Found = TypeVar("_Found")
S = TypeVar("S")


def answered(table: DuckTable, question: Callable[[DuckTable], _Found]) -> _Found:
    """What a question finds in a table; asked again of the cells that can be held where the file has others.

    The view of the table is replaced, so that the next question finds them at once.

    Args:
        table: the table.
        question: reads the table by its name and connection.
    """
    try:
        return question(table)
    except BY_A_CELL:
        if table.header.source_kind != "parquet" or not isinstance(table.source, FileSource):
            raise
        from sfumato.engine.duckdb.columnar import load_held

        space = workspace_of(table.connection)
        return question(view_of(space, table.source, load_held(space, table.source.path)))


_FEW = 50
"""So few columns are counted one by one, in the database."""
_TOGETHER, _CELLS = 500, 5_000_000
"""Columns and cells that are fetched together, at most."""
_SMALL = 200_000
"""Of a table of so many rows a statement takes longer to plan than to carry out."""


_HELD = "sfumato.summary.bounded"
"""Where asks stand that no cell may make fail."""
_OF_GRAPHS = "sfumato.summary.edges"
"""Where asks stand that join rows with each other: few edges can make many pairs."""


def summarize(table: DuckTable, ask: Ask[S]) -> S:
    """The summary that is asked for.

    Raises:
        SchemaError: an absent column, or a cell of a form that the ask refuses.
    """
    if type(ask) in OWN:
        return answer(OWN, table, ask)
    with guarded():
        if type(ask).__module__ == _HELD:
            return answered(table, lambda held: answer(ANSWERS, DuckDialect(held), ask, later=LATER))
        return answer(ANSWERS, DuckDialect(table), ask, later=LATER)


def marginals(table: DuckTable, ask: Marginals) -> dict[str, Marginal]:
    """The same of many columns: read together in batches, for naming one column of a wide table costs as much as all.

    Raises:
        SchemaError: the table has no such column.
    """
    columns, size = ask.columns, min(_TOGETHER, _CELLS // max(table.header.n_rows, 1))
    if len(columns) <= _FEW or size < _FEW:
        with guarded():
            found = _at_once(table, columns) if table.distinct or table.header.n_rows <= _SMALL else {}
            found |= _of_codes(table, [name for name in columns if name in table.labels])
            return {name: found.get(name) or marginal(DuckDialect(table), MarginalOf(name)) for name in columns}
    found = {}
    for start in range(0, len(columns), size):
        found |= _together(table, columns[start : start + size])
    return found


def _at_once(table: DuckTable, columns: Sequence[str]) -> dict[str, Marginal]:
    """The marginals of the columns that hold texts, in one statement: of few rows it takes as long as one of them."""
    dialect = DuckDialect(table)
    names = [name for name in dict.fromkeys(columns) if name in table.header.names]
    names = [name for name in names if dialect.type_of(name) == "VARCHAR"]
    if not names:
        return {}
    asked = " UNION ALL ".join(
        f"SELECT {place} AS c, v, {counted(dialect)} AS n FROM ({rows_of(dialect, {'v': dialect.value(name)})}) q GROUP BY v"
        for place, name in enumerate(names)
    )
    rows = dialect.run(asked)
    columns_of, counts, values = ints(rows, "c").tolist(), ints(rows, "n").tolist(), rows["v"].to_pylist()
    found: dict[str, list[tuple[str | None, int]]] = {name: [] for name in names}
    for place, value, n in zip(columns_of, values, counts, strict=True):
        found[names[place]].append((value, n))
    return {name: _counted(pairs) for name, pairs in found.items()}


def _of_codes(table: DuckTable, columns: Sequence[str]) -> dict[str, Marginal]:
    """The marginals of columns that are held as codes, which are read once and counted by place."""
    if not columns:
        return {}
    asked = ", ".join(f"enum_code({identifier(name)}) AS c{place}" for place, name in enumerate(columns))
    counts = [np.zeros(len(table.labels[name]), np.int64) for name in columns]
    for batch in table.connection.sql(f"SELECT {asked} FROM {table.coded}").to_arrow_reader(BATCH):
        for cells, n_rows in zip(batch.columns, counts, strict=True):
            np.add(n_rows, np.bincount(np.from_dlpack(cells), minlength=len(n_rows)), out=n_rows)
    return {name: _of_labels(table, name, n_rows) for name, n_rows in zip(columns, counts, strict=True)}


def _of_labels(table: DuckTable, column: str, n_rows: IntArray) -> Marginal:
    """The marginal of a column of whose labels each has so many rows."""
    gone, counts = set(table.missing_codes(column)), Counter[str | None]()
    for text, n in zip(table.labels[column], n_rows.tolist(), strict=True):
        if n:
            counts[None if text in gone else text] += n
    return _counted([*counts.items()])


def _together(table: DuckTable, columns: Sequence[str]) -> dict[str, Marginal]:
    """Values and counts of a batch of columns, whose cells are read once."""
    dialect = DuckDialect(table)
    asked = [f"{dialect.value(column)} AS c{place}" for place, column in enumerate(columns)]
    with guarded():
        cells = dialect.run(f"SELECT {', '.join(asked)} FROM {dialect.relation}")
    pairs = [cells[place].value_counts().to_pylist() for place in range(len(columns))]
    return {
        column: _counted([(pair["values"], pair["counts"]) for pair in of])
        for column, of in zip(columns, pairs, strict=True)
    }


def _counted(pairs: Sequence[tuple[str | None, int]]) -> Marginal:
    """Sorted values with their rows, the missing one last."""
    rows = dict(pairs)
    ordered = [*sorted(value for value in rows if value is not None), *([None] if None in rows else [])]
    return Marginal(tuple(ordered), np.array([rows[value] for value in ordered], np.int64))


OWN: Mapping[type[Ask[Any]], Callable[[DuckTable, Any], Any]] = {Marginals: marginals, Counting: add_up}
"""What DuckDB answers in its own way."""


@dataclass(frozen=True, slots=True)
class DuckDBEngine:
    """DuckDB inside this process; tables larger than memory are worked on from disk.

    Args:
        memory_limit: most memory that DuckDB takes ("3GB"); None: its own choice.
        threads: None: one per core.

    Example:
        >>> import pyarrow as pa
        >>> from sfumato.summary.ask import MarginalOf
        >>> from sfumato.table.source import FrameSource
        >>> engine = DuckDBEngine(memory_limit="1GB", threads=1)
        >>> table = engine.scan(FrameSource(pa.table({"zip": ["01000", "75001", "01000"]})))
        >>> engine.summarize(table, MarginalOf("zip")).counts.tolist()
        [2, 1]
    """

    memory_limit: str | None = None
    threads: int | None = None
    _databases: Databases = field(default_factory=Databases, init=False, repr=False, compare=False)

    def scan(self, source: Source) -> DuckTable:
        """Open a source; see `scan.scan`. Tables in use at the same time that are no large files share the memory limit."""
        return scan(source, memory_limit=self.memory_limit, threads=self.threads, databases=self._databases)

    def header(self, table: DuckTable) -> Header:
        """Names, types, size and dialect."""
        return table.header

    def check(self, table: DuckTable, ask: BoundedAsk) -> None:
        """Refuse an ask that cannot be answered; see `bounded_query.check`."""
        from sfumato.engine.sql.bounded_query import check

        check(DuckDialect(table), ask)

    def summarize(self, table: DuckTable, ask: Ask[S]) -> S:
        """The summary that is asked for; see `summarize.summarize`."""
        if self.threads is None and type(ask).__module__ == _OF_GRAPHS:
            table.connection.execute("RESET threads")  # `scan` gives a small file one
        return summarize(table, ask)

    def apply(self, table: DuckTable, recipe: Recipe, *, bits: Bits) -> DuckTable:
        """The released table; see `apply.apply`."""
        return apply(table, recipe, bits=bits)

    def make(self, columns: Mapping[str, Cells]) -> DuckTable:
        """Columns of equal length as a table; see `columns.table_of`."""
        return table_of(columns, self._databases)

    def write(self, table: DuckTable, sink: Sink) -> Receipt:
        """Write the table; see `write.write`."""
        return write(table, sink)
