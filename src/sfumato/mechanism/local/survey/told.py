"""What the counts of one question tell: shares of answers with intervals, and the mean of a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.numeric.estimate import estimate_histogram, estimate_mean
from sfumato.mechanism.local.projections import project_simplex
from sfumato.mechanism.local.shares import Shares, normal_shares, shares
from sfumato.mechanism.local.survey.randomizer import Choice, Coins, Number
from sfumato.mechanism.local.survey.several_answers import EveryBit, OneBit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.mechanism.local.numeric.estimate import Estimate
    from sfumato.mechanism.local.oracle import Support
    from sfumato.mechanism.local.survey.remembered import Remembered
    from sfumato.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """What is known of one question in one group at one time.

    Args:
        reports: that were counted.
        shares: of each answer; None: a number, or nothing was counted.
        errors: (k,) standard errors of the shares of the population that the persons come from; those of `shares` are
            about the persons who answered.
        mean: of a number; None: no number.
    """

    reports: int
    shares: Shares | None = None
    errors: FloatArray | None = None
    mean: Estimate | None = None


def tell(
    reports: Choice | Coins | Number | EveryBit | OneBit | Remembered,
    counts: IntArray,
    n: int,
    *,
    with_shares: bool,
    confidence: float,
) -> Told:
    """What counts tell.

    Args:
        reports: of the question.
        counts: (size,) int64.
        n: reports.
        with_shares: whether the answers of a number are few enough to have shares (a scale).
        confidence: of each interval, in [0.5, 1).

    Example:
        >>> from sfumato.mechanism.local.grr import GRR
        >>> from sfumato.mechanism.local.survey.randomizer import Choice
        >>> told = tell(Choice(GRR(2.0, 2)), np.array([40, 60]), 100, with_shares=True, confidence=0.95)
        >>> told.shares.raw.round(3).tolist()
        [0.369, 0.631]
    """
    if not n:
        return Told(0)
    if isinstance(reports, Number):
        return _number(reports, counts, n, with_shares=with_shares, confidence=confidence)
    if isinstance(reports, OneBit):
        return _one_bit(reports, counts, n, confidence)
    supports = reports.supports
    if isinstance(reports, Coins):
        each = [
            shares(counts[i : i + 1], n, one, confidence=confidence, add_up=False) for i, one in enumerate(supports)
        ]
        found = _joined(each, add_up=True)
    else:
        found = shares(counts, n, supports[0], confidence=confidence, add_up=not isinstance(reports, EveryBit))
    return Told(n, found, _errors(counts, np.full(len(counts), n), supports))


def worst_error(support: Support, n: float) -> float:
    """Largest standard error of a share over all shares, of persons drawn from a population.

    A report supports the value with probability m = q + f(p-q), and the error is sqrt(m(1-m)/n)/(p-q), largest where m is
    nearest to 1/2.

    Example:
        >>> from sfumato.mechanism.local.oracle import Support
        >>> round(worst_error(Support(0.75, 0.25), 100), 6)
        0.1
    """
    m = min(max(0.5, support.q), support.p)
    return float(np.sqrt(m * (1 - m) / n) / (support.p - support.q))


def _errors(counts: IntArray, n: IntArray, supports: Sequence[Support]) -> FloatArray:
    """(k,) standard errors at the counts, of persons drawn from a population."""
    m, gap = counts / n, np.array([one.p - one.q for one in supports])
    return np.asarray(np.sqrt(m * (1 - m) / n) / gap)


def _one_bit(reports: OneBit, counts: IntArray, n: int, confidence: float) -> Told:
    """Each value has reports of its own; of one without any nothing is known: a half, between 0 and 1."""
    pairs = counts.reshape(-1, 2)
    empty = Shares(*(np.full(1, number) for number in (0.5, 0.0, 1.0, 0.5, 0.5)))
    found = [
        shares(pair[1:], int(pair.sum()), one, confidence=confidence, add_up=False) if pair.any() else empty
        for pair, one in zip(pairs, reports.supports, strict=True)
    ]
    return Told(
        n, _joined(found, add_up=False), _errors(pairs[:, 1], np.maximum(pairs.sum(axis=1), 1), reports.supports)
    )


def _joined(found: list[Shares], *, add_up: bool) -> Shares:
    """Shares of single values as those of one question."""
    raw, low, high, deviation, projected = (
        np.concatenate([getattr(one, name) for one in found])
        for name in ("raw", "low", "high", "deviation", "projected")
    )
    return Shares(raw, low, high, deviation, project_simplex(raw) if add_up else projected)


def _number(reports: Number, counts: IntArray, n: int, *, with_shares: bool, confidence: float) -> Told:
    """The mean, and the shares of a scale where its reports determine them."""
    codes = np.repeat(np.arange(reports.size), counts)
    mean = estimate_mean(reports.mechanism, codes, confidence=confidence)
    if not with_shares or n < 2 or reports.size <= reports.mechanism.grid.steps:
        return Told(n, mean=mean)
    found = estimate_histogram(reports.mechanism, codes)
    return Told(
        n, normal_shares(found.shares, found.standard_errors, confidence=confidence), found.standard_errors, mean
    )
