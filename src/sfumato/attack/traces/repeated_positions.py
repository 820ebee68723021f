"""Where somebody is who reports a noisy position again and again: an average of the reports.

Of n reports with planar Laplace noise the mean misses by √(3π/2) / (ε √n) metres on average, the median of each coordinate
by π √(π/2) / (2 ε √n), the likeliest position by √π / (ε √n): noise that is drawn anew does not last. A report that is
remembered and given again misses by 2/ε, however often it is asked for.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import as_whole

if TYPE_CHECKING:
    from sfumato.attack.traces.places import Places
    from sfumato.types import FloatArray, IntArray

Estimate = Literal["mean", "median", "likeliest"]
_FACTORS = {
    "mean": math.sqrt(1.5 * math.pi),
    "median": math.pi * math.sqrt(math.pi / 2) / 2,
    "likeliest": math.sqrt(math.pi),
}
_ROUNDS = 500


@dataclass(frozen=True, slots=True)
class RepeatedPositions:
    """One position for each person, of all reports.

    Args:
        by: "mean"; "median" of each coordinate; "likeliest" under planar Laplace noise, e^(-ε · distance), which is the
            point with the least sum of distances (the geometric median), whatever ε is.

    Raises:
        ParameterError: another word.
    """

    attack: ClassVar[str] = "repeated positions"
    by: Estimate = "likeliest"

    def __post_init__(self) -> None:
        if self.by not in get_args(Estimate):
            raise ParameterError(
                "An estimate must be one of {words}; got {by!r}.",
                "choose one of them.",
                words=", ".join(get_args(Estimate)),
                by=self.by,
            )

    def guess(self, view: Places, _knowledge: None, _rng: np.random.Generator, /) -> FloatArray:
        """(persons, d) float64 positions, in the coordinates of the reports."""
        starts = view.starts
        sizes = np.diff(np.append(starts, len(view.person)))
        if self.by == "median":
            return np.stack([_medians(view.person, x, starts, sizes) for x in view.point.T], axis=1)
        mean = np.asarray(np.add.reduceat(view.point, starts, axis=0) / sizes[:, None])
        return mean if self.by == "mean" else _least_sum(view, mean)


def expected_miss(by: Estimate, epsilon: float, reports: int) -> float:
    """How many metres the estimate from n fresh reports misses by on average, for large n.

    The noise has a variance of 3/ε² and a density of ε/π at 0 on each axis, and a Fisher information of ε²/2; the error of
    an estimate with a variance of s²/n on each axis is s √(π/2) / √n.

    Args:
        by: which estimate.
        epsilon: nats per metre.
        reports: n.

    Example:
        >>> [round(expected_miss(by, 0.01, 100), 2) for by in ("mean", "median", "likeliest")]
        [21.71, 19.69, 17.72]
    """
    return _FACTORS[by] / (epsilon * math.sqrt(as_whole("reports", reports, low=1)))


def _medians(person: IntArray, value: FloatArray, starts: IntArray, sizes: IntArray) -> FloatArray:
    """The median of each person's values."""
    ordered = value[np.lexsort((value, person))]
    return np.asarray((ordered[starts + (sizes - 1) // 2] + ordered[starts + sizes // 2]) / 2)


def _least_sum(view: Places, start: FloatArray) -> FloatArray:
    """The point with the least sum of distances to each person's reports, from a start, to a millimetre.

    Weiszfeld's steps with the correction at a report; all persons at once.

    Source:
        Y. Vardi, C.-H. Zhang, "The multivariate L1-median and associated data depth", PNAS 97(4), 2000.
    """
    at, moving = start.copy(), np.ones(len(start), bool)
    for _ in range(_ROUNDS):
        rows = np.flatnonzero(moving[view.person])
        if not len(rows):
            break
        who, gap = view.person[rows], view.point[rows] - at[view.person[rows]]
        far = np.linalg.norm(gap, axis=1)
        here = far < 1e-9
        weight = np.divide(1.0, far, out=np.zeros(len(far)), where=~here)
        n = len(start)
        total = np.bincount(who, weight, n)
        pull = np.stack([np.bincount(who, weight * x, n) for x in gap.T], axis=1)
        length = np.linalg.norm(pull, axis=1)
        stuck = np.bincount(who, here, n)
        share = np.clip(1 - np.divide(stuck, length, out=np.full(n, np.inf), where=length > 0), 0, 1)
        step = pull * np.divide(share, total, out=np.zeros(n), where=total > 0)[:, None]
        at += step
        moving &= np.linalg.norm(step, axis=1) > 1e-4
    return at
