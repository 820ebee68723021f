"""Cells of an Arrow column that no engine can hold: they are missing, before an engine sees them.

Arrow does not check what stands in its buffers: a time of day may lie after midnight, a text may be no UTF-8, seconds
may be too many to be told in microseconds. Engines convert such cells with an error, some with a fatal one, and an
error would tell that such a cell exists. Whether a cell is missing depends on that cell and its type alone.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Callable

_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_DAY = 86_400
_MOST = 2**63 - 1


def holdable(column: Any) -> Any:
    """The column, missing where an engine could not hold the cell; the column itself where there is none.

    A point in time or a duration is missing beyond 2⁶³ - 1 microseconds (some 292,000 years), a time of day outside
    0 … 24 h, a decimal beyond its precision, a text that is no UTF-8, and a nested cell that holds one of these.
    Halves become singles.

    Args:
        column: an Arrow array or chunked array.

    Example:
        >>> holdable(pa.array([0, 2**62], pa.timestamp("s"))).is_null().to_pylist()
        [False, True]
    """
    if isinstance(column, pa.ChunkedArray):
        chunks = [holdable(chunk) for chunk in column.chunks]
        return pa.chunked_array(chunks) if chunks else column
    way = next((way for fits, way in _WAYS if fits(column.type)), _bounded)
    return way(column)


def _bounds(kind: pa.DataType) -> tuple[pa.DataType, Any, Any] | None:
    """The type in which a cell is compared, its least and its greatest value; None where every cell can be held."""
    if pa.types.is_decimal(kind):
        low, high = (Decimal((sign, (9,) * kind.precision, -kind.scale)) for sign in (1, 0))
        return kind, low, high
    if pa.types.is_timestamp(kind) or pa.types.is_duration(kind):
        most = _MOST // (_PER_SECOND["us"] // _PER_SECOND[kind.unit] or 1)
        return None if most == _MOST else (pa.int64(), -most, most)
    if pa.types.is_time(kind):
        return (pa.int32() if pa.types.is_time32(kind) else pa.int64(), 0, _DAY * _PER_SECOND[kind.unit])
    return None


def _bounded(column: pa.Array) -> pa.Array:
    """The column, null outside the bounds of its type."""
    bounds = _bounds(column.type)
    return column if bounds is None else _between(column, *bounds)


def _between(column: pa.Array, kind: pa.DataType, low: Any, high: Any) -> pa.Array:
    """The column, null outside the bounds; what stands under a null is changed too, since some engines read it."""
    if not len(column):
        return column
    stored = pa.Array.from_buffers(kind, len(column), [None, column.buffers()[1]], offset=column.offset)
    least, most = (pa.scalar(bound, kind) for bound in (low, high))
    is_odd = pc.or_(pc.less(stored, least), pc.greater(stored, most))
    if not pc.any(is_odd).as_py():
        return column
    is_present = pc.and_(column.is_valid(), pc.invert(is_odd))
    cleaned = pc.if_else(is_odd, least, stored)
    return pa.Array.from_buffers(column.type, len(column), [is_present.buffers()[1], cleaned.buffers()[1]])


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _is_valid(column: pa.Array) -> bool:
    """Whether the buffers hold what the type says."""
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _texts(column: pa.Array) -> pa.Array:
    """The column, null where a text is no UTF-8; looked at one by one only where there is such a text."""
    if _is_valid(column):
        return column
    stored = (
        column.cast(pa.large_binary()) if not pa.types.is_string_view(column.type) else column.view(pa.binary_view())
    )
    return pa.array(map(_decoded, stored.to_pylist()), column.type)


def _decoded(stored: bytes | None) -> str | None:
    """The text of some bytes; None where they are none."""
    try:
        return None if stored is None else stored.decode()
    except UnicodeDecodeError:
        return None


def _dictionary(column: pa.DictionaryArray) -> pa.DictionaryArray:
    """The same places in a dictionary that can be held."""
    values = holdable(column.dictionary)
    return column if values is column.dictionary else pa.DictionaryArray.from_arrays(column.indices, values)


def _union(column: pa.UnionArray) -> pa.UnionArray:
    """The same choices among columns that can be held."""
    parts = [column.field(i) for i in range(column.type.num_fields)]
    held = [holdable(part) for part in parts]
    if all(new is old for new, old in zip(held, parts, strict=True)):
        return column
    names, codes = [field.name for field in column.type], column.type.type_codes
    if column.type.mode == "sparse":
        return pa.UnionArray.from_sparse(column.type_codes, held, names, codes)
    return pa.UnionArray.from_dense(column.type_codes, column.offsets, held, names, codes)


def _nested(column: pa.Array) -> pa.Array:
    """The column, null in the cells that hold an odd one; looked at one by one only where there is one."""
    if all(holdable(leaf) is leaf for leaf in _leaves(column)):
        return column
    odd = [any(holdable(leaf) is not leaf for leaf in _leaves(column.slice(i, 1))) for i in range(len(column))]
    return pc.if_else(pa.array(odd), pa.scalar(None, column.type), column)


def _leaves(column: pa.Array) -> list[pa.Array]:
    """The columns of single values inside a nested one."""
    kind = column.type
    if pa.types.is_struct(kind):
        return [leaf for part in column.flatten() for leaf in _leaves(part)]
    if pa.types.is_map(kind):
        start, stop = column.offsets[0].as_py(), column.offsets[-1].as_py()
        return [leaf for part in (column.keys, column.items) for leaf in _leaves(part[start:stop])]
    return _leaves(column.flatten()) if hasattr(column, "flatten") and pa.types.is_nested(kind) else [column]


_WAYS: tuple[tuple[Callable[[pa.DataType], bool], Callable[[Any], pa.Array]], ...] = (
    (pa.types.is_float16, lambda column: column.cast(pa.float32())),
    (pa.types.is_dictionary, _dictionary),
    (pa.types.is_run_end_encoded, lambda column: holdable(pc.run_end_decode(column))),
    (pa.types.is_union, _union),
    (pa.types.is_nested, _nested),
    (_is_text, _texts),
)
"""How columns of some types are looked at; the first that fits counts, and all others have bounds at most."""
