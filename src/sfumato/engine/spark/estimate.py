"""About how many distinct tuples does a table hold? One pass, before anything is collected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.spark.leaves import cell
from sfumato.engine.spark.query import fetch
from sfumato.summary.distinct import BUCKET_BITS, BUCKETS, REST_BITS, estimate_distinct

if TYPE_CHECKING:
    from sfumato.engine.spark.table import SparkTable
    from sfumato.summary.ask import TupleEstimate

_MASK = 62
"""Bits of a whole number that say which cells are NULL; hashes skip those."""


def estimate_tuples(table: SparkTable, ask: TupleEstimate) -> int:
    """About how many distinct tuples of the columns there are, within a few percent; see `estimate_distinct`.

    Raises:
        SchemaError: the table has no such column.
    """
    columns = ask.columns
    if not columns:
        return min(table.header.n_rows, 1)
    cells = ", ".join(f"{cell(table, column)} AS k{i}" for i, column in enumerate(columns))
    keys = ", ".join(f"k{i}" for i in range(len(columns)))
    nulls = " + ".join(f"IF(k{i} IS NULL, {1 << i % _MASK}L, 0L)" for i in range(len(columns)))
    found = fetch(
        table.unordered,
        lambda view: (
            f"SELECT h & {BUCKETS - 1} AS bucket, min(shiftrightunsigned(h, {BUCKET_BITS})) AS lowest "
            f"FROM (SELECT xxhash64({keys}, {nulls}) AS h FROM (SELECT {cells} FROM {view})) GROUP BY h & {BUCKETS - 1}"
        ),
    )
    return estimate_distinct(found["lowest"].to_numpy().astype(np.float64) / 2**REST_BITS)
