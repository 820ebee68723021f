"""The release of a joint publication: rows by class as a table with labels, and its result, written whole or not at all."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import PlanError
from sfumato.recipe.columns import Coded
from sfumato.release.stage import staged
from sfumato.table.source import FileSink
from sfumato.together.slots import classes_of, texts_of
from sfumato.together.telling import result_of
from sfumato.together.wire import Kind, unpacked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.engine.base import Engine
    from sfumato.recipe.columns import Cells
    from sfumato.together.publisher import Publisher
    from sfumato.together.tokens import Recoded
    from sfumato.types import IntArray

COUNT = "count"
"""The column of noisy numbers, where these are published."""


def check_output(publisher: Publisher) -> FileSink:
    """The file to write; a plan without one is refused.

    Raises:
        PlanError: it names none.
    """
    sink = publisher.terms.plan.output.sink
    if not isinstance(sink, FileSink):
        raise PlanError("The publisher's plan must say where the release goes.", "add `path` to [output].").below(
            "output"
        )
    return sink


def write_release(
    publisher: Publisher, rows: np.ndarray | Sequence[Recoded], engine: Engine[Any]
) -> Mapping[str, object]:
    """Write the table; what is told of it.

    Args:
        publisher: knows labels and layout.
        rows: (n, width) uint8, by tag; or what tokens recoded.
        engine: writes.
    """
    if not isinstance(rows, np.ndarray):
        return _written(publisher, *_together(rows), sum(one.left_out for one in rows), engine)
    said, _ = unpacked(publisher.whole(Kind.CONSTRUCTION, publisher.name))
    held = sum(unpacked(publisher.whole(Kind.CONTRIBUTION, name))[0]["rows"] for name in publisher.enrolled())
    left_out = held - said["unmet"] - said["left_out"] - len(rows)
    return _written(publisher, classes_of(rows), texts_of(publisher.layout(), rows), left_out, engine)


def _together(parts: Sequence[Recoded]) -> tuple[IntArray, list[tuple[list[str | None], IntArray]]]:
    """What tokens recoded, as one table: the class of each row, and each column's texts and places."""
    member = np.concatenate([one.member for one in parts])
    columns: list[tuple[list[str | None], IntArray]] = []
    for j in range(len(parts[0].cells)):
        place: dict[str | None, int] = {}
        codes = []
        for one in parts:
            texts, of = one.cells[j]
            codes.append(np.array([place.setdefault(text, len(place)) for text in texts], np.int64)[of])
        columns.append((list(place), np.concatenate(codes)))
    return member, columns


def _written(
    publisher: Publisher,
    of: IntArray,
    cells: list[tuple[list[str | None], IntArray]],
    left_out: int,
    engine: Engine[Any],
) -> Mapping[str, object]:
    """Columns of labels and of what holders sent."""
    labels, codes = publisher.labels()
    columns: dict[str, Cells] = {}
    for j, column in enumerate(publisher.terms.plan.schema.quasi_identifiers):
        columns[column.name] = cells_as(labels[j], codes[of, j])
    for column, (texts, place) in zip(publisher.terms.carried, cells, strict=True):
        columns[column.name] = cells_as(texts, place)
    return write_files(publisher, columns, of, left_out, engine)


def write_files(
    publisher: Publisher, columns: Mapping[str, Cells], of: IntArray, left_out: int, engine: Engine[Any]
) -> Mapping[str, object]:
    """Write table and result at their places, both or none; what is told of the table.

    Args:
        publisher: knows all messages.
        columns: by name.
        of: (n,) class of each row.
        left_out: rows of classes that broke a promise about sensitive values.
        engine: writes.

    Raises:
        PlanError: the plan names no file.
    """
    plan, sink = publisher.terms.plan, check_output(publisher)
    names = [*(column.name for column in plan.schema.columns), COUNT]
    ordered = {name: columns[name] for name in names if name in columns}
    with staged() as stage:
        draft = stage.draft(sink.path)
        engine.write(engine.make(ordered), FileSink(draft, sink.kind, sink.formulas))
        told = {"file": sink.path.name, "sha256": hashlib.sha256(draft.read_bytes()).hexdigest(), "rows": len(of)}
        if plan.output.result is not None:
            stage.write(plan.output.result, result_of(publisher, of, left_out, told).to_json())
        stage.commit()
    return told


def cells_as(texts: Sequence[str | None], places: IntArray) -> Cells:
    """One column."""
    if None not in texts:
        return Coded(tuple(str(one) for one in texts), places)
    return [texts[place] for place in places.tolist()]
