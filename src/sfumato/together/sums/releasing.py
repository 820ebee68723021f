"""The release of summed counts: as many equal rows as were counted, in the order of classes and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.together.releasing import COUNT, cells_as, write_files

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.engine.base import Engine
    from sfumato.recipe.columns import Cells
    from sfumato.together.publisher import Publisher
    from sfumato.together.sums.publisher import Released
    from sfumato.together.sums.session import Sums
    from sfumato.types import IntArray


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
    if sums.is_histogram:
        return write_files(publisher, histogram_of(sums, released.table), np.arange(len(released.table)), 0, engine)
    rows = released.table.sum(axis=1)
    of = np.repeat(np.arange(len(rows)), rows)
    return write_files(publisher, columns_of(sums, released), of, released.in_classes - len(of), engine)


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


def histogram_of(sums: Sums, counts: IntArray) -> dict[str, Cells]:
    """Every declared tuple with its noisy number, column by column: which ones are there tells nothing."""
    tuples = sums.known.tuples_of(np.arange(len(counts)))
    columns = {
        name: cells_as(values, tuples[:, j])
        for j, (name, values) in enumerate(zip(sums.known.names, sums.known.values, strict=True))
    }
    distinct, of = np.unique(counts, return_inverse=True)
    return columns | {COUNT: cells_as([str(one) for one in distinct.tolist()], of)}
