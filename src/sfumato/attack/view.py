"""What can be looked at in a report? Its whole, its parts, the bits of two values, places in a set, bins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

_MOST_COLUMNS = 64
_BINS = 64


def default_views(drawn: Sequence[Any], inputs: Sequence[Any]) -> dict[str, list[npt.NDArray[Any]]]:
    """Symbols of reports under each input, by what is looked at.

    The whole report; each of the first 64 parts; for bits, the bits of every two inputs that are codes; for
    whole numbers in rows, the place in the row at which an input's code stands; for numbers that are
    not whole, 64 bins of equal shares.

    Args:
        drawn: reports for each input: (n,), (n, m), a structured array, or a tuple of such.
        inputs: the inputs, in the same order.

    Returns:
        For each view one (n,) array for each input.

    Example:
        >>> views = default_views([np.array([[True, False]])] * 2, [0, 1])
        >>> sorted(views)
        ['bits of inputs 0 and 1', 'part 0', 'part 1', 'whole report']
    """
    tables = [as_table(reports) for reports in drawn]
    out = {"whole report": [_whole(table) for table in tables]}
    width = tables[0].shape[1]
    if width > 1:
        out |= {f"part {j}": [table[:, j] for table in tables] for j in range(min(width, _MOST_COLUMNS))}
    if tables[0].dtype.kind == "f":
        out |= {f"bins of part {j}": _bins([t[:, j] for t in tables]) for j in range(min(width, _MOST_COLUMNS))}
    codes = [int(v) if np.ndim(v) == 0 and float(v).is_integer() else -1 for v in inputs]
    if width > 1 and min(codes) >= 0:
        out |= _of_codes(tables, codes)
    return out


def as_table(reports: Any) -> npt.NDArray[Any]:
    """Reports as one table with a row for each.

    Example:
        >>> as_table((np.array([1, 2]), np.array([[True], [False]]))).tolist()
        [[1, 1], [2, 0]]
    """
    if isinstance(reports, tuple):
        return np.concatenate([as_table(part) for part in reports], axis=1)
    array = np.asarray(reports)
    if array.dtype.names:
        return np.concatenate([as_table(array[name]) for name in array.dtype.names], axis=1)
    return array.reshape(len(array), -1)


def _whole(table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Rows as single symbols: their bytes."""
    rows = np.ascontiguousarray(table)
    if rows.shape[1] == 1:
        return rows[:, 0]
    return rows.view(np.dtype((np.bytes_, rows.dtype.itemsize * rows.shape[1])))[:, 0]


def _bins(columns: list[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
    """The bin of each number, with edges at quantiles of the first quarter of all."""
    training = np.concatenate([column[: len(column) // 4] for column in columns])
    edges = np.quantile(training, np.arange(1, _BINS) / _BINS)
    return [np.searchsorted(edges, column) for column in columns]


def _of_codes(tables: list[npt.NDArray[Any]], codes: list[int]) -> dict[str, list[npt.NDArray[Any]]]:
    """What the report says of the inputs' codes."""
    if tables[0].dtype == np.bool_ and max(codes) < tables[0].shape[1]:
        return {
            f"bits of inputs {a} and {b}": [2 * table[:, codes[a]] + table[:, codes[b]] for table in tables]
            for a in range(len(codes))
            for b in range(a + 1, len(codes))
        }
    if tables[0].dtype.kind in "iu":
        return {
            f"place of input {a}": [
                np.where((table == code).any(axis=1), (table == code).argmax(axis=1), -1) for table in tables
            ]
            for a, code in enumerate(codes)
        }
    return {}
