"""Which of the rows that look alike gets what? SQL that numbers the rows of a tuple and cuts them into parts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sfumato.engine.arrow_arrays import dictionary_of
from sfumato.engine.duckdb.faults import refuse
from sfumato.engine.duckdb.leaves import digit_of, pack
from sfumato.engine.duckdb.lookup import label_type, store
from sfumato.engine.duckdb.query import Label
from sfumato.engine.duckdb.quote import identifier
from sfumato.engine.duckdb.table import ROW
from sfumato.engine.labels import running_within, taken
from sfumato.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engine.duckdb.leaves import Key
    from sfumato.engine.duckdb.query import Query
    from sfumato.recipe.steps import Bucket, Deal, Splits
    from sfumato.types import IntArray

UNKNOWN = refuse(
    "Every row must have quasi-identifiers that the recipe knows; some rows are new.",
    "decide a recipe for this table, or use full-domain generalization for recipes that are applied to new rows.",
    "BOOLEAN",
)


def part_rows(
    query: Query, key: Key, words: Sequence[IntArray], splits: Splits, columns: Mapping[str, pa.Array],
    types: Mapping[str, str],
) -> str:  # fmt: skip
    """Number the rows of each split tuple in table order, cut them into parts, and join the columns of the parts.

    Args:
        query: the query of the release.
        key: how a tuple is read from a row.
        words: the words of every tuple that `splits.tuple_` can mean.
        splits: how many rows of which tuple belong to each part.
        columns: what is known of each part, one entry for each of `splits`.
        types: SQL types of some of the columns.

    Returns:
        The alias of the join; its `row` is NULL for rows of other tuples.
    """
    some = splits.rows > 0
    owner, rows = splits.tuple_[some], splits.rows[some]
    stop = running_within(owner, rows)
    stored = {f"k{w}": pa.array(word[owner]) for w, word in enumerate(words)}
    stored |= {"start": pa.array(stop - rows), "stop": pa.array(stop)}
    stored |= {name: column.filter(pa.array(some)) for name, column in columns.items()}
    name = store(query.table.connection, stored, types)
    keys = ", ".join(f"k{w}" for w in range(len(words)))
    read = ", ".join(f"{word} AS k{w}" for w, word in enumerate(key.words))
    equal = " AND ".join(f"n.k{w} = c.k{w}" for w in range(len(words)))
    every = f"SELECT {ROW}, {read} FROM {query.rows}"
    numbered = (
        f"SELECT {ROW}, {keys}, row_number() OVER (PARTITION BY {keys} ORDER BY {ROW}) - 1 AS nth "
        f"FROM ({every}) WHERE ({keys}) IN (SELECT {'(' + keys + ')' if len(words) > 1 else keys} FROM {name})"
    )
    alias = f"p{len(query.joins)}"
    query.joins.append(
        f"LEFT JOIN (SELECT n.{ROW} AS row, n.nth, c.* FROM ({numbered}) n "
        f"ASOF JOIN {name} c ON {equal} AND n.nth >= c.start) {alias} ON {alias}.row = r.{ROW}"
    )
    query.filters.append(f"CASE WHEN {alias}.nth >= {alias}.stop THEN {UNKNOWN} ELSE true END")
    return alias


def deal(query: Query, step: Deal) -> None:
    """The text of each row of a column whose texts are dealt out."""
    key = pack([digit_of(query.table, step.attribute)])
    encoded = dictionary_of(step.labels)
    kind = label_type(query.table.connection, encoded)
    used, owner = np.unique(step.splits.tuple_, return_inverse=True)
    splits = replace(step.splits, tuple_=owner)
    texts = {"text": taken(encoded, splits.member)}
    alias = _all_parts(query, key, key.encode(used[:, None]), splits, texts, {"text": kind})
    query.labels[step.attribute.name] = Label(f"{alias}.text", kind, encoded.null_count == 0)


def bucket(query: Query, step: Bucket) -> None:
    """The bucket of each row, as a new first column."""
    if step.column.lower() in (name.lower() for name in query.table.header.names):
        raise SchemaError(
            "The release needs a column {column!r} of its own; the table has one of that name.",
            "rename the column of the table.",
            column=step.column,
        )
    key = pack([digit_of(query.table, attribute) for attribute in step.attributes])
    member = {"member": pa.array(step.splits.member)}
    alias = _all_parts(query, key, key.encode(step.codes), step.splits, member, {})
    query.added.append(f"{alias}.member AS {identifier(step.column)}")


def _all_parts(
    query: Query, key: Key, words: Sequence[IntArray], splits: Splits, columns: Mapping[str, pa.Array],
    types: Mapping[str, str],
) -> str:  # fmt: skip
    """Parts of which every row has one."""
    alias = part_rows(query, key, words, splits, columns, types)
    query.filters.append(f"CASE WHEN {alias}.row IS NULL THEN {UNKNOWN} ELSE true END")
    return alias
