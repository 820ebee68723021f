"""How are the distinct tuples of a table counted? The cluster groups native cells; the driver turns them into leaves.

A row's cells become columns k0, k1, … of a group-by, so the cluster computes what it would for the plainest query, and
only distinct tuples cross to the driver.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.engine.spark.leaves import cell, encoded, leaf_codes, type_of
from sfumato.engine.spark.marks import published_mark
from sfumato.engine.spark.query import fetch
from sfumato.engine.spark.quote import identifier
from sfumato.errors import SchemaError
from sfumato.summary.histogram import Histogram
from sfumato.summary.roll_up import distinct_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.spark.table import SparkTable
    from sfumato.summary.ask import Tuples
    from sfumato.table.attribute import Attribute
    from sfumato.types import BoolArray, IntArray

_MARKS = {"true": True, "1": True, "false": False, "0": False}
_WHOLE = re.compile(r"([0-9]{1,15})(?:\.0+)?")


@dataclass(frozen=True, slots=True, eq=False)
class Distinct:
    """The distinct tuples, sorted by leaf codes.

    Args:
        codes: (n, m) int64 leaf codes.
        rows: (n,) int64, published rows.
        population: (n,) int64, all rows.
        personal_k: (n,) int64, largest personal k among the published rows.
    """

    codes: IntArray
    rows: IntArray
    population: IntArray
    personal_k: IntArray

    def locate(self, codes: IntArray) -> IntArray:
        """(k,) int64: the tuple of each of (k, m) leaf codes; each must be one of ours."""
        n = len(self.codes)
        return distinct_rows(np.concatenate((self.codes, codes)))[1][n:]


def keys_of(table: SparkTable, attributes: Sequence[Attribute]) -> list[str]:
    """SQL of the cells of some attributes, named k0, k1 and so on."""
    return [f"{cell(table, attribute.name)} AS k{i}" for i, attribute in enumerate(attributes)]


def codes_of(attributes: Sequence[Attribute], found: Any) -> IntArray:
    """(n, m) int64 leaf codes of the columns k0, k1, … of a result.

    Raises:
        SchemaError: a cell without a leaf.
    """
    out = np.empty((found.num_rows, len(attributes)), np.int64)
    for j, attribute in enumerate(attributes):
        out[:, j] = leaf_codes(attribute, found[f"k{j}"])
    return out


def numbers(found: Any, name: str) -> IntArray:
    """(n,) int64: a column of counts."""
    out: IntArray = found[name].to_numpy().astype(np.int64, copy=False)
    return out


def read_tuples(table: SparkTable, ask: Tuples) -> tuple[Distinct, tuple[Histogram, ...]]:
    """The distinct tuples and, in the same pass, the histogram of the first sensitive attribute.

    Where persons are counted, that histogram is left to `persons`.

    Raises:
        SchemaError: a value without a leaf, a row without a person, a mark or a personal k of another form.
    """
    first = ask.sensitive[:1] if ask.person is None else ()
    found = _counted(table, ask, (*ask.quasi_identifiers, *first))
    everyone = numbers(found, "n")
    here = _marks(found, ask.subset)
    wish = np.where(here, _wishes(found, ask.personal_k), 0)
    rows = np.where(here, everyone, 0)
    codes = codes_of((*ask.quasi_identifiers, *first), found)
    m = len(ask.quasi_identifiers)
    distinct, owner = distinct_rows(codes[:, :m])
    personal_k = np.zeros(len(distinct), np.int64)
    np.maximum.at(personal_k, owner, wish)
    tuples = Distinct(distinct, _sum(owner, rows, len(distinct)), _sum(owner, everyone, len(distinct)), personal_k)
    return tuples, tuple(as_histogram(attribute, owner, codes[:, m], rows) for attribute in first)


def _counted(table: SparkTable, ask: Tuples, attributes: Sequence[Attribute]) -> Any:
    """Rows of each distinct tuple of the attributes, the mark and the wish; every row names its person."""
    columns = keys_of(table, attributes)
    if ask.subset is not None:
        type_of(table, ask.subset)
        columns.append(f"{identifier(ask.subset)} AS mark")
    if ask.personal_k is not None:
        columns.append(f"{cell(table, ask.personal_k)} AS wish")
    keys = [column.rsplit(" AS ", 1)[1] for column in columns]
    columns.append("0" if ask.person is None else f"{cell(table, ask.person)} IS NULL")
    grouped = f" GROUP BY {', '.join(keys)}" if keys else " HAVING count(*) > 0"
    counts = "count(*) AS n" if ask.person is None else "count(*) AS n, bool_or(nobody) AS nobody"
    found = fetch(
        table.unordered,
        lambda view: (
            f"SELECT {', '.join([*keys, counts])} FROM (SELECT {', '.join(columns)} AS nobody FROM {view}){grouped}"
        ),
    )
    if ask.person is not None and any(found["nobody"].to_pylist()):
        raise SchemaError(
            "Every row must name its person in {person!r}; some are missing.",
            "complete the column, or declare no privacy unit if each row is one person.",
            person=ask.person,
        )
    return found


def _marks(found: Any, column: str | None) -> BoolArray:
    """(n,) whether each tuple is published.

    Raises:
        SchemaError: a mark that is neither true nor false.
    """
    if column is None:
        return np.ones(found.num_rows, np.bool_)
    texts, place = encoded(found["mark"])
    meanings = [None if text is None else _MARKS.get(text.lower()) for text in texts]
    if None in meanings:
        raise SchemaError(
            "Every cell of the subset column {column!r} must be true or false (or 1 or 0); some are not.",
            "write 1 in the rows that are to be published and 0 in the others.",
            column=column,
        )
    return np.array(meanings, np.bool_)[place]


def mark_of(column: str | None) -> str:
    """SQL of whether a row is published."""
    return "true" if column is None else published_mark(column, identifier(column))


def _wishes(found: Any, column: str | None) -> IntArray:
    """(n,) int64: the personal k of each tuple; 0 where nobody asks.

    Raises:
        SchemaError: no whole number >= 0.
    """
    if column is None:
        return np.zeros(found.num_rows, np.int64)
    texts, place = encoded(found["wish"])
    wishes = [0 if text is None else _whole(text) for text in texts]
    if None in wishes:
        raise SchemaError(
            "Every cell of the personal-k column {column!r} must be a whole number >= 0; some are not.",
            "write whole numbers, and declare the codes that mean missing.",
            column=column,
        )
    return np.array(wishes, np.int64)[place]


def _whole(text: str) -> int | None:
    """The whole number of a text such as `5` or `5.0`; None for any other."""
    found = _WHOLE.fullmatch(text)
    return None if found is None else int(found[1])


def as_histogram(attribute: Attribute, owner: IntArray, value: IntArray, count: IntArray) -> Histogram:
    """Equal (class, value) pairs added up, sorted, without zero counts; totals are the sums."""
    n_values = attribute.hierarchy.n_leaves
    seen = np.flatnonzero(count > 0)
    key, place = np.unique(owner[seen] * n_values + value[seen], return_inverse=True)
    total = _sum(value[seen], count[seen], n_values)
    return Histogram(attribute, key // n_values, key % n_values, _sum(place, count[seen], len(key)), total)


def _sum(place: IntArray, amounts: IntArray, n: int) -> IntArray:
    """(n,) int64: the amounts added up by place, exactly."""
    out = np.zeros(n, np.int64)
    np.add.at(out, place, amounts)
    return out


def histogram_of(table: SparkTable, ask: Tuples, tuples: Distinct, attribute: Attribute) -> Histogram:
    """The histogram of one more sensitive attribute where a row is a person."""
    attributes = (*ask.quasi_identifiers, attribute)
    keys = [f"k{i}" for i in range(len(attributes))]
    columns = ", ".join(keys_of(table, attributes))
    published = mark_of(ask.subset)
    found = fetch(
        table.unordered,
        lambda view: (
            f"SELECT {', '.join(keys)}, count(*) AS n FROM (SELECT {columns} FROM {view} WHERE {published}) "
            f"GROUP BY {', '.join(keys)}"
        ),
    )
    codes = codes_of(attributes, found)
    return as_histogram(attribute, tuples.locate(codes[:, :-1]), codes[:, -1], numbers(found, "n"))
