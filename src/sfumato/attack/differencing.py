"""What do two honest aggregates betray together? The value of whoever is in one of them only."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sfumato.types import FloatArray


def value_of_joiner(
    count_before: FloatArray | float, mean_before: FloatArray | float, count_after: FloatArray | float, mean_after: FloatArray | float
) -> FloatArray | float:  # fmt: skip
    """The value of the one person who joined between two releases of (count, mean): n₂m₂ - n₁m₁.

    Exact if both releases are. From noisy releases it is the same estimate, with all their noise in it.

    Args:
        count_before: n₁, one number or (runs,) float64.
        mean_before: m₁.
        count_after: n₂.
        mean_after: m₂.

    Source:
        D. Denning, P. Denning and M. Schwartz, "The Tracker: A Threat to Statistical Database Security", ACM TODS
        4(1), 1979; the figures of the example are a course's.

    Example:
        >>> value_of_joiner(100, 55_000, 101, 56_000)
        156000
    """
    return count_after * mean_after - count_before * mean_before
