"""Traces of persons from any table that Sfumato reads."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from sfumato.engine.duckdb.engine import DuckDBEngine
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.summary.fixes import FixesOf
from sfumato.table.source import source_from
from sfumato.table.traces import traces_from

if TYPE_CHECKING:
    from sfumato.table.cells import Cells
    from sfumato.table.clock import Written
    from sfumato.table.traces import Cleaning, Traces


@dataclass(frozen=True, slots=True)
class TraceColumns:
    """What the columns of a table of fixes are called, and how its times are written.

    Positions are columns of degrees, or a column of points (GeoParquet: found by itself), or a column of cells.

    Args:
        person: who.
        time: when: ISO 8601 texts, timestamps, or whole numbers since 1970.
        latitude: degrees; None: see `geometry` and `cell`.
        longitude: degrees.
        zone: IANA name of the time zone in which the persons live. There is no default: without it nobody knows when
            night is.
        written: "local" (clocks of that zone), "utc", "seconds" or "milliseconds" since 1970. A text with an offset of its
            own is taken by it.
        geometry: column of points in WGS 84, as WKB or structs of x and y; None: the primary one of GeoParquet.
        cell: column of cells, whose centers are taken.
        grid: what cells are of: a `SquareGrid`, or "h3".

    Raises:
        ParameterError: one coordinate without the other, cells without a grid, or positions said twice.
    """

    person: str
    time: str
    latitude: str | None = None
    longitude: str | None = None
    zone: str = field(kw_only=True)
    written: Written = field(kw_only=True)
    geometry: str | None = field(default=None, kw_only=True)
    cell: str | None = field(default=None, kw_only=True)
    grid: Cells | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        said = [self.latitude is not None, self.geometry is not None, self.cell is not None]
        if (
            (self.latitude is None) != (self.longitude is None)
            or sum(said) > 1
            or (self.cell is None) != (self.grid is None)
        ):
            raise ParameterError(
                "Positions must be columns of latitude and longitude, or one of points, or one of cells with their grid.",
                "name one of them.",
            )


def read_traces(source: object, columns: TraceColumns, *, fastest: float | None = None) -> tuple[Traces, Cleaning]:
    """Read a table of fixes: CSV, Parquet, GeoParquet, a frame, a database, GPX files (`sfumato.gpx`).

    Args:
        source: a path, a table in memory or a source.
        columns: their names, and how times are written.
        fastest: metres per second above which a step is counted as too fast; None: none is counted.

    Returns:
        Traces sorted by person and time, and what was wrong with the rows, by counts.

    Raises:
        SourceError: the table cannot be read, or its points are not in degrees of WGS 84.
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
    engine, given = DuckDBEngine(), source_from(source)
    ask = FixesOf(columns.person, columns.time, columns.latitude, columns.longitude, columns.cell, columns.grid)
    if columns.latitude is None and columns.cell is None:
        from sfumato.engine.positions.source import with_degrees

        given = with_degrees(given, columns.person, columns.time, columns.geometry)
        ask = FixesOf("person", "time", "latitude", "longitude")
    read = engine.summarize(engine.scan(given), ask)
    moments = read.moments(columns.zone, columns.written)
    place = (read.latitude, read.longitude)
    return traces_from(read.persons, read.person, moments, place, zone=columns.zone, fastest=fastest)
