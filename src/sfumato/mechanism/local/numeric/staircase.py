"""Staircase noise redrawn until it stays inside: what it really leaks, and how to calibrate it.

The naive loop is not ε-private at its nominal ε. Mass that falls outside is redistributed, by a factor
that depends on the value: near a bound half of the first step is lost, in the middle none.
"""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import check_epsilon
from sfumato.mechanism.local.numeric import noise_table

if TYPE_CHECKING:
    from sfumato.mechanism.local.numeric.grid import Grid
    from sfumato.types import IntArray

_SOURCE = "Q. Geng, P. Kairouz, S. Oh, P. Viswanath, IEEE JSTSP 9(7), 2015, section III"
_ROUNDS = 12
_NEAR = 1e-9


def variance_gamma(epsilon: float) -> float:
    """The width of the first step, as a share of Δ, that gives unbounded noise the least variance.

    γ = (-b + (b(1+b)/2)^(1/3)) / (1-b), b = e^(-ε): the closed form of the paper, simplified by
    b - 2b² + 2b⁴ - b⁵ = b(1+b)(1-b)³.

    Args:
        epsilon: in nats, > 0.

    Returns:
        γ in (0, 1/2].

    Source:
        Q. Geng, P. Kairouz, S. Oh, P. Viswanath, "The Staircase Mechanism in Differential Privacy", IEEE
        Journal of Selected Topics in Signal Processing 9(7), 2015, theorem 4 (variance).

    Example:
        >>> round(variance_gamma(1.0), 4)
        0.4167
    """
    b = math.exp(-epsilon)
    return min((math.cbrt(b * (1 + b) / 2) - b) / -math.expm1(-epsilon), 0.5)


def amplitude_gamma(epsilon: float) -> float:
    """The width of the first step, as a share of Δ, that gives unbounded noise the least mean |noise|.

    γ = 1/(1 + e^(ε/2)), with E|noise| = Δ e^(ε/2)/(e^ε - 1).

    Source:
        Q. Geng et al., 2015, theorem 3 (magnitude).

    Example:
        >>> round(amplitude_gamma(1.0), 4)
        0.3775
    """
    return 1 / (1 + math.exp(epsilon / 2))


def staircase_leak(nominal: float, gamma: float) -> float:
    """The exact epsilon of the naive loop with Δ = width, for real numbers.

    With b = e^(-nominal), the mass inside is γ + (1-γ)b at a bound and 2γ + (1-2γ)b in the middle, and a
    report in the first step of the one value and outside that of the other has the ratio
    e^nominal (2γ + (1-2γ)b)/(γ + (1-γ)b).

    Args:
        nominal: epsilon of the unbounded noise, > 0.
        gamma: width of the first step as a share of Δ, in (0, 1/2].

    Returns:
        nominal + ln of that quotient, in nats (to nearest).

    Example:
        >>> [round(staircase_leak(e, variance_gamma(e)), 3) for e in (0.5, 1.0, 2.0)]
        [0.706, 1.349, 2.52]
    """
    b = math.exp(-nominal)
    return nominal + math.log(2 * gamma + (1 - 2 * gamma) * b) - math.log(gamma + (1 - gamma) * b)


def staircase_weights(steps: int, nominal: float, gamma: float) -> IntArray:
    """(steps+1,) whole weights of noise 0 … steps, Δ = width: the density averaged over each cell.

    The cell of d is [d-1/2, d+1/2]; the density is 1 below γ·steps, e^(-nominal) from there on. (The
    second step would begin at (1+γ)·steps, out of reach.)

    Example:
        >>> weights = staircase_weights(4, 1.0, 0.375)
        >>> round(float(weights[1] / weights[2]), 6)
        2.718282
    """
    inner = np.clip(gamma * steps - (np.arange(steps + 1) - 0.5), 0, 1)
    inner[0] = min(1.0, 2 * gamma * steps)
    density = inner + (1 - inner) * math.exp(-nominal)
    return noise_table.whole_weights(density / density[0])


@dataclass(frozen=True, slots=True)
class NaiveStaircase(noise_table.Redrawn):
    """Staircase noise at a nominal epsilon, redrawn until inside; `epsilon` is what it truly leaks.

    Kept to reproduce published experiments. For a promise use `CalibratedStaircase`.

    Args:
        grid: bounds and resolution; Δ is the width.
        nominal: epsilon of the unbounded noise, in [1e-9, 700].
        gamma: width of the first step as a share of Δ, in (0, 1/2]; None: least variance.

    Raises:
        ParameterError: a parameter outside its range. Remedy: choose one inside.

    Source:
        Q. Geng, P. Kairouz, S. Oh, P. Viswanath, IEEE JSTSP 9(7), 2015, section III.

    Example:
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> 1.34 < NaiveStaircase(Grid(0.0, 1.0, steps=1024), nominal=1.0).epsilon < 1.36
        True
    """

    name: ClassVar[str] = "naive staircase"

    grid: Grid
    nominal: float
    gamma: float | None = None
    epsilon: float = field(init=False, repr=False, compare=False)
    weights: IntArray = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        nominal = check_epsilon(self.nominal)
        gamma = _gamma(self.gamma, nominal)
        weights = staircase_weights(self.grid.steps, nominal, gamma)
        object.__setattr__(self, "nominal", nominal)
        object.__setattr__(self, "gamma", None if self.gamma is None else gamma)
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "epsilon", noise_table.exact_epsilon(weights))


@dataclass(frozen=True, slots=True)
class CalibratedStaircase(noise_table.Redrawn):
    """Staircase noise redrawn until inside, at the nominal value whose exact leak is at most epsilon.

    Proof: the largest ratio of the probabilities that are sampled is computed; the nominal value is lowered
    until it is at most e^epsilon.

    Args:
        grid: bounds and resolution; Δ is the width.
        epsilon: asked, in nats, in [1e-9, 700]; then the exact one of what is sampled, which is not above it.
        gamma: width of the first step as a share of Δ, in (0, 1/2]; None: least variance.

    Raises:
        ParameterError: a parameter outside its range. Remedy: choose one inside.

    Source:
        Q. Geng, P. Kairouz, S. Oh, P. Viswanath, IEEE JSTSP 9(7), 2015, section III.

    Example:
        >>> from sfumato.mechanism.local.numeric.grid import Grid
        >>> mechanism = CalibratedStaircase(Grid(0.0, 1.0, steps=64), epsilon=1.0)
        >>> mechanism.nominal < 0.75, 0.999999 < mechanism.epsilon <= 1
        (True, True)
    """

    name: ClassVar[str] = "calibrated staircase"

    grid: Grid
    epsilon: float
    gamma: float | None = None
    nominal: float = field(init=False, repr=False, compare=False)
    weights: IntArray = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        gamma = None if self.gamma is None else _gamma(self.gamma, 1.0)
        nominal, exact, weights = _calibrate(self.grid.steps, check_epsilon(self.epsilon), gamma)
        object.__setattr__(self, "gamma", gamma)
        object.__setattr__(self, "nominal", nominal)
        object.__setattr__(self, "epsilon", exact)
        object.__setattr__(self, "weights", weights)


def _gamma(gamma: float | None, nominal: float) -> float:
    """The given share, checked, or the one of least variance."""
    if gamma is None:
        return variance_gamma(nominal)
    if not isinstance(gamma, int | float | np.number) or isinstance(gamma, bool) or not 0 < gamma <= 0.5:
        raise ParameterError(
            "gamma must lie in (0, 1/2]; got {gamma!r}.", "leave it out for the least variance.", gamma=gamma
        )
    return float(gamma)


def _calibrate(steps: int, epsilon: float, gamma: float | None) -> tuple[float, float, IntArray]:
    """The largest nominal value found whose exact leak is at most epsilon; that leak; the weights.

    The leak grows with the nominal value. Secants approach epsilon from both sides; a secant that leaves
    the interval between a nominal value that holds and one that does not is replaced by its middle.
    """
    low, high, guess, slope, last = 0.0, epsilon, epsilon, 1.0, (0.0, 0.0)
    best: tuple[float, float, IntArray] | None = None
    for trial in range(_ROUNDS + 50):
        weights = staircase_weights(steps, guess, _gamma(gamma, guess))
        exact = noise_table.exact_epsilon(weights)
        if exact <= epsilon:
            low, best = guess, (guess, exact, weights)
        else:
            high = guess
        if best is not None and (epsilon - best[1] <= _NEAR * epsilon or best[0] == epsilon or trial >= _ROUNDS):
            return best
        slope = (exact - last[1]) / (guess - last[0]) if exact > last[1] and guess != last[0] else slope
        last = (guess, exact)
        step = guess + (epsilon * (1 - _NEAR / 2) - exact) / slope
        guess = step if low < step < high else (low + high) / 2
    raise ParameterError(
        "epsilon={epsilon!r} is too small for {steps} steps.",
        "raise epsilon, or use fewer steps.",
        epsilon=epsilon,
        steps=steps,
    )
