"""The release of summed counts: as many equal rows as were counted, in the order of classes and values."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import PlanError
from sfumato.release.stage import staged
from sfumato.table.source import FileSink
from sfumato.together.releasing import cells_as
from sfumato.together.telling import result_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.engine.base import Engine
    from sfumato.recipe.columns import Cells
    from sfumato.together.publisher import Publisher
    from sfumato.together.sums.publisher import Released
    from sfumato.together.sums.session import Sums


def write_counts(publisher: Publisher, sums: Sums, released: Released, engine: Engine[Any]) -> Mapping[str, object]:
    """Write table and result, both or none; what is told of the table.

    Args:
        publisher: knows all messages.
        sums: names the columns.
        released: labels and counts.
        engine: writes.

    Raises:
        PlanError: the plan names no file.
    """
    plan, sink = sums.terms.plan, sums.terms.plan.output.sink
    if not isinstance(sink, FileSink):
        raise PlanError("The publisher's plan must say where the release goes.", "add `path` to [output].").below(
            "output"
        )
    columns = columns_of(sums, released)
    ordered = {column.name: columns[column.name] for column in plan.schema.columns if column.name in columns}
    with staged() as stage:
        draft = stage.draft(sink.path)
        engine.write(engine.make(ordered), FileSink(draft, sink.kind, sink.formulas))
        rows = released.table.sum(axis=1)
        digest = hashlib.sha256(draft.read_bytes()).hexdigest()
        told = {"file": sink.path.name, "sha256": digest, "rows": int(rows.sum())}
        if plan.output.result is not None:
            of = np.repeat(np.arange(len(rows)), rows)
            result = result_of(publisher, of, released.in_classes - len(of), told, "sums")
            stage.write(plan.output.result, result.to_json())
        stage.commit()
    return told


def columns_of(sums: Sums, released: Released) -> dict[str, Cells]:
    """The rows, column by column."""
    owner, value = np.nonzero(released.table)
    count = released.table[owner, value]
    of = np.repeat(owner, count)
    tuples = sums.carried.tuples_of(np.repeat(value, count))
    columns: dict[str, Cells] = {}
    for column, labels in zip(sums.terms.plan.schema.quasi_identifiers, released.labels, strict=True):
        columns[column.name] = cells_as(labels, of)
    for j, (name, values) in enumerate(zip(sums.carried.names, sums.carried.values, strict=True)):
        columns[name] = cells_as(values, tuples[:, j])
    return columns
