"""Traces of persons from any table that Sfumato reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.frozen import dataclass
from sfumato.summary.fixes import FixesOf
from sfumato.table.clock import read_times
from sfumato.table.source import source_from
from sfumato.table.traces import traces_from

if TYPE_CHECKING:
    from sfumato.table.clock import Written
    from sfumato.table.traces import Cleaning, Traces


@dataclass(frozen=True, slots=True)
class TraceColumns:
    """What the columns of a table of fixes are called, and how its times are written.

    Args:
        person: who.
        time: when: ISO 8601 texts, timestamps, or whole numbers since 1970.
        latitude: degrees.
        longitude: degrees.
        zone: IANA name of the time zone in which the persons live. There is no default: without it nobody knows when
            night is.
        written: "local" (clocks of that zone), "utc", "seconds" or "milliseconds" since 1970. A text with an offset of its
            own is taken by it.
    """

    person: str
    time: str
    latitude: str
    longitude: str
    zone: str
    written: Written


def read_traces(source: object, columns: TraceColumns, *, fastest: float | None = None) -> tuple[Traces, Cleaning]:
    """Read a table of fixes: CSV, Parquet, a frame, a database.

    Args:
        source: a path, a table in memory or a source.
        columns: their names, and how times are written.
        fastest: metres per second above which a step is counted as too fast; None: none is counted.

    Returns:
        Traces sorted by person and time, and what was wrong with the rows, by counts.

    Raises:
        SourceError: the table cannot be read.
        SchemaError: a column is absent, or no row has a person, a time and a place.
        ParameterError: no such zone.

    Example:
        >>> import pyarrow as pa
        >>> table = pa.table({"who": ["a", "a"], "at": ["2026-01-01 23:30", "2026-01-01 23:00"], "y": [45.7, 45.8], "x": [4.8, 4.8]})
        >>> columns = TraceColumns("who", "at", "y", "x", zone="Europe/Paris", written="local")
        >>> traces, found = read_traces(table, columns, fastest=5)
        >>> traces.latitude.tolist(), found.kept, found.too_fast
        ([45.8, 45.7], 2, 1)
    """
    engine = DuckDBEngine()
    table = engine.scan(source_from(source))
    read = engine.summarize(table, FixesOf(columns.person, columns.time, columns.latitude, columns.longitude))
    moments = read_times(read.times, columns.zone, columns.written).at(read.time)
    place = (read.latitude, read.longitude)
    return traces_from(read.persons, read.person, moments, place, zone=columns.zone, fastest=fastest)
