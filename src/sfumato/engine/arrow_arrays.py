"""How do numbers and texts become Arrow arrays, and back, at the least cost? From their bytes.

PyArrow's own conversions, `pyarrow.array` and `to_numpy`, import pandas at their first use wherever pandas is
installed, which takes longer than to release a small table; these do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.types import BoolArray, IntArray


def whole_numbers(values: IntArray, absent: BoolArray | None = None) -> pa.Int64Array:
    """Whole numbers as an Arrow array; null where they are absent.

    Args:
        values: (n,) whole numbers.
        absent: (n,) bool; None: none is.

    Example:
        >>> whole_numbers(np.array([7, 8]), np.array([False, True])).to_pylist()
        [7, None]
    """
    stored = np.ascontiguousarray(values, np.int64)
    present = None if absent is None else _packed(~absent)
    return pa.Array.from_buffers(pa.int64(), len(stored), [present, pa.py_buffer(stored)])


def flags(values: BoolArray) -> pa.BooleanArray:
    """Truth values as an Arrow array.

    Example:
        >>> flags(np.array([True, False])).to_pylist()
        [True, False]
    """
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, _packed(values)])


def texts(values: Sequence[str | None]) -> pa.StringArray:
    """Texts as an Arrow array; None becomes null.

    Args:
        values: at most 2 GiB of texts, such as the labels of a hierarchy.

    Raises:
        UnicodeEncodeError: a text is no Unicode.

    Example:
        >>> texts(["a", None, "é"]).to_pylist()
        ['a', None, 'é']
    """
    stored = [b"" if text is None else text.encode() for text in values]
    ends = np.zeros(len(stored) + 1, np.int64)
    np.cumsum(np.array([len(one) for one in stored], np.int64), out=ends[1:])
    present = np.array([text is not None for text in values], np.bool_)
    kind, offsets = (pa.string(), ends.astype(np.int32)) if ends[-1] < 2**31 else (pa.large_string(), ends)
    buffers = [None if present.all() else _packed(present), pa.py_buffer(offsets), pa.py_buffer(b"".join(stored))]
    return pa.Array.from_buffers(kind, len(stored), buffers)


def numbers(column: pa.Array | pa.ChunkedArray) -> IntArray:
    """(n,) int64: an Arrow column of whole numbers without nulls.

    Example:
        >>> numbers(pa.chunked_array([whole_numbers(np.array([1])), whole_numbers(np.array([2, 3]))])).tolist()
        [1, 2, 3]
    """
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    parts = [np.from_dlpack(chunk) for chunk in chunks if len(chunk)]
    if len(parts) == 1:
        return np.asarray(parts[0].astype(np.int64, copy=False))
    return np.concatenate([np.zeros(0, np.int64), *parts]).astype(np.int64, copy=False)


def _packed(values: BoolArray) -> pa.Buffer:
    """Truth values as Arrow stores them, one bit each."""
    return pa.py_buffer(np.packbits(values, bitorder="little"))
