"""What does the released table look like? A lazy frame over the source, made of a recipe.

What the recipe says of values is found once, for the distinct ones, and joined to the rows as a small
table that every worker holds. Nothing else is computed before the release is read, except what holds
chance: that is drawn once and stored (see `store`). Columns keep order and name, and their native type
where no published label differs from a source value; a column with other labels or with `*` is text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from sfumato.engine.duckdb.batch import open_batch
from sfumato.engine.spark.classes import assign, bucket, deal
from sfumato.engine.spark.draft import Cell, Draft
from sfumato.engine.spark.faults import guarded, refuse
from sfumato.engine.spark.leaves import type_of
from sfumato.engine.spark.lookup import as_frame
from sfumato.engine.spark.quote import identifier, literal
from sfumato.engine.spark.recoding import recode
from sfumato.engine.spark.row_steps import rows_alone
from sfumato.engine.spark.table import ROW
from sfumato.engine.sql.marks import published_mark
from sfumato.errors import InternalError, SchemaError
from sfumato.recipe.recipe import RowOrder, Suppressed
from sfumato.recipe.steps import Assign, Bucket, Deal, Drop, Recode, Replace, Suppress, column_of
from sfumato.table.hierarchy.tree import ROOT

if TYPE_CHECKING:
    from sfumato.engine.spark.table import SparkTable
    from sfumato.noise.bits import Bits
    from sfumato.recipe.recipe import Recipe

FLAG = "suppressed"
"""Name of the boolean column that marks suppressed rows where they are published as nulls."""


def apply(table: SparkTable, recipe: Recipe, *, bits: Bits) -> SparkTable:
    """The released table, read from the source whenever it is read itself.

    A missing cell whose label is the missing value is published as it was written. With
    `Suppressed.NULL` the quasi-identifiers of a suppressed row are null in their column's type and
    a last column `suppressed` says so, also when no row is.

    Args:
        table: of this engine.
        recipe: what to do.
        bits: the key of a shuffle; other chance comes from the systems of the workers, so `bits` must be secure.

    Raises:
        SchemaError: a step names an absent column, a value has no leaf, or a column is already called
            `suppressed`. When the release is read: a cell that is no number where one is needed, or a row that
            was not there when the recipe was applied.
        ParameterError: chance on a cluster cannot be seeded.
        EngineError: Spark failed, or chance cannot be stored.
    """
    _check(table, recipe)
    with guarded(), open_batch() as connection:
        draft = Draft.of(table, connection)
        if recipe.subset is not None:
            draft.frame = draft.frame.where(published_mark(recipe.subset, draft.inner(recipe.subset), refuse))
        _steps(draft, recipe, bits)
        drops = draft.gone is not None and recipe.suppressed is Suppressed.DROP
        if drops:
            draft.frame = draft.frame.where(f"NOT ({draft.gone})")
        if recipe.row_order is RowOrder.SHUFFLED:
            _shuffle(draft, bits)
        return _handle(draft, recipe, is_shorter=drops or recipe.subset is not None or recipe.keep is not None)


def _check(table: SparkTable, recipe: Recipe) -> None:
    """One step at most for each column, and no clash with the mark of suppression."""
    names = [column_of(step) for step in recipe.columns]
    assigned = [a.name for a in recipe.classes.attributes] if isinstance(recipe.classes, Assign) else []
    for name in (*names, *assigned):
        type_of(table, name)
    if len({*names, *assigned}) < len(names) + len(assigned):
        raise InternalError("A recipe holds two steps for one column.")
    if recipe.suppressed is Suppressed.NULL and FLAG in (name.lower() for name in table.header.names):
        raise SchemaError(
            "The release needs a column {flag!r} of its own; the table has one of that name.",
            "rename the column, or publish suppressed rows as `*` or not at all.",
            flag=FLAG,
        )


def _steps(draft: Draft, recipe: Recipe, bits: Bits) -> None:
    """Everything that reads cells: first what rows do alone, then the lookups."""
    stars = recipe.suppressed is Suppressed.STAR
    hidden = recipe.classes.attributes if isinstance(recipe.classes, Suppress) and stars else ()
    rows_alone(draft, recipe.columns, recipe.keep, as_text=[a.name for a in hidden], bits=bits)
    for step in recipe.columns:
        if isinstance(step, Replace):
            draft.cells[step.column] = Cell(literal(step.label), literal(step.label))
    recoded = [step for step in recipe.columns if isinstance(step, Recode)]
    recode(draft, recoded, recipe.classes if isinstance(recipe.classes, Suppress) else None, stars=stars)
    if isinstance(recipe.classes, Assign):
        assign(draft, recipe.classes, stars=stars)
    if isinstance(recipe.classes, Bucket):
        bucket(draft, recipe.classes)
    for step in recipe.columns:
        if isinstance(step, Deal):
            deal(draft, step)


def _shuffle(draft: Draft, bits: Bits) -> None:
    """Order the rows by SHA-256 of a secret key and their position: whoever lacks the key sees a uniform order.

    Nothing is stored: the order is the same whenever it is computed. The key (256 bits) is a cell of a
    table, so that no plan or log of the cluster shows it.
    """
    key = as_frame(draft.frame.sparkSession, {"shuffle_key": pa.array([bits.words(4).tobytes().hex()])})
    kept = [name for name in draft.frame.columns if name != ROW]
    place = f"substring(sha2(concat(shuffle_key, CAST({ROW} AS STRING)), 256), 1, 32) AS {ROW}"
    draft.frame = draft.frame.crossJoin(key.hint("broadcast")).selectExpr(place, *kept)
    draft.in_order = False


def _handle(draft: Draft, recipe: Recipe, *, is_shorter: bool) -> SparkTable:
    """The handle of the release."""
    header = draft.table.header
    dropped = {step.column for step in recipe.columns if isinstance(step, Drop)}
    published = [
        f"{_cell(draft, name, recipe.suppressed)} AS {identifier(name)}" for name in header.names if name not in dropped
    ]
    if recipe.suppressed is Suppressed.NULL:
        published.append(f"{draft.gone or 'false'} AS {FLAG}")
    frame = draft.frame.selectExpr(ROW, *draft.added, *published)
    fields = frame.schema.fields[1:]
    header = replace(
        header,
        names=tuple(field.name for field in fields),
        types=tuple(field.dataType.simpleString() for field in fields),
        n_rows=int(frame.count()) if is_shorter else header.n_rows,
        sha256=None,
    )
    return replace(draft.table, frame=frame, header=header, in_order=draft.in_order)


def _cell(draft: Draft, name: str, mode: Suppressed) -> str:
    """The published cell of one column."""
    inner = draft.inner(name)
    cell = draft.cells.get(name, Cell(inner, inner))
    if draft.gone is None or name not in draft.hides:
        return cell.value
    match mode:
        case Suppressed.STAR:
            return f"CASE WHEN {draft.gone} THEN {literal(ROOT)} ELSE {cell.text} END"
        case Suppressed.NULL:
            return f"CASE WHEN {draft.gone} THEN NULL ELSE {cell.value} END"
        case Suppressed.DROP:
            return cell.value
