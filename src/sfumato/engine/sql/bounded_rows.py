"""The rows that an ask reads, joined, selected and coded: their SQL.

Rows come out with these columns: `r` position (where persons are named, else 1), `p` person, `k0`, `k1` … the grouping
columns (bins or places of ranges, cells of others), `x0`, `x1` … grid places. Whether a row comes out depends on that
row and on public values.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.engine.arrow_arrays import texts, whole_numbers
from sfumato.engine.base import ROW
from sfumato.engine.sql.bounded_check import literal_number
from sfumato.engine.sql.bounded_grid import bin_of, place
from sfumato.engine.sql.dialect import constants, double
from sfumato.frozen import dataclass
from sfumato.summary.bounded import Comparison
from sfumato.table.domain import Categories, Range

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.engine.sql.dialect import Cell, Public, SqlDialect
    from sfumato.summary.bounded import BoundedAsk, Condition, Join, Keyed

_SIGNS = {
    Comparison.EQUAL: "=",
    Comparison.NOT_EQUAL: "<>",
    Comparison.LESS: "<",
    Comparison.AT_MOST: "<=",
    Comparison.MORE: ">",
    Comparison.AT_LEAST: ">=",
    Comparison.IN: "IN",
    Comparison.NOT_IN: "NOT IN",
}


@dataclass(frozen=True, slots=True)
class Rows:
    """The selected rows of an ask as SQL.

    Args:
        sql: a SELECT with the columns above.
        cells: of each grouping column, in a query over columns k0, k1 …
        person: the cells of `p`; None: each row is a person.
    """

    sql: str
    cells: tuple[Cell, ...]
    person: Cell | None


@dataclass(frozen=True, slots=True)
class Lookups:
    """How the groups of rows are found by joins.

    Args:
        keys: for each grouping column SQL for its group in a query over columns k0, k1 …: code, or text where
            keys are read from the table; NULL where the row is in no group.
        sql: the joins that the keys need.
        hint: says which relations are small.
    """

    keys: tuple[str, ...]
    sql: str
    hint: str


def rows_of(dialect: SqlDialect, ask: BoundedAsk, wanted: Mapping[str, str], joined: str = "") -> Rows:
    """The selected rows.

    Args:
        dialect: the private table.
        ask: a checked ask.
        wanted: the columns whose places are read, each with the name of its place (`x0` …).
        joined: the join to the public table, see `joined_of`.
    """
    cells = tuple(cell_of(dialect, ask.join, keyed.column).named(f"k{i}") for i, keyed in enumerate(ask.by))
    person = None if ask.unit.person is None else dialect.cell(ask.unit.person).named("p")
    return Rows(_select(dialect, ask, wanted, joined), cells, person)


@contextmanager
def lookups_of(dialect: SqlDialect, ask: BoundedAsk, cells: Sequence[Cell]) -> Iterator[Lookups]:
    """How the groups of rows are found by joins, while the small tables they are joined to exist.

    Args:
        dialect: the private table.
        ask: a checked ask.
        cells: of its grouping columns, as its rows name them.
    """
    with ExitStack() as stack:
        coded = [stack.enter_context(_coded(dialect, keyed, cells[i], i)) for i, keyed in enumerate(ask.by)]
        small = [f"l{i}" for i, (_, lookup) in enumerate(coded) if lookup]
        yield Lookups(tuple(key for key, _ in coded), "".join(lookup for _, lookup in coded), _hint(small))


def cell_of(dialect: SqlDialect, join: Join | None, column: str) -> Cell:
    """The cells of a private column (of `t`), or of a column of the joined public table (`j`).

    Raises:
        SchemaError: neither table has the column.
    """
    if join is not None and column in join.columns and column != join.on:
        return dialect.texts(f"j.c{join.columns.index(column)}")
    return dialect.cell(column)


@contextmanager
def _coded(dialect: SqlDialect, keyed: Keyed, cell: Cell, i: int) -> Iterator[tuple[str, str]]:
    """SQL for the group of the i-th grouping column, and the join that it needs."""
    match keyed.domain:
        case Range() if keyed.edges is not None and bin_of("", keyed.edges, dialect.divided) is None:
            with _starts(dialect, keyed.edges) as name:
                yield f"l{i}.code", dialect.bin_join(name, f"l{i}", f"k{i}")
        case Range():
            yield f"k{i}", ""
        case Categories(values=values):
            with _codes(dialect, cell, values) as name:
                yield f"l{i}.code", f" JOIN {name} l{i} ON l{i}.key = {cell.token}"
        case _:
            yield cell.text, ""


def _hint(small: list[str]) -> str:
    """Says that these relations go to every machine; a comment where there is only one."""
    return f"/*+ BROADCAST({', '.join(small)}) */ " if small else ""


def _select(dialect: SqlDialect, ask: BoundedAsk, wanted: Mapping[str, str], joined: str) -> str:
    """Read the cells once, then select and code, then bin."""
    ranges = dict(ask.ranges) | {k.column: k.domain for k in ask.by if isinstance(k.domain, Range)}
    numbers = {column: f"n{i}" for i, column in enumerate(ranges)}
    cells = [f"{'1' if ask.unit.person is None else f't.{dialect.identifier(ROW)}'} AS r"]
    cells += [f"{cell_of(dialect, ask.join, column).number} AS {name}" for column, name in numbers.items()]
    first, second = _conditions(dialect, ask, numbers)
    kept = ["r"]
    if ask.unit.person is not None:
        person = dialect.cell(ask.unit.person)
        kept, cells, first = ["r", "p"], [*cells, f"{person.sql} AS p"], [person.is_present, *first]
    for i, keyed in enumerate(ask.by):
        if not isinstance(keyed.domain, Range):
            cells.append(f"{cell_of(dialect, ask.join, keyed.column).sql} AS k{i}")
    places = [f"{place(numbers[column], ranges[column])} AS {name}" for column, name in wanted.items()]
    keys = [f"{_key(keyed, i, numbers)} AS k{i}" for i, keyed in enumerate(ask.by)]
    bins = [
        f"{(k.edges and bin_of(f'k{i}', k.edges, dialect.divided)) or f'k{i}'} AS k{i}" for i, k in enumerate(ask.by)
    ]
    base = f"SELECT {_hint(['j'] if joined else [])}{', '.join(cells)} FROM {dialect.relation} t{joined}{_where(first)}"
    if not numbers:
        return base
    coded = f"SELECT {', '.join([*kept, *keys, *places])} FROM ({base}){_where(second)}"
    if not any(isinstance(keyed.domain, Range) for keyed in ask.by):
        return coded
    return f"SELECT {', '.join([*kept, *bins, *wanted.values()])} FROM ({coded})"


def _conditions(dialect: SqlDialect, ask: BoundedAsk, numbers: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """What a row must meet, as SQL over its cells, and over its numbers."""
    categories = dict(ask.categories)
    first, second = [], []
    for condition in ask.where:
        if condition.column in numbers:
            second.append(_compared(numbers[condition.column], condition))
        else:
            cell = cell_of(dialect, ask.join, condition.column)
            first += _met(dialect, cell, condition, categories.get(condition.column))
    for column in ask.complete:
        if column in numbers:
            second.append(f"{numbers[column]} IS NOT NULL")
        else:
            first.append(_declared(dialect, cell_of(dialect, ask.join, column), categories.get(column)))
    return first, second


def _key(keyed: Keyed, i: int, numbers: Mapping[str, str]) -> str:
    """The place of a range; the cell itself of any other column."""
    return place(numbers[keyed.column], keyed.domain) if isinstance(keyed.domain, Range) else f"k{i}"


def _where(conditions: list[str]) -> str:
    return f" WHERE {' AND '.join(f'({condition})' for condition in conditions)}" if conditions else ""


def _compared(number: str, condition: Condition) -> str:
    """A number, not clamped, against public numbers; NULL (not met) where missing."""
    values = [double(literal_number(value)) for value in condition.values]
    return _against(number, condition.comparison, ", ".join(values))


def _met(dialect: SqlDialect, cell: Cell, condition: Condition, domain: Categories | None) -> list[str]:
    """A text against public texts; a text outside the declared categories is missing, hence not met."""
    told = _against(cell.token, condition.comparison, constants(dialect, cell.public(condition.values)))
    is_negative = condition.comparison in {Comparison.NOT_EQUAL, Comparison.NOT_IN}
    return [told, _declared(dialect, cell, domain)] if is_negative and domain is not None else [told]


def _against(left: str, comparison: Comparison, values: str) -> str:
    is_list = comparison in {Comparison.IN, Comparison.NOT_IN}
    return f"{left} {_SIGNS[comparison]} ({values})" if is_list else f"{left} {_SIGNS[comparison]} {values}"


def _declared(dialect: SqlDialect, cell: Cell, domain: Categories | None) -> str:
    """SQL, whether a cell is there: not missing, and one of the declared categories if there are any."""
    if domain is None:
        return f"{cell.token} IS NOT NULL"
    return f"{cell.token} IN ({constants(dialect, cell.public(domain.values))})"


def codes_of(cell: Cell, values: Sequence[str]) -> dict[Public, int]:
    """What is compared, to its place in the declared categories: the first of those that are one cell.

    Args:
        cell: whose tokens are compared.
        values: the declared categories.
    """
    public = cell.public(values)
    return dict(zip(reversed(public), range(len(public) - 1, -1, -1), strict=True))


@contextmanager
def _codes(dialect: SqlDialect, cell: Cell, values: tuple[str, ...]) -> Iterator[str]:
    """A small table from what is compared to its place in the declared categories."""
    codes = codes_of(cell, values)
    with dialect.stored({"key": _keys(codes), "code": whole_numbers(np.array([*codes.values()]))}) as name:
        yield name


@contextmanager
def _starts(dialect: SqlDialect, edges: tuple[int, ...]) -> Iterator[str]:
    """A small table of the first place of each bin, the first place after it, and the bin."""
    places = np.array(edges, np.int64)
    bounds = {"start": whole_numbers(places[:-1]), "stop": whole_numbers(places[1:])}
    with dialect.stored(bounds | {"code": whole_numbers(np.arange(len(edges) - 1))}) as name:
        yield name


@contextmanager
def joined_of(dialect: SqlDialect, ask: BoundedAsk) -> Iterator[str]:
    """The join to the public table, while it exists; at most one public row for each private one."""
    join = ask.join
    if join is None:
        yield ""
        return
    on, cell = join.columns.index(join.on), dialect.cell(join.on)
    named = {key: row for row in join.table if (key := row[on]) is not None}
    rows = dict(reversed([*zip(cell.public([*named]), named.values(), strict=True)]))
    columns = {f"c{j}": texts([row[j] for row in rows.values()]) for j in range(len(join.columns))}
    with dialect.stored(columns | {"key": _keys(rows)}) as name:
        yield f" {'INNER' if join.is_inner else 'LEFT'} JOIN {name} j ON j.key = {cell.token}"


def _keys(public: Mapping[Public, object]) -> pa.Array:
    """Public values as a column, of texts or of doubles."""
    found = [key for key in public if isinstance(key, str)]
    return texts(found) if len(found) == len(public) else pa.array(public, pa.float64())
