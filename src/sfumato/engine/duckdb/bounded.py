"""What are the totals of an ask, when no person contributes more than the unit allows?

Rows are selected and coded (`bounded_rows`), then bounded, then added up (`bounded_terms`).

**At most `rows` rows of a person in a group**: the first in table order. **At most `keys` groups of a person**:
those with the least MD5 of the person's text and the group, which spreads the choice over the groups.

Proof that the choice looks at that person's rows only: selecting and coding reads one row at a time; the first
rows of a person in a group are chosen by their order among themselves, and adding or removing rows of others
shifts table positions but keeps their order; the groups are chosen by a function of the person's text and of
the groups in which the person has rows. So when all rows of a person go, the kept rows of all others stay, and
every term changes by that person's kept rows: at most `rows` in each of at most `keys` groups.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.duckdb.bounded_check import check_ask, check_places, declared_sizes
from sfumato.engine.duckdb.bounded_rows import rows_of
from sfumato.engine.duckdb.bounded_terms import merged, partial, saturated
from sfumato.engine.duckdb.faults import guarded
from sfumato.summary.bounded import BoundedPlaces, BoundedTotals
from sfumato.table.domain import Categories

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.engine.duckdb.bounded_rows import Rows
    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.summary.bounded import BoundedAsk


def totals(table: DuckTable, ask: BoundedAsk) -> BoundedTotals:
    """The bounded totals of each term in each group.

    Declared groups all come, in declared order, 0 where no row counts. Where a grouping column has no declared
    domain, the keys that rows have come instead, sorted, with the persons of each; a bin of a range is then
    named by its number.

    Raises:
        ParameterError, SchemaError: the ask itself is wrong; never for what the rows hold.
    """
    check_ask(table, ask)
    columns = dict.fromkeys(column for term in ask.terms for column, _ in term.factors)
    wanted = {column: f"x{i}" for i, column in enumerate(columns)}
    sizes = declared_sizes(ask)
    with guarded(), rows_of(table, ask, wanted) as rows:
        groups = _groups(rows, sizes)
        query = _by_row(ask, rows, groups, wanted)
        if ask.unit.person is not None:
            query = _by_person(ask, rows, groups, wanted, prod(sizes) if sizes is not None else None)
        found = table.connection.sql(query).to_arrow_table()
    return _filled(found, ask, sizes) if sizes is not None else _named(found, ask)


def places(table: DuckTable, ask: BoundedAsk, column: str) -> BoundedPlaces:
    """The grid places of one column in the bounded rows; rows without a number there are left out first.

    Raises:
        ParameterError, SchemaError: the ask itself is wrong; never for what the rows hold.
    """
    check_places(ask, column)
    check_ask(table, ask)
    ask = replace(ask, complete=(*ask.complete, column))
    with guarded(), rows_of(table, ask, {column: "x"}) as rows:
        first = _first_rows(rows.sql, ("p",), _most(ask)) if ask.unit.person is not None else rows.sql
        found = table.connection.sql(f"SELECT x FROM ({first})").to_arrow_table()
    return BoundedPlaces(_ints(found, "x"), dict(ask.ranges)[column].size)


def _groups(rows: Rows, sizes: tuple[int, ...] | None) -> dict[str, str]:
    """SQL for the columns that name a group: one number, or one text for each grouping column."""
    if sizes is None:
        return {f"g{i}": f"CAST({key} AS VARCHAR)" for i, key in enumerate(rows.keys)}
    weights = [prod(sizes[i + 1 :]) for i in range(len(sizes))]
    places_ = [f"({key}) * {weight}" for key, weight in zip(rows.keys, weights, strict=True)]
    return {"g": " + ".join(places_) or "CAST(0 AS BIGINT)"}


def _by_row(ask: BoundedAsk, rows: Rows, groups: dict[str, str], wanted: dict[str, str]) -> str:
    """Each row is a person: add up by the cells as they stand, then by group. No sorting, no positions."""
    ranges = dict(ask.ranges)
    by = "".join(f"k{i}, " for i in range(len(ask.by)))
    sums = f"{by}count(*) AS persons{partial(ask.terms, wanted, ranges, None)}"
    query = f"SELECT {sums} FROM ({rows.sql}){f' GROUP BY {by[:-2]}' if by else ''}"
    named = ", ".join(f"{sql} AS {name}" for name, sql in groups.items())
    coded = f"SELECT {named}, q.* FROM ({query}) q{rows.lookups}"
    return _final(ask, coded, groups, "sum(persons)")


def _by_person(
    ask: BoundedAsk, rows: Rows, groups: dict[str, str], wanted: dict[str, str], n_groups: int | None
) -> str:
    """Bound the rows of each person in each group, add up by pair, bound the groups of each person, add up."""
    ranges, names = dict(ask.ranges), ", ".join(groups)
    named = ", ".join(f"{sql} AS {name}" for name, sql in groups.items())
    coded = f"SELECT {named}, q.* FROM ({rows.sql}) q{rows.lookups}"
    here = " AND ".join(f"{name} IS NOT NULL" for name in groups)
    query = f"SELECT * FROM ({coded}) WHERE {here}"
    if wanted:
        query = _first_rows(query, ("p", *groups), _most(ask))
    query = f"SELECT p, {names}{partial(ask.terms, wanted, ranges, _most(ask))} FROM ({query}) GROUP BY p, {names}"
    if ask.by and (n_groups is None or n_groups > ask.unit.keys):
        query = _chosen_groups(query, rows, tuple(groups), ask.unit.keys)
    return _final(ask, query, groups, "count(*)")


def _most(ask: BoundedAsk) -> int:
    """Most rows of a person in a group."""
    return 1 if ask.distinct else ask.unit.rows


def _first_rows(query: str, by: tuple[str, ...], most: int) -> str:
    """The first rows of each combination, in table order."""
    number = f"row_number() OVER (PARTITION BY {', '.join(by)} ORDER BY r)"
    return f"SELECT * FROM ({query}) QUALIFY {number} <= {most}"


def _chosen_groups(query: str, rows: Rows, groups: tuple[str, ...], most: int) -> str:
    """The groups of each person with the least digest; equal digests by the group itself."""
    person = "" if rows.person is None else rows.person.text
    said = " || chr(31) || ".join([person, *(f"CAST({name} AS VARCHAR)" for name in groups)])
    order = f"ORDER BY md5_number_lower({said}), {', '.join(groups)}"
    return f"SELECT * FROM ({query}) QUALIFY row_number() OVER (PARTITION BY p {order}) <= {most}"


def _final(ask: BoundedAsk, query: str, groups: dict[str, str], persons: str) -> str:
    """One row for each group that rows are in."""
    ranges, names = dict(ask.ranges), ", ".join(groups)
    here = " AND ".join(f"{name} IS NOT NULL" for name in groups)
    sums = f"SELECT {names}, {persons} AS n{merged(ask.terms, ranges)} FROM ({query}) WHERE {here} GROUP BY {names}"
    return f"SELECT {names}, CAST(n AS BIGINT) AS n{saturated(ask.terms, ranges)} FROM ({sums})"


def _filled(found: pa.Table, ask: BoundedAsk, sizes: tuple[int, ...]) -> BoundedTotals:
    """All declared groups."""
    out = np.zeros((len(ask.terms), prod(sizes)), np.int64)
    group = _ints(found, "g")
    for i in range(len(ask.terms)):
        out[i, group] = _ints(found, f"t{i}")
    return BoundedTotals(out)


def _named(found: pa.Table, ask: BoundedAsk) -> BoundedTotals:
    """The groups that rows are in, sorted by key."""
    columns = [found[f"g{i}"].to_pylist() for i in range(len(ask.by))]
    for i, keyed in enumerate(ask.by):
        if isinstance(keyed.domain, Categories):
            columns[i] = [keyed.domain.values[int(code)] for code in columns[i]]
    keys = list(zip(*columns, strict=True))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    out = np.zeros((len(ask.terms), len(keys)), np.int64)
    for i in range(len(ask.terms)):
        out[i] = _ints(found, f"t{i}")[order]
    return BoundedTotals(out, tuple(keys[k] for k in order), _ints(found, "n")[order])


def _ints(found: pa.Table, column: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """(n,) int64, in the order of the query."""
    out: np.ndarray[tuple[int], np.dtype[np.int64]] = found[column].to_numpy().astype(np.int64, copy=False)
    return out
