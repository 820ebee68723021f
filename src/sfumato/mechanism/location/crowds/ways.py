"""Where persons were at moments that all share: ways as points, so that near ways can be grouped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanism.grouping.points import Points
from sfumato.table.traces import positions_at

if TYPE_CHECKING:
    from sfumato.table.plane import Plane
    from sfumato.table.traces import Traces

MOMENTS = 12
"""Times at which ways are compared: quantiles of the times of all fixes."""


def ways(traces: Traces, plane: Plane, metres: float, seconds: float) -> Points:
    """Points of 2 · 12 + 2 numbers: east and north at each moment, and when the person came and left.

    Args:
        traces: every person has a fix.
        plane: in whose metres distances are.
        metres: mean distance over the moments that counts as 1.
        seconds: by which two persons came apart that counts as 1.

    Returns:
        One point a person, in the order of codes.

    Example:
        >>> from sfumato.table.plane import Plane
        >>> from sfumato.table.traces import Traces
        >>> stay = Traces("UTC", ("a", "b"), np.array([0, 1]), np.array([0, 0]), np.array([45.0, 45.1]), np.full(2, 4.8))
        >>> near = ways(stay, Plane(45.0, 4.8), metres=11_119.5, seconds=60).numbers
        >>> round(float(np.linalg.norm(near[1] - near[0])), 3)
        1.0
    """
    n, starts = len(traces.persons), traces.starts
    low = int(traces.time.min(initial=0))
    moments = low + np.quantile(traces.time - low, np.linspace(0.02, 0.98, MOMENTS)).astype(np.int64)
    latitude, longitude = positions_at(traces, np.repeat(np.arange(n), MOMENTS), np.tile(moments, n))
    east, north = plane.metres_of(latitude, longitude)
    scale = metres * np.sqrt(MOMENTS)
    ends = np.stack([traces.time[starts[:-1]], traces.time[starts[1:] - 1]], axis=1) - low
    numbers = (east.reshape(n, MOMENTS) / scale, north.reshape(n, MOMENTS) / scale, ends / (1000 * seconds))
    return Points(np.concatenate(numbers, axis=1), np.zeros((n, 0), np.int64), np.zeros(0))
