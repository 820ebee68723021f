"""Which rows does an ask read, and what of each? SQL for the joined, selected, coded rows.

Rows come out with these columns: `r` position, `p` person, `k0`, `k1` … the grouping columns (bins
or places of ranges, cells of others), `x0`, `x1` … grid places. Whether a row comes out depends on that row and on public values.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from sfumato.engine.duckdb.bounded_cells import Cell, bin_of, cell_of, double, listed, place
from sfumato.engine.duckdb.bounded_check import literal_number
from sfumato.engine.duckdb.lookup import store
from sfumato.engine.duckdb.quote import identifier
from sfumato.engine.duckdb.table import ROW
from sfumato.summary.bounded import Comparison
from sfumato.table.domain import Categories, Range

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.summary.bounded import BoundedAsk, Condition, Keyed

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
        keys: for each grouping column SQL for its group in a query over columns k0, k1 …: code, or text where
            keys are read from the table; NULL where the row is in no group.
        lookups: joins that the keys need.
        person: the cells of `p`; None: each row is a person.
    """

    sql: str
    keys: tuple[str, ...]
    lookups: str
    person: Cell | None


@contextmanager
def rows_of(table: DuckTable, ask: BoundedAsk, wanted: Mapping[str, str]) -> Iterator[Rows]:
    """The selected rows, while the small tables they are joined to exist.

    Args:
        table: the private table.
        ask: a checked ask.
        wanted: the columns whose places are read, each with the name of its place (`x0` …).
    """
    with ExitStack() as stack:
        joined = stack.enter_context(_public(table, ask))
        keys, lookups = [], []
        for i, keyed in enumerate(ask.by):
            cell = cell_of(table, ask.join, keyed.column).named(f"k{i}")
            match keyed.domain:
                case Range() if keyed.edges is not None and bin_of("", keyed.edges) is None:
                    name = stack.enter_context(_starts(table, keyed.edges))
                    lookups.append(f" ASOF JOIN {name} l{i} ON k{i} >= l{i}.start")
                    keys.append(f"l{i}.code")
                case Range():
                    keys.append(f"k{i}")
                case Categories(values=values):
                    name = stack.enter_context(_codes(table, cell, values))
                    lookups.append(f" JOIN {name} l{i} ON l{i}.text = {cell.text}")
                    keys.append(f"l{i}.code")
                case _:
                    keys.append(cell.text)
        person = None if ask.unit.person is None else cell_of(table, None, ask.unit.person)
        yield Rows(_select(table, ask, wanted, joined), tuple(keys), "".join(lookups), person and person.named("p"))


def _select(table: DuckTable, ask: BoundedAsk, wanted: Mapping[str, str], joined: str) -> str:
    """Read the cells once, then select and code, then bin."""
    ranges = dict(ask.ranges) | {k.column: k.domain for k in ask.by if isinstance(k.domain, Range)}
    numbers = {column: f"n{i}" for i, column in enumerate(ranges)}
    cells = [f"t.{identifier(ROW)} AS r"]
    cells += [f"{cell_of(table, ask.join, column).number} AS {name}" for column, name in numbers.items()]
    first, second = _conditions(table, ask, numbers)
    kept = ["r"]
    if ask.unit.person is not None:
        person = cell_of(table, None, ask.unit.person)
        kept, cells, first = ["r", "p"], [*cells, f"{person.sql} AS p"], [person.is_present, *first]
    for i, keyed in enumerate(ask.by):
        if not isinstance(keyed.domain, Range):
            cells.append(f"{cell_of(table, ask.join, keyed.column).sql} AS k{i}")
    places = [f"{place(numbers[column], ranges[column])} AS {name}" for column, name in wanted.items()]
    keys = [f"{_key(keyed, i, numbers)} AS k{i}" for i, keyed in enumerate(ask.by)]
    bins = [f"{(k.edges and bin_of(f'k{i}', k.edges)) or f'k{i}'} AS k{i}" for i, k in enumerate(ask.by)]
    base = f"SELECT {', '.join(cells)} FROM {identifier(table.name)} t{joined}{_where(first)}"
    coded = f"SELECT {', '.join([*kept, *keys, *places])} FROM ({base}){_where(second)}"
    return f"SELECT {', '.join([*kept, *bins, *wanted.values()])} FROM ({coded})"


def _conditions(table: DuckTable, ask: BoundedAsk, numbers: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """What a row must meet, as SQL over its cells, and over its numbers."""
    categories = dict(ask.categories)
    first, second = [], []
    for condition in ask.where:
        if condition.column in numbers:
            second.append(_compared(numbers[condition.column], condition))
        else:
            first += _met(cell_of(table, ask.join, condition.column), condition, categories.get(condition.column))
    for column in ask.complete:
        if column in numbers:
            second.append(f"{numbers[column]} IS NOT NULL")
        else:
            first.append(_declared(cell_of(table, ask.join, column), categories.get(column)))
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


def _met(cell: Cell, condition: Condition, domain: Categories | None) -> list[str]:
    """A text against public texts; a text outside the declared categories is missing, hence not met."""
    told = _against(cell.text, condition.comparison, listed(map(cell.public, condition.values)))
    is_negative = condition.comparison in {Comparison.NOT_EQUAL, Comparison.NOT_IN}
    return [told, _declared(cell, domain)] if is_negative and domain is not None else [told]


def _against(left: str, comparison: Comparison, values: str) -> str:
    """The comparison in SQL."""
    is_list = comparison in {Comparison.IN, Comparison.NOT_IN}
    return f"{left} {_SIGNS[comparison]} ({values})" if is_list else f"{left} {_SIGNS[comparison]} {values}"


def _declared(cell: Cell, domain: Categories | None) -> str:
    """SQL, whether a cell is there: not missing, and one of the declared categories if there are any."""
    if domain is None:
        return f"{cell.text} IS NOT NULL"
    return f"{cell.text} IN ({listed(map(cell.public, domain.values))})"


@contextmanager
def _codes(table: DuckTable, cell: Cell, values: tuple[str, ...]) -> Iterator[str]:
    """A small table from text to place in the declared categories."""
    codes: dict[str, int] = {}
    for code, value in enumerate(values):
        codes.setdefault(cell.public(value), code)
    with _stored(table, {"text": pa.array(codes, pa.string()), "code": pa.array(codes.values(), pa.int64())}) as name:
        yield name


@contextmanager
def _starts(table: DuckTable, edges: tuple[int, ...]) -> Iterator[str]:
    """A small table from the first place of each bin to the bin."""
    codes = pa.array(range(len(edges) - 1), pa.int64())
    with _stored(table, {"start": pa.array(edges[:-1], pa.int64()), "code": codes}) as name:
        yield name


@contextmanager
def _public(table: DuckTable, ask: BoundedAsk) -> Iterator[str]:
    """The join to the public table; at most one public row for each private one."""
    join = ask.join
    if join is None:
        yield ""
        return
    on, cell = join.columns.index(join.on), cell_of(table, None, join.on)
    rows = {cell.public(row[on]): row for row in reversed(join.table)}
    columns = {f"c{j}": pa.array([row[j] for row in rows.values()], pa.string()) for j in range(len(join.columns))}
    with _stored(table, columns | {"key": pa.array(rows, pa.string())}) as name:
        yield f" LEFT JOIN {name} j ON j.key = {cell.text}"


@contextmanager
def _stored(table: DuckTable, columns: Mapping[str, pa.Array]) -> Iterator[str]:
    """A temporary table that is dropped at the end."""
    name = store(table.connection, columns, {})
    try:
        yield name
    finally:
        table.connection.execute(f"DROP TABLE IF EXISTS {name}")
