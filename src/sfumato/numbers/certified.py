"""Certified bounds: integers between which 2ʷ times a real number lies. Exponentials without trust in floats.

A bound is a pair (low, high) of integers with low <= 2ʷ x < high. The upper side is strict, so a number
just below 1 has a known integer part however close it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

Bound: TypeAlias = tuple[int, int]
Bounds: TypeAlias = "Callable[[int], list[Bound]]"
"""From the number of bits w to the bounds of several real numbers in [0, 1)."""

_GUARD = 32
"""Bits beyond the asked ones at the first try; doubled until they suffice."""


def exp_bound(x: Fraction, w: int) -> Bound:
    """Integers with low <= 2ʷ e⁻ˣ < high, nearly always adjacent.

    For y = x/2ʲ <= 1/2 the alternating series of e⁻ʸ is summed in integers of v > w bits. Cutting y to
    v bits costs less than 1 unit; every term is cut by less than 2 units, because an error is at
    least halved from one term to the next and 1 is added; the rest of the series is below its first
    term, which is below 2 when it is cut to 0. Then the bound is squared j times, outwards.

    Args:
        x: the negated exponent, > 0.
        w: bits after the point, >= 1.

    Returns:
        (low, high), 0 <= low < high <= 2ʷ.

    Example:
        >>> from fractions import Fraction
        >>> exp_bound(Fraction(1), 10)  # 1024 / e = 376.7
        (376, 377)
    """
    if x >= w:
        return 0, 1
    halvings = max(0, (2 * x).__ceil__().bit_length())
    v = w + 2 * halvings + w.bit_length() + 8
    y = (x.numerator << v) // (x.denominator << halvings)
    total, term, i = 0, 1 << v, 0
    while term:
        total += -term if i % 2 else term
        i += 1
        term = (term * y >> v) // i
    low, high = total - 2 * i - 3, total + 2 * i + 3
    for _ in range(halvings):
        low, high = low * low >> v, (high * high >> v) + 1
    return max(low >> (v - w), 0), min((high >> (v - w)) + 1, 1 << w)


def ratio_bound(top: Bound, bottom: Bound, w: int) -> Bound:
    """The bound of a/b at w bits, from the bounds of a and b > a at any common number of bits.

    Example:
        >>> ratio_bound((1, 2), (4, 5), 4)  # between 1/5 and 2/4
        (3, 9)
    """
    return (top[0] << w) // bottom[1], min(((top[1] << w) // max(bottom[0], 1)) + 1, 1 << w)


def complement_bound(bound: Bound, w: int) -> Bound:
    """The bound of 1 - x from that of an irrational x in (0, 1).

    An irrational number is no end of its bound, so 2ʷ - high < 2ʷ(1 - x) < 2ʷ - low, strictly.

    Example:
        >>> complement_bound((0, 1), 4)
        (15, 16)
    """
    return (1 << w) - bound[1], (1 << w) - bound[0]


def floors(bounds: Bounds, k: int) -> list[int]:
    """⌊2ᵏ x⌋ of every number x, certain: bounds are tightened until both ends agree.

    It ends because no x may be a multiple of 2⁻ᵏ: those that are asked for are irrational (a rational
    function, not constant, of e⁻ʳ with r rational and not 0 is transcendental, by Lindemann's theorem).

    Args:
        bounds: the numbers.
        k: bits after the point.

    Returns:
        One integer in [0, 2ᵏ) for each number.

    Example:
        >>> from fractions import Fraction
        >>> floors(lambda w: [exp_bound(Fraction(1), w)], 8)
        [94]
    """
    guard = _GUARD
    while True:
        pairs = bounds(k + guard)
        if all(low >> guard == (high - 1) >> guard for low, high in pairs):
            return [low >> guard for low, _ in pairs]
        guard *= 2
