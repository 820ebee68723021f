"""How diverse the sensitive values of each class are: the computations behind l-diversity."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numbers.logarithm import sign_of_logs
from sfumato.summary.histogram import add_by_owner

if TYPE_CHECKING:
    from sfumato.summary.histogram import Distribution
    from sfumato.types import BoolArray, FloatArray, IntArray

_ROUNDING = 2.0**-50
"""Bound of the relative rounding error of one term of a sum of logarithms."""

_CLOSE = 1e-9
"""Entropies this close to the least one are compared exactly."""


def top_and_tail(d: Distribution, l: int) -> tuple[IntArray, IntArray]:  # noqa: E741  the paper's own symbol
    """r_1 and r_l + … + r_m of each class, with the counts r in descending order.

    Args:
        d: distribution by class.
        l: rank, >= 1.

    Returns:
        (n_classes,) int64 each; the tail is 0 where a class has fewer than l values.

    Example:
        >>> from sfumato.testing.examples import illness
        >>> [part.tolist() for part in top_and_tail(illness([[3, 0, 1], [2, 2, 2]]), 2)]
        [[3, 2], [1, 4]]
    """
    order = np.lexsort((-d.count, d.owner))
    count = d.count[order]
    starts = np.searchsorted(d.owner, np.arange(d.n_classes))
    rank = np.arange(len(d.owner)) - starts[d.owner]
    top = add_by_owner(np.where(rank == 0, count, 0), d.owner, d.n_classes)
    tail = add_by_owner(np.where(rank >= l - 1, count, 0), d.owner, d.n_classes)
    return top, tail


def entropies(d: Distribution) -> tuple[FloatArray, FloatArray]:
    """Shannon's entropy H = ln n - (1/n) sum c ln c of each class in nats, and a bound of its error.

    Example:
        >>> from sfumato.testing.examples import illness
        >>> entropies(illness([[1, 1], [3, 0]]))[0].round(6).tolist()
        [0.693147, 0.0]
    """
    n = np.maximum(d.sizes, 1)
    inside = add_by_owner(d.count * np.log(d.count), d.owner, d.n_classes)
    n_values = np.bincount(d.owner, minlength=d.n_classes)
    log_n = np.log(n)
    return log_n - inside / n, (n_values + 4) * _ROUNDING * (1 + log_n)


def entropy_decided(d: Distribution, limit: Fraction) -> BoolArray:
    """(n_classes,) bool: H >= ln(limit), exactly.

    Fewer values than the limit never suffice, and as many suffice only if equally frequent. Of the
    others floating point decides all but the closest classes, which are compared as logarithms of
    integers, once for each distinct set of counts.
    """
    entropy, error = entropies(d)
    gap = entropy - math.log(limit)
    n_values = np.bincount(d.owner, minlength=d.n_classes)
    enough, just = n_values >= math.ceil(limit), (n_values == math.floor(limit)) & (limit.denominator == 1)
    out = np.where(just, _is_uniform(d, n_values), enough & (gap > 0))
    close = enough & ~just & (np.abs(gap) <= error + _ROUNDING * math.log(limit))
    known: dict[tuple[int, ...], bool] = {}
    for i in np.flatnonzero(close):
        profile = _profile(d, int(i))
        if profile not in known:
            known[profile] = _sign_of_gap(profile, limit) >= 0
        out[i] = known[profile]
    return np.asarray(out & (d.sizes > 0))


def entropy_measured(d: Distribution) -> float:
    """The largest float l such that H >= ln l in every class; 0 where a class has no value."""
    if d.n_classes == 0:
        return math.inf
    if (d.sizes == 0).any():
        return 0.0
    entropy, _ = entropies(d)
    n_values = np.bincount(d.owner, minlength=d.n_classes)
    close = entropy <= entropy.min() + _CLOSE
    uniform = _is_uniform(d, n_values)
    best = float(n_values[close & uniform].min(initial=len(d.total)))
    profiles = {_profile(d, int(i)) for i in np.flatnonzero(close & ~uniform)}
    return min([best, *(_largest_l(profile) for profile in profiles)])


def _is_uniform(d: Distribution, n_values: IntArray) -> BoolArray:
    """(n_classes,) bool: classes whose values are equally frequent: each count times their number is the size."""
    uneven = d.count * n_values[d.owner] != d.sizes[d.owner]
    return np.asarray(np.bincount(d.owner[uneven], minlength=d.n_classes) == 0)


def _largest_l(profile: tuple[int, ...]) -> float:
    """The largest float l such that H >= ln l, for one class."""
    n = sum(profile)
    guess = math.exp(math.log(n) - math.fsum(c * math.log(c) for c in profile) / n)
    while _sign_of_gap(profile, _text(guess)) >= 0:
        guess = math.nextafter(guess, math.inf)
    while _sign_of_gap(profile, _text(guess)) < 0:
        guess = math.nextafter(guess, 0)
    return guess


def _sign_of_gap(profile: tuple[int, ...], limit: Fraction) -> int:
    """The sign of n ln n - sum c ln c - n ln(limit)."""
    n = sum(profile)
    counts, times = np.unique(np.array(profile, dtype=np.int64), return_counts=True)
    own = [(-int(c) * int(m), int(c)) for c, m in zip(counts, times, strict=True)]
    return sign_of_logs([(n, n), *own, (-n, limit.numerator), (n, limit.denominator)])


def grassberger(d: Distribution) -> tuple[FloatArray, FloatArray]:
    """Grassberger's estimate H = G(n) - (1/n) sum c G(c) in nats, and a bound of its error.

    G(1) = -gamma - ln 2, G(2) = 2 - gamma - ln 2, G(2i+1) = G(2i), G(2i+2) = G(2i) + 2/(2i+1).

    Source:
        P. Grassberger, "Entropy estimates from insufficient samplings", arXiv:physics/0307138,
        equations 28 to 35; S. Stammler, S. Katzenbeisser, K. Hamacher, "Correcting finite sampling
        issues in entropy l-diversity", PSD 2016.

    Example:
        >>> from sfumato.testing.examples import illness
        >>> grassberger(illness([[1, 1], [3, 0]]))[0].round(6).tolist()
        [2.0, 0.0]
    """
    n = np.maximum(d.sizes, 1)
    g = _grassberger_g(np.concatenate((d.count, n)))
    inside = add_by_owner(d.count * g[: len(d.count)], d.owner, d.n_classes)
    n_values = np.bincount(d.owner, minlength=d.n_classes)
    return g[len(d.count) :] - inside / n, (n_values + 40) * _ROUNDING * (2 + np.log(n))


def grassberger_decided(d: Distribution, limit: Fraction) -> BoolArray:
    """(n_classes,) bool: the estimate is at least ln(limit), and at least `limit` values occur.

    The second condition comes with the estimate, which exceeds the logarithm of the number of values
    in small classes. What rounding leaves open, fails.
    """
    enough = np.bincount(d.owner, minlength=d.n_classes) >= math.ceil(limit)
    if not enough.any():
        return enough
    entropy, error = grassberger(d)
    return np.asarray((entropy - error >= math.log(limit) + _ROUNDING) & enough)


def grassberger_measured(d: Distribution) -> float:
    """The largest float l that `grassberger_decided` grants every class; 0 where a class has no value."""
    if d.n_classes == 0:
        return math.inf
    if (d.sizes == 0).any():
        return 0.0
    entropy, error = grassberger(d)
    fewest = float(np.bincount(d.owner, minlength=d.n_classes).min())
    guess = min(math.exp(float((entropy - error).min()) - _ROUNDING), fewest)
    while grassberger_decided(d, _text(guess)).all():
        guess = math.nextafter(guess, math.inf)
    while guess > 0 and not grassberger_decided(d, _text(guess)).all():
        guess = math.nextafter(guess, 0)
    return guess


def _grassberger_g(count: IntArray) -> FloatArray:
    """(n,) float64: G of each count >= 1."""
    half = int(count.max(initial=1)) // 2
    steps = np.concatenate(([0.0], np.cumsum(2.0 / (2.0 * np.arange(half) + 1.0))))
    return np.asarray((steps - np.euler_gamma - math.log(2))[count // 2])


def _profile(d: Distribution, i: int) -> tuple[int, ...]:
    """The counts of one class, in ascending order."""
    low, high = np.searchsorted(d.owner, (i, i + 1))
    return tuple(sorted(d.count[low:high].tolist()))


def _text(number: float) -> Fraction:
    """The fraction of a float's shortest decimal text."""
    return Fraction(repr(number))
