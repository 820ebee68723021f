"""The SQL of the totals of an ask, no person contributing more than the unit allows.

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

from sfumato.engine.arrow_arrays import ints
from sfumato.engine.sql.bounded_cells import attempts, by_cells, counted_here
from sfumato.engine.sql.bounded_check import check_ask, check_column, check_places, declared_sizes, private_columns
from sfumato.engine.sql.bounded_rows import joined_of, lookups_of, rows_of
from sfumato.engine.sql.bounded_terms import digits, merged, partial, saturated
from sfumato.engine.sql.cell_kinds import check_kind
from sfumato.engine.sql.dialect import NUMERIC
from sfumato.summary.ask import Canonical
from sfumato.summary.bounded import BoundedAsk, BoundedPlaces, BoundedTotals, Places
from sfumato.table.domain import Categories
from sfumato.table.domain import canonical as canonical_text

if TYPE_CHECKING:
    import pyarrow as pa

    from sfumato.engine.sql.answers import Answers
    from sfumato.engine.sql.bounded_rows import Lookups, Rows
    from sfumato.engine.sql.bounded_terms import Digit
    from sfumato.engine.sql.dialect import SqlDialect

_Digits = list[list["Digit"]]


def check(dialect: SqlDialect, ask: BoundedAsk) -> None:
    """Refuse an ask that these columns and their types cannot answer, whatever rows hold; none is read.

    What passes is answered: nothing else of an ask, of the table's columns or of their types is refused later.

    Raises:
        SchemaError: a column that the table has not, or of a type that cannot be asked about, or in this way.
        ParameterError: anything else; the message says what.
    """
    check_ask(dialect.names, ask)
    for column in private_columns(ask):
        check_kind(column, dialect.cell(column).kind, ask)


def totals(dialect: SqlDialect, ask: BoundedAsk) -> BoundedTotals:
    """The bounded totals of each term in each group.

    Declared groups all come, in declared order, 0 where no row counts. Where a grouping column has no declared
    domain, the keys that rows have come instead, sorted, with the persons of each; a bin of a range is then
    named by its number.

    Args:
        dialect: the private table.
        ask: what is added up.

    Raises:
        ParameterError, SchemaError: the ask itself is wrong; never for what the rows hold.
    """
    check(dialect, ask)
    columns, ranges = dict.fromkeys(column for term in ask.terms for column, _ in term.factors), dict(ask.ranges)
    wanted = {column: f"x{i}" for i, column in enumerate(columns)}
    parts = [digits(dialect, term, i, wanted, ranges) for i, term in enumerate(ask.terms)]
    sizes = declared_sizes(ask)
    with joined_of(dialect, ask) as joined:
        listed = None if sizes is None else counted_here(dialect, ask)
        if sizes is not None and listed is not None:
            for asked, most in attempts(dialect, ask, listed):
                added = by_cells(dialect, asked, rows_of(dialect, asked, wanted, joined), parts, sizes, most)
                if added is not None:
                    return BoundedTotals(added)
        rows = rows_of(dialect, ask, wanted, joined)
        with lookups_of(dialect, ask, rows.cells) as lookups:
            groups = _groups(lookups, sizes)
            if ask.unit.person is None:
                query = _by_row(dialect, ask, rows, lookups, groups, parts)
            else:
                query = _by_person(dialect, ask, rows, lookups, groups, parts)
            found = dialect.run(query)
    if sizes is None:
        return _named(found, ask, rows, parts)
    return _filled(found, parts, prod(sizes))


def places(dialect: SqlDialect, of: Places) -> BoundedPlaces:
    """The grid places of one column in the bounded rows; rows without a number there are left out first.

    Raises:
        ParameterError, SchemaError: the ask itself is wrong; never for what the rows hold.
    """
    column = of.column
    check_places(of.rows, column)
    check(dialect, of.rows)
    ask = replace(of.rows, complete=(*of.rows.complete, column))
    with joined_of(dialect, ask) as joined:
        rows = rows_of(dialect, ask, {column: "x"}, joined)
        first = _first_rows(rows.sql, ("p",), _most(ask)) if ask.unit.person is not None else rows.sql
        found = dialect.run(f"SELECT x FROM ({first})")
    return BoundedPlaces(ints(found, "x"), dict(ask.ranges)[column].size)


def canonical(dialect: SqlDialect, ask: Canonical) -> tuple[str, ...]:
    """What public texts are among the cells of a column: in a column of numbers one text for each number.

    Args:
        dialect: the private table, of which no cell is read.
        ask: the column, and public texts.

    Raises:
        SchemaError: there is no such column, or none that can be asked about.
    """
    check_column(dialect.names, ask.column)
    texts = ask.texts
    said = dialect.cell(ask.column).public(texts)
    if NUMERIC.fullmatch(dialect.type_of(ask.column)):
        return tuple(canonical_text(text) for text in texts)
    return tuple(text if isinstance(told, float) else told for told, text in zip(said, texts, strict=True))


def _groups(lookups: Lookups, sizes: tuple[int, ...] | None) -> dict[str, str]:
    """SQL for the columns that name a group: one number, or one text for each grouping column."""
    if sizes is None:
        return {f"g{i}": f"CAST({key} AS STRING)" for i, key in enumerate(lookups.keys)}
    weights = [prod(sizes[i + 1 :]) for i in range(len(sizes))]
    places_ = [f"({key}) * {weight}" for key, weight in zip(lookups.keys, weights, strict=True)]
    return {"g": " + ".join(places_) or "CAST(0 AS BIGINT)"}


def _named_groups(lookups: Lookups, groups: dict[str, str], query: str) -> str:
    """The columns of a query over `k0` …, with the groups of its rows."""
    named = ", ".join(f"{sql} AS {name}" for name, sql in groups.items())
    return f"SELECT {lookups.hint}{named}, q.* FROM ({query}) q{lookups.sql}"


def _by_row(
    dialect: SqlDialect, ask: BoundedAsk, rows: Rows, lookups: Lookups, groups: dict[str, str], parts: _Digits
) -> str:
    """Each row is a person: add up by the cells as they stand, then by group. No sorting, no positions."""
    by = [f"k{i}" for i in range(len(ask.by))]
    grouped = f" GROUP BY {', '.join(by)}" if by else ""
    query = f"SELECT {', '.join([*by, 'count(*) AS persons'])}{partial(parts, None)} FROM ({rows.sql}){grouped}"
    return _final(_named_groups(lookups, groups, dialect.apart(query)), groups, parts, "sum(persons)")


def _by_person(
    dialect: SqlDialect, ask: BoundedAsk, rows: Rows, lookups: Lookups, groups: dict[str, str], parts: _Digits
) -> str:
    """Bound the rows of each person in each group, add up by pair, bound the groups of each person, add up."""
    names, sizes = ", ".join(groups), declared_sizes(ask)
    query = f"SELECT * FROM ({_named_groups(lookups, groups, rows.sql)}) WHERE {_is_in(groups)}"
    if any(term.factors for term in ask.terms):
        query = _first_rows(query, ("p", *groups), _most(ask))
    query = f"SELECT p, {names}{partial(parts, _most(ask))} FROM ({query}) GROUP BY p, {names}"
    if ask.by and (sizes is None or prod(sizes) > ask.unit.keys):
        query = _chosen_groups(dialect, query, rows, tuple(groups), ask.unit.keys)
    return _final(query, groups, parts, "count(*)")


def _most(ask: BoundedAsk) -> int:
    """Most rows of a person in a group."""
    return 1 if ask.distinct else ask.unit.rows


def _is_in(groups: dict[str, str]) -> str:
    """SQL, whether a row is in a group."""
    return " AND ".join(f"{name} IS NOT NULL" for name in groups)


def _first_rows(query: str, by: tuple[str, ...], most: int) -> str:
    """The first rows of each combination, in table order."""
    number = f"row_number() OVER (PARTITION BY {', '.join(by)} ORDER BY r)"
    return f"SELECT * FROM (SELECT *, {number} AS nth_row FROM ({query})) WHERE nth_row <= {most}"


def _chosen_groups(dialect: SqlDialect, query: str, rows: Rows, groups: tuple[str, ...], most: int) -> str:
    """The groups of each person with the least digest; equal digests by the group itself."""
    person = "" if rows.person is None else rows.person.text
    said = " || chr(31) || ".join([person, *(f"CAST({name} AS STRING)" for name in groups)])
    hashed = f"SELECT *, {dialect.hashed(said)} AS h FROM ({query})"
    number = f"row_number() OVER (PARTITION BY p ORDER BY {dialect.digest('h')}, {', '.join(groups)}) AS nth_group"
    return f"SELECT * FROM (SELECT *, {number} FROM ({hashed})) WHERE nth_group <= {most}"


def _final(query: str, groups: dict[str, str], parts: _Digits, persons: str) -> str:
    """One row for each group that rows are in."""
    names = ", ".join(groups)
    n = f"CAST({persons} AS BIGINT) AS n"
    return f"SELECT {names}, {n}{merged(parts)} FROM ({query}) WHERE {_is_in(groups)} GROUP BY {names}"


def _filled(found: pa.Table, parts: _Digits, size: int) -> BoundedTotals:
    """All declared groups."""
    out = np.zeros((len(parts), size), np.int64)
    out[:, ints(found, "g")] = saturated(lambda name: ints(found, name), parts, found.num_rows)
    return BoundedTotals(out)


def _named(found: pa.Table, ask: BoundedAsk, rows: Rows, parts: _Digits) -> BoundedTotals:
    """The groups that rows are in, sorted by key."""
    columns = [found[f"g{i}"].to_pylist() for i in range(len(ask.by))]
    for i, keyed in enumerate(ask.by):
        if isinstance(keyed.domain, Categories):
            columns[i] = [keyed.domain.values[int(code)] for code in columns[i]]
        else:
            columns[i] = rows.cells[i].shown(columns[i])
    keys = list(zip(*columns, strict=True))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    sums = saturated(lambda name: ints(found, name), parts, found.num_rows)
    return BoundedTotals(sums[:, order], tuple(keys[k] for k in order), ints(found, "n")[order])


ANSWERS: Answers = {BoundedAsk: totals, Places: places, Canonical: canonical}
"""What is answered here."""
