"""How much noise a vertex needs that leaves at a rising threshold, and what it costs, exactly.

A vertex draws ρ once, two-sided geometric of factor q = e^(-1/S) in units of 1/F, and leaves in the first round t with
F d - ρ <= θ_t, where d counts its neighbors that are still there and θ rises by g each round. One edge costs

    ε = ln(q^(-2F) (1 - q^(F + g)) / (1 - q^g)):

the end that leaves first moves its ρ by F; the other leaves in a round that a range of at least g noises leads to, and
at most F more do with the edge. Proof: docs/proofs/private-cores.md.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import expm1, inf, log

from sfumato.errors import ParameterError
from sfumato.numbers.enclosure import exp_between

_FINEST = 64
"""Steps are at least 1/64."""
_DIGITS = 2**20
"""Scales are multiples of 2⁻²⁰."""


def default_step(epsilon: Fraction) -> Fraction:
    """The lesser of 3/ε and 4/ε², what erred little on random and real graphs; a whole number, or 1 over one.

    Example:
        >>> [str(default_step(Fraction(e))) for e in (1, 2, 4)]
        ['3', '1', '1/4']
    """
    wanted = min(3 / epsilon, 4 / epsilon**2)
    return Fraction(-(-wanted // 1)) if wanted >= 1 else Fraction(1, min(round(1 / wanted), _FINEST))


def cost(scale: float, fine: int, step: int) -> float:
    """ε of a scale S and a step g, both in units of 1/F; see above.

    Example:
        >>> round(cost(3.0, 1, 2), 3)
        0.928
    """
    return 2 * fine / scale + log(-expm1(-(fine + step) / scale)) - log(-expm1(-step / scale))


def is_enough(scale: Fraction, fine: int, step: int, epsilon: Fraction) -> bool:
    """Whether the price is certainly at most ε, by enclosures of every exponential.

    Example:
        >>> is_enough(Fraction(3), 1, 2, Fraction(1)), is_enough(Fraction(3), 1, 2, Fraction(9, 10))
        (True, False)
    """

    def power(k: int) -> tuple[Fraction, Fraction]:
        return exp_between(-k / scale)

    most = exp_between(-epsilon)[1] * (1 - power(fine + step)[0])
    return most <= power(2 * fine)[0] * (1 - power(step)[1])


@lru_cache(maxsize=256)
def least_scale(epsilon: Fraction, fine: int, step: int) -> Fraction:
    """About the least scale whose price is certainly at most ε, in units of 1/F.

    Raises:
        ParameterError: no noise makes the step cheap enough. Remedy: a larger step.

    Example:
        >>> round(float(least_scale(Fraction(1), 1, 2)), 4)
        2.6531
    """
    if log((fine + step) / step) >= float(epsilon) * (1 - 1e-9):
        raise ParameterError(
            "Thresholds that rise by {step} a round cannot be answered at this epsilon, whatever the noise.",
            "let them rise by more: log(1 + 1/step) must be below epsilon.",
            step=Fraction(step, fine),
        )
    low, high = 1e-6, 1.0
    while cost(high, fine, step) > epsilon:
        high *= 2
        if high == inf:  # pragma: no cover - the limit was checked above
            break
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if cost(middle, fine, step) > epsilon else (low, middle)
    scale = Fraction(int(high * _DIGITS) + 1, _DIGITS)
    while not is_enough(scale, fine, step, epsilon):
        scale += max(scale / 2**40, Fraction(1, _DIGITS))
    return scale
