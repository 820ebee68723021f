"""Which published class does a row belong to? SQL for the step that looks at several columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.arrow_arrays import dictionary_of, flags, whole_numbers
from sfumato.engine.duckdb.dealing import UNKNOWN, part_rows
from sfumato.engine.duckdb.leaves import Digit, digit_of, pack
from sfumato.engine.duckdb.lookup import label_type, store
from sfumato.engine.duckdb.query import Label
from sfumato.engine.labels import changes_labels, says_the_same, taken

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa

    from sfumato.engine.duckdb.leaves import Key
    from sfumato.engine.duckdb.query import Query
    from sfumato.recipe.steps import Assign, Recode, Suppress
    from sfumato.types import IntArray


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
        columns: dict[str, pa.Array] = {"d": whole_numbers(np.arange(digit.radix))}
        types: dict[str, str] = {}
        if name in levels and not says_the_same(levels[name]):
            level = levels[name].level
            ancestors = np.where(digit.leaf < 0, -1, tree.ancestors[level][digit.leaf])
            encoded = dictionary_of(tree.labels[level])
            columns["label"], types["label"] = taken(encoded, ancestors), label_type(connection, encoded)
            query.labels[name] = Label(f"l{i}.label", types["label"], encoded.null_count == 0)
        if name in at:
            columns["code"] = whole_numbers(np.where(digit.leaf < 0, -1, tree.ancestors[at[name]][digit.leaf]))
            codes[name] = Digit(f"l{i}.code", np.arange(len(tree.labels[at[name]])))
        if len(columns) > 1 or suppress is None:
            query.joins.append(
                f"LEFT JOIN {store(connection, columns, types)} l{i} ON l{i}.d = {query.read(digit.sql)}"
            )
    if suppress is not None and len(suppress.codes):
        _suppress(query, suppress, pack([codes[a.name] for a in suppress.attributes]))


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
    return {f"k{w}": whole_numbers(word) for w, word in enumerate(words)}


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
    """Say where the labels and the mark of suppression are found; leave unchanged columns alone."""
    splits = step.splits
    changed = changes_labels(step, encoded)
    for j, attribute in enumerate(step.attributes):
        if changed[j]:
            sql = f"t.a{j}" if part is None else f"CASE WHEN {part}.row IS NULL THEN t.a{j} ELSE {part}.a{j} END"
            query.labels[attribute.name] = Label(sql, types[f"a{j}"], encoded[j].null_count == 0)
    if np.any(step.member < 0) or (splits is not None and np.any(splits.member < 0)):
        query.suppressed = "t.gone" if part is None else f"coalesce({part}.gone, t.gone)"
