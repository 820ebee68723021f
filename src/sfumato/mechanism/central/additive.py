"""Noise that is added to whole totals: its laws, how much a price buys, and what every mechanism of it has."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sfumato.account.calibration import gaussian_scale, scale_for_rho
from sfumato.account.event import ApproxDP, DiscreteGaussianNoise, DiscreteLaplaceNoise, PureDP, checked_price
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.mechanism.central.estimate import Estimate
from sfumato.mechanism.central.tail import gaussian_half_width, laplace_half_width, laplace_half_width_of_two
from sfumato.noise.discrete_gaussian import discrete_gaussian
from sfumato.noise.discrete_laplace import checked_scale, discrete_laplace
from sfumato.numbers.check import checked_confidence

if TYPE_CHECKING:
    from sfumato.account.event import Event, Price
    from sfumato.mechanism.central.sensitivity import Sensitivity
    from sfumato.noise.bits import Bits
    from sfumato.summary.bounded import Term
    from sfumato.types import FloatArray, IntArray

SATURATION = 2**62
"""Totals are clamped to ± this, so that totals with noise fit 64 bits."""


@dataclass(frozen=True, slots=True)
class LaplaceLaw:
    """Discrete Laplace noise, P(x) ∝ e^(-|x|/scale)."""

    scale: Fraction

    def draw(self, n: int, *, bits: Bits) -> IntArray:
        """(n,) int64."""
        return discrete_laplace(n, self.scale, bits=bits)

    def half_width(self, confidence: float | Fraction) -> int:
        """The least whole a with P(|noise| <= a) >= confidence."""
        return laplace_half_width(self.scale, confidence)

    @property
    def mean_error(self) -> float:
        """E|noise| = 2q/(1 - q²), q = e^(-1/scale).

        Example:
            >>> round(LaplaceLaw(Fraction(10)).mean_error, 2)
            9.98
        """
        q = math.exp(-1 / self.scale)
        return 2 * q / (1 - q * q)

    @property
    def variance(self) -> float:
        """2q/(1 - q)², q = e^(-1/scale)."""
        q = math.exp(-1 / self.scale)
        return 2 * q / (1 - q) ** 2

    def half_width_of_two(self, confidence: float | Fraction) -> int:
        """The least whole y with P(|noise| + |another| <= y) >= confidence."""
        return laplace_half_width_of_two(self.scale, confidence)


@dataclass(frozen=True, slots=True)
class GaussianLaw:
    """Discrete Gaussian noise, P(x) ∝ e^(-x²/2σ²); sigma is rational."""

    sigma: Fraction

    def draw(self, n: int, *, bits: Bits) -> IntArray:
        """(n,) int64."""
        return discrete_gaussian(n, self.sigma, bits=bits)

    def half_width(self, confidence: float | Fraction) -> int:
        """The least whole a with P(|noise| <= a) >= confidence."""
        return gaussian_half_width(self.sigma**2, confidence)

    @property
    def mean_error(self) -> float:
        """E|noise|, as of continuous noise: σ √(2/π)."""
        return float(self.sigma) * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> float:
        """σ², never below the variance of the noise."""
        return float(self.sigma) ** 2

    def half_width_of_two(self, confidence: float | Fraction) -> int:
        """A whole y with P(|noise| + |another| <= y) >= confidence, by the union bound."""
        return 2 * self.half_width(each_confidence(confidence, 2))


Law: TypeAlias = LaplaceLaw | GaussianLaw


@dataclass(frozen=True, slots=True)
class AdditiveNoise:
    """Noise of one law for every total, and what it costs.

    Args:
        law: of each total's noise.
        event: the price, at most what was offered.
    """

    law: Law
    event: Event

    @property
    def name(self) -> str:
        """What it is called."""
        return f"discrete {'Laplace' if isinstance(self.law, LaplaceLaw) else 'Gaussian'} mechanism"

    def add(self, totals: IntArray, *, bits: Bits) -> IntArray:
        """Noisy totals, same shape; every total gets noise of its own.

        Args:
            totals: int64, absolute value at most 2⁶².
            bits: source of chance.
        """
        return totals + self.law.draw(totals.size, bits=bits).reshape(totals.shape)


class Additive(ABC):
    """A mechanism that adds noise of one law to totals: as much as its price buys for its sensitivity.

    One that is made of it is a frozen dataclass with `price` and `noise`; it says its `sensitivity` and its `terms`, and
    has `decide`.
    """

    __slots__ = ()

    price: Price
    noise: AdditiveNoise

    def __post_init__(self) -> None:
        self._check()
        object.__setattr__(self, "noise", noise_for(self.price, self.sensitivity))

    def _check(self) -> None:  # noqa: B027 - most have nothing to refuse
        """Refuse parameters that no noise makes private."""

    @property
    @abstractmethod
    def sensitivity(self) -> Sensitivity:
        """How far one person moves the totals to which noise is added."""

    @property
    @abstractmethod
    def terms(self) -> tuple[Term, ...]:
        """The totals that are read."""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.noise.name

    @property
    def event(self) -> Event:
        """The price, fixed before data are seen."""
        return self.noise.event

    @property
    def argument(self) -> str:
        """Why the noise suffices."""
        return self.sensitivity.sentence


def noise_for(price: Price, sensitivity: Sensitivity) -> AdditiveNoise:
    """The noise that a price buys.

    - PureDP(ε): discrete Laplace of scale L1/ε, exactly.
    - ZeroConcentratedDP(ρ): discrete Gaussian with σ² = L2²/2ρ, rounded up so that σ is rational.
    - ApproxDP(ε, δ): discrete Gaussian, calibrated on the exact δ(ε) where one person changes one total, and through
      zero-concentrated differential privacy otherwise.

    Args:
        price: positive.
        sensitivity: of the totals.

    Raises:
        ParameterError: a price of 0, or noise so large that it would not fit 64 bits. Remedy: a coarser step of the
            declared range.

    Source:
        Ghosh, Roughgarden, Sundararajan, STOC 2009; Canonne, Kamath, Steinke, NeurIPS 2020.

    Example:
        >>> from sfumato.mechanism.central.sensitivity import Sensitivity
        >>> noise_for(PureDP(Fraction(1, 2)), Sensitivity(6, 18, 2, "")).law
        LaplaceLaw(scale=Fraction(12, 1))
    """
    price, changed = checked_price(price), sensitivity.coordinates
    if isinstance(price, PureDP):
        scale = checked_scale(sensitivity.l1 / price.epsilon)
        return AdditiveNoise(LaplaceLaw(scale), DiscreteLaplaceNoise(scale, Fraction(sensitivity.l1), changed))
    square = Fraction(sensitivity.squared_l2)
    if isinstance(price, ApproxDP):
        needed = gaussian_scale(price.epsilon, price.delta, square, coordinates=changed)
        return AdditiveNoise(GaussianLaw(_sigma(needed)), price)
    needed = scale_for_rho(price.rho, square)
    return AdditiveNoise(GaussianLaw(_sigma(needed)), DiscreteGaussianNoise(needed, square, changed))


def checked_totals(totals: IntArray, terms: int, groups: int | None) -> IntArray:
    """The totals, if their public shape is the one that was asked for.

    Raises:
        ParameterError: another shape or type. Remedy: hand over the totals of this mechanism's own terms.
    """
    fits = totals.ndim == 2 and totals.dtype == np.int64 and totals.shape[0] == terms
    if not fits or (groups is not None and totals.shape[1] != groups):
        raise ParameterError(
            "Totals must be int64 of shape ({terms}, {shown}); got {dtype} of shape {shape}.",
            "hand over the totals of this mechanism's own terms and groups.",
            terms=terms,
            shown="groups" if groups is None else groups,
            dtype=totals.dtype,
            shape=totals.shape,
        )
    return totals


def each_confidence(confidence: float | Fraction, parts: int) -> Fraction:
    """What each of several noises must keep so that all together keep the confidence (union bound).

    Raises:
        ParameterError: confidence outside (0, 1). Remedy: use 0.95, say.

    Example:
        >>> each_confidence(0.9, 2)
        Fraction(19, 20)
    """
    return 1 - (1 - checked_confidence(confidence)) / parts


def in_units(numbers: FloatArray, unit: Fraction) -> FloatArray:
    """Whole numbers of a unit as floats.

    Example:
        >>> in_units(np.array([3.0, -1.0]), Fraction(1, 10)).tolist()
        [0.3, -0.1]
    """
    return np.asarray(numbers * float(unit.numerator) / float(unit.denominator), np.float64)


def outward(low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ends moved apart by more than the rounding of a dozen operations.

    Example:
        >>> low, high = outward(np.array([0.0, 1.0]), np.array([0.0, 2.0]))
        >>> bool(np.all(low <= [0, 1]) and low[1] < 1 and high[1] > 2 and low[0] == 0)
        True
    """
    return low - np.abs(low) * 2.0**-48, high + np.abs(high) * 2.0**-48


def quotient(top: FloatArray, whole: FloatArray, otherwise: float = np.nan) -> FloatArray:
    """Each top / whole, and another value where the whole is not above 0.

    Example:
        >>> quotient(np.array([1.0, 1.0]), np.array([4.0, 0.0])).tolist()
        [0.25, nan]
    """
    return np.asarray(np.divide(top, whole, out=np.full(whole.shape, otherwise), where=whole > 0), np.float64)


def interval_around(noisy: IntArray, reach: int, unit: Fraction, confidence: float) -> Estimate:
    """Noisy whole numbers of a unit, with the ends that the noise reaches.

    Example:
        >>> interval_around(np.array([5]), 2, Fraction(1), 0.9).low.tolist()[0] <= 3
        True
    """
    values = noisy.astype(np.float64)
    low, high = outward(in_units(values - reach, unit), in_units(values + reach, unit))
    return Estimate(in_units(values, unit), low, high, confidence)


def saturate(number: int) -> int:
    """A whole number clamped to ±2⁶².

    Example:
        >>> saturate(2**70) == 2**62
        True
    """
    return max(-SATURATION, min(SATURATION, number))


def _sigma(squared: Fraction) -> Fraction:
    """The exact root of a rational square, in the sampler's range."""
    root = Fraction(math.isqrt(squared.numerator), math.isqrt(squared.denominator))
    return checked_scale(root, "sigma", 2**51)


def clipped(found: Estimate, least: IntArray | float, most: IntArray | float) -> Estimate:
    """Numbers and intervals, clipped to what is possible.

    Example:
        >>> clipped(Estimate(np.array([-2.0]), np.array([-5.0]), np.array([1.0]), 0.9), 0, 9)
        Estimate(values=array([0.]), low=array([0.]), high=array([1.]), confidence=0.9)
    """
    values, low, high = (np.clip(part, least, most) for part in (found.values, found.low, found.high))
    return Estimate(values, low, high, found.confidence)
