"""The joint between mathematics and data: scan, summarize, apply, write; and what is the same in every engine.

That is how an engine finds its answer to an ask, the names that columns get, what a recipe may not say, and the words by
which a row is refused.
Engines compare names without regard to case, so `a` and `A` would be one column. A repeated name
gets its position in the row of equals, an empty one its place in the table; nothing is overwritten.
"""

from __future__ import annotations

from dataclasses import field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sfumato.errors import InternalError, SchemaError
from sfumato.frozen import dataclass
from sfumato.recipe.steps import Assign, column_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from sfumato.noise.bits import Bits
    from sfumato.recipe.columns import Cells
    from sfumato.recipe.recipe import Recipe
    from sfumato.recipe.steps import ColumnStep
    from sfumato.summary.ask import Ask
    from sfumato.summary.bounded import BoundedAsk
    from sfumato.table.source import Dialect, Sink, Source

T = TypeVar("T")
S = TypeVar("S")


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

    def type_of(self, column: str) -> str:
        """Native type of a column.

        Raises:
            SchemaError: the table has no such column.
        """
        if column not in self.names:
            raise SchemaError(
                "Column {column!r} must be in the table; none of its {n_names} columns has this name.",
                "correct the name (blanks count); a CSV file without a header needs `dialect = {{ header = false }}`.",
                column=column,
                n_names=len(self.names),
            )
        return self.types[self.names.index(column)]


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

    def check(self, table: T, ask: BoundedAsk) -> None:
        """Refuse an ask that the table's columns and types cannot answer, before it is paid; no row is read."""
        ...

    def summarize(self, table: T, ask: Ask[S]) -> S:
        """The summary that is asked for; each class of `summary.ask` and `summary.bounded` says which one that is.

        Bounded asks fail for no cell that rows may hold.
        """
        ...

    def apply(self, table: T, recipe: Recipe, *, bits: Bits) -> T:
        """The released table. `bits` is read only where the recipe asks for chance."""
        ...

    def make(self, columns: Mapping[str, Cells]) -> T:
        """A table of the mathematics, such as the second one of Anatomy: columns of equal length."""
        ...

    def write(self, table: T, sink: Sink) -> Receipt:
        """Write beside, then rename; an interrupted write leaves nothing."""
        ...


def answer(
    answers: Mapping[type[Ask[Any]], Callable[[T, Any], Any]],
    table: T,
    ask: Ask[S],
    *,
    later: Mapping[str, str] | None = None,
) -> S:
    """What an engine answers: the function that it lists for the type of the ask, on a table of its own.

    Args:
        answers: type of an ask → function.
        table: what is asked about.
        ask: what is asked.
        later: module of an ask → module whose `ANSWERS` are looked at where `answers` has none.

    Raises:
        InternalError: the engine lists none.
    """
    found = answers.get(type(ask))
    if found is None and later is not None and type(ask).__module__ in later:
        found = import_module(later[type(ask).__module__]).ANSWERS.get(type(ask))
    if found is None:
        raise InternalError("This engine answers no {kind}.", kind=type(ask).__name__)
    out: S = found(table, ask)
    return out


FLAG = "suppressed"
"""Name of the boolean column that marks suppressed rows where they are published as nulls."""


def steps_by_column(recipe: Recipe, header: Header) -> dict[str, ColumnStep]:
    """The step of each column that has one.

    Raises:
        SchemaError: a step names an absent column.
        InternalError: two steps for one column.
    """
    names = [column_of(step) for step in recipe.columns]
    assigned = [a.name for a in recipe.classes.attributes] if isinstance(recipe.classes, Assign) else []
    for name in (*names, *assigned):
        header.type_of(name)
    if len({*names, *assigned}) < len(names) + len(assigned):
        raise InternalError("A recipe holds two steps for one column.")
    return dict(zip(names, recipe.columns, strict=True))


def check_flag(header: Header) -> None:
    """Refuse a table that has a column of the name of the mark of suppression.

    Raises:
        SchemaError: it has.
    """
    if FLAG in (name.lower() for name in header.names):
        raise SchemaError(
            "The release needs a column {flag!r} of its own; the table has one of that name.",
            "rename the column, or publish suppressed rows as `*` or not at all.",
            flag=FLAG,
        )


ROW = "__row"
"""Name of the position column that every scanned table has; no source column keeps this name."""


def distinct_names(written: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names that differ even without regard to case, and a note for each that was changed.

    Blanks at the ends of a name are kept.

    Example:
        >>> distinct_names(["a", "A", "", "a "])[0]
        ('a', 'A (2)', 'column 3', 'a ')
    """
    taken = {ROW, *(name.lower() for name in written)}
    used: set[str] = {ROW}
    names: list[str] = []
    notes: list[str] = []
    for position, name in enumerate(written, start=1):
        new = name if name.strip() else f"column {position}"
        if new != name:
            notes.append(f"Column {position} has no name; it is called {new!r}.")
        if new.lower() in used or (new != name and new.lower() in taken):
            renamed = _numbered(new, used | taken)
            notes.append(f"Column {position} is called {renamed!r}, because another one is called {new!r}.")
            new = renamed
        used.add(new.lower())
        names.append(new)
    return tuple(names), tuple(notes)


def positional_names(width: int) -> tuple[str, ...]:
    """Names of the columns of a table without header.

    Example:
        >>> positional_names(2)
        ('column 1', 'column 2')
    """
    return tuple(f"column {position}" for position in range(1, width + 1))


def _numbered(name: str, taken: set[str]) -> str:
    """`name (2)`, or the next number that is free."""
    number = 2
    while f"{name} ({number})".lower() in taken:
        number += 1
    return f"{name} ({number})"


_MARK = "sfumato|"
"""Starts the messages that our own SQL and our own workers raise: mark, problem, bar, remedy, bar."""


def marked(problem: str, remedy: str) -> str:
    """The message by which SQL or a worker raises a `SchemaError`.

    Example:
        >>> marked("Ages must be numbers.", "declare text.")
        'sfumato|Ages must be numbers.|declare text.|'
    """
    return _MARK + "|".join(part.replace("|", "/") for part in (problem, remedy)) + "|"


def refusal_in(message: str) -> SchemaError | None:
    """The error that a message of a database or a cluster stands for; None where it is none of ours."""
    if _MARK not in message:
        return None
    problem, remedy = message.split(_MARK, 1)[1].split("|")[:2]
    return SchemaError(problem, remedy)
