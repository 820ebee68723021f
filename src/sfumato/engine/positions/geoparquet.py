"""GeoParquet, version 1.1: points of Parquet files in degrees of WGS 84."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sfumato.engine.arrow_arrays import flags
from sfumato.engine.positions.points import numbers, wkb_of
from sfumato.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


_WGS84 = {("OGC", "CRS84"), ("EPSG", "4326"), ("OGC", "CRS84H"), ("EPSG", "4979")}
_KEY = b"geo"
GEOMETRY = "geometry"
_LATITUDES, _LONGITUDES = ("latitude", "lat"), ("longitude", "lon", "lng", "long")


def geometry_of(schema: Any, column: str | None) -> str | None:
    """The column of geometries that is meant: the named one, or the primary one of GeoParquet; None: there is none.

    Raises:
        SourceError: what is said of the column is no point in degrees of WGS 84.

    Example:
        >>> geometry_of(pa.schema([("a", pa.int64())]), None) is None
        True
    """
    said = _said(schema)
    name = column or (None if said is None else str(said.get("primary_column", GEOMETRY)))
    if name is None:
        return None
    if name not in schema.names:
        raise SourceError("A table must have the column of geometries {name!r}.", "name another one.", name=name)
    about = None if said is None else said.get("columns", {}).get(name)
    if about is not None:
        _check(about)
    else:
        _check_field(schema.field(name))
    return name


def _said(schema: Any) -> dict[str, Any] | None:
    """What a file says of its geometries; None: nothing."""
    text = (schema.metadata or {}).get(_KEY)
    if text is None:
        return None
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("columns", {}), dict):
        raise SourceError("What a GeoParquet file says of its geometries must be JSON; this is not.", "write it anew.")
    return found


def _check(about: Mapping[str, Any]) -> None:
    """Whether a column of GeoParquet holds points in degrees."""
    if str(about.get("encoding", "")).lower() not in {"wkb", "point"}:
        raise SourceError(
            "A column of positions must be encoded as WKB or point; it is {encoding!r}.",
            "write the fixes as points.",
            encoding=about.get("encoding"),
        )
    kinds = [str(kind).split(" ")[0] for kind in about.get("geometry_types") or ["Point"]]
    if set(kinds) != {"Point"}:
        raise SourceError(
            "A column of positions must hold points only; it holds {kinds}.", "write points.", kinds=kinds
        )
    if "crs" in about:
        _check_crs(about["crs"])


def _check_field(field: Any) -> None:
    """Whether a column of a frame says that it holds degrees: extension types of GeoArrow do."""
    said = (field.metadata or {}).get(b"ARROW:extension:metadata")
    if isinstance(field.type, pa.BaseExtensionType):
        said = field.type.__arrow_ext_serialize__()
    try:
        crs = json.loads(said or b"{}").get("crs")
    except (ValueError, AttributeError):
        crs = None
    _check_crs(crs)


def _check_crs(crs: object) -> None:
    """Degrees of WGS 84, by authority and code.

    Raises:
        SourceError: another reference system, or none.
    """
    if isinstance(crs, str):
        text = crs.rstrip("}").upper()
        pairs = {tuple(text.rsplit(":", 1))} if not text.startswith("{") else {_code(_json(crs))}
    else:
        pairs = {_code(crs)}
    if not pairs & _WGS84:
        raise SourceError(
            "Positions must be in degrees of WGS 84 (OGC:CRS84 or EPSG:4326), and the table must say so.",
            "convert them (with geopandas: `.to_crs(4326)`) and write GeoParquet, or name columns of degrees.",
        )


def _json(text: str) -> object:
    """What a text says, None if nothing."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _code(crs: object) -> tuple[str, str]:
    """Authority and code of a reference system in PROJJSON."""
    said = crs.get("id") if isinstance(crs, dict) else None
    return (str(said.get("authority")).upper(), str(said.get("code")).upper()) if isinstance(said, dict) else ("", "")


def read_columns(path: Path, columns: list[str]) -> Any:
    """Some columns of a Parquet file.

    Raises:
        SourceError: the file cannot be read, or lacks one.
    """
    try:
        return pq.ParquetFile(path).read(columns=columns)
    except (pa.ArrowException, OSError) as error:
        raise SourceError(
            "{name!r} must be a readable Parquet file.", "check the path and the file.", name=path.name
        ) from error


def with_geometry(schema: Any, batches: Any) -> tuple[Any, Any]:
    """A table of degrees with its points: the schema with what GeoParquet says, and the batches with one column more.

    Args:
        schema: with a column `latitude` (or `lat`) and `longitude` (or `lon`, `lng`, `long`), which stay.
        batches: record batches of that schema.

    Raises:
        SourceError: there are no such columns, or there is a column `geometry` already.

    Source:
        GeoParquet 1.1.0; the reference system is left out, which means OGC:CRS84.

    Example:
        >>> table = pa.table({"lat": [45.75], "lon": [4.85]})
        >>> schema, batches = with_geometry(table.schema, table.to_batches())
        >>> schema.names, geometry_of(schema, None), next(iter(batches)).num_columns
        (['lat', 'lon', 'geometry'], 'geometry', 3)
    """
    named = {name.lower(): name for name in schema.names}
    lat, lon = ([named[name] for name in names if name in named] for names in (_LATITUDES, _LONGITUDES))
    if not lat or not lon or GEOMETRY in named:
        raise SourceError(
            "GeoParquet needs columns `latitude` and `longitude` (or `lat` and `lon`), and none called `geometry`.",
            "name the columns so, or write plain Parquet.",
        )
    about = {
        "version": "1.1.0",
        "primary_column": GEOMETRY,
        "columns": {GEOMETRY: {"encoding": "WKB", "geometry_types": ["Point"]}},
    }
    whole = schema.append(pa.field(GEOMETRY, pa.binary())).with_metadata(
        {**(schema.metadata or {}), _KEY: json.dumps(about).encode()}
    )
    return whole, (_with_points(batch, whole, lat[0], lon[0]) for batch in batches)


def _with_points(batch: Any, schema: Any, lat: str, lon: str) -> Any:
    """A batch and its points; a row without a position has none."""
    y, x = (numbers(batch.column(name)) for name in (lat, lon))
    points, has = wkb_of(y, x), flags(~np.isnan(y) & ~np.isnan(x))
    return pa.RecordBatch.from_arrays([*batch.columns, pc.if_else(has, points, None).cast(pa.binary())], schema=schema)
