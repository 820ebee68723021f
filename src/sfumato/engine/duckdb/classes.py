"""Which published class does a row belong to? SQL for the step that looks at several columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.engine.duckdb.faults import refuse
from sfumato.engine.duckdb.leaves import Digit, Key, digit_of, pack
from sfumato.engine.duckdb.lookup import codes_of, indices, label_type, store, taken
from sfumato.engine.duckdb.table import ROW

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engine.duckdb.table import DuckTable
    from sfumato.recipe.steps import Assign, Recode, Splits, Suppress
    from sfumato.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True)
class Label:
    """Where the label of a recoded column is found.

    Args:
        sql: an ENUM; NULL: the cell is published as it was written.
        enum: its type, which also holds `*`.
        is_total: whether it is never NULL.
    """

    sql: str
    enum: str
    is_total: bool


@dataclass(slots=True)
class Query:
    """Parts of the query of a release while they are put together; `r` are the rows of the table.

    Args:
        table: what is released.
        only: SQL, whether a row is released at all; None: every one is.
        inner: further columns of `r`, over the columns of the table.
        joins: joins to `r`.
        labels: the label of each recoded column.
        hides: the columns that a suppressed row hides.
        suppressed: SQL, whether a row is suppressed; None: none is.
        filters: conditions that every released row meets.
    """

    table: DuckTable
    only: str | None = None
    inner: list[str] = field(default_factory=list)
    joins: list[str] = field(default_factory=list)
    labels: dict[str, Label] = field(default_factory=dict)
    hides: tuple[str, ...] = ()
    suppressed: str | None = None
    filters: list[str] = field(default_factory=list)

    @property
    def rows(self) -> str:
        """SQL for what stands after FROM."""
        return self.table.name if self.only is None else f"{self.table.name} WHERE {self.only}"

    def read(self, sql: str) -> str:
        """Compute an expression with each row; the name under which it is found."""
        if sql not in self.inner:
            self.inner.append(sql)
        return f"r.__x{self.inner.index(sql)}"


def recode(query: Query, steps: Sequence[Recode], suppress: Suppress | None) -> None:
    """Labels of full-domain generalization, and the rows that are suppressed at its levels."""
    connection = query.table.connection
    levels = {step.attribute.name: step for step in steps}
    at = {} if suppress is None else dict(zip((a.name for a in suppress.attributes), suppress.levels, strict=True))
    attributes = {a.name: a for a in (*(s.attribute for s in steps), *(suppress.attributes if suppress else ()))}
    codes: dict[str, Digit] = {}
    for i, (name, attribute) in enumerate(attributes.items()):
        tree = attribute.hierarchy
        digit = digit_of(query.table, attribute)
        columns: dict[str, pa.Array] = {"d": pa.array(np.arange(digit.radix))}
        types: dict[str, str] = {}
        if name in levels and not _says_the_same(levels[name]):
            level = levels[name].level
            ancestors = np.where(digit.leaf < 0, -1, tree.ancestors[level][digit.leaf])
            encoded = pa.array(tree.labels[level], pa.string()).dictionary_encode()
            columns["label"], types["label"] = taken(encoded, ancestors), label_type(connection, encoded)
            query.labels[name] = Label(f"l{i}.label", types["label"], encoded.null_count == 0)
        if name in at:
            columns["code"] = pa.array(np.where(digit.leaf < 0, -1, tree.ancestors[at[name]][digit.leaf]))
            codes[name] = Digit(f"l{i}.code", np.arange(len(tree.labels[at[name]])))
        if len(columns) > 1 or suppress is None:
            query.joins.append(
                f"LEFT JOIN {store(connection, columns, types)} l{i} ON l{i}.d = {query.read(digit.sql)}"
            )
    if suppress is not None and len(suppress.codes):
        _suppress(query, suppress, pack([codes[a.name] for a in suppress.attributes]))


def _says_the_same(step: Recode) -> bool:
    """Whether the labels of the level are the values themselves."""
    tree = step.attribute.hierarchy
    labels = np.array([*tree.labels[step.level], None], object)[tree.ancestors[step.level]]
    return bool(np.all(labels == np.array(tree.labels[0], object)))


def _suppress(query: Query, suppress: Suppress, key: Key) -> None:
    """Mark the rows whose codes at the given levels are listed."""
    name = store(query.table.connection, _words(key, suppress.codes), {})
    on = " AND ".join(f"s.k{w} = {word}" for w, word in enumerate(key.words))
    query.joins.append(f"LEFT JOIN {name} s ON {on}")
    query.suppressed = "s.k0 IS NOT NULL"
    query.hides = tuple(attribute.name for attribute in suppress.attributes)


def _words(key: Key, codes: IntArray) -> dict[str, pa.Array]:
    """The distinct keys of some codes, as columns k0, k1 and so on."""
    words = np.unique(np.stack(key.encode(codes)), axis=1)
    return {f"k{w}": pa.array(word) for w, word in enumerate(words)}


def assign(query: Query, step: Assign) -> None:
    """Give each row the labels of the class of its tuple."""
    key = pack([digit_of(query.table, attribute) for attribute in step.attributes])
    encoded = [pa.array(labels, pa.string()).dictionary_encode() for labels in step.labels]
    words = key.encode(step.codes)
    split = np.zeros(len(step.codes), np.bool_)
    if step.splits is not None:
        split[step.splits.tuple_] = True
    member = np.where(split, -1, step.member)
    columns = {f"k{w}": pa.array(word) for w, word in enumerate(words)}
    types = {f"a{j}": label_type(query.table.connection, labels) for j, labels in enumerate(encoded)}
    columns |= {"gone": pa.array(~split & (member < 0))}
    columns |= {f"a{j}": taken(labels, member) for j, labels in enumerate(encoded)}
    on = " AND ".join(f"t.k{w} = {query.read(word)}" for w, word in enumerate(key.words))
    query.joins.append(f"LEFT JOIN {store(query.table.connection, columns, types)} t ON {on}")
    query.filters.append(f"CASE WHEN t.k0 IS NULL THEN {_UNKNOWN} ELSE true END")
    query.hides = tuple(attribute.name for attribute in step.attributes)
    if step.splits is not None:
        _split(query, step.splits, key, words, encoded)
    _name_labels(query, step, encoded, types)


_UNKNOWN = refuse(
    "Every row must have quasi-identifiers that the recipe knows; some rows are new.",
    "decide a recipe for this table, or use full-domain generalization for recipes that are applied to new rows.",
    "BOOLEAN",
)


def _split(
    query: Query, splits: Splits, key: Key, words: Sequence[IntArray], encoded: Sequence[pa.DictionaryArray]
) -> None:
    """Number the rows of each split tuple in table order and cut them into their classes."""
    stop = _running_within(splits.tuple_, splits.rows)
    columns = {f"k{w}": pa.array(word[splits.tuple_]) for w, word in enumerate(words)}
    columns |= {"start": pa.array(stop - splits.rows), "stop": pa.array(stop)}
    columns |= {"gone": pa.array(splits.member < 0)}
    columns |= {f"a{j}": taken(labels, splits.member) for j, labels in enumerate(encoded)}
    types = {f"a{j}": label_type(query.table.connection, labels) for j, labels in enumerate(encoded)}
    name = store(query.table.connection, columns, types)
    keys = ", ".join(f"k{w}" for w in range(len(words)))
    read = ", ".join(f"{word} AS k{w}" for w, word in enumerate(key.words))
    equal = " AND ".join(f"n.k{w} = c.k{w}" for w in range(len(words)))
    rows = f"SELECT {ROW}, {read} FROM {query.rows}"
    numbered = (
        f"SELECT {ROW}, {keys}, row_number() OVER (PARTITION BY {keys} ORDER BY {ROW}) - 1 AS nth "
        f"FROM ({rows}) WHERE ({keys}) IN (SELECT {'(' + keys + ')' if len(words) > 1 else keys} FROM {name})"
    )
    query.joins.append(
        f"LEFT JOIN (SELECT n.{ROW} AS row, n.nth, c.* FROM ({numbered}) n "
        f"ASOF JOIN {name} c ON {equal} AND n.nth >= c.start) p ON p.row = r.{ROW}"
    )
    query.filters.append(f"CASE WHEN p.nth >= p.stop THEN {_UNKNOWN} ELSE true END")


def _running_within(owner: IntArray, values: IntArray) -> IntArray:
    """Running sums that begin anew with each owner; entries of one owner follow each other.

    Example:
        >>> _running_within(np.array([4, 4, 2]), np.array([1, 2, 5])).tolist()
        [1, 3, 5]
    """
    total = np.cumsum(values)
    is_first = np.diff(owner, prepend=-1) != 0
    before = np.where(is_first, total - values, 0)
    return total - np.maximum.accumulate(before)


def _name_labels(query: Query, step: Assign, encoded: Sequence[pa.DictionaryArray], types: Mapping[str, str]) -> None:
    """Say where the labels and the mark of suppression are found; leave unchanged columns alone."""
    splits = step.splits
    kept = _kept_entries(step)
    for j, attribute in enumerate(step.attributes):
        label = indices(encoded[j])
        value = codes_of(encoded[j], attribute.hierarchy.labels[0])
        if np.any(label[kept[1]] != value[step.codes[kept[0], j]]):
            sql = f"t.a{j}" if splits is None else f"CASE WHEN p.row IS NULL THEN t.a{j} ELSE p.a{j} END"
            query.labels[attribute.name] = Label(sql, types[f"a{j}"], encoded[j].null_count == 0)
    if np.any(step.member < 0) or (splits is not None and np.any(splits.member < 0)):
        query.suppressed = "t.gone" if splits is None else "coalesce(p.gone, t.gone)"


def _kept_entries(step: Assign) -> tuple[IntArray, IntArray]:
    """Tuple and class of every (tuple, class) pair that is published."""
    tuples, member = np.arange(len(step.member)), step.member
    if step.splits is not None:
        whole: BoolArray = ~np.isin(tuples, step.splits.tuple_)
        tuples = np.concatenate((tuples[whole], step.splits.tuple_))
        member = np.concatenate((member[whole], step.splits.member))
    kept = member >= 0
    return tuples[kept], member[kept]
