"""Distinct values of columns, about how many distinct tuples there are, and what a cell says of its row: a mark, or the k that its person asks for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.engine.arrow_arrays import ints, numbers, sorted_texts
from sfumato.engine.base import ROW
from sfumato.errors import SchemaError
from sfumato.summary.ask import Marginal, MarginalOf
from sfumato.summary.distinct import REST_BITS, estimate_distinct

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.engine.sql.dialect import SqlDialect
    from sfumato.summary.ask import FirstRows, Marginals, TupleEstimate
    from sfumato.types import BoolArray, IntArray


def marginal(dialect: SqlDialect, ask: MarginalOf) -> Marginal:
    """Distinct canonical texts of a column (missing: None, once, last) with their rows, sorted.

    Raises:
        SchemaError: the table has no such column.
    """
    rows = f"SELECT {dialect.value(ask.column)} AS v FROM {dialect.relation}"
    found = dialect.run(f"SELECT v, count(*) AS n FROM ({rows}) q GROUP BY v")
    order, texts = sorted_texts(dialect.texts_of(found["v"].combine_chunks()))
    return Marginal(texts, ints(found, "n")[order])


def marginals(dialect: SqlDialect, ask: Marginals) -> dict[str, Marginal]:
    """The same of several columns, one by one."""
    return {column: marginal(dialect, MarginalOf(column)) for column in ask.columns}


def first_rows(dialect: SqlDialect, ask: FirstRows) -> tuple[tuple[str | None, ...], ...]:
    """The first rows in table order.

    Raises:
        SchemaError: the table has no such column.
    """
    cells = ", ".join(f"{dialect.value(column)} AS c{i}" for i, column in enumerate(ask.columns))
    names = ", ".join(f"c{i}" for i in range(len(ask.columns)))
    rows = f"SELECT {ROW}, {cells} FROM {dialect.relation}"
    found = dialect.run(f"SELECT {names} FROM ({rows}) q ORDER BY {ROW} LIMIT {int(ask.most)}")
    texts = [dialect.texts_of(found[f"c{i}"].combine_chunks()).to_pylist() for i in range(len(ask.columns))]
    return tuple(zip(*texts, strict=True))


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


_WHOLE = re.compile(r"([0-9]{1,15})(?:\.0+)?")
_MARK = (
    "Every cell of the subset column {column!r} must be true or false (or 1 or 0); some are not.",
    "write 1 in the rows that are to be published and 0 in the others.",
)


def published_mark(column: str, cell: str, refuse: Callable[[str, str, str], str]) -> str:
    """SQL for a subset mark: a boolean, or the text or number 0 or 1.

    Args:
        column: name of the column, which a message shows.
        cell: SQL of its native value.
        refuse: SQL that stops the query.
    """
    unknown = refuse(_MARK[0].format(column=column), _MARK[1], "BOOLEAN")
    text = f"lower(CAST({cell} AS STRING))"
    return f"CASE WHEN {text} IN ('true', '1') THEN true WHEN {text} IN ('false', '0') THEN false ELSE {unknown} END"


def marks(found: pa.Table, column: str | None) -> BoolArray:
    """(n,) whether the rows of each entry are published, from its column `mark`.

    Raises:
        SchemaError: a mark that is neither true nor false, where the engine did not refuse it itself.
    """
    if column is None:
        return np.ones(found.num_rows, np.bool_)
    if found["mark"].null_count:
        raise SchemaError(*_MARK, column=column)
    out: BoolArray = numbers(found["mark"].cast(pa.int8())).astype(np.bool_)
    return out


def wishes(dialect: SqlDialect, found: pa.Table, column: str) -> IntArray:
    """(n,) int64: the personal k of each entry, from its column `wish`; missing asks nothing.

    Raises:
        SchemaError: no whole number >= 0.
    """
    cells = found["wish"].combine_chunks().dictionary_encode(null_encoding="encode")
    texts = dialect.texts_of(cells.dictionary).to_pylist()
    whole = [0 if text is None else _whole(text) for text in texts]
    if None in whole:
        raise SchemaError(
            "Every cell of the personal-k column {column!r} must be a whole number >= 0; some are not.",
            "write whole numbers, and declare the codes that mean missing.",
            column=column,
        )
    out: IntArray = np.array(whole, np.int64)[numbers(cells.indices)]
    return out


def _whole(text: str) -> int | None:
    """The whole number of a text such as `5` or `5.0`; None for any other."""
    found = _WHOLE.fullmatch(text)
    return None if found is None else int(found[1])
