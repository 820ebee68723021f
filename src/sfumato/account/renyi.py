"""Rényi differential privacy: what an event costs in it, and which (ε, δ) that promises.

D_α(P‖Q) = ln E_Q[(P/Q)^α] / (α - 1) adds up under composition at each order α. Every order gives a valid ε, so
the best one is searched in floats and only the last evaluation is rounded.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.numbers.check import checked_delta
from sfumato.numbers.enclosure import exp_between, log_between, up

if TYPE_CHECKING:
    from collections.abc import Callable

_SHORTEST, _LONGEST = -25.0, 45.0
"""The orders searched, as ln(α - 1)."""
_STEPS = 90
"""Each keeps 0.618 of the range: 70 · 0.618⁹⁰ is below the precision of a float."""
_GOLDEN = (math.sqrt(5) - 1) / 2


def renyi_of_pure(order: Fraction, epsilon: Fraction) -> Fraction:
    """The Rényi divergence at an order that ε-differential privacy implies, rounded up; no smaller bound holds.

    Formula: ε + ln((1 + e^(-(2α-1)ε)) / (1 + e^(-ε))) / (α - 1), that of randomized response with odds e^ε, which
    every ε-differentially private pair of laws is a post-processing of.

    Args:
        order: α > 1.
        epsilon: >= 0.

    Source:
        P. Kairouz, S. Oh, P. Viswanath, "The Composition Theorem for Differential Privacy", ICML 2015, theorem 2.5
        (domination); I. Mironov, "Rényi Differential Privacy", CSF 2017, proposition 5 (randomized response).

    Example:
        >>> float(renyi_of_pure(Fraction(2), Fraction(1))) < 0.8
        True
    """
    if epsilon == 0:
        return Fraction(0)
    top = 1 + exp_between(-(2 * order - 1) * epsilon)[1]
    bottom = 1 + exp_between(-epsilon)[0]
    return max(up(epsilon + log_between(top / bottom)[1] / (order - 1)), Fraction(0))


def renyi_of_laplace(order: Fraction, scale: Fraction, sensitivity: int) -> Fraction:
    """The Rényi divergence at an order of discrete Laplace noise, rounded up.

    Formula: with q = e^(-1/scale), s = q^(2α-1), ε = sensitivity/scale,
    ε + ln((1 - qs + (q - s) s^sensitivity) / ((1 + q)(1 - s))) / (α - 1).

    Proof: for one number moved by k, the sum of p(x)^α p(x - k)^(1-α) over x <= 0, 0 < x < k and x >= k is
    A e^((α-1)k/scale) + B e^(-αk/scale) with A = (1 - qs)/((1 + q)(1 - s)) and B = (q - s)/((1 + q)(1 - s)), both
    >= 0. Its logarithm is convex in k and 0 at k = 0, so it is superadditive: numbers moved by k₁, k₂, … diverge
    together by no more than one number moved by k₁ + k₂ + …. So it holds for any number of coordinates.

    Args:
        order: α > 1.
        scale: > 0.
        sensitivity: largest change of the totals, summed over coordinates; a whole number >= 0.

    Example:
        >>> renyi_of_laplace(Fraction(2), Fraction(1), 1) == renyi_of_pure(Fraction(2), Fraction(1))
        True
        >>> renyi_of_laplace(Fraction(2), Fraction(9), 9) < renyi_of_pure(Fraction(2), Fraction(1))
        True
    """
    if sensitivity == 0:
        return Fraction(0)
    q_low, q_high = exp_between(-1 / scale)
    s_low, s_high = exp_between(-(2 * order - 1) / scale)
    y_low, y_high = exp_between(-(2 * order - 1) * sensitivity / scale)
    top = 1 + q_high * y_high - s_low * (q_low + y_low)
    bottom = (1 + q_low) * (1 - s_high)
    if bottom <= 0:
        return renyi_of_pure(order, sensitivity / scale)
    bound = sensitivity / scale + log_between(top / bottom)[1] / (order - 1)
    return min(up(max(bound, Fraction(0))), renyi_of_pure(order, sensitivity / scale))


def epsilon_at_order(order: Fraction, renyi: Fraction, delta: Fraction) -> Fraction:
    """The ε of (ε, δ)-differential privacy that a Rényi divergence at one order implies, rounded up.

    Formula: renyi + ln(1/(αδ)) / (α - 1) + ln(1 - 1/α), at least 0.

    Args:
        order: α > 1.
        renyi: divergence at that order, >= 0.
        delta: in (0, 1).

    Raises:
        ParameterError: a delta outside (0, 1). Remedy: choose one far below 1 / (number of persons).

    Source:
        C. Canonne, G. Kamath, T. Steinke, "The Discrete Gaussian for Differential Privacy", NeurIPS 2020,
        proposition 12.

    Example:
        >>> float(epsilon_at_order(Fraction(10), Fraction(1), Fraction(1, 10**6))) < 2.2
        True
    """
    delta = checked_delta(delta)
    offset = log_between(1 / (order * delta))[1] / (order - 1) + log_between(1 - 1 / order)[1]
    return max(up(renyi + offset), Fraction(0))


def order_for(curve: Callable[[float], float], delta: Fraction) -> Fraction:
    """The order α at which `epsilon_at_order` is least, nearly.

    Args:
        curve: α to the divergence, in floats.
        delta: in (0, 1).

    Example:
        >>> round(float(order_for(lambda a: a / 2, Fraction(1, 10**6))), 1)
        5.9
    """
    missing = log_inverse(delta)
    return best_order(lambda a, u: curve(a) + (missing - math.log(a)) / (a - 1) - math.log1p(math.exp(-u)))


def best_order(objective: Callable[[float, float], float]) -> Fraction:
    """The order α with the least objective(α, ln(α - 1)), nearly, by golden section on ln(α - 1).

    Every conversion has one valley: (α - 1)·D_α is convex in α, so the orders that prove a given (ε, δ) are an interval.

    Example:
        >>> round(float(best_order(lambda a, u: (u - 1) ** 2)), 3)
        3.718
    """
    low, high = _SHORTEST, _LONGEST
    for _ in range(_STEPS):
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        is_left = objective(1 + math.exp(left), left) <= objective(1 + math.exp(right), right)
        low, high = (low, right) if is_left else (left, high)
    return 1 + Fraction(math.exp((low + high) / 2))


def log_inverse(delta: Fraction) -> float:
    """ln(1/δ) as a float, also where δ is below all floats.

    Example:
        >>> round(log_inverse(Fraction(1, 10**400)))
        921
    """
    return math.log(delta.denominator) - math.log(delta.numerator)
