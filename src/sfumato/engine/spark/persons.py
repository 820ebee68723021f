"""How many persons share each tuple, when a person may have several rows? One query for all of it.

The cluster makes the distinct pairs of tuple and person, and counts for each person how many of them there are. A
person with one pair counts there; of the others the pairs themselves come to the driver, so that each of these persons
still counts once when tuples merge. Meanings: see `engine/duckdb/persons.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.compute as pc

from sfumato.engine.spark.leaves import cell
from sfumato.engine.spark.query import fetch
from sfumato.engine.spark.tuples import as_histogram, codes_of, keys_of, mark_of, numbers
from sfumato.summary.classes import Classes, Spread
from sfumato.summary.histogram import Histogram, Repeats

if TYPE_CHECKING:
    from sfumato.engine.spark.table import SparkTable
    from sfumato.engine.spark.tuples import Distinct
    from sfumato.summary.ask import Tuples
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class _Persons:
    """What the cluster found of the pairs of key and person.

    Args:
        codes: (n, m) int64 leaf codes of each entry.
        count: (n,) int64, published persons of the entry.
        first: (n,) int64, persons whose first pair it is, published or not.
        person: (n,) int64, number of the person who has several keys; -1: an entry of persons with one.
    """

    codes: IntArray
    count: IntArray
    first: IntArray
    person: IntArray


def with_persons(table: SparkTable, ask: Tuples, tuples: Distinct, classes: Classes) -> Classes:
    """The classes with persons counted instead of rows."""
    found = _read(table, ask, ask.quasi_identifiers, within=())
    owner = tuples.locate(found.codes)
    spreads = np.flatnonzero(found.person >= 0)
    spreads = spreads[np.lexsort((found.person[spreads], owner[spreads]))]
    alone = np.where(found.person < 0, found.count, 0)
    spread = Spread(owner[spreads], found.person[spreads]) if len(spreads) else None
    classes = replace(classes, alone=_by(owner, alone, tuples), spread=spread)
    if classes.population is None:
        return classes
    return replace(classes, population=np.maximum(_by(owner, found.first, tuples), classes.persons))


def histogram_of_persons(table: SparkTable, ask: Tuples, tuples: Distinct, attribute: Attribute) -> Histogram:
    """The histogram of a sensitive attribute, persons counted once in a tuple for each value."""
    found = _read(table, ask, (*ask.quasi_identifiers, attribute), within=(len(ask.quasi_identifiers),))
    owner, value = tuples.locate(found.codes[:, :-1]), found.codes[:, -1]
    repeated = np.flatnonzero(found.person >= 0)
    once = np.bincount(
        value, weights=np.where(found.person < 0, found.count, 0), minlength=attribute.hierarchy.n_leaves
    )
    twice = np.unique(np.stack((value[repeated], found.person[repeated])), axis=1)[0]
    total = once.astype(np.int64) + np.bincount(twice, minlength=len(once))
    histogram = replace(as_histogram(attribute, owner, value, found.count), total=total)
    if not len(repeated):
        return histogram
    return replace(histogram, repeats=Repeats(owner[repeated], value[repeated], found.person[repeated]))


def _read(table: SparkTable, ask: Tuples, attributes: tuple[Attribute, ...], within: tuple[int, ...]) -> _Persons:
    """The entries of the pairs of key and person; a person's pairs are counted within the keys that are named."""
    keys = "".join(f"k{i}, " for i in range(len(attributes)))
    same = ", ".join(["p", *(f"k{i}" for i in within)])
    columns = ", ".join([*keys_of(table, attributes), f"{cell(table, ask.person or '')} AS p"])
    published = mark_of(ask.subset)
    found = fetch(
        table.unordered,
        lambda view: (
            f"WITH pairs AS (SELECT {keys}p, bool_or(here) AS here FROM (SELECT {columns}, {published} AS here "
            f"FROM {view}) GROUP BY {keys}p), "
            f"ranked AS (SELECT *, count_if(here) OVER (PARTITION BY {same}) AS c, "
            f"row_number() OVER (PARTITION BY {same} ORDER BY here DESC, {keys}p) AS nth FROM pairs), "
            f"entries AS (SELECT {keys}IF(here AND c > 1, p, NULL) AS p, here, nth FROM ranked) "
            f"SELECT {keys}p, count_if(here) AS n, count_if(nth = 1) AS first FROM entries GROUP BY {keys}p"
        ),
    )
    return _Persons(codes_of(attributes, found), numbers(found, "n"), numbers(found, "first"), _numbered(found["p"]))


def _numbered(persons: Any) -> IntArray:
    """(n,) int64: persons numbered in the order of their names, so that two runs agree; -1 for null."""
    column = persons.combine_chunks()
    ranks = pc.rank(column, sort_keys="ascending", tiebreaker="dense").to_numpy().astype(np.int64)
    is_null = column.is_null().to_numpy(zero_copy_only=False)
    return np.where(is_null, -1, ranks - 1)


def _by(owner: IntArray, count: IntArray, tuples: Distinct) -> IntArray:
    """(n,) int64: counts added up for each tuple."""
    out = np.zeros(len(tuples.rows), np.int64)
    np.add.at(out, owner, count)
    return out
