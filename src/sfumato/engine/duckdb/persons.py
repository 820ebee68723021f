"""How many persons share each tuple, when a person may have several rows?

A person whose published rows all lie in one tuple is counted there and adds up when tuples merge. Of
the others the (tuple, person) pairs are kept, so that each still counts once in a merged class.

Where a larger population is known, a person of it with rows in several tuples counts in one of them
only (a published one first), so that a merged class never claims more people than it has; a tuple's
population is at least its published persons.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.duckdb.quote import identifier
from sfumato.engine.duckdb.tuples import Question, Tuples, fetch, named, selected
from sfumato.summary.classes import Classes, Spread

if TYPE_CHECKING:
    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.types import IntArray

_PAIRS = "person_pairs"


def with_persons(table: DuckTable, question: Question, tuples: Tuples, classes: Classes) -> Classes:
    """The classes with persons counted instead of rows."""
    keys = named(question.key)
    table.connection.execute(
        f"CREATE OR REPLACE TEMP TABLE {_PAIRS} AS SELECT {keys}p, bool_or(here) AS here "
        f"FROM (SELECT {selected(question.key)}{question.person} AS p, {question.published} AS here "
        f"FROM {identifier(table.name)}) GROUP BY {keys}p"
    )
    try:
        return _counted(table, question, tuples, classes)
    finally:
        table.connection.execute(f"DROP TABLE IF EXISTS {_PAIRS}")


def _counted(table: DuckTable, question: Question, tuples: Tuples, classes: Classes) -> Classes:
    """Read alone, spread and population off the pairs."""
    keys = named(question.key)
    several = (
        f"SELECT p, row_number() OVER (ORDER BY p) AS number FROM {_PAIRS} WHERE here GROUP BY p HAVING count(*) > 1"
    )
    alone = _per_tuple(table, question, tuples, f"{_PAIRS} ANTI JOIN ({several}) USING (p) WHERE here")
    *words, number = fetch(
        table, f"SELECT {keys}number FROM {_PAIRS} JOIN ({several}) USING (p) WHERE here ORDER BY {keys}number"
    )
    owner = tuples.locate(words)
    spread = Spread(owner, number) if len(number) else None
    classes = replace(classes, alone=alone, spread=spread)
    if classes.population is None:
        return classes
    first = (
        f"(SELECT *, row_number() OVER (PARTITION BY p ORDER BY here DESC, {keys}p) AS nth FROM {_PAIRS}) WHERE nth = 1"
    )
    population = np.maximum(_per_tuple(table, question, tuples, first), classes.persons)
    return replace(classes, population=population)


def _per_tuple(table: DuckTable, question: Question, tuples: Tuples, relation: str) -> IntArray:
    """(n,) int64: rows of a relation for each tuple."""
    keys = named(question.key)
    *words, count = fetch(table, f"SELECT {keys}count(*) AS n FROM {relation} GROUP BY {keys.rstrip(', ')}")
    out = np.zeros(len(tuples.rows), np.int64)
    out[tuples.locate(words)] = count
    return out
