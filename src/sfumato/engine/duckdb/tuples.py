"""How are the distinct tuples of a table read, and how are later counts attached to them?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.arrow_arrays import numbers
from sfumato.engine.duckdb.faults import refuse
from sfumato.engine.duckdb.leaves import Key, cell_text, digit_of, is_missing, pack, type_of
from sfumato.engine.duckdb.quote import identifier
from sfumato.summary.histogram import Histogram

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.summary.ask import Tuples
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What is read from each row.

    Args:
        key: the quasi-identifiers.
        published: SQL, whether the row is to be published.
        wish: SQL, the personal k of the row (0: none).
        person: SQL, who the row is about; None: the row is a person.
    """

    key: Key
    published: str
    wish: str
    person: str | None

    @classmethod
    def of(cls, table: DuckTable, ask: Tuples) -> Question:
        """Read the ask against the columns of a table."""
        return cls(
            key=pack([digit_of(table, attribute) for attribute in ask.quasi_identifiers]),
            published="true" if ask.subset is None else published_mark(table, ask.subset),
            wish="0" if ask.personal_k is None else _wish(table, ask.personal_k),
            person=None if ask.person is None else _person(table, ask.person),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Distinct:
    """The distinct tuples, sorted by leaf codes.

    Args:
        codes: (n, m) int64 leaf codes.
        rows: (n,) int64, published rows.
        population: (n,) int64, all rows.
        personal_k: (n,) int64, largest personal k among the published rows.
        words: the keys, sorted as keys.
        rank: (n,) int64, index in `codes` of each sorted key.
    """

    codes: IntArray
    rows: IntArray
    population: IntArray
    personal_k: IntArray
    words: tuple[IntArray, ...]
    rank: IntArray

    def locate(self, words: Sequence[IntArray]) -> IntArray:
        """(n,) int64: the tuple of each key; every key must be one of ours."""
        n = len(self.words[0])
        joint = single([np.concatenate(pair) for pair in zip(self.words, words, strict=True)])
        order = np.argsort(joint[n:])
        out = np.empty(len(order), np.int64)
        out[order] = self.rank[np.searchsorted(joint[:n], joint[n:][order])]
        return out


def single(words: Sequence[IntArray]) -> IntArray:
    """(n,) int64: one number for each key that sorts and repeats as the key does.

    Example:
        >>> single([np.array([5, 5, 2]), np.array([9, 1, 9])]).tolist()
        [3, 2, 1]
    """
    if len(words) == 1:
        return words[0]
    key = np.unique(words[0], return_inverse=True)[1]
    for word in words[1:]:
        distinct, inverse = np.unique(word, return_inverse=True)
        key = key * len(distinct) + inverse
        if word is not words[-1]:
            key = np.unique(key, return_inverse=True)[1]
    return key.astype(np.int64)


def fetch(table: DuckTable, query: str) -> tuple[IntArray, ...]:
    """The columns of a query result as int64 arrays."""
    found = table.connection.sql(query).to_arrow_table()
    return tuple(numbers(column) for column in found.columns)


def selected(key: Key) -> str:
    """The words of a key as columns k0, k1, … of a SELECT."""
    return "".join(f"{word} AS k{i}, " for i, word in enumerate(key.words))


def named(key: Key) -> str:
    """The columns k0, k1, … of a key."""
    return "".join(f"k{i}, " for i in range(len(key.words)))


def read_tuples(
    table: DuckTable, question: Question, first: Sequence[Attribute]
) -> tuple[Distinct, tuple[Histogram, ...]]:
    """The distinct tuples and, in the same pass, the histogram of one sensitive attribute at most.

    Where persons are counted, that histogram is left to `persons`.
    """
    if question.person is not None:
        first = ()
    key = pack([*question.key.digits, *(digit_of(table, attribute) for attribute in first)])
    n = len(key.words)
    found = fetch(
        table,
        f"SELECT {named(key)}count(*) FILTER (WHERE here) AS r, count(*) AS a, coalesce(max(w) FILTER (WHERE here), 0) AS w "
        f"FROM (SELECT {selected(key)}{question.published} AS here, CAST({question.wish} AS BIGINT) AS w "
        f"FROM {identifier(table.name)}) GROUP BY {named(key).rstrip(', ')}",
    )
    words, (rows, everyone, wish) = found[:n], found[n:]
    if not first:
        return gather(question.key, words, (rows, everyone, wish))[0], ()
    head, value = key.split_last(words)
    tuples, owner = gather(question.key, head, (rows, everyone, wish))
    return tuples, (as_histogram(first[0], owner, value, rows),)


def gather(
    key: Key, words: Sequence[IntArray], counts: tuple[IntArray, IntArray, IntArray]
) -> tuple[Distinct, IntArray]:
    """Decode the keys and add up the counts of equal ones (rows, population; the largest personal k).

    Returns:
        The tuples, and (n,) int64: the tuple of each key given.
    """
    joint = single(words)
    order = np.argsort(joint)
    is_new = np.ones(len(joint), np.bool_)
    is_new[1:] = np.diff(joint[order]) != 0
    starts = np.flatnonzero(is_new)
    distinct = tuple(word[order[starts]] for word in words)
    codes = key.decode(distinct)
    rank = np.arange(len(starts))
    if not key.is_monotone:
        place = np.lexsort(codes.T[::-1])
        codes, rank[place] = codes[place], np.arange(len(starts))
    owner = np.empty(len(joint), np.int64)
    owner[order] = rank[np.cumsum(is_new) - 1]
    sums = [how.reduceat(c[order], starts) if len(c) else c for c, how in zip(counts, _ADDED, strict=True)]
    if not key.is_monotone:
        sums = [c[place] for c in sums]
    return Distinct(codes, sums[0], sums[1], sums[2], distinct, rank), owner


_ADDED = (np.add, np.add, np.maximum)


def histogram_of(table: DuckTable, question: Question, tuples: Distinct, attribute: Attribute) -> Histogram:
    """The histogram of one more sensitive attribute where a row is a person."""
    key = pack([*question.key.digits, digit_of(table, attribute)])
    *words, count = fetch(
        table,
        f"SELECT {named(key)}count(*) AS n FROM (SELECT {selected(key)}{question.published} AS here "
        f"FROM {identifier(table.name)}) WHERE here GROUP BY {named(key).rstrip(', ')}",
    )
    head, value = key.split_last(words)
    return as_histogram(attribute, tuples.locate(head), value, count)


def as_histogram(attribute: Attribute, owner: IntArray, value: IntArray, count: IntArray) -> Histogram:
    """Sorted by class, then value, without zero counts; totals are the sums."""
    seen = np.flatnonzero(count > 0)
    n_values = attribute.hierarchy.n_leaves
    order = seen[np.argsort(owner[seen] * n_values + value[seen], kind="stable")]
    total = np.bincount(value[seen], weights=count[seen], minlength=n_values).astype(np.int64)
    return Histogram(attribute, owner[order], value[order], count[order], total)


def published_mark(table: DuckTable, column: str) -> str:
    """SQL for a subset mark: a boolean, or the text or number 0 or 1."""
    type_of(table, column)
    unknown = refuse(
        f"Every cell of the subset column {column!r} must be true or false (or 1 or 0); some are not.",
        "write 1 in the rows that are to be published and 0 in the others.",
        "BOOLEAN",
    )
    text = f"lower({cell_text(column)})"
    return f"CASE WHEN {text} IN ('true', '1') THEN true WHEN {text} IN ('false', '0') THEN false ELSE {unknown} END"


def _wish(table: DuckTable, column: str) -> str:
    """SQL for a personal k: a whole number >= 0; missing asks nothing."""
    type_of(table, column)
    unknown = refuse(
        f"Every cell of the personal-k column {column!r} must be a whole number >= 0; some are not.",
        "write whole numbers, and declare the codes that mean missing.",
    )
    text = cell_text(column)
    whole = (
        f"CASE WHEN regexp_full_match({text}, '[0-9]{{1,15}}(\\.0+)?') THEN CAST(CAST({text} AS DOUBLE) AS BIGINT) END"
    )
    return f"CASE WHEN {is_missing(table, column)} THEN 0 ELSE coalesce({whole}, {unknown}) END"


def _person(table: DuckTable, column: str) -> str:
    """SQL for who a row is about; a row without a person is refused."""
    nobody = refuse(
        f"Every row must name its person in {column!r}; some are missing.",
        "complete the column, or declare no privacy unit if each row is one person.",
        type_of(table, column),
    )
    return f"CASE WHEN {is_missing(table, column)} THEN {nobody} ELSE {identifier(column)} END"
