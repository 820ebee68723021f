"""Bounds for a probability of which s successes in n trials were seen.

Two answers. Wilson's interval inverts the normal test and covers about as often as it says. Clopper and
Pearson's inverts the exact binomial test and covers at least as often as it says; audits promise with it.
"""

from __future__ import annotations

from math import exp, inf, isfinite, lgamma, log, log1p, nextafter, sqrt, ulp
from statistics import NormalDist
from typing import TYPE_CHECKING

from sfumato.errors import InternalError, ParameterError
from sfumato.frozen import dataclass
from sfumato.summary.root import find_root

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_TERMS = 10_000_000
_SMALL = 1e-300


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds of a probability, 0 <= low <= high <= 1."""

    low: float
    high: float


def wilson(successes: int, n: int, confidence: float) -> Interval:
    """Wilson's score interval: centre (s + z²/2)/(n + z²), half-width z √(s(n-s)/n + z²/4)/(n + z²).

    z is the normal quantile of (1 + confidence)/2. Approximate: its coverage is near the confidence for
    every s, unlike the interval p̂ ± z·se, but may fall a little below it.

    Args:
        successes: s, 0 <= s <= n.
        n: independent trials, >= 1.
        confidence: in (0, 1).

    Returns:
        The bounds, rounded outwards.

    Raises:
        ParameterError: a number outside its range.

    Source:
        E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22, 1927.

    Example:
        >>> bounds = wilson(8, 10, 0.95)
        >>> round(bounds.low, 4), round(bounds.high, 4)
        (0.4902, 0.9433)
    """
    _check(successes, n, confidence)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    centre = (successes + z * z / 2) / (n + z * z)
    half = z * sqrt(successes * (n - successes) / n + z * z / 4) / (n + z * z)
    low = 0.0 if successes == 0 else max(0.0, centre - half - 4 * ulp(centre))
    high = 1.0 if successes == n else min(1.0, centre + half + 4 * ulp(centre + half))
    return Interval(low, high)


def clopper_pearson(successes: int, n: int, confidence: float) -> Interval:
    """The exact interval: each side fails with probability at most (1 - confidence)/2, whatever the truth.

    Args:
        successes: s, 0 <= s <= n.
        n: independent trials, >= 1.
        confidence: in (0, 1).

    Returns:
        The bounds, rounded outwards.

    Raises:
        ParameterError: a number outside its range.

    Source:
        C. J. Clopper and E. S. Pearson, "The Use of Confidence or Fiducial Limits Illustrated in the Case
        of the Binomial", Biometrika 26, 1934.

    Example:
        >>> bounds = clopper_pearson(8, 10, 0.95)
        >>> round(bounds.low, 4), round(bounds.high, 4)
        (0.4439, 0.9748)
    """
    _check(successes, n, confidence)
    error = (1 - confidence) / 2
    return Interval(lower_bound(successes, n, error), upper_bound(successes, n, error))


def lower_bound(successes: int, n: int, error: float) -> float:
    """The one-sided exact bound: the least p with Pr[Binomial(n, p) >= s] >= error; 0 when s = 0.

    The true probability lies below it with probability at most `error`.

    Args:
        successes: s, 0 <= s <= n.
        n: independent trials, >= 1.
        error: in (0, 1/2).

    Returns:
        The bound, rounded down. The equation is solved for a slightly smaller error, which covers the
        rounding of ln Γ.

    Raises:
        ParameterError: a number outside its range.

    Source:
        C. J. Clopper and E. S. Pearson, Biometrika 26, 1934.

    Example:
        >>> lower_bound(10, 10, 0.05) <= 0.05 ** (1 / 10)
        True
    """
    _check(successes, n, 1 - 2 * error)
    if successes == 0:
        return 0.0
    level = error * (1 - max(1e-9, 8 * ulp(1.0) * lgamma(n + 2)))
    root = find_root(lambda p: upper_tail(successes, n, p) - level, 0.0, successes / n)
    if root is None:
        raise InternalError("The exact binomial bound was not bracketed.")
    return max(0.0, root - 8 * ulp(root))


def upper_bound(successes: int, n: int, error: float) -> float:
    """The one-sided exact bound from above: 1 - `lower_bound` of the failures, rounded up.

    Example:
        >>> upper_bound(0, 10, 0.05) >= 1 - 0.05 ** (1 / 10)
        True
    """
    failures = lower_bound(n - successes, n, error)
    return 1.0 if failures == 0 else min(1.0, nextafter(1 - failures, inf))


def ranks_around(n: int, share: float, confidence: float) -> tuple[int, int] | None:
    """Two ranks of a sorted sample between whose values a quantile lies, whatever the law; each side fails with half the rest.

    The l-th smallest of n draws is above the quantile with probability at most Pr[Binomial(n, share) < l], the u-th below
    it with at most Pr[Binomial(n, share) >= u].

    Args:
        n: draws, >= 1.
        share: of the law at or below the quantile, in (0, 1).
        confidence: in (0, 1).

    Returns:
        l and u from 1; None: n is too small.

    Source:
        H. A. David, H. N. Nagaraja, "Order Statistics", 3rd edition 2003, section 7.1.

    Example:
        >>> ranks_around(100, 0.5, 0.95), ranks_around(5, 0.5, 0.95)
        ((40, 61), None)
    """
    _check(0, n, confidence)
    error = (1 - confidence) / 2
    low = _last(lambda rank: 1 - upper_tail(rank, n, share) <= error, n)
    high = _last(lambda rank: upper_tail(rank, n, share) > error, n) + 1
    return (low, high) if low >= 1 and high <= n else None


def _last(holds: Callable[[int], bool], n: int) -> int:
    """The last of 0 … n at which something holds that stops once; it holds at 0."""
    low, high = 0, n + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def upper_tail(successes: int, n: int, p: float) -> float:
    """Pr[Binomial(n, p) >= s] = I_p(s, n - s + 1), the regularized incomplete beta function.

    Args:
        successes: s, 0 <= s <= n.
        n: trials, >= 1.
        p: in [0, 1].

    Returns:
        The probability; its relative error is about 1e-16 ln Γ(n).

    Source:
        M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 26.5.24 and 26.5.8.

    Example:
        >>> round(upper_tail(1, 2, 0.5), 12)
        0.75
    """
    if successes == 0 or p >= 1:
        return 1.0
    if p <= 0:
        return 0.0
    a, b = successes, n - successes + 1
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(p) + b * log1p(-p))
    if p < (a + 1) / (a + b + 2):
        return min(1.0, front * _fraction(a, b, p) / a)
    return max(0.0, 1 - front * _fraction(b, a, 1 - p) / b)


def _fraction(a: int, b: int, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's forward recurrence."""
    d = 1 / _away(1 - (a + b) * x / (a + 1))
    c, value = 1.0, d
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / _away(1 + even * d), _away(1 + even / c)
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / _away(1 + odd * d), _away(1 + odd / c)
        step = d * c
        value *= step
        if abs(step - 1) < 2 * ulp(1.0):
            return value
    raise InternalError("The incomplete beta function did not converge.")


def _away(x: float) -> float:
    """The number, kept away from zero."""
    return x if abs(x) > _SMALL else _SMALL


def _check(successes: int, n: int, confidence: float) -> None:
    """Refuse numbers outside their ranges."""
    if not 0 <= successes <= n or n < 1:
        raise ParameterError(
            "An interval needs 0 <= successes <= n and n >= 1; got {successes} of {n}.",
            "give the counts of trials.",
            successes=successes,
            n=n,
        )
    if not (isfinite(confidence) and 0 < confidence < 1):
        raise ParameterError(
            "`confidence` must lie strictly between 0 and 1; got {confidence}.",
            "give, for example, 0.95.",
            confidence=confidence,
        )
