"""The published class, bucket or text that a row gets by its whole tuple."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sfumato.engine.arrow_arrays import changes_labels, dictionary_of, running_within, taken
from sfumato.engine.base import ROW
from sfumato.engine.joined.draft import Cell
from sfumato.engine.joined.natives import located, read_natives
from sfumato.errors import SchemaError
from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.engine.joined.draft import Draft
    from sfumato.engine.joined.natives import Natives
    from sfumato.recipe.steps import Assign, Bucket, Deal, Splits
    from sfumato.types import IntArray

_ENDLESS = 1 << 62
"""More rows than any table has."""


def assign(draft: Draft[Any], step: Assign, *, stars: bool) -> None:
    """Give each row the labels of the class of its tuple.

    Args:
        draft: the release.
        step: tuples, classes and labels.
        stars: whether the cells of suppressed rows are `*`, so that every cell of theirs needs a text.

    Raises:
        SchemaError: a row has a tuple that the step does not know.
    """
    natives = read_natives(draft, step.attributes)
    index = located(natives.codes, step.codes)
    encoded = [dictionary_of(labels) for labels in step.labels]
    changed = changes_labels(step, encoded)
    parts = _parts(step.splits, len(step.codes), step.member)
    some = bool(np.any(parts.member < 0))
    columns = {f"a{j}": taken(encoded[j], parts.member) for j, new in enumerate(changed) if new}
    columns |= {"gone": pa.array(parts.member < 0)} if some else {}
    texts = [j for j, new in enumerate(changed) if (encoded[j].null_count if new else some and stars)]
    written = {f"x{j}": natives.texts[j] for j in texts}
    if step.splits is None:
        found = _whole(draft, natives, index, columns, written)
    else:
        found = _dealt(draft, natives, index, parts, columns, written)
    for j, attribute in enumerate(step.attributes):
        if f"a{j}" in found or f"x{j}" in found:
            text = _text(found.get(f"a{j}"), found.get(f"x{j}"))
            draft.cells[attribute.name] = Cell(text if changed[j] else draft.inner(attribute.name), text)
    draft.hides = tuple(attribute.name for attribute in step.attributes)
    draft.gone = found.get("gone")


def bucket(draft: Draft[Any], step: Bucket) -> None:
    """The bucket of each row, as a new first column.

    Raises:
        SchemaError: the table has a column of that name, or a row with a tuple that the step does not know.
    """
    if step.column.lower() in (name.lower() for name in draft.table.header.names):
        raise SchemaError(
            "The release needs a column {column!r} of its own; the table has one of that name.",
            "rename the column of the table.",
            column=step.column,
        )
    natives = read_natives(draft, step.attributes)
    parts = _parts(step.splits, len(step.codes), None)
    columns = {"member": pa.array(parts.member)}
    found = _dealt(draft, natives, located(natives.codes, step.codes), parts, columns, {})
    draft.added.append(f"{found['member']} AS {draft.rows.identifier(step.column)}")


def deal(draft: Draft[Any], step: Deal) -> None:
    """The text of each row of a column whose texts are dealt out."""
    natives = read_natives(draft, (step.attribute,))
    encoded = dictionary_of(step.labels)
    parts = _parts(step.splits, len(step.attribute.hierarchy.labels[0]), None)
    written = {"x": natives.texts[0]} if encoded.null_count else {}
    found = _dealt(draft, natives, natives.codes[:, 0], parts, {"a": taken(encoded, parts.member)}, written)
    text = _text(found["a"], found.get("x"))
    draft.cells[step.attribute.name] = Cell(text, text)


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """Of the rows of tuple `owner`, in table order, those from `start` to before `stop` go to `member`."""

    owner: IntArray
    start: IntArray
    stop: IntArray
    member: IntArray


def _parts(splits: Splits | None, n_tuples: int, member: IntArray | None) -> _Parts:
    """The parts of the splits and, where `member` is given, the other tuples as one part each."""
    owner, rows, to = (np.empty(0, np.int64),) * 3
    if splits is not None:
        some = splits.rows > 0
        owner, rows, to = splits.tuple_[some], splits.rows[some], splits.member[some]
    stop = running_within(owner, rows)
    whole = np.empty(0, np.int64)
    if member is not None:
        whole = np.flatnonzero(~np.isin(np.arange(n_tuples), owner))
        to = np.concatenate((to, member[whole]))
    return _Parts(
        np.concatenate((owner, whole)),
        np.concatenate((stop - rows, np.zeros(len(whole), np.int64))),
        np.concatenate((stop, np.full(len(whole), _ENDLESS))),
        to,
    )


def _whole(
    draft: Draft[Any],
    natives: Natives,
    index: IntArray,
    columns: Mapping[str, pa.Array],
    written: Mapping[str, pa.Array],
) -> dict[str, str]:
    """Join what is known of whole tuples; part i is tuple i."""
    taken_ = {name: column.take(pa.array(index)) for name, column in columns.items()}
    for name in [name for name in written if f"a{name[1:]}" in taken_]:
        label = f"a{name[1:]}"
        taken_[label] = pc.coalesce(taken_[label].cast(pa.string()), written[name])
    rest = {name: column for name, column in written.items() if f"a{name[1:]}" not in taken_}
    return draft.join(natives.columns | taken_ | rest, natives.keys()) if taken_ or rest else {}


def _dealt(
    draft: Draft[Any], natives: Natives, index: IntArray, parts: _Parts, columns: Mapping[str, pa.Array],
    written: Mapping[str, pa.Array],
) -> dict[str, str]:  # fmt: skip
    """Number the rows of each tuple in table order, cut them into parts, and join what is known of the parts."""
    number = draft.n_joins
    found = draft.join(natives.columns | {"id": pa.array(index)} | dict(written), natives.keys())
    draft.rows = draft.rows.select("*", f"{found.pop('id')} AS d{number}")
    nth = f"row_number() OVER (PARTITION BY d{number} ORDER BY {ROW}) - 1 AS n{number}"
    draft.rows = draft.rows.select("*", nth)
    entries = {"id": pa.array(parts.owner), "start": pa.array(parts.start), "stop": pa.array(parts.stop)}
    more = draft.join(entries | dict(columns), {"id": f"d{number}"}, (f"n{number}", "start", "stop"))
    return found | more


def _text(label: str | None, written: str | None) -> str:
    """SQL for the label, or the text as it was written where there is none."""
    if label is None or written is None:
        return label or written or "NULL"
    return f"coalesce({label}, {written})"
