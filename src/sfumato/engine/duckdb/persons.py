"""How many persons share each tuple, when a person may have several rows?

A person whose published rows all lie in one tuple is counted there and adds up when tuples merge. Of
the others the (tuple, person) pairs are kept, so that each still counts once in a merged class.

Sensitive values are counted likewise: a person who has one value in several tuples is kept apart.

Where a larger population is known, a person of it with rows in several tuples counts in one of them
only (a published one first), so that a merged class never claims more people than it has; a tuple's
population is at least its published persons.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.duckdb.leaves import Key, digit_of, pack
from sfumato.engine.duckdb.quote import identifier
from sfumato.engine.duckdb.tuples import Distinct, Question, as_histogram, fetch, named, selected
from sfumato.summary.classes import Classes, Spread
from sfumato.summary.histogram import Histogram, Repeats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

_PAIRS = "person_pairs"


def with_persons(table: DuckTable, question: Question, tuples: Distinct, classes: Classes) -> Classes:
    """The classes with persons counted instead of rows."""
    with _pairs(table, question, question.key):
        return _counted(table, question, tuples, classes)


def histogram_of_persons(table: DuckTable, question: Question, tuples: Distinct, attribute: Attribute) -> Histogram:
    """The histogram of a sensitive attribute, persons counted once in a tuple for each value."""
    key = pack([*question.key.digits, digit_of(table, attribute)])
    own = pack([key.digits[-1]])
    n_values = attribute.hierarchy.n_leaves
    with _pairs(table, question, key, f", {own.words[0]} AS v"):
        keys = named(key)
        several = f"SELECT p, v, {_NUMBER} FROM {_PAIRS} WHERE here GROUP BY p, v HAVING count(*) > 1"
        *words, count = fetch(
            table, f"SELECT {keys}count(*) AS n FROM {_PAIRS} WHERE here GROUP BY {keys.rstrip(', ')}"
        )
        *again, person = fetch(table, f"SELECT {keys}number FROM {_PAIRS} JOIN ({several}) USING (p, v) WHERE here")
        word, everyone = fetch(table, f"SELECT v, count(DISTINCT p) AS n FROM {_PAIRS} WHERE here GROUP BY v")
    head, value = key.split_last(words)
    total = np.zeros(n_values, np.int64)
    total[own.decode((word,))[:, 0]] = everyone
    found = replace(as_histogram(attribute, tuples.locate(head), value, count), total=total)
    if not len(person):
        return found
    head, value = key.split_last(again)
    return replace(found, repeats=Repeats(tuples.locate(head), value, person))


_NUMBER = "row_number() OVER (ORDER BY p) AS number"


@contextmanager
def _pairs(table: DuckTable, question: Question, key: Key, more: str = "") -> Iterator[None]:
    """While it is open, the distinct pairs of key and person, and whether a row of the pair is published."""
    columns = named(key) + "p" + (", v" if more else "")
    table.connection.execute(
        f"CREATE OR REPLACE TEMP TABLE {_PAIRS} AS SELECT {columns}, bool_or(here) AS here "
        f"FROM (SELECT {selected(key)}{question.person} AS p, {question.published} AS here{more} "
        f"FROM {identifier(table.name)}) GROUP BY {columns}"
    )
    try:
        yield
    finally:
        table.connection.execute(f"DROP TABLE IF EXISTS {_PAIRS}")


def _counted(table: DuckTable, question: Question, tuples: Distinct, classes: Classes) -> Classes:
    """Read alone, spread and population off the pairs."""
    keys = named(question.key)
    several = f"SELECT p, {_NUMBER} FROM {_PAIRS} WHERE here GROUP BY p HAVING count(*) > 1"
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


def _per_tuple(table: DuckTable, question: Question, tuples: Distinct, relation: str) -> IntArray:
    """(n,) int64: rows of a relation for each tuple."""
    keys = named(question.key)
    *words, count = fetch(table, f"SELECT {keys}count(*) AS n FROM {relation} GROUP BY {keys.rstrip(', ')}")
    out = np.zeros(len(tuples.rows), np.int64)
    out[tuples.locate(words)] = count
    return out
