"""The distinct tuples of quasi-identifiers, with rows, persons and sensitive values: counted by the engine's group-by.

Rows become keys k0, k1, … (packed numbers, or native cells: `SqlDialect.key`), and only distinct ones leave the
engine; what they mean is decided here, on arrays.

Where persons are counted, one query makes the distinct pairs of key and person and counts for each person how many
there are. A person whose published rows all lie in one tuple is counted there and adds up when tuples merge. Of the
others the pairs are kept, so that each still counts once in a merged class. Sensitive values are counted likewise: a
person who has one value in several tuples is kept apart.

Where a larger population is known, a person of it with rows in several tuples counts in one of them only (a published
one first), so that a merged class never claims more people than it has; a tuple's population is at least its
published persons.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.arrow_arrays import ints, numbers
from sfumato.engine.sql.marginals import marks, wishes
from sfumato.errors import SchemaError
from sfumato.frozen import dataclass
from sfumato.summary.classes import Classes, Spread, distinct_rows
from sfumato.summary.histogram import Histogram, Repeats

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa

    from sfumato.engine.sql.dialect import Key, SqlDialect
    from sfumato.summary.ask import Tuples
    from sfumato.table.attribute import Attribute
    from sfumato.types import IntArray

_MOST = 2**63
"""Tuples that one whole number tells apart."""


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
        n, radix = len(self.codes), self.codes.max(axis=0, initial=0) + 1
        if prod(radix.tolist()) >= _MOST or not len(radix):
            return distinct_rows(np.concatenate((self.codes, codes)))[1][n:]
        weights = np.append(np.cumprod(radix[:0:-1])[::-1], 1)
        key = codes @ weights
        order = np.argsort(key)
        out = np.empty(len(key), np.int64)
        out[order] = np.searchsorted(self.codes @ weights, key[order])
        return out


def count_tuples(dialect: SqlDialect, ask: Tuples) -> Classes:
    """The distinct quasi-identifier tuples of a table, sorted by leaf codes, with exact counts.

    Without a person column every row is a person. With one, `alone` counts the persons whose published rows lie in one
    tuple and `spread` lists the others; histograms count each person once for each class and value. With a subset
    column only marked rows are published; `population` counts all, and a tuple without published rows stays with
    `rows` 0. One query groups the rows; one more for persons, and one for each sensitive attribute after the first (for
    each, where persons are counted).

    Raises:
        SchemaError: an absent column, a value without a leaf, a row without a person, a subset mark or a personal k of
            another form.
    """
    tuples, first = _read(dialect, ask)
    count = _histogram if ask.person is None else _histogram_of_persons
    rest = [count(dialect, ask, tuples, attribute) for attribute in ask.sensitive[len(first) :]]
    classes = Classes(
        codes=tuples.codes,
        rows=tuples.rows,
        alone=tuples.rows,
        population=tuples.population if ask.subset is not None else None,
        personal_k=tuples.personal_k if ask.personal_k is not None else None,
        histograms=(*first, *rest),
    )
    return classes if ask.person is None else _with_persons(dialect, ask, tuples, classes)


def _read(dialect: SqlDialect, ask: Tuples) -> tuple[Distinct, tuple[Histogram, ...]]:
    """The distinct tuples and, in the same pass, the histogram of the first sensitive attribute where rows are persons."""
    first = ask.sensitive[:1] if ask.person is None else ()
    attributes = (*ask.quasi_identifiers, *first)
    key = dialect.key(attributes)
    every_row_alike = ask.subset is None and ask.personal_k is None and ask.person is None
    counts = dialect.counts_of(attributes) if every_row_alike else None
    found = key.in_order(_counted(dialect, ask, key)) if counts is None else counts
    everyone = ints(found, "n")
    if counts is not None and not first:
        return Distinct(key.codes(counts), everyone, everyone, np.zeros(len(everyone), np.int64)), ()
    here = marks(found, ask.subset)
    rows = np.where(here, everyone, 0)
    codes = key.codes(found)
    m = len(ask.quasi_identifiers)
    own = codes[:, :m]
    distinct, owner = distinct_rows(own, in_place=True)
    personal_k = np.zeros(len(distinct), np.int64)
    if ask.personal_k is not None:
        np.maximum.at(personal_k, owner, np.where(here, wishes(dialect, found, ask.personal_k), 0))
    n, is_told = len(distinct), distinct is own
    of_all = everyone if is_told else _sum(owner, everyone, n)
    of_rows = of_all if ask.subset is None else rows if is_told else _sum(owner, rows, n)
    tuples = Distinct(distinct, of_rows, of_all, personal_k)
    return tuples, tuple(_as_histogram(attribute, owner, codes[:, m], rows) for attribute in first)


def _counted(dialect: SqlDialect, ask: Tuples, key: Key) -> pa.Table:
    """Rows of each key, mark and wish; every row names its person."""
    read = {f"k{i}": sql for i, sql in enumerate(key.columns)}
    if ask.subset is not None:
        read["mark"] = dialect.mark(ask.subset)
    if ask.personal_k is not None:
        read["wish"] = dialect.value(ask.personal_k)
    keys, counts = ", ".join(read), f"{counted(dialect)} AS n"
    if ask.person is not None:
        read["p"] = dialect.native(ask.person)
        counts += ", count(CASE WHEN p IS NULL THEN 1 END) AS nobody"
    found = dialect.run(f"SELECT {keys}, {counts} FROM ({rows_of(dialect, read)}) q GROUP BY {keys}")
    if ask.person is not None and ints(found, "nobody").any():
        raise SchemaError(
            "Every row must name its person in {person!r}; some are missing.",
            "complete the column, or declare no privacy unit if each row is one person.",
            person=ask.person,
        )
    return found


def rows_of(dialect: SqlDialect, read: Mapping[str, str]) -> str:
    """A SELECT of some expressions over `keyed` under their names, with what `counted` counts."""
    weight = () if dialect.weight is None else (dialect.weight,)
    return f"SELECT {', '.join((*(f'{sql} AS {name}' for name, sql in read.items()), *weight))} FROM {dialect.keyed}"


def counted(dialect: SqlDialect) -> str:
    """SQL that counts the rows of the table in a group of what `rows_of` selects."""
    return "count(*)" if dialect.weight is None else f"CAST(sum({dialect.weight}) AS BIGINT)"


def _published(dialect: SqlDialect, ask: Tuples) -> str:
    return "true" if ask.subset is None else dialect.mark(ask.subset)


def _histogram(dialect: SqlDialect, ask: Tuples, tuples: Distinct, attribute: Attribute) -> Histogram:
    """The histogram of one more sensitive attribute where a row is a person."""
    key = dialect.key((*ask.quasi_identifiers, attribute))
    read = {f"k{i}": sql for i, sql in enumerate(key.columns)}
    keys = ", ".join(read)
    rows = rows_of(dialect, read | {"here": _published(dialect, ask)})
    found = dialect.run(f"SELECT {keys}, {counted(dialect)} AS n FROM ({rows}) q WHERE here GROUP BY {keys}")
    codes = key.codes(found)
    return _as_histogram(attribute, tuples.locate(codes[:, :-1]), codes[:, -1], ints(found, "n"))


def _as_histogram(attribute: Attribute, owner: IntArray, value: IntArray, count: IntArray) -> Histogram:
    """Equal (class, value) pairs added up, sorted, without zero counts; totals are the sums."""
    n_values = attribute.hierarchy.n_leaves
    seen = np.flatnonzero(count > 0)
    pairs, place = distinct_rows(np.stack((owner[seen], value[seen]), axis=1))
    total = _sum(value[seen], count[seen], n_values)
    return Histogram(attribute, pairs[:, 0], pairs[:, 1], _sum(place, count[seen], len(pairs)), total)


def _sum(place: IntArray, amounts: IntArray, n: int) -> IntArray:
    """(n,) int64: the amounts added up by place; exact below 2⁵³ rows."""
    return np.bincount(place, weights=amounts, minlength=n).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _Persons:
    """What was found of the pairs of key and person.

    Args:
        owner: (n,) int64, the tuple of each entry.
        value: (n,) int64, the sensitive value of each entry; () where none is asked for.
        count: (n,) int64, published persons of the entry.
        first: (n,) int64, persons whose first pair it is, published or not; zeros where no population is known.
        person: (n,) int64, number of the person who has several keys; -1: an entry of persons with one.
    """

    owner: IntArray
    value: IntArray
    count: IntArray
    first: IntArray
    person: IntArray


def _with_persons(dialect: SqlDialect, ask: Tuples, tuples: Distinct, classes: Classes) -> Classes:
    """The classes with persons counted instead of rows."""
    found, n = _persons(dialect, ask, tuples, ()), len(tuples.rows)
    is_spread = found.person >= 0
    pairs, _ = distinct_rows(np.stack((found.owner[is_spread], found.person[is_spread]), axis=1))
    alone = np.where(is_spread, 0, found.count)
    spread = Spread(pairs[:, 0], pairs[:, 1]) if len(pairs) else None
    classes = replace(classes, alone=_sum(found.owner, alone, n), spread=spread)
    if classes.population is None:
        return classes
    return replace(classes, population=np.maximum(_sum(found.owner, found.first, n), classes.persons))


def _histogram_of_persons(dialect: SqlDialect, ask: Tuples, tuples: Distinct, attribute: Attribute) -> Histogram:
    """The histogram of a sensitive attribute, persons counted once in a tuple for each value."""
    found = _persons(dialect, ask, tuples, (attribute,))
    repeated, n_values = np.flatnonzero(found.person >= 0), attribute.hierarchy.n_leaves
    twice = np.unique(np.stack((found.value[repeated], found.person[repeated])), axis=1)[0]
    total = _sum(found.value, np.where(found.person < 0, found.count, 0), n_values)
    total += np.bincount(twice, minlength=n_values)
    histogram = replace(_as_histogram(attribute, found.owner, found.value, found.count), total=total)
    if not len(repeated):
        return histogram
    owner, value, person = found.owner[repeated], found.value[repeated], found.person[repeated]
    return replace(histogram, repeats=Repeats(owner, value, person))


def _persons(dialect: SqlDialect, ask: Tuples, tuples: Distinct, within: Sequence[Attribute]) -> _Persons:
    """The entries of the pairs of key and person; a person's pairs are counted within the values of an attribute."""
    key, own = dialect.key(ask.quasi_identifiers), dialect.key(within) if within else None
    values = {f"v{i}": sql for i, sql in enumerate(own.columns)} if own else {}
    read = {f"k{i}": sql for i, sql in enumerate(key.columns)} | values
    found = dialect.run(_pairs(dialect, ask, read, tuple(values)))
    codes, n = key.codes(found), found.num_rows
    value = own.codes(_only(found, "v"))[:, 0] if own else np.empty(0, np.int64)
    first = ints(found, "first") if "first" in found.column_names else np.zeros(n, np.int64)
    return _Persons(tuples.locate(codes), value, ints(found, "n"), first, _numbered(found["one"]))


def _pairs(dialect: SqlDialect, ask: Tuples, read: dict[str, str], same: Sequence[str]) -> str:
    """SQL for the entries of `_Persons`, with the columns of `read`; `same` are those of one value."""
    names, order = ", ".join(read), ", ".join(name for name in read if name not in same)
    rows = rows_of(dialect, read | {"p": dialect.native(ask.person or ""), "here": _published(dialect, ask)})
    some = "max(CASE WHEN here THEN 1 ELSE 0 END) = 1" if ask.subset is not None else "true"
    ranked, first = "pairs", ""
    if ask.subset is not None and not same:
        nth = f"row_number() OVER (PARTITION BY p ORDER BY here DESC, {order}, p) AS nth"
        ranked, first = f"(SELECT *, {nth} FROM pairs)", ", count(CASE WHEN nth = 1 THEN 1 END) AS first"
    own = "".join(f", {name} AS s{name}" for name in same)
    equal = "".join(f" AND {name} IS NOT DISTINCT FROM s{name}" for name in same)
    by = ", ".join(["p", *same])
    return (
        f"WITH pairs AS (SELECT {names}, p, {some} AS here FROM ({rows}) q GROUP BY {names}, p), "
        f"several AS (SELECT p AS several_p, {dialect.told_apart('p')} AS person{own} FROM pairs WHERE here "
        f"GROUP BY {by} HAVING count(*) > 1), "
        f"entries AS (SELECT r.*, CASE WHEN here THEN person END AS one FROM {ranked} r "
        f"LEFT JOIN several ON p = several_p{equal}) "
        f"SELECT {names}, one, count(CASE WHEN here THEN 1 END) AS n{first} FROM entries GROUP BY {names}, one"
    )


def _only(found: pa.Table, start: str) -> pa.Table:
    """The columns `start`0, `start`1, … as k0, k1, …."""
    names = [name for name in found.column_names if name.startswith(start)]
    return found.select(names).rename_columns([f"k{i}" for i in range(len(names))])


def _numbered(persons: pa.ChunkedArray) -> IntArray:
    """(n,) int64: persons numbered in the order of their names, so that two runs agree; -1 for null."""
    import pyarrow.compute as pc

    found = persons.combine_chunks().dictionary_encode()
    names = found.dictionary
    rank = np.empty(len(names) + 1, np.int64)
    rank[numbers(pc.sort_indices(names))] = np.arange(len(names))
    rank[-1] = -1
    out: IntArray = rank[numbers(found.indices.fill_null(len(names)))]
    return out
