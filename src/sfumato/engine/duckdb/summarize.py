"""Which quasi-identifier tuples does a table hold, and how many persons share each? Counted in DuckDB.

Rows become keys (`leaves`), keys are grouped, and only the distinct ones leave the database, as
numpy arrays. Where a column names the person, persons are counted (`persons`), not rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.engine.arrow_arrays import numbers
from sfumato.engine.duckdb.faults import guarded
from sfumato.engine.duckdb.leaves import cell_text, is_missing, type_of
from sfumato.engine.duckdb.persons import histogram_of_persons, with_persons
from sfumato.engine.duckdb.quote import identifier
from sfumato.engine.duckdb.tuples import Question, histogram_of, read_tuples
from sfumato.summary.ask import Marginal, MarginalOf, TupleEstimate
from sfumato.summary.classes import Classes
from sfumato.summary.distinct import BUCKET_BITS, BUCKETS, REST_BITS, estimate_distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.summary.ask import Marginals, Tuples


_FEW = 50
"""So few columns are counted one by one, in the database."""
_TOGETHER, _CELLS = 500, 5_000_000
"""Columns and cells that are fetched together, at most."""


def marginal(table: DuckTable, ask: MarginalOf) -> Marginal:
    """Distinct canonical texts of a column (missing: None, once, last) with their rows, sorted.

    Raises:
        SchemaError: the table has no such column.
    """
    column = ask.column
    type_of(table, column)
    text = f"CASE WHEN {is_missing(table, column)} THEN NULL ELSE {cell_text(column)} END"
    query = f"SELECT {text} AS v, count(*) AS n FROM {identifier(table.name)} GROUP BY 1 ORDER BY 1 NULLS LAST"
    with guarded():
        found = table.connection.sql(query).to_arrow_table()
    return Marginal(tuple(found["v"].to_pylist()), numbers(found["n"]))


def marginals(table: DuckTable, ask: Marginals) -> dict[str, Marginal]:
    """The same of many columns: read together in batches, for naming one column of a wide table costs as much as all.

    Raises:
        SchemaError: the table has no such column.
    """
    columns, size = ask.columns, min(_TOGETHER, _CELLS // max(table.header.n_rows, 1))
    if len(columns) <= _FEW or size < _FEW:
        return {column: marginal(table, MarginalOf(column)) for column in columns}
    found: dict[str, Marginal] = {}
    for start in range(0, len(columns), size):
        found |= _together(table, columns[start : start + size])
    return found


def _together(table: DuckTable, columns: Sequence[str]) -> dict[str, Marginal]:
    """Values and counts of a batch of columns, whose cells are read once."""
    asked = []
    for place, column in enumerate(columns):
        type_of(table, column)
        asked.append(f"CASE WHEN {is_missing(table, column)} THEN NULL ELSE {cell_text(column)} END AS c{place}")
    with guarded():
        cells = table.connection.sql(f"SELECT {', '.join(asked)} FROM {identifier(table.name)}").to_arrow_table()
    return {column: _counted(cells[place].value_counts().to_pylist()) for place, column in enumerate(columns)}


def _counted(pairs: Sequence[dict[str, Any]]) -> Marginal:
    """Sorted values with their rows, the missing one last."""
    ordered = sorted(pairs, key=lambda pair: (pair["values"] is None, (pair["values"] or "").encode()))
    return Marginal(tuple(pair["values"] for pair in ordered), np.array([pair["counts"] for pair in ordered], np.int64))


def estimate_tuples(table: DuckTable, ask: TupleEstimate) -> int:
    """About how many distinct tuples of the columns there are: within a few percent; see `estimate_distinct`.

    Raises:
        SchemaError: the table has no such column.

    Example:
        >>> import pyarrow as pa
        >>> from sfumato.engine.duckdb.scan import scan
        >>> from sfumato.table.source import FrameSource
        >>> table = scan(FrameSource(pa.table({"zip": ["1", "2", "1"], "age": [5, 5, 5]})))
        >>> estimate_tuples(table, TupleEstimate(("zip", "age")))
        2
    """
    columns = ask.columns
    for column in columns:
        type_of(table, column)
    if not columns:
        return min(table.header.n_rows, 1)
    hashed = ", ".join(
        f"CASE WHEN {is_missing(table, column)} THEN NULL ELSE {identifier(column)} END" for column in columns
    )
    query = (
        f"SELECT h % {BUCKETS} AS bucket, min(h >> {BUCKET_BITS}) AS lowest "
        f"FROM (SELECT hash(hash({hashed})) AS h FROM {identifier(table.name)}) GROUP BY bucket"
    )
    with guarded():
        found = table.connection.sql(query).to_arrow_table()
    return estimate_distinct(numbers(found["lowest"]).astype(np.float64) / 2**REST_BITS)


def summarize(table: DuckTable, ask: Tuples) -> Classes:
    """The distinct quasi-identifier tuples of a table, sorted by leaf codes, with exact counts.

    Without a person column every row is a person. With one, `alone` counts the persons whose
    published rows lie in one tuple and `spread` lists the others; histograms count each person once
    for each class and value (see `persons`). With a subset column only marked rows are published;
    `population` counts all, and a tuple without published rows stays with `rows` 0.

    Raises:
        SchemaError: an absent column, a value without a leaf, a row without a person, a subset mark
            or a personal k of another form.
    """
    question = Question.of(table, ask)
    with guarded():
        tuples, first = read_tuples(table, question, ask.sensitive[:1])
        count = histogram_of if ask.person is None else histogram_of_persons
        rest = [count(table, question, tuples, attribute) for attribute in ask.sensitive[len(first) :]]
        classes = Classes(
            codes=tuples.codes,
            rows=tuples.rows,
            alone=tuples.rows,
            population=tuples.population if ask.subset is not None else None,
            personal_k=tuples.personal_k if ask.personal_k is not None else None,
            histograms=(*first, *rest),
        )
        return classes if ask.person is None else with_persons(table, question, tuples, classes)
