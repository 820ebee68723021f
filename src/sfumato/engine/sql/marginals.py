"""Distinct values of columns, and about how many distinct tuples there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc

from sfumato.engine.arrow_arrays import numbers
from sfumato.engine.sql.dialect import ints
from sfumato.summary.ask import Marginal, MarginalOf
from sfumato.summary.distinct import REST_BITS, estimate_distinct

if TYPE_CHECKING:
    from sfumato.engine.sql.dialect import SqlDialect
    from sfumato.summary.ask import Marginals, TupleEstimate


def marginal(dialect: SqlDialect, ask: MarginalOf) -> Marginal:
    """Distinct canonical texts of a column (missing: None, once, last) with their rows, sorted.

    Raises:
        SchemaError: the table has no such column.
    """
    rows = f"SELECT {dialect.value(ask.column)} AS v FROM {dialect.relation}"
    found = dialect.run(f"SELECT v, count(*) AS n FROM ({rows}) q GROUP BY v")
    texts = dialect.texts_of(found["v"].combine_chunks())
    order = pc.sort_indices(texts)
    return Marginal(tuple(texts.take(order).to_pylist()), ints(found, "n")[numbers(order)])


def marginals(dialect: SqlDialect, ask: Marginals) -> dict[str, Marginal]:
    """The same of several columns, one by one."""
    return {column: marginal(dialect, MarginalOf(column)) for column in ask.columns}


def estimate_tuples(dialect: SqlDialect, ask: TupleEstimate) -> int:
    """About how many distinct tuples of the columns there are, within a few percent; see `estimate_distinct`.

    Raises:
        SchemaError: the table has no such column.
    """
    if not ask.columns:
        found = dialect.run(f"SELECT count(*) AS n FROM {dialect.relation}")
        return min(int(found["n"][0].as_py()), 1)
    hashed, bucket, rest = dialect.sketch([dialect.native(column) for column in ask.columns])
    rows = f"SELECT {hashed} AS h FROM {dialect.relation}"
    found = dialect.run(f"SELECT {bucket} AS bucket, min({rest}) AS lowest FROM ({rows}) q GROUP BY {bucket}")
    return estimate_distinct(ints(found, "lowest").astype(np.float64) / 2**REST_BITS)
