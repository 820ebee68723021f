"""Which distinct texts does a column hold, and how often?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.spark.leaves import cell, encoded
from sfumato.engine.spark.query import fetch
from sfumato.summary.ask import Marginal, MarginalOf

if TYPE_CHECKING:
    from sfumato.engine.spark.table import SparkTable
    from sfumato.summary.ask import Marginals


def marginal(table: SparkTable, ask: MarginalOf) -> Marginal:
    """Distinct canonical texts of a column (missing: None, once, last) with their rows, sorted.

    Raises:
        SchemaError: the table has no such column.
    """
    read = cell(table, ask.column)
    found = fetch(
        table.unordered, lambda view: f"SELECT v, count(*) AS n FROM (SELECT {read} AS v FROM {view}) GROUP BY v"
    )
    texts, place = encoded(found["v"])
    counts = np.bincount(place, weights=found["n"].to_numpy(), minlength=len(texts)).astype(np.int64)
    order = sorted(range(len(texts)), key=lambda i: (texts[i] is None, texts[i] or ""))
    return Marginal(tuple(texts[i] for i in order), counts[order])


def marginals(table: SparkTable, ask: Marginals) -> dict[str, Marginal]:
    """The same of several columns, one by one."""
    return {column: marginal(table, MarginalOf(column)) for column in ask.columns}
