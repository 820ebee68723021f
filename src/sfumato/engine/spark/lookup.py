"""What was found on the driver, as a small table that every worker holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_EVERYWHERE = 2_000_000
"""Rows of a lookup that every worker holds; a larger one is joined as Spark thinks best."""


def as_frame(session: Any, columns: Mapping[str, pa.Array]) -> Any:
    """A DataFrame of some columns of equal length, also when they are empty."""
    from pyspark.sql.pandas.types import from_arrow_schema

    table = pa.table(dict(columns))
    schema = pa.schema([field.with_type(_plain(field.type)) for field in table.schema])
    return session.createDataFrame(table.cast(schema), schema=from_arrow_schema(schema))


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type without a dictionary."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def joined(
    frame: Any, columns: Mapping[str, pa.Array], keys: Mapping[str, str], between: Sequence[str] = ()
) -> tuple[Any, bool]:
    """The rows of a frame with the columns of a lookup; null where it has no entry.

    Args:
        frame: the rows; no column has a name of the lookup's.
        columns: the lookup, keys included; one entry at most fits each row.
        keys: for each key of the lookup the column of the frame that must be equal to it; null equals null.
        between: empty, or three columns: one of the frame, which must be at least the second and below the third,
            both of the lookup.

    Returns:
        The rows, and whether every worker holds the lookup, so that Spark leaves the rows in their order.
    """
    entries = as_frame(frame.sparkSession, columns)
    is_everywhere = len(next(iter(columns.values()))) <= _EVERYWHERE
    if is_everywhere:
        entries = entries.hint("broadcast")
    conditions = [frame[here].eqNullSafe(entries[there]) for there, here in keys.items()]
    if between:
        what, start, stop = between
        conditions += [frame[what] >= entries[start], frame[what] < entries[stop]]
    on = conditions[0]
    for condition in conditions[1:]:
        on = on & condition
    return frame.join(entries, on, "left").drop(*keys), is_everywhere
