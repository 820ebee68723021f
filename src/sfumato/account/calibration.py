"""How much noise keeps a promise: the least scale of discrete Gaussian noise on a grid, and a price shared among parts.

A scale is the square of a rational number σ with 14 binary digits, so that the exact sampler can draw at σ itself.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.account.concentrated import rho_for
from sfumato.account.event import PureDP, ZeroConcentratedDP
from sfumato.account.gaussian import gaussian_delta
from sfumato.errors import ParameterError
from sfumato.numbers.check import checked, checked_delta

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.account.event import Price


_DIGITS = 14
_STEPS = 200
_LARGEST_FLOAT_EPSILON = 600.0


def gaussian_scale(
    epsilon: str | float | Fraction,
    delta: str | float | Fraction,
    squared_sensitivity: str | float | Fraction,
    *,
    coordinates: int,
) -> Fraction:
    """The least σ² of the grid found with which discrete Gaussian noise is (ε, δ)-differentially private.

    One coordinate: judged by the exact δ(ε) of `gaussian_delta`. Several: by ρ = Δ²/2σ² and the conversion of
    zero-concentrated differential privacy, which holds for every split of the sensitivity over coordinates and costs
    a few percent more noise.

    Args:
        epsilon: > 0.
        delta: in (0, 1).
        squared_sensitivity: Δ₂² of all totals together, > 0.
        coordinates: number of totals that one person can change, >= 1.

    Returns:
        σ², the square of a rational number.

    Raises:
        ParameterError: a number outside its range. Remedy: choose delta far below 1 / (number of persons).

    Source:
        C. Canonne, G. Kamath, T. Steinke, "The Discrete Gaussian for Differential Privacy", NeurIPS 2020, theorem 7
        and proposition 12; B. Balle, Y.-X. Wang, "Improving the Gaussian Mechanism for Differential Privacy", ICML
        2018 (the first guess).

    Example:
        >>> square = gaussian_scale(1, "1e-6", 1, coordinates=1)
        >>> round(float(square) ** 0.5, 3), gaussian_delta(1, square, 1) <= Fraction(1, 10**6)
        (4.231, True)
    """
    epsilon, delta = checked("epsilon", epsilon, above_zero=True), checked_delta(delta)
    square = checked("squared_sensitivity", squared_sensitivity, above_zero=True)
    if isinstance(coordinates, bool) or not isinstance(coordinates, int) or coordinates < 1:
        raise ParameterError(
            "`coordinates` must be a whole number >= 1; got {coordinates!r}.",
            "say how many totals get noise.",
            coordinates=coordinates,
        )
    safe = scale_for_rho(rho_for(epsilon, delta), square)
    if coordinates > 1 or gaussian_delta(epsilon, safe, square) > delta:
        return safe
    return _least(epsilon, delta, square, safe)


def scale_for_rho(rho: str | float | Fraction, squared_sensitivity: str | float | Fraction) -> Fraction:
    """The least σ² of the grid with Δ²/2σ² <= ρ.

    Args:
        rho: > 0.
        squared_sensitivity: Δ₂², > 0.

    Returns:
        σ², the square of a rational number with 14 binary digits.

    Raises:
        ParameterError: a number that is not above 0. Remedy: give one.

    Example:
        >>> scale_for_rho("0.5", 1)
        Fraction(1, 1)
    """
    rho = checked("rho", rho, above_zero=True)
    least = checked("squared_sensitivity", squared_sensitivity, above_zero=True) / (2 * rho)
    unit = _unit(least)
    return (unit * _root_up(least / unit**2)) ** 2


def shared(price: Price, shares: Sequence[Fraction]) -> list[Price]:
    """Prices of the parts, which together cost no more than the price.

    ε and ρ are divided. (ε, δ) is first turned into the largest ρ that promises it, since ρ adds up without loss.

    Args:
        price: of the whole.
        shares: > 0, with sum 1.

    Example:
        >>> shared(PureDP(Fraction(1)), [Fraction(1, 4), Fraction(3, 4)])
        [PureDP(epsilon=Fraction(1, 4)), PureDP(epsilon=Fraction(3, 4))]
    """
    if isinstance(price, PureDP):
        return [PureDP(price.epsilon * share) for share in shares]
    rho = price.rho if isinstance(price, ZeroConcentratedDP) else rho_for(price.epsilon, price.delta)
    return [ZeroConcentratedDP(rho * share) for share in shares]


def _unit(squared_scale: Fraction) -> Fraction:
    """The power of two that gives σ about 14 binary digits."""
    exponent = (squared_scale.numerator.bit_length() - squared_scale.denominator.bit_length()) // 2
    return Fraction(2) ** (exponent - _DIGITS + 1)


def _root_up(x: Fraction) -> int:
    """The least whole number whose square is at least x > 0."""
    return math.isqrt(math.ceil(x) - 1) + 1


def _least(epsilon: Fraction, delta: Fraction, square: Fraction, safe: Fraction) -> Fraction:
    """The least kept σ² near the guess: steps that double until both verdicts are known, then halves."""
    unit = _unit(safe)

    def keeps(m: int) -> bool:
        return m > 0 and gaussian_delta(epsilon, (m * unit) ** 2, square) <= delta

    high = _root_up(safe / unit**2)
    low = min(max(math.ceil(_guess(epsilon, delta, square, safe) / unit), 1), high)
    step = 1
    while low < high and not keeps(low):
        low, step = low + step, 2 * step
    high = min(low, high)
    low, step = high - 1, 1
    while keeps(low):
        high, low, step = low, low - step, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if keeps(middle) else (middle, high)
    return (high * unit) ** 2


def _guess(epsilon: Fraction, delta: Fraction, square: Fraction, safe: Fraction) -> Fraction:
    """The σ of continuous Gaussian noise, in floats; the safe one where floats do not reach."""
    e, d, shift, high = float(epsilon), float(delta), math.sqrt(square), math.sqrt(safe)
    if e > _LARGEST_FLOAT_EPSILON or d == 0:
        return Fraction(high)
    low = 0.0
    for _ in range(_STEPS):
        sigma = (low + high) / 2
        a, b = shift / (2 * sigma), e * sigma / shift
        value = (math.erfc((b - a) / math.sqrt(2)) - math.exp(e) * math.erfc((b + a) / math.sqrt(2))) / 2
        low, high = (low, sigma) if value <= d else (sigma, high)
    return Fraction(high)
