"""The labels of full-domain generalization, and the rows suppressed at its levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sfumato.engine.arrow_arrays import dictionary_of, says_the_same, taken
from sfumato.engine.joined.draft import Cell
from sfumato.engine.joined.natives import read_natives

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.engine.joined.draft import Draft
    from sfumato.recipe.steps import Recode, Suppress
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
