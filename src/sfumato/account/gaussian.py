"""The exact (ε, δ) of discrete Gaussian noise on one total.

δ(ε) = P[X >= a] - e^ε P[X >= a + Δ] with a the least integer above εσ²/Δ - Δ/2: the noise X and the noise moved by Δ
differ by more than e^ε from there on. Tails are summed with integers, from both sides.
"""

from __future__ import annotations

import math
from fractions import Fraction

from sfumato.account.concentrated import cdp_epsilon
from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.numbers.check import checked, checked_delta
from sfumato.numbers.enclosure import Bound, Interval, exp_between, exp_bound, up

_BITS = 192
"""After the point, in sums."""
_FINE = 512
"""Blocks of terms in one σ, beyond σ = 1024."""
_LOOK = 16
"""Blocks between two looks at whether the rest is negligible."""
_TOLERANCE = 1e-8
_TRIES = 60


def gaussian_delta(
    epsilon: str | float | Fraction, squared_scale: str | float | Fraction, squared_sensitivity: str | float | Fraction
) -> Fraction:
    """The δ(ε) of discrete Gaussian noise on one whole number, rounded up.

    For σ < 1024 every term is summed and the result is δ(ε) to 15 digits. For larger σ terms are summed in blocks as
    geometric sums, and each tail is bounded within 5 · 10⁻⁷ of itself.

    Proof: the likelihood ratio of X and X + Δ is monotone, so δ(ε) is reached on a half-line, and the power of
    the test {X >= t} grows with the shift: smaller shifts of the total have no larger δ. A whole number cannot move
    by more than the whole part of the sensitivity.

    Args:
        epsilon: >= 0.
        squared_scale: σ² > 0.
        squared_sensitivity: Δ² >= 0.

    Returns:
        δ in [0, 1].

    Raises:
        ParameterError: a number outside its range. Remedy: give one inside.

    Source:
        C. Canonne, G. Kamath, T. Steinke, "The Discrete Gaussian for Differential Privacy", NeurIPS 2020,
        theorem 7.

    Example:
        >>> round(float(gaussian_delta(1, 16, 1)), 7)
        3.1e-06
    """
    epsilon = checked("epsilon", epsilon)
    law = _Law.of(checked("squared_scale", squared_scale, above_zero=True))
    return law.delta(epsilon, whole_root(checked("squared_sensitivity", squared_sensitivity)))


def gaussian_epsilon(
    delta: str | float | Fraction, squared_scale: str | float | Fraction, squared_sensitivity: str | float | Fraction
) -> Fraction:
    """The least ε found with δ(ε) <= delta, for discrete Gaussian noise on one whole number; never too small.

    A secant search (Illinois) between 0 and the ε of zero-concentrated differential privacy; each candidate is judged
    by `gaussian_delta`, to 10⁻⁸ of itself.

    Args:
        delta: in (0, 1).
        squared_scale: σ² > 0.
        squared_sensitivity: Δ² >= 0.

    Raises:
        ParameterError: a number outside its range. Remedy: choose delta far below 1 / (number of persons).

    Example:
        >>> epsilon = gaussian_epsilon("1e-6", 16, 1)
        >>> gaussian_delta(epsilon, 16, 1) <= Fraction(1, 10**6), round(float(epsilon), 3)
        (True, 1.063)
    """
    delta, squared_scale = checked_delta(delta), checked("squared_scale", squared_scale, above_zero=True)
    shift = whole_root(checked("squared_sensitivity", squared_sensitivity))
    law = _Law.of(squared_scale)
    high = cdp_epsilon(shift**2 / (2 * squared_scale), delta)
    if law.delta(Fraction(0), shift) <= delta:
        return Fraction(0)
    return _search(law, shift, delta, high) if law.delta(high, shift) <= delta else high


def gaussian_tail(least: int, squared_scale: str | float | Fraction) -> Fraction:
    """P(X >= least) of discrete Gaussian noise, rounded up: to 15 digits or better for σ < 1024, within 5 · 10⁻⁷ above.

    Args:
        least: a whole number.
        squared_scale: σ² > 0.

    Raises:
        ParameterError: a scale outside its range. Remedy: count in a coarser unit.

    Example:
        >>> round(float(gaussian_tail(2, 1)), 4)
        0.0586
    """
    return min(_Law.of(checked("squared_scale", squared_scale, above_zero=True)).at_least(least)[1], Fraction(1))


def whole_root(squared: Fraction) -> int:
    """The whole part of the square root.

    Example:
        >>> whole_root(Fraction(17, 2))
        2
    """
    return math.isqrt(math.floor(squared))


def _search(law: _Law, shift: int, delta: Fraction, high: Fraction) -> Fraction:
    """The least kept ε in (0, high]; δ(0) is too much and δ(high) is not."""
    low = Fraction(0)
    target = _log(delta)
    at_low, at_high = _log(law.delta(low, shift)) - target, _log(law.delta(high, shift)) - target
    for _ in range(_TRIES):
        if high - low <= _TOLERANCE * high:
            break
        share = at_low / (at_low - at_high) if at_low > at_high else 0.5
        middle = up(low + (high - low) * Fraction(min(max(share, 0.001), 0.999)))
        value = _log(law.delta(middle, shift)) - target
        if value <= 0:
            high, at_high, at_low = middle, value, at_low / 2
        else:
            low, at_low, at_high = middle, value, at_high / 2
    return high


def _log(x: Fraction) -> float:
    """ln(x) in floats, for the search only."""
    return math.log(x.numerator) - math.log(x.denominator) if x > 0 else -1e9


@dataclass(frozen=True, slots=True)
class _Law:
    """A discrete Gaussian law: σ² and the sum of e^(-x²/2σ²) over all integers."""

    squared_scale: Fraction
    total: Interval

    @classmethod
    def of(cls, squared_scale: Fraction) -> _Law:
        """The law, with its sum from both sides."""
        low, high = _tail_sum(1, squared_scale)
        return cls(squared_scale, (1 + 2 * low, 1 + 2 * high))

    def delta(self, epsilon: Fraction, shift: int) -> Fraction:
        """δ(ε) for a shift, rounded up."""
        if shift == 0:
            return Fraction(0)
        start = math.floor(epsilon * self.squared_scale / shift - Fraction(shift, 2)) + 1
        gain, loss = self.at_least(start)[1], self.at_least(start + shift)[0]
        return min(max(up(gain - exp_between(epsilon)[0] * loss), Fraction(0)), Fraction(1))

    def at_least(self, m: int) -> Interval:
        """Bounds of P[X >= m]."""
        if m <= 0:
            low, high = self.at_least(1 - m)
            return 1 - high, 1 - low
        low, high = _tail_sum(m, self.squared_scale)
        return low / self.total[1], high / self.total[0]


def _tail_sum(m: int, squared_scale: Fraction) -> Interval:
    """Bounds of the sum of e^(-x²/2σ²) over x >= m, for m >= 1."""
    size = max(1, math.isqrt(math.floor(squared_scale)) // _FINE)
    first_low, first_high = exp_between(-Fraction(m * m) / (2 * squared_scale))
    low, high = _relative_sum(m, squared_scale, size) if size > 1 else _term_by_term(m, squared_scale)
    return first_low * Fraction(low, 1 << _BITS), first_high * Fraction(high, 1 << _BITS)


def _term_by_term(m: int, squared_scale: Fraction) -> Bound:
    """Bounds of 2ʷ Σ_(j >= 0) e^(-mj/σ²) e^(-j²/2σ²): each term and each quotient of two is the one before times a number."""
    low = high = j = 0
    (f_low, f_high), (turn_low, turn_high) = (1 << _BITS, 1 << _BITS), _exp(Fraction(1), squared_scale)
    step_low, step_high = _exp(m + Fraction(1, 2), squared_scale)
    rest = 0  # asked for when the first term of it is small enough: it is never below that
    while (
        f_high > high >> 80
        or (rest := _quotient((f_low, f_high), _exp(Fraction(m + j), squared_scale))[1]) > high >> 80
    ):
        for _ in range(_LOOK):
            low, high = low + f_low, high + f_high
            f_low, f_high = f_low * step_low >> _BITS, (f_high * step_high >> _BITS) + 1
            step_low, step_high = step_low * turn_low >> _BITS, (step_high * turn_high >> _BITS) + 1
        j += _LOOK
    return low, high + rest


def _relative_sum(m: int, squared_scale: Fraction, size: int) -> Bound:
    """Bounds of 2ʷ Σ_(j >= 0) e^(-mj/σ²) e^(-j²/2σ²), in blocks of so many terms.

    The terms of a block are f e^(-(m + j)i/σ²) e^(-i²/2σ²), 0 <= i < size, with f the first of them. With
    c = (size - 1)/2, i² lies between 2ci - c² (its tangent) and 2ci (its chord). So the block lies between
    f (1 - g^size)/(1 - g), g = e^(-(m + j + c)/σ²), and e^(c²/2σ²) times that. All terms from a block on are together
    less than f/(1 - e^(-(m + j)/σ²)).
    """
    center = Fraction(size - 1, 2)
    f, g = (1 << _BITS, 1 << _BITS), _exp(m + center, squared_scale)
    power, step = _exp((m + center) * size, squared_scale), _exp(m * size + Fraction(size * size, 2), squared_scale)
    turn, turns = _exp(Fraction(size), squared_scale), _exp(Fraction(size * size), squared_scale)
    low = high = blocks = 0
    while True:
        if blocks % _LOOK == 0:
            rest = _quotient(f, _exp(Fraction(m + blocks * size), squared_scale))[1]
            if rest <= high >> 80:
                break
        block = _quotient(_times(f, _complement(power)), g)
        low, high = low + block[0], high + block[1]
        f, step = _times(f, step), _times(step, turns)
        g, power, blocks = _times(g, turn), _times(power, turns), blocks + 1
    slack = exp_between(center**2 / (2 * squared_scale))[1]
    return low, math.ceil(high * slack) + rest


def _exp(x: Fraction, squared_scale: Fraction) -> Bound:
    """Bounds of 2ʷ e^(-x/σ²)."""
    return exp_bound(x / squared_scale, _BITS) if x > 0 else (1 << _BITS, 1 << _BITS)


def _times(a: Bound, b: Bound) -> Bound:
    """Bounds of a product."""
    return a[0] * b[0] >> _BITS, (a[1] * b[1] >> _BITS) + 1


def _complement(a: Bound) -> Bound:
    """Bounds of 1 - a."""
    return (1 << _BITS) - a[1], (1 << _BITS) - a[0]


def _quotient(a: Bound, g: Bound) -> Bound:
    """Bounds of a / (1 - g)."""
    low, high = _complement(g)
    if low <= 0:
        raise ParameterError("`squared_scale` is too large for an exact sum.", "count in a coarser unit.")
    return (a[0] << _BITS) // high, (a[1] << _BITS) // low + 1
