"""Where top and bottom coding and rounding move numbers, for the risk they leave; the engine does the cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.recipe.steps import Round
from sfumato.summary.blur import Pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.recipe.steps import TopBottom
    from sfumato.types import FloatArray, IntArray


def coded(numbers: FloatArray, steps: Sequence[TopBottom | Round]) -> FloatArray:
    """(m,) float64: the number that is published for each.

    Args:
        numbers: (m,) float64; NaN stays.
        steps: in their order; a number below `low` becomes it, one above `high` likewise, and rounding goes to the
            nearest multiple of `base`, halves away from zero.

    Example:
        >>> from sfumato.recipe.steps import TopBottom
        >>> coded(np.array([3.0, 52.5, 97.0]), [TopBottom("age", 18, "18", 90, "90"), Round("age", 5)]).tolist()
        [20.0, 55.0, 90.0]
    """
    out = numbers
    for step in steps:
        if isinstance(step, Round):
            out = np.sign(out) * np.floor(np.abs(out) / step.base + 0.5) * step.base
        else:
            out = np.clip(out, step.low, step.high) if (step.low, step.high) != (None, None) else out
    return out


def coded_pairs(numbers: FloatArray, counts: IntArray, steps: Sequence[TopBottom | Round]) -> Pairs:
    """Which original value is published as which number, in how many cells.

    Args:
        numbers: (m,) float64; NaN: missing, left out.
        counts: (m,) int64 cells of each.
        steps: as of `coded`.

    Example:
        >>> pairs = coded_pairs(np.array([3.0, 5.0]), np.array([2, 1]), [Round("age", 5)])
        >>> pairs.published.tolist(), pairs.same(2).tolist()
        ([5.0], [0.0, 1.0])
    """
    known = np.flatnonzero(np.isfinite(numbers) & (counts > 0))
    published, value = np.unique(coded(numbers[known], steps), return_inverse=True)
    kept = np.full(len(published), -1, np.int64)
    unmoved = published[value] == numbers[known]
    kept[value[unmoved]] = known[unmoved]
    return Pairs(known, value.astype(np.int64), counts[known].astype(np.float64), numbers, published, kept)
