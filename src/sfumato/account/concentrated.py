"""Zero-concentrated differential privacy: the (ε, δ) that it promises, and the ρ that an (ε, δ) allows.

ρ-zCDP bounds the Rényi divergence of every order α by αρ. Each order gives a valid conversion; δ and ε are rounded
up, ρ is rounded down.
"""

from __future__ import annotations

import math
from fractions import Fraction

from sfumato.account.renyi import best_order, epsilon_at_order, log_inverse, order_for
from sfumato.numbers.check import checked, checked_delta
from sfumato.numbers.enclosure import down, exp_between, log_between, up

_DIGITS_OF_RHO = 12
"""Fewer than ε has, so that ε of `rho_for` does not exceed the ε that was asked for."""


def cdp_epsilon(rho: str | float | Fraction, delta: str | float | Fraction) -> Fraction:
    """The least ε found with which ρ-zCDP is (ε, δ)-differentially private, rounded up.

    Args:
        rho: >= 0.
        delta: in (0, 1).

    Returns:
        ε; 0 for rho = 0.

    Raises:
        ParameterError: rho or delta outside its range. Remedy: choose delta far below 1 / (number of persons).

    Source:
        C. Canonne, G. Kamath, T. Steinke, NeurIPS 2020, proposition 12; M. Bun, T. Steinke, "Concentrated
        Differential Privacy", TCC 2016, for zCDP.

    Example:
        >>> round(float(cdp_epsilon("0.5", "1e-6")), 4)
        5.2215
    """
    rho, delta = checked("rho", rho), checked_delta(delta)
    if rho == 0:
        return Fraction(0)
    order = order_for(lambda a: a * float(rho), delta)
    return epsilon_at_order(order, order * rho, delta)


def cdp_delta(rho: str | float | Fraction, epsilon: str | float | Fraction) -> Fraction:
    """The least δ found with which ρ-zCDP is (ε, δ)-differentially private, rounded up; at most 1.

    Formula: min over α > 1 of e^((α-1)(αρ - ε)) (1 - 1/α)^α / (α - 1).

    Args:
        rho: >= 0.
        epsilon: >= 0.

    Raises:
        ParameterError: a negative number. Remedy: give numbers >= 0.

    Source:
        C. Canonne, G. Kamath, T. Steinke, NeurIPS 2020, proposition 12.

    Example:
        >>> 0.9e-6 < float(cdp_delta("0.5", "5.2215")) < 1.1e-6
        True
    """
    rho, epsilon = checked("rho", rho), checked("epsilon", epsilon)
    if rho == 0:
        return Fraction(0)
    r, e = float(rho), float(epsilon)
    a = best_order(lambda a, u: (a - 1) * (a * r - e) - a * math.log1p(math.exp(-u)) - u)
    exponent = (a - 1) * (a * rho - epsilon) + a * log_between(1 - 1 / a)[1] - log_between(a - 1)[0]
    return min(up(exp_between(exponent)[1]), Fraction(1))


def rho_for(epsilon: str | float | Fraction, delta: str | float | Fraction) -> Fraction:
    """The largest ρ found whose ρ-zCDP is (ε, δ)-differentially private, rounded down: a budget to spend.

    Formula: max over α > 1 of (ε + ln(αδ)/(α - 1) - ln(1 - 1/α)) / α.

    Args:
        epsilon: > 0.
        delta: in (0, 1).

    Raises:
        ParameterError: epsilon or delta outside its range. Remedy: choose delta far below 1 / (number of persons).

    Source:
        C. Canonne, G. Kamath, T. Steinke, NeurIPS 2020, proposition 12, solved for ρ.

    Example:
        >>> rho = rho_for(1, "1e-6")
        >>> round(float(rho), 5), float(cdp_epsilon(rho, "1e-6")) <= 1
        (0.02436, True)
    """
    epsilon, delta = checked("epsilon", epsilon, above_zero=True), checked_delta(delta)
    e, missing = float(epsilon), log_inverse(delta)
    order = best_order(lambda a, u: -(e + (math.log(a) - missing) / (a - 1) + math.log1p(math.exp(-u))) / a)
    offset = log_between(1 / (order * delta))[1] / (order - 1) + log_between(1 - 1 / order)[1]
    return max(down((epsilon - offset) / order, _DIGITS_OF_RHO), Fraction(0))
