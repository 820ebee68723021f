"""Which epsilon may be asked for, and which probability keeps it when it is sampled exactly?"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from sfumato.errors import ParameterError
from sfumato.guarantee.logarithm import log_up

MOST_EPSILON = 700.0
"""Above it e^epsilon is no float, and nothing is protected long before."""

_BELOW_ONE = 1 - 2.0**-53


def check_epsilon(epsilon: float, name: str = "epsilon") -> float:
    """The epsilon as a float, if 0 < epsilon <= 700.

    Raises:
        ParameterError: not a finite number in that range. Remedy: choose one, usually below 10.

    Example:
        >>> check_epsilon(1)
        1.0
    """
    number = isinstance(epsilon, int | float | np.number | Fraction) and not isinstance(epsilon, bool)
    if not number or not 0 < epsilon <= MOST_EPSILON:
        raise ParameterError(
            f"{name} must be a number above 0 and at most {MOST_EPSILON:g}; got {epsilon!r}.",
            f"choose {name}, usually below 10.",
        )
    return float(epsilon)


def odds_epsilon(p: float, odds: Fraction) -> float:
    """ln(odds·p/(1-p)), rounded up: the leak of a coin p against 1-p spread `odds` times wider.

    Example:
        >>> odds_epsilon(0.75, Fraction(1)) >= 1.09861228866
        True
    """
    exact = Fraction(p)
    return log_up(odds * exact / (1 - exact))


def largest_probability(epsilon: float, odds: Fraction) -> float:
    """The largest float p, at most 1-2⁻⁵³, with odds·p/(1-p) <= e^epsilon, nearly: never more.

    Args:
        epsilon: in nats, in (0, 700].
        odds: > 0; how many times more cells share 1-p than share p.

    Returns:
        p in (0, 1), above 1/(1+odds).

    Raises:
        ParameterError: no such float tells reports apart. Remedy: raise epsilon.

    Example:
        >>> round(largest_probability(1.0, Fraction(1)), 4)
        0.7311
    """
    p = min(1 / (1 + float(odds) * math.exp(-epsilon)), _BELOW_ONE)
    while odds_epsilon(p, odds) > epsilon:
        p = math.nextafter(p, 0)
    if odds * Fraction(p) <= 1 - Fraction(p):
        raise ParameterError(f"epsilon={epsilon!r} is too small for floats to tell reports apart.", "raise epsilon.")
    return p
