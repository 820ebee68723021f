"""Composition of pure differentially private answers that were all fixed before the first.

Every ε-differentially private pair of laws is a post-processing of randomized response with odds e^ε, so the loss of
the composition is at worst a sum of independent ±ε_i. Three totals: the sum, the advanced bound, and the optimum.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numbers.check import checked, checked_delta
from sfumato.numbers.enclosure import exp_between, log_between, up

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.types import FloatArray

_GRID = 2**16
"""Most steps of the grid on which losses are added up."""
_UNIT = 2.0**-50
"""More than the relative error of a few operations on positive floats, or of one exponential."""
_LOST = 1e-300
"""More than all masses together that are too small for floats."""


def basic_composition(epsilons: Iterable[Fraction]) -> Fraction:
    """The sum of all ε: exact, with δ = 0, and valid for adaptive questions too.

    Source:
        C. Dwork, F. McSherry, K. Nissim, A. Smith, TCC 2006.

    Example:
        >>> basic_composition([Fraction(1, 10)] * 3)
        Fraction(3, 10)
    """
    return sum((checked("epsilon", e) for e in epsilons), Fraction(0))


def advanced_composition(epsilons: Iterable[Fraction], delta: str | float | Fraction) -> Fraction:
    """The ε of the advanced composition theorem, rounded up.

    Formula: sqrt(2 ln(1/δ) Σ ε_i²) + Σ ε_i (e^ε_i - 1).

    Args:
        epsilons: each >= 0.
        delta: in (0, 1).

    Raises:
        ParameterError: numbers outside their range. Remedy: choose delta far below 1 / (number of persons).

    Source:
        C. Dwork, G. Rothblum, S. Vadhan, "Boosting and Differential Privacy", FOCS 2010, theorem III.3; the proof
        (Azuma's inequality) holds for unequal ε_i.

    Example:
        >>> round(float(advanced_composition([Fraction(1, 10)] * 100, "1e-6")), 3)
        6.308
    """
    counts = Counter(checked("epsilon", e) for e in epsilons)
    delta = checked_delta(delta)
    drift = sum((n * e * (exp_between(e)[1] - 1) for e, n in counts.items()), Fraction(0))
    square = 2 * log_between(1 / delta)[1] * sum((n * e * e for e, n in counts.items()), Fraction(0))
    return up(root_up(square) + drift)


def root_up(x: Fraction) -> Fraction:
    """A fraction at least sqrt(x), by less than 2⁻¹⁰⁰ in proportion.

    Example:
        >>> root_up(Fraction(4))
        Fraction(2, 1)
    """
    if x == 0:
        return Fraction(0)
    shift = 256 + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    root = math.isqrt(math.ceil(x * 4**shift) - 1) + 1
    return Fraction(root, 2**shift)


def optimal_composition(epsilons: Iterable[Fraction], delta: str | float | Fraction) -> Fraction:
    """The least ε with which the composition is (ε, δ)-differentially private whatever the mechanisms are, rounded up.

    With L the sum of independent losses, +ε_i with probability e^ε_i/(1 + e^ε_i) and -ε_i otherwise, δ(ε) is
    E[(1 - e^(ε-L))₊]: the largest, over all l, of A_l - e^ε B_l, with A_l the chance of a loss of at least l and
    B_l = E[e^-L; L >= l]. So ε is the largest ln((A_l - δ) / B_l).

    Where all ε_i are multiples of one number and their sum is at most 65 536 of it, this is the optimum. Otherwise
    (the optimum is #P-hard) each ε_i is rounded up to a grid, which is sound, since ε-differential privacy implies the
    same with a larger ε.

    Args:
        epsilons: each >= 0.
        delta: in (0, 1).

    Returns:
        ε, at least 0 and at most the sum.

    Raises:
        ParameterError: numbers outside their range. Remedy: choose delta far below 1 / (number of persons).

    Source:
        P. Kairouz, S. Oh, P. Viswanath, ICML 2015, theorem 3.3; J. Murtagh, S. Vadhan, "The Complexity of Computing
        the Optimal Composition of Differential Privacy", TCC 2016-A, theorem 1.5 (unequal ε_i).

    Example:
        >>> round(float(optimal_composition([Fraction(1, 10)] * 100, "1e-6")), 3)
        4.775
    """
    counts = Counter(e for e in (checked("epsilon", e) for e in epsilons) if e > 0)
    delta = checked_delta(delta)
    if not counts:
        return Fraction(0)
    total = sum((n * e for e, n in counts.items()), Fraction(0))
    step = _step(counts, total)
    masses = np.ones(1)
    for e, n in sorted(counts.items()):
        masses = _add(masses, _losses(e, n), math.ceil(e / step))
    error = _UNIT * (8 * sum(counts.values()) + len(masses))
    return min(_invert(masses, step, delta, error), total)


def _step(counts: Counter[Fraction], total: Fraction) -> Fraction:
    """The step of the grid: the common divisor, or the sum cut in 65 536 parts."""
    bottom = math.lcm(*(e.denominator for e in counts))
    divisor = Fraction(math.gcd(*(int(e * bottom) for e in counts)), bottom)
    return max(divisor, total / _GRID)


def _losses(epsilon: Fraction, n: int) -> FloatArray:
    """(n + 1,) chances that i of n losses are -ε, from i = 0: binomial, multiplied outwards from the mode."""
    odds = float(exp_between(-epsilon)[1])
    i = np.arange(n)
    ratios = (n - i) / (i + 1) * odds
    mode = int(np.searchsorted(-ratios, -1.0))
    out = np.ones(n + 1)
    out[mode + 1 :] = np.cumprod(ratios[mode:])
    out[:mode] = np.cumprod(1 / ratios[:mode][::-1])[::-1]
    return np.asarray(out / out.sum())


def _add(masses: FloatArray, losses: FloatArray, steps: int) -> FloatArray:
    """Chances of the sum: index j stands for the largest loss less 2j steps."""
    n = len(losses) - 1
    out = np.zeros(len(masses) + n * steps)
    for i in np.flatnonzero(losses):
        out[i * steps : i * steps + len(masses)] += losses[i] * masses
    return out


def _invert(masses: FloatArray, step: Fraction, delta: Fraction, error: float) -> Fraction:
    """The largest ln((A_l - δ) / B_l), with A and B moved by their relative errors against us.

    B_l = e^-l Σ_(j>=l) p_j e^-(j-l): the sum is kept relative to l, so that nothing underflows.
    """
    fall = float(exp_between(-2 * step)[0])
    top = step * (len(masses) - 1)
    above = np.cumsum(masses) * (1 + error) + _LOST
    relative = _discounted(masses, fall) * (1 - error)
    used = np.flatnonzero((above > float(delta) * (1 - _UNIT)) & (relative > 0))
    if not len(used):
        return Fraction(0)
    rests = above[used] - float(delta) * (1 - _UNIT)
    guess = np.log(rests) - np.log(relative[used]) + float(top) - 2 * float(step) * used
    best = used[int(np.argmax(guess))]
    ratio = Fraction(float(above[best] - float(delta) * (1 - _UNIT))) / Fraction(float(relative[best]))
    slack = Fraction(_UNIT) * 64 * (1 + top)  # the guess may have taken a neighbor of the best index
    return max(up(log_between(ratio)[1] + top - 2 * step * int(best) + slack), Fraction(0))


def _discounted(masses: FloatArray, fall: float) -> FloatArray:
    """s_l = p_l + fall · s_(l-1)."""
    out = np.empty(len(masses))
    sum_so_far = 0.0
    for i, mass in enumerate(masses.tolist()):
        sum_so_far = mass + fall * sum_so_far
        out[i] = sum_so_far
    return out
