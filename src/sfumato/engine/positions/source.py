"""A table whose positions are geometries, as a table of degrees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from sfumato.engine.positions.geoparquet import geometry_of, read_columns
from sfumato.engine.positions.points import doubles, points_of
from sfumato.errors import SourceError
from sfumato.table.source import FileSource, FrameSource

if TYPE_CHECKING:
    from sfumato.table.source import Source


def with_degrees(source: Source, person: str, time: str, geometry: str | None) -> FrameSource:
    """Columns `person`, `time`, `latitude` and `longitude` of a GeoParquet file or a frame with a column of points.

    Args:
        source: a Parquet file, an Arrow table (or what gives one), or a GeoDataFrame.
        person: column of persons.
        time: column of times.
        geometry: column of points; None: the primary one of GeoParquet.

    Raises:
        SourceError: no such source or column, another reference system than WGS 84, or a geometry that is no point.

    Example:
        >>> table = pa.table({"who": ["a"], "at": ["2026-01-01"], "p": [b""]})
        >>> with_degrees(FrameSource(table), "who", "at", None)
        Traceback (most recent call last):
        sfumato.errors.SourceError: Positions must be named: the table says of no column that it holds points. Remedy: name \
the columns of latitude and longitude, of a geometry, or of a cell.
    """
    if isinstance(source, FileSource):
        name = geometry_of(_schema(source.path), geometry)
        table = None if name is None else read_columns(source.path, [person, time, name])
    else:
        table = _in_memory(source)
        name = geometry_of(table.schema, geometry)
    if table is None or name is None:
        raise SourceError(
            "Positions must be named: the table says of no column that it holds points.",
            "name the columns of latitude and longitude, of a geometry, or of a cell.",
        )
    absent = [column for column in (person, time) if column not in table.column_names]
    if absent:
        raise SourceError("A table must have the columns of person and time; {absent} is none.", "correct the names.", absent=absent)  # fmt: skip
    latitude, longitude = points_of(table[name])
    columns = {
        "person": table[person],
        "time": table[time],
        "latitude": doubles(latitude),
        "longitude": doubles(longitude),
    }
    return FrameSource(pa.table(columns), source.missing, source.missing_in, source.trim)


def _schema(path: Path) -> Any:
    """The columns of a Parquet file, and what it says of them.

    Raises:
        SourceError: no Parquet file.
    """
    try:
        return pq.read_schema(path)
    except (pa.ArrowException, OSError) as error:
        raise SourceError(
            "Geometries are read from Parquet files and frames; {name!r} is no Parquet file.",
            "name the columns of latitude and longitude; GPX files are read by `sfumato.gpx`.",
            name=Path(path).name,
        ) from error


def _in_memory(source: Source) -> Any:
    """The Arrow table of a frame, with what its columns say of themselves."""
    frame = getattr(source, "frame", None)
    if type(frame).__name__ == "GeoDataFrame":
        frame = frame.to_arrow()  # type: ignore[union-attr]
    if not hasattr(frame, "__arrow_c_stream__"):
        raise SourceError(
            "Geometries are read from Parquet files, Arrow tables and GeoDataFrames; got {kind}.",
            "name columns of latitude and longitude.",
            kind=type(frame).__name__,
        )
    return pa.table(frame)
