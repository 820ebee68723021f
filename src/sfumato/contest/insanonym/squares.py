"""Cells of hundredths of a degree, rounded as Python rounds, which is what the contest's scripts did."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray

DIGITS = 2
_UNSURE = 1e-6
_FARTHEST = 2**20


def hundredths(degrees: FloatArray) -> FloatArray:
    """Degrees rounded to two digits, times 100, as whole numbers.

    A product with 100 may round a half the wrong way; where it is near one, Python's exact rounding decides.

    Example:
        >>> hundredths(np.array([1.005, 39.985, -0.125])).tolist(), round(1.005, 2), round(39.985, 2), round(-0.125, 2)
        ([100.0, 3998.0, -12.0], 1.0, 39.98, -0.12)
    """
    scaled = degrees * 10**DIGITS
    found: FloatArray = np.rint(scaled)
    unsure = np.nonzero(np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5) < _UNSURE)[0]
    found[unsure] = [round(round(one, DIGITS) * 10**DIGITS) for one in degrees[unsure].tolist()]
    return found


def squares(latitude: FloatArray, longitude: FloatArray) -> IntArray:
    """(n,) int64 a number for each distinct cell; cells that are absent (NaN) share one.

    Cells anywhere near the Earth have the same number in every table.
    """
    rows, columns = hundredths(latitude), hundredths(longitude)
    far = (np.abs(rows) >= _FARTHEST) | (np.abs(columns) >= _FARTHEST)
    absent = np.isnan(rows) | np.isnan(columns)
    rows, columns = np.where(far | absent, 0, rows), np.where(far | absent, 0, columns)
    code = (rows.astype(np.int64) + _FARTHEST) * 2 * _FARTHEST + columns.astype(np.int64) + _FARTHEST
    code[absent] = -1
    if far.any():
        _, places = np.unique(np.stack((latitude[far], longitude[far])), axis=1, return_inverse=True)
        code[far] = -2 - places.ravel()
    return code
