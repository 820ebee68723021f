"""Totals where each row is a person, added up by the cells as they stand: the groups of cells are found here, not by a join.

The engine is asked one plain GROUP BY. What comes back is one row for each combination of cells that rows have; those
that are no declared group are dropped, and a declared group without rows is zero. A group's digits are sums over its
rows whatever was added up first, so the totals are those of a join.

As many rows may come back as the table has combinations of cells. So a table that may have many is not asked in this
way, unless the engine compares cells with a short list faster than it joins them: then only declared cells are added up.
An engine that takes longer to read such a list than to group is asked without it first, for so many rows at most; most
tables have no more.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial as bound
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.engine.arrow_arrays import numbers, texts, whole_numbers
from sfumato.engine.sql.bounded_grid import bin_of
from sfumato.engine.sql.bounded_rows import codes_of
from sfumato.engine.sql.bounded_terms import partial, saturated
from sfumato.table.domain import Categories, Range

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engine.sql.bounded_rows import Rows
    from sfumato.engine.sql.bounded_terms import Digit
    from sfumato.engine.sql.dialect import Cell, Public, SqlDialect
    from sfumato.summary.bounded import BoundedAsk, Keyed
    from sfumato.types import IntArray

MOST = 1_000_000
"""Combinations of cells that come into memory, at most; a table of no more rows has no more."""
_FEW = 10_000
"""So few texts are found one by one: PyArrow's compute functions take longer to be loaded."""


def counted_here(dialect: SqlDialect, ask: BoundedAsk) -> BoundedAsk | None:
    """The ask whose cells can be added up as they stand, without more than `MOST` combinations; None: join them.

    Args:
        dialect: the private table.
        ask: a checked ask of declared groups.

    Returns:
        The ask itself, or the same of rows with declared cells only.
    """
    if ask.unit.person is not None or dialect.n_rows <= MOST or not ask.by:
        return ask if ask.unit.person is None else None
    domains = {keyed.column: keyed.domain for keyed in ask.by if isinstance(keyed.domain, Categories)}
    if any(domain.size > dialect.most_listed for domain in domains.values()) or {*dict(ask.ranges)} & {*domains}:
        return None
    if any(_is_found(dialect, keyed) for keyed in ask.by if isinstance(keyed.domain, Range)):
        return None
    declared = tuple((dict(ask.categories) | domains).items())
    return replace(ask, complete=(*ask.complete, *domains), categories=declared)


def attempts(dialect: SqlDialect, ask: BoundedAsk, listed: BoundedAsk) -> tuple[tuple[BoundedAsk, int | None], ...]:
    """What is asked in turn until an answer is whole, each with the most combinations that may come; None: any number.

    Args:
        dialect: the private table.
        ask: a checked ask.
        listed: what `counted_here` gave of it.
    """
    last = (listed, None)
    return (last,) if listed is ask or not dialect.groups_first else ((ask, MOST), last)


def by_cells(
    dialect: SqlDialect,
    ask: BoundedAsk,
    rows: Rows,
    parts: Sequence[Sequence[Digit]],
    sizes: Sequence[int],
    most: int | None,
) -> IntArray | None:
    """(n_terms, n_groups) int64: the total of each term in each declared group; None: there are too many combinations.

    Args:
        dialect: the private table.
        ask: one of `attempts`.
        rows: its rows.
        parts: the digits of its terms.
        sizes: declared groups of each grouping column.
        most: combinations of cells that may come; None: any number.
    """
    size = prod(sizes)
    if not parts:
        return np.zeros((0, size), np.int64)
    read = [
        f"{f'coalesce(k{i}, -1)' if isinstance(keyed.domain, Range) else rows.cells[i].token} AS c{i}, "
        for i, keyed in enumerate(ask.by)
    ]
    grouped = f" GROUP BY {', '.join(f'k{i}' for i in range(len(read)))}" if read else ""
    query = f"SELECT {''.join(read)}{partial(parts, None).removeprefix(', ')} FROM ({rows.sql}){grouped}"
    found = dialect.run(query if most is None else f"{query} LIMIT {most + 1}")
    if most is not None and found.num_rows > most:
        return None
    group = np.zeros(found.num_rows, np.int64)
    is_in = np.ones(found.num_rows, np.bool_)
    for i, keyed in enumerate(ask.by):
        code = _codes(dialect, keyed, rows.cells[i], found[f"c{i}"])
        is_in &= code >= 0
        group = group * sizes[i] + code
    return saturated(bound(_added, found, group[is_in], is_in, size), parts, size)


def _added(found: pa.Table, group: IntArray, is_in: IntArray, size: int, name: str) -> IntArray:
    """(size,) int64: the sums of a digit by group."""
    out = np.zeros(size, np.int64)
    np.add.at(out, group, numbers(found[name])[is_in])
    return out


def _is_found(dialect: SqlDialect, keyed: Keyed) -> bool:
    """Whether the bins of a range are found here, because they are too many for an expression."""
    return keyed.edges is not None and bin_of("", keyed.edges, dialect.divided) is None


def _codes(dialect: SqlDialect, keyed: Keyed, cell: Cell, found: pa.ChunkedArray) -> IntArray:
    """(n,) int64: the declared group of each cell that came back; -1 where it is in none."""
    if isinstance(keyed.domain, Categories):
        return _known(codes_of(cell, keyed.domain.values), found)
    place = numbers(found)
    if keyed.edges is not None and _is_found(dialect, keyed):
        return np.searchsorted(np.array(keyed.edges, np.int64), place, "right") - 1
    return place


def _known(codes: Mapping[Public, int], found: pa.ChunkedArray) -> IntArray:
    """(n,) int64: the code of each cell; -1 where it has none."""
    if len(found) <= _FEW or not pa.types.is_string(found.type):
        return np.array([codes.get(value, -1) for value in found.to_pylist()], np.int64)
    import pyarrow.compute as pc

    nowhere = whole_numbers(np.array([-1]))[0].cast(pa.int32())  # `pa.scalar` would import pandas
    place = numbers(pc.fill_null(pc.index_in(found, texts([str(one) for one in codes])), nowhere))
    return np.append(np.fromiter(codes.values(), np.int64, len(codes)), -1)[place]
