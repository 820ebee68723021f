"""The released table: a view over the source, made of a recipe.

Nothing is computed before the view is read. Columns keep order and name, and their native type where
no published label differs from a source value; a column with other labels or with `*` becomes text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sfumato.engine.arrow_arrays import chosen, dictionary_of, flags, numbers, texts, whole_numbers
from sfumato.engine.base import FLAG, check_flag, steps_by_column
from sfumato.engine.duckdb.connect import identifier, literal
from sfumato.engine.duckdb.dealing import assign, bucket, deal, recode
from sfumato.engine.duckdb.dialect import DuckDialect
from sfumato.engine.duckdb.leaves import cell_text, digit_of, is_missing
from sfumato.engine.duckdb.query import Label, Query, cell, fresh, label_type, store
from sfumato.engine.duckdb.table import ROW, DuckTable, guarded
from sfumato.errors import SchemaError
from sfumato.noise.bernoulli import bernoulli
from sfumato.noise.permutation import permutation
from sfumato.recipe.recipe import RowOrder, Suppressed
from sfumato.recipe.steps import (
    Assign,
    Bucket,
    Deal,
    Drop,
    Randomize,
    Recode,
    Replace,
    Rewrite,
    Round,
    Suppress,
    TopBottom,
)
from sfumato.table.hierarchy.tree import ROOT

if TYPE_CHECKING:
    from fractions import Fraction

    import pyarrow as pa

    from sfumato.noise.bits import Bits
    from sfumato.recipe.recipe import Recipe
    from sfumato.recipe.steps import ColumnStep


def apply(table: DuckTable, recipe: Recipe, *, bits: Bits) -> DuckTable:
    """The released table, on the connection of the source and read from it row by row.

    A missing cell whose label is the missing value is published as it was written. With
    `Suppressed.NULL` the quasi-identifiers of a suppressed row are null in their column's type and
    a last column `suppressed` says so, also when no row is.

    Raises:
        SchemaError: a step names an absent column, or a column is already called `suppressed`.
            When the view is read: a cell without a leaf, or that is no number where one is needed.
    """
    steps = steps_by_column(recipe, table.header)
    query = Query(table, only=[] if recipe.subset is None else [DuckDialect(table).mark(recipe.subset)])
    with guarded():
        if recipe.keep is not None:
            keep(query, recipe.keep, bits=bits)
        _steps(query, steps, recipe, bits)
        compact = _create(query, _published(query, steps, recipe.suppressed), recipe, bits)
        shorter = bool(query.only) or (query.suppressed is not None and recipe.suppressed is Suppressed.DROP)
        return _handle(table, compact, is_shorter=shorter)


def _steps(query: Query, steps: dict[str, ColumnStep], recipe: Recipe, bits: Bits) -> None:
    """Everything that needs a join."""
    recoded = [step for step in steps.values() if isinstance(step, Recode)]
    recode(query, recoded, recipe.classes if isinstance(recipe.classes, Suppress) else None)
    if isinstance(recipe.classes, Assign):
        assign(query, recipe.classes)
    if isinstance(recipe.classes, Bucket):
        bucket(query, recipe.classes)
    for step in steps.values():
        match step:
            case Randomize():
                randomize(query, step, bits=bits)
            case Rewrite():
                rewrite(query, step)
            case Deal():
                deal(query, step)
            case _:
                pass


def _published(query: Query, steps: dict[str, ColumnStep], mode: Suppressed) -> list[str]:
    """The columns of the release, each as SQL with its name."""
    out = list(query.added)
    for name in query.table.header.names:
        step = steps.get(name)
        if not isinstance(step, Drop):
            plain = step if isinstance(step, (Replace, TopBottom, Round)) else None
            value = query.read(cell(query.table, name, plain))
            out.append(f"{_label(query, name, value, mode)} AS {identifier(name)}")
    if mode is Suppressed.NULL:
        check_flag(query.table.header)
        out.append(f"{query.suppressed or 'false'} AS {FLAG}")
    return out


def _label(query: Query, name: str, value: str, mode: Suppressed) -> str:
    """The published cell of one column; labels are ENUMs where every cell has one."""
    label, star, text = query.labels.get(name), literal(ROOT), f"CAST({value} AS VARCHAR)"
    if label is not None and label.is_total:
        value = text = label.sql
        star = f"CAST({star} AS {label.enum})"
    elif label is not None:
        value = text = f"coalesce(CAST({label.sql} AS VARCHAR), {text})"
    if query.suppressed is None or name not in query.hides:
        return value
    match mode:
        case Suppressed.STAR:
            return f"CASE WHEN {query.suppressed} THEN {star} ELSE {text} END"
        case Suppressed.NULL:
            return f"CASE WHEN {query.suppressed} THEN NULL ELSE {value} END"
        case Suppressed.DROP:
            return value


def _create(query: Query, published: list[str], recipe: Recipe, bits: Bits) -> str:
    """Create the compact view; its name."""
    connection = query.table.connection
    row = f"r.{ROW}"
    if recipe.row_order is RowOrder.SHUFFLED:
        query.joins.append(f"JOIN {_shuffled(query.table, bits)} o ON o.old = r.{ROW}")
        row = "o.new"
    if query.suppressed is not None and recipe.suppressed is Suppressed.DROP:
        query.filters.append(f"NOT ({query.suppressed})")
    where = f"WHERE {' AND '.join(query.filters)}" if query.filters else ""
    inner = "".join(f", {sql} AS __x{i}" for i, sql in enumerate(query.inner))
    view = fresh("compact")
    connection.execute(
        f"CREATE TEMP VIEW {view} AS SELECT {row} AS {ROW}, {', '.join(published)} "
        f"FROM (SELECT {ROW}{inner} FROM {query.rows}) r {' '.join(query.joins)} {where}"
    )
    return view


def _shuffled(table: DuckTable, bits: Bits) -> str:
    """A table with the new position of every row."""
    old = table.connection.sql(f"SELECT {ROW} FROM {table.name}").to_arrow_table()[ROW].combine_chunks()
    new = permutation(len(old), bits=bits)
    return store(table.connection, {"old": old, "new": whole_numbers(new)}, {})


def _handle(table: DuckTable, compact: str, *, is_shorter: bool) -> DuckTable:
    """The handle of the release: a view with labels as text over the compact one."""
    shown = table.connection.sql(f"SELECT * FROM {compact}")  # no row is read
    inside = [(str(name), str(kind)) for name, kind in zip(shown.columns, shown.types, strict=True)][1:]
    as_text = [
        f"CAST({identifier(name)} AS VARCHAR) AS {identifier(name)}" if kind.startswith("ENUM") else identifier(name)
        for name, kind in inside
    ]
    view = fresh("release")
    table.connection.execute(f"CREATE TEMP VIEW {view} AS SELECT {', '.join((ROW, *as_text))} FROM {compact}")
    n_rows = table.header.n_rows
    if is_shorter:
        n_rows = int(table.connection.sql(f"SELECT count(*) FROM {view}").fetchall()[0][0])
    header = replace(
        table.header,
        names=tuple(name for name, _ in inside),
        types=tuple("VARCHAR" if kind.startswith("ENUM") else kind for _, kind in inside),
        n_rows=n_rows,
        sha256=None,
    )
    return replace(table, name=view, header=header, compact=compact, labels={}, distinct=None)


def keep(query: Query, chance: Fraction, *, bits: Bits) -> None:
    """Toss a coin for each row and keep those that win; drawn once."""
    rows = query.table.connection.sql(f"SELECT {ROW} AS row FROM {query.rows}").to_arrow_table()["row"]
    stays = bernoulli(len(rows), chance, bits=bits)
    kept = store(query.table.connection, {"row": rows.filter(flags(stays)).combine_chunks()}, {})
    query.only.append(f"{ROW} IN (SELECT row FROM {kept})")


def randomize(query: Query, step: Randomize, *, bits: Bits) -> None:
    """Draw what each cell publishes; drawn once, in the order of the rows."""
    name = step.attribute.name
    digit = digit_of(query.table, step.attribute)
    found = query.table.connection.sql(
        f"SELECT {ROW} AS row, d FROM (SELECT {ROW}, {digit.sql} AS d, {is_missing(query.table, name)} AS gone "
        f"FROM {query.rows}) WHERE NOT gone ORDER BY {ROW}"
    ).to_arrow_table()
    leaves = digit.leaf[numbers(found["d"])]
    if leaves.min(initial=0) < 0:
        raise SchemaError(
            "Every cell of {name!r} must be a declared value; some are not.",
            "declare every value that can occur.",
            name=name,
        )
    places, index = np.unique(step.draw.draw(leaves, bits=bits), return_inverse=True)
    drawn = chosen(index, texts(step.draw.texts(places.tolist())))
    _join(query, name, {"k": found["row"].combine_chunks(), "text": drawn}, f"r.{ROW}")


def rewrite(query: Query, step: Rewrite) -> None:
    """Name each distinct text once, and join the names."""
    text, gone = cell_text(step.column), is_missing(query.table, step.column)
    found = query.table.connection.sql(
        f"SELECT DISTINCT text FROM (SELECT {text} AS text, {gone} AS gone FROM {query.rows}) WHERE NOT gone ORDER BY 1"
    ).to_arrow_table()["text"]
    names = dictionary_of(step.naming.texts(found.to_pylist()))
    _join(query, step.column, {"k": found.combine_chunks(), "text": names}, query.read(text))


def _join(query: Query, column: str, columns: dict[str, pa.Array], on: str) -> None:
    """Join the texts of a column; cells without one are published as they were written."""
    kind = label_type(query.table.connection, columns["text"])
    stored = store(query.table.connection, columns, {"text": kind})
    alias = f"w{len(query.joins)}"
    query.joins.append(f"LEFT JOIN {stored} {alias} ON {alias}.k = {on}")
    query.labels[column] = Label(f"{alias}.text", kind, is_total=False)
