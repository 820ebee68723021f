"""The released table: a lazy frame over the source, made of a recipe.

What the recipe says of values is found once, for the distinct ones, and joined to the rows as a small
table that every worker holds. Nothing else is computed before the release is read, except what holds
chance: that is drawn once and stored (see `store`). Columns keep order and name, and their native type
where no published label differs from a source value; a column with other labels or with `*` is text.

The labels of full-domain generalization, and the rows suppressed at its levels, are made here too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sfumato.engine.arrow_arrays import dictionary_of, says_the_same, taken
from sfumato.engine.base import FLAG, ROW, check_flag, steps_by_column
from sfumato.engine.duckdb.batch import open_batch
from sfumato.engine.joined.classes import assign, bucket, deal
from sfumato.engine.joined.draft import Cell, Draft
from sfumato.engine.joined.natives import read_natives
from sfumato.engine.joined.work import CellWork, Drawn, RowWork
from sfumato.errors import ParameterError
from sfumato.noise.bits import SystemBits
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
    column_of,
)
from sfumato.table.hierarchy.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from fractions import Fraction

    from sfumato.engine.base import Header
    from sfumato.engine.joined.rows import R, Table
    from sfumato.noise.bits import Bits
    from sfumato.recipe.recipe import Recipe
    from sfumato.recipe.steps import ColumnStep
    from sfumato.table.attribute import Attribute


def recode(draft: Draft[Any], steps: Sequence[Recode], suppress: Suppress | None, *, stars: bool) -> None:
    """Join the label of each native value of each column, and the mark of suppression.

    Args:
        draft: the release.
        steps: the columns and their levels.
        suppress: which classes are suppressed, at which levels.
        stars: whether the cells of suppressed rows are `*`, so that every cell needs a text.

    Raises:
        SchemaError: a value has no leaf.
    """
    of = {step.attribute.name: step for step in steps}
    listed = suppress if suppress is not None and len(suppress.codes) else None
    at = {} if listed is None else dict(zip((a.name for a in listed.attributes), listed.levels, strict=True))
    attributes = {a.name: a for a in (*(s.attribute for s in steps), *(suppress.attributes if suppress else ()))}
    codes = [
        _column(draft, attribute, of.get(name), at.get(name), stars=stars and name in at)
        for name, attribute in attributes.items()
    ]
    if listed is not None:
        _suppress(draft, listed, dict(zip(attributes, codes, strict=True)))


def _column(draft: Draft[Any], attribute: Attribute, step: Recode | None, level: int | None, *, stars: bool) -> str:
    """Join what is known of the values of one column; SQL for the code at `level`."""
    tree, inner = attribute.hierarchy, draft.inner(attribute.name)
    natives = read_natives(draft, (attribute,))
    leaf, (text,) = natives.codes[:, 0], natives.texts
    columns: dict[str, pa.Array] = {}
    is_new = step is not None and not says_the_same(step)
    if step is not None and is_new:
        labels = taken(dictionary_of(tree.labels[step.level]), tree.ancestors[step.level][leaf])
        columns["text"] = pc.coalesce(labels.cast(pa.string()), text)
    elif stars:
        columns["text"] = text
    if level is not None:
        columns["code"] = pa.array(tree.ancestors[level][leaf].astype(np.int64))
    if not columns:
        return ""
    found = draft.join(natives.columns | columns, natives.keys())
    if "text" in columns and attribute.name not in draft.cells:
        draft.cells[attribute.name] = Cell(found["text"] if is_new else inner, found["text"])
    return found.get("code", "")


def _suppress(draft: Draft[Any], suppress: Suppress, codes: dict[str, str]) -> None:
    """Join the mark of the classes that are suppressed."""
    stem = f"s{draft.n_joins}_"
    read = [f"{codes[a.name]} AS {stem}c{j}" for j, a in enumerate(suppress.attributes)]
    draft.rows = draft.rows.select("*", *read)
    distinct = np.unique(suppress.codes, axis=0)
    entries = {f"{stem}k{j}": pa.array(column) for j, column in enumerate(distinct.T)}
    keys = {f"{stem}k{j}": f"{stem}c{j}" for j in range(len(suppress.attributes))}
    mark = {f"{stem}gone": pa.repeat(pa.scalar(value=True), len(distinct))}
    draft.attach(entries | mark, keys)
    draft.gone = f"({stem}gone IS NOT NULL)"
    draft.hides = tuple(a.name for a in suppress.attributes)


_OWN = (Randomize, Rewrite, Round, TopBottom)
"""Steps that need one cell only."""


def released(table: Table, rows: R, recipe: Recipe, *, bits: Bits) -> tuple[R, Header]:
    """The rows of the release and what is known of them; read from the source whenever they are read.

    A missing cell whose label is the missing value is published as it was written. With
    `Suppressed.NULL` the quasi-identifiers of a suppressed row are null in their column's type and
    a last column `suppressed` says so, also when no row is.

    Args:
        table: what is released.
        rows: its rows: `__row`, and its columns.
        recipe: what to do.
        bits: the key of a shuffle; other chance comes from the systems of the workers, so `bits` must be secure.

    Raises:
        SchemaError: a step names an absent column, a value has no leaf, or a column is already called
            `suppressed`. When the release is read: a cell that is no number where one is needed, or a row that
            was not there when the recipe was applied.
        ParameterError: chance on a cluster cannot be seeded.
        EngineError: chance cannot be stored.
    """
    steps_by_column(recipe, table.header)
    if recipe.suppressed is Suppressed.NULL:
        check_flag(table.header)
    with open_batch() as connection:
        draft = Draft.of(table, rows, connection)
        if recipe.subset is not None:
            draft.rows = draft.rows.where(draft.rows.mark(recipe.subset, draft.inner(recipe.subset)))
        _steps(draft, recipe, bits)
        drops = draft.gone is not None and recipe.suppressed is Suppressed.DROP
        if drops:
            draft.rows = draft.rows.where(f"NOT ({draft.gone})")
        if recipe.row_order is RowOrder.SHUFFLED:
            draft.rows = draft.rows.shuffled(bits.words(4).tobytes().hex())
        return _handle(draft, recipe, is_shorter=drops or recipe.subset is not None or recipe.keep is not None)


def _steps(draft: Draft[Any], recipe: Recipe, bits: Bits) -> None:
    """Everything that reads cells: first what rows do alone, then the lookups."""
    stars = recipe.suppressed is Suppressed.STAR
    hidden = recipe.classes.attributes if isinstance(recipe.classes, Suppress) and stars else ()
    _rows_alone(draft, recipe.columns, recipe.keep, as_text=[a.name for a in hidden], bits=bits)
    for step in recipe.columns:
        if isinstance(step, Replace):
            draft.cells[step.column] = Cell(*(2 * (draft.rows.literal(step.label),)))
    recoded = [step for step in recipe.columns if isinstance(step, Recode)]
    recode(draft, recoded, recipe.classes if isinstance(recipe.classes, Suppress) else None, stars=stars)
    if isinstance(recipe.classes, Assign):
        assign(draft, recipe.classes, stars=stars)
    if isinstance(recipe.classes, Bucket):
        bucket(draft, recipe.classes)
    for step in recipe.columns:
        if isinstance(step, Deal):
            deal(draft, step)


def _handle(draft: Draft[R], recipe: Recipe, *, is_shorter: bool) -> tuple[R, Header]:
    """The published columns, in order."""
    header, quoted = draft.table.header, draft.rows.identifier
    dropped = {step.column for step in recipe.columns if isinstance(step, Drop)}
    published = [
        f"{_cell(draft, name, recipe.suppressed)} AS {quoted(name)}" for name in header.names if name not in dropped
    ]
    if recipe.suppressed is Suppressed.NULL:
        published.append(f"{draft.gone or 'false'} AS {FLAG}")
    rows = draft.rows.select(ROW, *draft.added, *published)
    n_rows = rows.count() if is_shorter else header.n_rows
    return rows, replace(header, names=rows.columns[1:], types=rows.types[1:], n_rows=n_rows, sha256=None)


def _cell(draft: Draft[Any], name: str, mode: Suppressed) -> str:
    """The published cell of one column."""
    inner = draft.inner(name)
    cell = draft.cells.get(name, Cell(inner, inner))
    if draft.gone is None or name not in draft.hides:
        return cell.value
    match mode:
        case Suppressed.STAR:
            return f"CASE WHEN {draft.gone} THEN {draft.rows.literal(ROOT)} ELSE {cell.text} END"
        case Suppressed.NULL:
            return f"CASE WHEN {draft.gone} THEN NULL ELSE {cell.value} END"
        case Suppressed.DROP:
            return cell.value


def _rows_alone(
    draft: Draft[Any], steps: Sequence[ColumnStep], keep: Fraction | None, *, as_text: Collection[str], bits: Bits
) -> None:
    """Publish cells that need no other row, and keep rows by a coin; one pass of the workers.

    Args:
        draft: the release.
        steps: all steps of the recipe; those of other kinds are left alone.
        keep: chance that a row stays; None: every one does.
        as_text: columns whose results must be text.
        bits: must be secure where chance is asked for: workers ask their own systems.

    Raises:
        ParameterError: `bits` is a seeded source. Remedy: the embedded engine can replay chance.
    """
    mine = [step for step in steps if isinstance(step, _OWN)]
    if not mine and keep is None:
        return
    has_chance = keep is not None or any(isinstance(step, Randomize) for step in mine)
    if has_chance and not bits.is_secure:
        raise ParameterError(
            "A cluster draws chance from the systems of its machines and cannot repeat it; a seeded source was given.",
            "give `SystemBits()`, or use the embedded engine to repeat a draw.",
        )
    works = tuple(_work(draft, step, i, as_text=column_of(step) in as_text) for i, step in enumerate(mine))
    _hand_out(draft, works, keep)
    if has_chance:
        draft.rows = draft.rows.drawn()


def _work(draft: Draft[Any], step: Randomize | Rewrite | Round | TopBottom, number: int, *, as_text: bool) -> CellWork:
    """A step in the form that is sent to workers."""
    column = column_of(step)
    what = Drawn(step.attribute.hierarchy.labels[0], step.draw) if isinstance(step, Randomize) else step
    missing = draft.table.missing_codes(column)
    target = f"w{number}"
    draft.cells[column] = Cell(target, target)
    return CellWork(draft.inner(column), target, column, what, missing, as_text)


def _hand_out(draft: Draft[Any], works: tuple[CellWork, ...], keep: Fraction | None) -> None:
    """Let the workers do it; the types of the results are found on no rows."""
    before, new = draft.rows.schema, {}
    for work in works:
        nothing: Any = pa.array([], before.field(work.source).type)
        new[work.target] = work.apply(nothing, draft.connection, bits=SystemBits()).type
    draft.rows = draft.rows.mapped(RowWork(works, keep), new)
