"""Points as they are stored: well-known binary (WKB), or structs of x and y; x is the longitude."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from sfumato.errors import SourceError

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray

_PLAIN = 21
"""Bytes of a point of two coordinates: order, type, x, y."""
_SRID, _Z, _M = 0x20000000, 0x80000000, 0x40000000
"""What PostGIS adds to the type of a geometry (EWKB)."""


def points_of(column: Any) -> tuple[FloatArray, FloatArray]:
    """Latitudes and longitudes of a column of points; NaN where there is none.

    Args:
        column: Arrow array or chunked array: binary (WKB or EWKB, any byte order, z and m left out), or a struct with
            fields x and y.

    Raises:
        SourceError: another type, a geometry that is no point, or bytes that are none.

    Source:
        OGC 06-103r4, section 8 (WKB); GeoArrow 0.2 (structs).

    Example:
        >>> points_of(wkb_of(np.array([45.75]), np.array([4.85])))
        (array([45.75]), array([4.85]))
    """
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    whole = whole.storage if isinstance(whole, pa.ExtensionArray) else whole
    if pa.types.is_struct(whole.type) and {"x", "y"} <= {field.name for field in whole.type}:
        parts = whole.flatten()
        place = {field.name: i for i, field in enumerate(whole.type)}
        return numbers(parts[place["y"]]), numbers(parts[place["x"]])
    if pa.types.is_binary(whole.type) or pa.types.is_large_binary(whole.type):
        return _from_wkb(whole)
    raise SourceError(
        "A column of positions must hold points as WKB or as structs of x and y; it holds {kind}.",
        "name the columns of latitude and longitude instead, or write points.",
        kind=str(whole.type),
    )


def numbers(values: Any) -> FloatArray:
    """A column of numbers as doubles, null as NaN.

    Example:
        >>> numbers(pa.array([1, None]))
        array([ 1., nan])
    """
    filled = values.cast(pa.float64()).fill_null(float("nan"))
    return np.array(np.from_dlpack(filled), np.float64) if len(filled) else np.zeros(0)


def _from_wkb(column: Any) -> tuple[FloatArray, FloatArray]:
    """Of a column of binaries."""
    kind = np.int64 if pa.types.is_large_binary(column.type) else np.int32
    buffers = column.buffers()
    if not len(column) or buffers[2] is None:
        return np.full(len(column), np.nan), np.full(len(column), np.nan)
    offsets = np.frombuffer(buffers[1], kind)[column.offset : column.offset + len(column) + 1].astype(np.int64)
    data = np.frombuffer(buffers[2], np.uint8)
    has = np.array(np.from_dlpack(column.is_valid().cast(pa.uint8()))) > 0
    start, size = offsets[:-1][has], np.diff(offsets)[has]
    out = np.full((len(column), 2), np.nan)
    out[has] = _read(data, start, size)
    return out[:, 1], out[:, 0]


def _read(data: Any, start: IntArray, size: IntArray) -> FloatArray:
    """(n, 2) x and y of points that begin at some bytes."""
    if np.any(size < _PLAIN):
        raise _no_point()
    order = data[start]
    if np.any(order > 1):
        raise _no_point()
    out = np.empty((len(start), 2))
    for byte, name in ((1, "<"), (0, ">")):
        here = np.flatnonzero(order == byte)
        if not len(here):
            continue
        at = start[here]
        kinds = _taken(data, at + 1, 4).view(f"{name}u4").ravel()
        has_srid = (kinds & _SRID) != 0
        plain = (kinds & ~np.uint32(_SRID | _Z | _M)) % 1000
        if np.any(plain != 1) or np.any(size[here] < _PLAIN + 4 * has_srid):
            raise _no_point()
        first = at + 5 + 4 * has_srid
        out[here] = _taken(data, first, 16).view(f"{name}f8")
    return out


def _taken(data: Any, at: IntArray, width: int) -> Any:
    """(n, width) bytes from some places on."""
    return data[at[:, None] + np.arange(width)]


def _no_point() -> SourceError:
    """What is raised for another geometry; it is not shown."""
    return SourceError(
        "Every geometry must be a point; one is a line, an area, or no geometry at all.",
        "write the fixes as points, one in a row.",
    )


def doubles(values: FloatArray) -> Any:
    """Numbers as an Arrow array, without pandas.

    Example:
        >>> doubles(np.array([1.5])).to_pylist()
        [1.5]
    """
    stored = np.ascontiguousarray(values, np.float64)
    return pa.Array.from_buffers(pa.float64(), len(stored), [None, pa.py_buffer(stored)])


def wkb_of(latitude: FloatArray, longitude: FloatArray) -> Any:
    """Positions as an Arrow array of binaries: points in well-known binary.

    Example:
        >>> len(wkb_of(np.array([45.75]), np.array([4.85]))[0].as_py())
        21
    """
    n = len(latitude)
    points = np.empty(n, np.dtype([("order", "u1"), ("kind", "<u4"), ("x", "<f8"), ("y", "<f8")]))
    points["order"], points["kind"], points["x"], points["y"] = 1, 1, longitude, latitude
    offsets = np.arange(0, (n + 1) * _PLAIN, _PLAIN, dtype=np.int64)
    return pa.Array.from_buffers(pa.large_binary(), n, [None, pa.py_buffer(offsets), pa.py_buffer(points)])
