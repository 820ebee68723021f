"""Zeros of a function of one number: a bracketed search that needs few evaluations."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_STEPS = 200
_RELATIVE_PRECISION = 2.0**-52


def find_root(function: Callable[[float], float], low: float, high: float) -> float | None:
    """A root between low and high; None when the function has one sign at both ends.

    Inverse quadratic steps where they are safe, else bisection.

    Args:
        function: continuous between the ends.
        low: one end.
        high: the other end.

    Returns:
        A point within two units in the last place of a change of sign, or None.

    Source:
        T. Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear
        function", Advances in Engineering Software 28(3), 1997.

    Example:
        >>> find_root(lambda x: x * x - 4, 0.0, 5.0)
        2.0
    """
    b, a = low, high
    fb, fa = function(b), function(a)
    if not fa * fb <= 0:
        return None
    step, c, fc = 0.5, a, fa
    for _ in range(_MOST_STEPS):
        x = a + step * (b - a)
        fx = function(x)
        if (fx > 0) == (fa > 0):
            c, fc = a, fa
        else:
            c, b, fc, fb = b, a, fb, fa
        a, fa = x, fx
        best, at_best = (a, fa) if abs(fa) < abs(fb) else (b, fb)
        width = 2 * _RELATIVE_PRECISION * abs(best) + 1e-300
        if at_best == 0 or abs(b - a) <= width:
            break
        step = min(max(_quadratic_step((a, fa), (b, fb), (c, fc)), width / abs(b - a) / 2), 1 - width / abs(b - a) / 2)
    return best


def _quadratic_step(at_a: tuple[float, float], at_b: tuple[float, float], at_c: tuple[float, float]) -> float:
    """Where on the way from a to b the inverse quadratic through three points is zero; 1/2 where it is unsafe."""
    (a, fa), (b, fb), (c, fc) = at_a, at_b, at_c
    if fc in (fa, fb) or b == c:
        return 0.5
    xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
    if not (phi * phi < xi and (1 - phi) ** 2 < 1 - xi):
        return 0.5
    return fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
