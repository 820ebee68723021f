"""Questions to Spark and what comes back: SQL over a view that lasts as long as the question."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from sfumato.engine.spark.faults import guarded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa


@contextmanager
def view_of(frame: Any) -> Iterator[str]:
    """While it is open, the name of a view of a frame in its session."""
    name = f"sfumato_{uuid4().hex}"
    frame.createOrReplaceTempView(name)
    try:
        yield name
    finally:
        frame.sparkSession.catalog.dropTempView(name)


def fetch(frame: Any, query: Callable[[str], str]) -> pa.Table:
    """The result of a query, whole, on the driver.

    Args:
        frame: a DataFrame.
        query: makes the SQL, given the name under which the frame is found.

    Raises:
        SfumatoError: Spark failed; see `faults.guarded`.
    """
    with guarded(), view_of(frame) as name:
        return frame.sparkSession.sql(query(name)).toArrow()
