"""Traces protected where they are: on the workers of a Spark cluster, person by person."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.engine.made import made
from sfumato.engine.spark.by_person import by_person
from sfumato.errors import ParameterError, SchemaError
from sfumato.front.traces import read_traces
from sfumato.recipe.columns import Coded

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.front.traces import TraceColumns
    from sfumato.table.traces import Traces

_SCHEMA = "person string, time bigint, latitude double, longitude double"


def protect_on_spark(frame: Any, columns: TraceColumns, protect: Callable[[Traces], Traces], *, parts: int = 64) -> Any:
    """A Spark DataFrame of protected fixes, made on the workers: what `read_traces` and `protect` make of each person.

    Nothing crosses from one person to the next, so a protection that draws nothing (Promesse) makes the same fixes as on
    one computer; one that draws has the same law, with the secure chance of each worker.

    Args:
        frame: a Spark DataFrame with columns of degrees or of cells.
        columns: their names, and how times are written.
        protect: from traces to traces, such as `Promesse(100, 3600).smooth`; it is sent to the workers.
        parts: into how many parts persons are dealt; a worker holds one part at a time, about 100 bytes a fix.

    Returns:
        Columns person, time (milliseconds since 1970 UTC), latitude and longitude. Persons have the names that they have:
        a release gives them others. Rows without a person, a time or a place are left out uncounted.

    Raises:
        SchemaError: a column is absent.
        ParameterError: positions are geometries. Remedy: columns of degrees.
    """
    place = [name for name in (columns.latitude, columns.longitude, columns.cell) if name is not None]
    if not place:
        raise ParameterError(
            "Traces on Spark need columns of latitude and longitude, or of cells.", "write the points as degrees first."
        )
    work = partial(_protected, columns=columns, protect=protect)
    return by_person(frame, [columns.person, columns.time, *place], work, _SCHEMA, parts)


def _protected(table: Any, columns: TraceColumns, protect: Callable[[Traces], Traces]) -> Any:
    """Fixes of whole persons, protected; none where no row is a fix."""
    try:
        traces = protect(read_traces(table, columns)[0])
    except SchemaError:  # columns are there: no row of these persons has a person, a time and a place
        none = np.zeros(0)
        return made({"person": Coded((), none.astype(np.int64)), "time": none.astype(np.int64), "latitude": none, "longitude": none})  # fmt: skip
    return made(
        {
            "person": Coded(traces.persons, traces.person),
            "time": traces.time,
            "latitude": traces.latitude,
            "longitude": traces.longitude,
        }
    )
