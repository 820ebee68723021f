"""Columns of the mathematics as an Arrow table, which every engine can scan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from sfumato.engine.arrow_arrays import texts, whole_numbers
from sfumato.recipe.columns import Clocks, Coded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.recipe.columns import Cells


def made(columns: Mapping[str, Cells]) -> pa.Table:
    """Columns of equal length as a table.

    Example:
        >>> summer = Clocks(np.array([1_774_747_800_000]), np.array([7_200_000]))
        >>> made({"who": Coded(("a", "b"), np.array([1])), "at": summer, "x": np.array([4.5])}).to_pylist()
        [{'who': 'b', 'at': '2026-03-29 03:30:00+02:00', 'x': 4.5}]
    """
    return pa.table({name: _column(cells) for name, cells in columns.items()})


def _column(cells: Cells) -> Any:
    """The cells of one column."""
    match cells:
        case Coded():
            return pa.DictionaryArray.from_arrays(whole_numbers(cells.codes), texts(cells.labels)).dictionary_decode()
        case Clocks():
            return _clocks(cells)
        case np.ndarray() if cells.dtype.kind == "i":
            return whole_numbers(cells)
        case np.ndarray():
            stored = np.ascontiguousarray(cells, np.float64)
            return pa.Array.from_buffers(pa.float64(), len(stored), [None, pa.py_buffer(stored)])
    values = list(cells)
    found = [one for one in values if one is None or isinstance(one, str)]
    return texts(found) if any(found) and len(found) == len(values) else values


def _clocks(cells: Clocks) -> pa.Array:
    """Texts of clocks with their offsets."""
    import pyarrow.compute as pc

    has_parts = bool((cells.time % 1000).any())
    unit = pa.timestamp("ms" if has_parts else "s")
    clock = (cells.time + cells.ahead // 60_000 * 60_000) // (1 if has_parts else 1000)
    offsets, of = np.unique(cells.ahead, return_inverse=True)
    ends = Coded(tuple(map(_offset, offsets.tolist())), of.ravel().astype(np.int64))
    return pc.binary_join_element_wise(pc.cast(whole_numbers(clock).cast(unit), pa.string()), _column(ends), "")


def _offset(ahead: int) -> str:
    """Such as `+02:00`."""
    hours, minutes = divmod(abs(ahead) // 60_000, 60)
    return f"{'-' if ahead < 0 else '+'}{hours:02}:{minutes:02}"
