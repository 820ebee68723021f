"""Which of the rows that look alike gets what: SQL that numbers the rows of a tuple and cuts them into parts."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.arrow_arrays import (
    changes_labels,
    dictionary_of,
    flags,
    running_within,
    says_the_same,
    taken,
    whole_numbers,
)
from sfumato.engine.duckdb.connect import identifier, literal
from sfumato.engine.duckdb.leaves import Digit, digit_of, pack
from sfumato.engine.duckdb.query import MOST_FLAGS, MOST_LISTED, Label, flagged, label_type, listed, store
from sfumato.engine.duckdb.table import ROW, refuse
from sfumato.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa

    from sfumato.engine.duckdb.leaves import Key
    from sfumato.engine.duckdb.query import Query
    from sfumato.recipe.steps import Assign, Bucket, Deal, Recode, Splits, Suppress
    from sfumato.table.hierarchy.tree import Hierarchy
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
    stored = {f"k{w}": whole_numbers(word[owner]) for w, word in enumerate(words)}
    stored |= {"start": whole_numbers(stop - rows), "stop": whole_numbers(stop)}
    stored |= {name: column.filter(flags(some)) for name, column in columns.items()}
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
    member = {"member": whole_numbers(step.splits.member)}
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


def recode(query: Query, steps: Sequence[Recode], suppress: Suppress | None) -> None:
    """Labels of full-domain generalization, and the rows that are suppressed at its levels.

    What few values mean is looked up in lists, which leaves the rows in their order; of many values by a join.
    """
    levels = {step.attribute.name: step for step in steps}
    at = {} if suppress is None else dict(zip((a.name for a in suppress.attributes), suppress.levels, strict=True))
    attributes = {a.name: a for a in (*(s.attribute for s in steps), *(suppress.attributes if suppress else ()))}
    codes, hides = dict[str, Digit](), suppress is not None and len(suppress.codes) > 0
    for i, (name, attribute) in enumerate(attributes.items()):
        tree, digit = attribute.hierarchy, digit_of(query.table, attribute)
        means: dict[str, pa.Array] = {}
        is_code = name in query.table.labels and hides and None not in tree.labels[0]
        if name in levels and (is_code or not says_the_same(levels[name])):
            ancestors = _ancestors(digit, tree, levels[name].level)
            means["label"] = taken(dictionary_of(tree.labels[levels[name].level]), ancestors)
        if name in at:
            ancestors = _ancestors(digit, tree, at[name])
            means["code"] = whole_numbers(ancestors, ancestors < 0)
        types = {"label": label_type(query.table.connection, means["label"])} if "label" in means else {}
        looked_up = _looked_up(query, digit, means, types, f"l{i}")
        if "label" in means:
            is_total = None not in tree.labels[levels[name].level]
            query.labels[name] = Label(looked_up["label"], types["label"], is_total)
        if "code" in means:
            codes[name] = Digit(looked_up["code"], np.arange(len(tree.labels[at[name]])))
        if "label" not in means and not hides:
            query.filters.append(f"{query.read(digit.sql)} >= 0")  # a cell without a leaf is refused all the same
    if suppress is not None and hides:
        _suppress(query, suppress, pack([codes[a.name] for a in suppress.attributes]))


def _ancestors(digit: Digit, tree: Hierarchy, level: int) -> IntArray:
    """(radix,) int64: the code of each digit at a level; -1 for a digit without a leaf."""
    return np.where(digit.leaf < 0, -1, tree.ancestors[level][digit.leaf])


def _looked_up(
    query: Query, digit: Digit, means: Mapping[str, pa.Array], types: Mapping[str, str], alias: str
) -> dict[str, str]:
    """SQL for what the digit of a row means: of each column of `means`, which has an entry for each digit.

    Args:
        query: the query of the release.
        digit: how an attribute is read from a row.
        means: what the digits mean.
        types: as for `store`.
        alias: of the join, if there is one.
    """
    connection, read = query.table.connection, query.read(digit.sql)
    if digit.radix <= MOST_LISTED:
        return {
            name: _at_root(column, types[name], read)
            if name in types and _is_constant(column)
            else f"list_extract({listed(connection, column, types.get(name))}, {read} + 1)"
            for name, column in means.items()
        }
    if means:
        columns = {"d": whole_numbers(np.arange(digit.radix)), **means}
        query.joins.append(f"LEFT JOIN {store(connection, columns, types)} {alias} ON {alias}.d = {read}")
    return {name: f"{alias}.{name}" for name in means}


def _is_constant(labels: pa.DictionaryArray) -> bool:
    """Whether all digits but one at most, which has none, have the same label."""
    return len(labels.dictionary) == 1 and labels.null_count <= 1 < len(labels)


def _at_root(labels: pa.DictionaryArray, enum: str, read: str) -> str:
    """SQL for a label that all digits have; the digit is looked at all the same, so that a cell without one is refused."""
    texts = labels.to_pylist()
    condition = f"{read} <> {texts.index(None)}" if labels.null_count else f"{read} >= 0"
    return f"CASE WHEN {condition} THEN CAST({literal(labels.dictionary[0].as_py())} AS {enum}) END"


def _suppress(query: Query, suppress: Suppress, key: Key) -> None:
    """Mark the rows whose codes at the given levels are listed."""
    n_keys, words = prod(digit.radix for digit in key.digits), _words(key, suppress.codes)
    if n_keys <= MOST_FLAGS:
        gone = np.zeros(n_keys, np.bool_)
        gone[words["k0"]] = True
        bit = f"get_bit({flagged(query.table.connection, gone)}, CAST({key.words[0]} AS INTEGER))"
        query.suppressed = f"coalesce({bit}, 0) = 1"
    else:
        name = store(query.table.connection, {word: whole_numbers(keys) for word, keys in words.items()}, {})
        on = " AND ".join(f"s.k{w} = {word}" for w, word in enumerate(key.words))
        query.joins.append(f"LEFT JOIN {name} s ON {on}")
        query.suppressed = "s.k0 IS NOT NULL"
    query.hides = tuple(attribute.name for attribute in suppress.attributes)


def _words(key: Key, codes: IntArray) -> dict[str, IntArray]:
    """The distinct keys of some codes, as columns k0, k1 and so on."""
    words = np.unique(np.stack(key.encode(codes)), axis=1)
    return {f"k{w}": word for w, word in enumerate(words)}


def assign(query: Query, step: Assign) -> None:
    """Give each row the labels of the class of its tuple."""
    key = pack([digit_of(query.table, attribute) for attribute in step.attributes])
    encoded = [dictionary_of(labels) for labels in step.labels]
    words = key.encode(step.codes)
    split = np.zeros(len(step.codes), np.bool_)
    if step.splits is not None:
        split[step.splits.tuple_] = True
    member = np.where(split, -1, step.member)
    columns = {f"k{w}": whole_numbers(word) for w, word in enumerate(words)}
    types = {f"a{j}": label_type(query.table.connection, labels) for j, labels in enumerate(encoded)}
    columns |= {"gone": flags(~split & (member < 0))}
    columns |= {f"a{j}": taken(labels, member) for j, labels in enumerate(encoded)}
    on = " AND ".join(f"t.k{w} = {query.read(word)}" for w, word in enumerate(key.words))
    query.joins.append(f"LEFT JOIN {store(query.table.connection, columns, types)} t ON {on}")
    query.filters.append(f"CASE WHEN t.k0 IS NULL THEN {UNKNOWN} ELSE true END")
    query.hides = tuple(attribute.name for attribute in step.attributes)
    part = None
    if step.splits is not None:
        parts = {"gone": flags(step.splits.member < 0)}
        parts |= {f"a{j}": taken(labels, step.splits.member) for j, labels in enumerate(encoded)}
        part = part_rows(query, key, words, step.splits, parts, types)
    _name_labels(query, step, encoded, types, part)


def _name_labels(
    query: Query, step: Assign, encoded: Sequence[pa.DictionaryArray], types: Mapping[str, str], part: str | None
) -> None:
    """Say where the labels and the mark of suppression are found; leave unchanged columns alone.

    An unchanged text without missing cells is taken from the labels too: an ENUM is cheaper to sort and to write.
    """
    splits = step.splits
    changed = changes_labels(step, encoded)
    for j, attribute in enumerate(step.attributes):
        is_text = query.table.header.type_of(attribute.name) == "VARCHAR"
        if changed[j] or (is_text and encoded[j].null_count == 0):
            sql = f"t.a{j}" if part is None else f"CASE WHEN {part}.row IS NULL THEN t.a{j} ELSE {part}.a{j} END"
            query.labels[attribute.name] = Label(sql, types[f"a{j}"], encoded[j].null_count == 0)
    if np.any(step.member < 0) or (splits is not None and np.any(splits.member < 0)):
        query.suppressed = "t.gone" if part is None else f"coalesce({part}.gone, t.gone)"
