"""Which of very many places come up, each by a coin of its own: only those that do are visited."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.noise.bernoulli import digits_of, toss
from sfumato.noise.discrete_laplace import geometric
from sfumato.numbers.check import probability, whole
from sfumato.numbers.enclosure import complement_bound, exp_bound, log_between, ratio_bound

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.numbers.enclosure import Bound
    from sfumato.types import IntArray

LARGEST_SIZE = 2**50
LEAST_CHANCE = Fraction(1, 2**50)
_BATCH = 2**20
_FINEST = 2**60
_SLACK = Fraction(1, 2**20)


def rare_places(size: int, chance: Fraction, *, bits: Bits) -> IntArray:
    """The places of 0 … size - 1 whose coins come up, each independently with exactly this chance.

    Candidates come up with chance c = 1 - e^(-1/s), s rational and c slightly above the wanted chance: the places between
    two of them are then geometric with factor e^(-1/s), which is drawn exactly. Each candidate is kept with
    probability chance/c, a coin whose digits are certified. The work is in proportion to size · chance.

    Args:
        size: 1 … 2⁵⁰.
        chance: in (0, 1), at least 2⁻⁵⁰.
        bits: source of chance.

    Returns:
        (k,) int64, strictly increasing.

    Raises:
        ParameterError: a number outside its range. Remedy: give it inside.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> places = rare_places(10**12, Fraction(1, 10**10), bits=SystemBits())
        >>> bool(np.all(np.diff(places) > 0)), len(places) < 300
        (True, True)
    """
    size, exact = whole(size, "size", 1, LARGEST_SIZE), probability(chance)
    if not LEAST_CHANCE <= exact < 1:
        raise ParameterError("A chance must be at least 2^-50 and below 1.", "choose a larger one.")
    scale = candidate_scale(exact)
    found, start = [np.zeros(0, np.int64)], 0
    while start < size:
        expected = (size - start) / float(scale)
        n = min(_BATCH, int(expected + 6 * expected**0.5) + 16)
        skips = _until_past(np.minimum(geometric(n, scale, bits=bits), size), size)
        places = start + np.cumsum(skips + 1) - 1
        found.append(places[places < size])
        start = int(places[-1]) + 1
    candidates = np.concatenate(found)
    return candidates[toss(len(candidates), digits_of(lambda w: [_kept(exact, scale, w)]), bits=bits)]


def _until_past(skips: IntArray, size: int) -> IntArray:
    """The skips up to the first that certainly leaves the range, so that their sum fits 64 bits."""
    past = np.flatnonzero(np.cumsum(skips, dtype=np.float64) > 2.0 * size)
    return skips[: past[0] + 1] if len(past) else skips


def candidate_scale(chance: Fraction) -> Fraction:
    """A rational s with 1 - e^(-1/s) above the chance, by about a millionth of it.

    Example:
        >>> import math
        >>> 0.1 < 1 - math.exp(-1 / candidate_scale(Fraction(1, 10))) < 0.100001
        True
    """
    rate = -log_between(1 - chance)[0] * (1 + _SLACK)
    return Fraction((_FINEST / rate).__floor__(), _FINEST)


def _kept(chance: Fraction, scale: Fraction, w: int) -> Bound:
    """The bound of chance / (1 - e^(-1/scale))."""
    top = chance.numerator * 2**w // chance.denominator
    return ratio_bound((top, top + 1), complement_bound(exp_bound(1 / scale, w), w), w)
