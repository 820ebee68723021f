"""Which quasi-identifier tuples does a table hold, and how many persons share each? Counted by the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engine.spark.persons import histogram_of_persons, with_persons
from sfumato.engine.spark.tuples import histogram_of, read_tuples
from sfumato.summary.classes import Classes

if TYPE_CHECKING:
    from sfumato.engine.spark.table import SparkTable
    from sfumato.summary.ask import Tuples


def summarize(table: SparkTable, ask: Tuples) -> Classes:
    """The distinct quasi-identifier tuples of a table, sorted by leaf codes, with exact counts.

    The same counts as the embedded engine's (`engine/duckdb/summarize.py`). One query groups the rows; one more for
    persons, and one for each sensitive attribute after the first (for each, where persons are counted).

    Raises:
        SchemaError: an absent column, a value without a leaf, a row without a person, a subset mark or a personal k of
            another form.
        EngineError: the distinct tuples do not fit into the memory of the driver.
    """
    tuples, first = read_tuples(table, ask)
    count = histogram_of if ask.person is None else histogram_of_persons
    rest = [count(table, ask, tuples, attribute) for attribute in ask.sensitive[len(first) :]]
    classes = Classes(
        codes=tuples.codes,
        rows=tuples.rows,
        alone=tuples.rows,
        population=tuples.population if ask.subset is not None else None,
        personal_k=tuples.personal_k if ask.personal_k is not None else None,
        histograms=(*first, *rest),
    )
    return classes if ask.person is None else with_persons(table, ask, tuples, classes)
