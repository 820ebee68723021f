"""Tails of noise: the least whole half-width that certainly keeps a confidence."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING

from sfumato.account.gaussian import gaussian_tail
from sfumato.numbers.check import checked_confidence
from sfumato.numbers.enclosure import exp_between, log_between

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.numbers.enclosure import Interval

_SUMMED = 1024
"""Below this σ tails are summed exactly."""
_TINY = Fraction(1, 10**250)
_GENEROUS = 1 + 1e-9
"""A relative error of 2⁻⁵⁰ in x moves erfc(x) by less than 2x² · 2⁻⁵⁰, and x < 25 where it counts."""


def laplace_tail(scale: Fraction, least: int) -> Fraction:
    """P(X >= least) of discrete Laplace noise, rounded up by less than 10⁻⁵⁵ of itself.

    q^least / (1 + q) for least >= 1, and 1 - q^(1 - least) / (1 + q) otherwise, q = e^(-1/scale).

    Args:
        scale: > 0.
        least: a whole number.

    Example:
        >>> round(float(laplace_tail(Fraction(1), 4)), 5)
        0.01339
    """
    return _tail(scale, least, exp_between(-1 / scale))


def _tail(scale: Fraction, least: int, q: Interval) -> Fraction:
    """The same, where q is known already."""
    if least >= 1:
        return exp_between(-least / scale)[1] / (1 + q[0])
    return 1 - exp_between((least - 1) / scale)[0] / (1 + q[1])


def laplace_half_width(scale: Fraction, confidence: float | Fraction) -> int:
    """The least whole a with P(|X| <= a) >= confidence for discrete Laplace noise.

    P(|X| > a) = 2 q^(a + 1)/(1 + q), so a = ⌈scale · ln(2 / ((1 - confidence)(1 + q)))⌉ - 1, at least 0.

    Args:
        scale: > 0.
        confidence: in (0, 1); a float stands for its shortest decimal text.

    Raises:
        ParameterError: confidence outside (0, 1). Remedy: use 0.95, say.

    Example:
        >>> laplace_half_width(Fraction(10), 0.95)
        30
    """
    missed, q = _missed(confidence), exp_between(-1 / scale)
    ratio = 2 / (missed * (1 + q[0]))
    guess = math.ceil(scale * log_between(ratio)[0]) - 1
    return _least(lambda a: 2 * _tail(scale, a + 1, q) <= missed, max(guess, 0))


def laplace_half_width_of_two(scale: Fraction, confidence: float | Fraction) -> int:
    """The least whole y with P(|X| + |Y| <= y) >= confidence for two independent discrete Laplace noises.

    P(|X| + |Y| = s) = 4 s q^s (1 - q)²/(1 + q)² for s >= 1, so P(|X| + |Y| > y) = 4 q^(y + 1) (1 + y(1 - q))/(1 + q)².

    Args:
        scale: > 0, of both.
        confidence: in (0, 1).

    Raises:
        ParameterError: confidence outside (0, 1). Remedy: use 0.95, say.

    Example:
        >>> laplace_half_width_of_two(Fraction(10), 0.95)
        47
    """
    missed, low = _missed(confidence), exp_between(-1 / scale)[0]

    def keeps(y: int) -> bool:
        return 4 * exp_between(-(y + 1) / scale)[1] * (1 + y * (1 - low)) / (1 + low) ** 2 <= missed

    return _least(keeps, laplace_half_width(scale, confidence))


def gaussian_half_width(squared_scale: Fraction, confidence: float | Fraction) -> int:
    """The least whole a with P(|X| <= a) >= confidence for discrete Gaussian noise.

    Certain always. For σ < 1024 it is the least; above, where it is at least a thousandfold, it may be 1 more, since
    P(X >= m) <= P(N >= m - 1) is used, N normal with the same σ.

    Args:
        squared_scale: σ² > 0.
        confidence: in (0, 1).

    Raises:
        ParameterError: confidence outside (0, 1). Remedy: use 0.95, say.

    Source:
        C. Canonne, G. Kamath, T. Steinke, "The Discrete Gaussian for Differential Privacy", NeurIPS 2020, proposition
        25, for the bound by a normal law.

    Example:
        >>> gaussian_half_width(Fraction(100), 0.95)
        20
    """
    missed = _missed(confidence)
    sigma = math.sqrt(squared_scale)
    guess = sigma * -NormalDist().inv_cdf(max(float(missed) / 2, 1e-300)) - 0.5
    tail = gaussian_tail if sigma < _SUMMED or missed < _TINY else _normal_tail
    return _least(lambda a: 2 * tail(a + 1, squared_scale) <= missed, max(math.ceil(guess), 0))


def _normal_tail(least: int, squared_scale: Fraction) -> Fraction:
    """More than P(N >= least - 1), least >= 1: the root errs by a few units in the last place, `erfc` by a few more."""
    return Fraction(math.erfc((least - 1) / math.sqrt(2 * squared_scale)) / 2 * _GENEROUS)


def _missed(confidence: float | Fraction) -> Fraction:
    """1 - confidence, exactly."""
    return 1 - checked_confidence(confidence)


def _least(keeps: Callable[[int], bool], guess: int) -> int:
    """The least whole number >= 0 that keeps, by doubling steps from a guess and halving between."""
    step, low, high = 1 + (guess >> 45), -1, guess
    if keeps(guess):
        while high > 0 and keeps(max(high - step, 0)):
            high, step = max(high - step, 0), 2 * step
        low = max(high - step, -1)
    else:
        low = guess
        while not keeps(low + step):
            low, step = low + step, 2 * step
        high = low + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if keeps(middle) else (middle, high)
    return high
