"""Counts without the mean of the noise: the share of persons who set each bit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.mechanism.local.rappor.counts import BitCounts
    from sfumato.mechanism.local.rappor.params import RapporParams
    from sfumato.types import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Corrected:
    """Unbiased shares of set bits, and how much each is worth.

    Args:
        share: (m·k,) float64, (ones/N - p*)/(q* - p*), 0 in a silent cohort; may lie outside [0, 1].
        weight: (m·k,) float64, one over the variance of the share; 0 in a silent cohort.
    """

    share: FloatArray
    weight: FloatArray


def corrected(params: RapporParams, counts: BitCounts) -> Corrected:
    """The bit-count correction of section 4 of the paper, for a first or a repeated report.

    t = (c - (p + ½fq - ½fp) N) / ((1-f)(q-p)) is N (c/N - p*)/(q* - p*). A report's bit is 1 with probability
    r = p* + (q*-p*) s, s the share of persons who set it, so c is binomial (n persons drawn from a population, each
    reporting once) and the share has variance r(1-r)/(N (q*-p*)²). r is estimated with half a success and half a
    failure more, so that no weight is infinite.

    Args:
        params: of the collection.
        counts: of its reports.

    Source:
        Erlingsson et al. 2014, section 4 (estimate of t_ij).

    Example:
        >>> from sfumato.mechanism.local.rappor.counts import BitCounts
        >>> from sfumato.mechanism.local.rappor.params import RapporParams
        >>> tiny = RapporParams("tiny", bits=1, hashes=1, cohorts=2, f=0, p="1/4", q="3/4")
        >>> corrected(tiny, BitCounts(np.array([100, 0]), np.array([[50], [0]]))).share.tolist()
        [0.5, 0.0]
    """
    low, span = float(params.p_star), float(params.q_star - params.p_star)
    n = counts.n[:, np.newaxis].astype(np.float64)
    heard = n > 0
    share = np.where(heard, (counts.ones / np.maximum(n, 1) - low) / span, 0.0)
    rate = (counts.ones + 0.5) / (n + 1)
    weight = np.where(heard, n * span**2 / (rate * (1 - rate)), 0.0)
    return Corrected(share.ravel(), weight.ravel())
