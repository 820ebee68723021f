"""The keys of all rows counted by sorting them, where a table has so many different ones that grouping takes longer.

Sorting is shared by two threads: what is below the median is sorted by one, the rest by the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.engine.arrow_arrays import numbers, whole_numbers
from sfumato.engine.duckdb.connect import identifier
from sfumato.numbers.threads import in_threads

if TYPE_CHECKING:
    from sfumato.engine.duckdb.leaves import Key
    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.types import IntArray

LEAST, MOST = 1 << 20, 1 << 25
"""Rows from which keys may be sorted, and up to which they are held in memory."""
_LOOKED_AT = 100_000
"""First rows, of which nine in ten must differ for all to be sorted: then there are some half a million keys."""


def may_be_sorted(table: DuckTable) -> bool:
    """Whether a table is long enough for its keys to be sorted, and not too long; which is told without reading it."""
    return LEAST <= table.header.n_rows <= MOST and table.distinct is None


def counts_of_keys(table: DuckTable, key: Key) -> pa.Table | None:
    """The distinct keys k0 of the rows, in the order of their codes, and n, how many rows have each; None: group them.

    Args:
        table: one whose keys may be sorted.
        key: how attributes are read from its rows.
    """
    if len(key.words) > 1 or not key.rises or not _differ(table, key):
        return None
    keys = numbers(table.connection.sql(_asked(table, key)).to_arrow_table()["k0"])
    found, counts = counted(keys if keys.flags.writeable else keys.copy())
    return pa.table({"k0": whole_numbers(found), "n": whole_numbers(counts)})


def counted(keys: IntArray) -> tuple[IntArray, IntArray]:
    """The distinct numbers in ascending order, and how often each comes up.

    Args:
        keys: (n,) int64, n >= 1, which are sorted where they lie.

    Example:
        >>> [part.tolist() for part in counted(np.array([7, 2, 7]))]
        [[2, 7], [1, 2]]
    """
    middle = len(keys) // 2
    keys.partition(middle)
    in_threads(lambda half: half.sort(), (keys[:middle], keys[middle:]), len(keys))
    new = np.empty(len(keys), np.bool_)
    new[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    starts = np.flatnonzero(new)
    return keys[starts], np.diff(starts, append=len(keys))


def _asked(table: DuckTable, key: Key) -> str:
    return f"SELECT {key.words[0]} AS k0 FROM {identifier(table.coded)}"


def _differ(table: DuckTable, key: Key) -> bool:
    """Whether nine in ten of the first rows have keys of their own."""
    first = f"{_asked(table, key)} LIMIT {_LOOKED_AT}"
    ((n,),) = table.connection.execute(f"SELECT count(DISTINCT k0) FROM ({first})").fetchall()
    return 10 * int(n) >= 9 * _LOOKED_AT
