"""Two questions together: how many persons hold each pair of answers, from reports that are randomized one by one.

A person's two reports support the value v of the one and w of the other: s and t, 0 or 1. With S, T the supports of the
questions, (s - q_S)(t - q_T) / ((p_S - q_S)(p_T - q_T)) has the mean 1 for the person's own pair and 0 for every other,
since the two are randomized independently. Its mean over persons is the share of the pair, without bias.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from sfumato.errors import PlanError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.survey.randomizer import Choice, Coins

if TYPE_CHECKING:
    import numpy.typing as npt

    from sfumato.mechanism.local.survey.randomizer import Reports
    from sfumato.types import BoolArray, FloatArray, IntArray

ABLE = ("GRR", "SUE", "OUE")
"""Oracles whose reports say of each value, one by one, whether they support it."""


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """Shares of pairs of answers.

    Args:
        shares: (k, l) unbiased; noise can make some negative.
        deviations: (k, l) standard deviations of persons drawn from a population.
        low: (k, l) lower ends of the intervals.
        high: (k, l) upper ends.
        persons: who answered both.
    """

    shares: FloatArray
    deviations: FloatArray
    low: FloatArray
    high: FloatArray
    persons: int


def is_able(reports: Reports) -> TypeGuard[Choice | Coins]:
    """Whether the reports of a question say of each value whether they support it."""
    return isinstance(reports, Coins) or (isinstance(reports, Choice) and reports.name in ABLE)


def check_able(reports: Reports) -> Choice | Coins:
    """A question that can be counted together with another.

    Raises:
        PlanError: it cannot. Remedy: another mechanism.
    """
    if is_able(reports):
        return reports
    raise PlanError(
        "Two questions are counted together where both are randomized by {able} or a classical design; got {name}.",
        "choose such a mechanism, or leave the pair out.",
        able=", ".join(ABLE),
        name=reports.name,
    ).below("questions")


def size_of(first: Reports, second: Reports) -> int:
    """Length of the counts of a pair: of both together, then of each among those who answered both."""
    return first.size * second.size + first.size + second.size


def count(first: Choice | Coins, second: Choice | Coins, left: npt.NDArray[Any], right: npt.NDArray[Any]) -> IntArray:
    """(size,) int64: persons who support each pair, then each value of the first, then of the second.

    Args:
        first: one question.
        second: the other.
        left: reports of the first, of the persons who answered both.
        right: reports of the second, of the same persons.

    Example:
        >>> from sfumato.mechanism.local.grr import GRR
        >>> one = Choice(GRR(1.0, 2))
        >>> count(one, one, np.array([0, 1, 1]), np.array([0, 1, 0])).tolist()
        [1, 0, 1, 1, 1, 2, 2, 1]
    """
    rows, columns = supported(first, left), supported(second, right)
    both = rows.T.astype(np.int64) @ columns.astype(np.int64)
    return np.concatenate([both.ravel(), rows.sum(axis=0), columns.sum(axis=0)]).astype(np.int64)


def joint(first: Choice | Coins, second: Choice | Coins, counts: IntArray, n: int, *, confidence: float) -> Joint:
    """Shares of all pairs from such counts.

    The variance is that of one person's term, which takes four values whose frequencies are counted; normal intervals.

    Args:
        first: one question.
        second: the other.
        counts: see `count`.
        n: persons who answered both, >= 1.
        confidence: of each interval.
    """
    k, m = first.size, second.size
    both = counts[: k * m].reshape(k, m) / n
    left, right = counts[k * m : k * m + k, None] / n, counts[None, k * m + k :] / n
    (p, q), (r, s) = _columns(first), tuple(one.T for one in _columns(second))
    gap = (p - q) * (r - s)
    shares = (both - s * left - q * right + q * s) / gap
    values = [((1 - q) * (1 - s), both), ((1 - q) * -s, left - both), (-q * (1 - s), right - both),
              (q * s, 1 - left - right + both)]  # fmt: skip
    second_moment = sum((value**2 * chance for value, chance in values), np.zeros((k, m))) / gap**2
    deviations = np.sqrt(np.maximum(second_moment - shares**2, 0) / n)
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * deviations
    return Joint(shares, deviations, np.clip(shares - reach, 0, 1), np.clip(shares + reach, 0, 1), n)


def _columns(reports: Choice | Coins) -> tuple[FloatArray, FloatArray]:
    """(k, 1) p and (k, 1) q: chances that a report supports each value where it holds, and where another one does."""
    return np.array([[one.p] for one in reports.supports]), np.array([[one.q] for one in reports.supports])


def supported(reports: Choice | Coins, rows: npt.NDArray[Any]) -> BoolArray:
    """(n, k) bool: whether each report supports each value.

    Args:
        reports: of a question.
        rows: reports of n persons.

    Example:
        >>> from sfumato.mechanism.local.grr import GRR
        >>> supported(Choice(GRR(1.0, 3)), np.array([2, 0])).tolist()
        [[False, False, True], [True, False, False]]
    """
    if isinstance(reports, Coins) and reports.design.c < 0:
        return np.asarray(rows[:, None] != np.arange(2))
    if rows.ndim == 1:
        return np.asarray(rows[:, None] == np.arange(reports.size))
    return np.unpackbits(rows, axis=1, count=reports.size, bitorder="little").astype(bool)
