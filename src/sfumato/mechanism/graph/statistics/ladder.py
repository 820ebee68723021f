"""The law of the ladder: whole numbers around a true one, rung by rung, each rung e^(ε/2) times as unlikely as the one before.

Rung 0 is the true number. Rung t = 1, 2, … are the next w(a + t - 1) numbers on either side, where w never falls, a is the
*size* of the graph, which one edge changes by at most 1, and w(a) is at least as much as one edge changes the number. So the
number of a graph t edges away stands at most on rung t, a neighbor sees every number at most one rung elsewhere, and an
exponential mechanism over rungs at ε/2 is ε-differentially private.

Widths are polynomials with whole coefficients in the basis of binomials, up to a cap: w(x) = Σ c_r C(min(x, cap), r). Then
rungs are drawn exactly: by C(a + s, r) = Σ_j C(s, j) C(a, r - j) the law of s = t - 1 is a mixture, over j, of j and a sum of
j + 1 geometric numbers; what the cap takes away is refused and drawn again.

Source: J. Zhang, G. Cormode, C. Procopiuc, D. Srivastava, X. Xiao, "Private Release of Graph Statistics using Ladder
Functions", SIGMOD 2015, definitions 4.1 to 4.3. Proof: docs/proofs/graph-statistics.md.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from fractions import Fraction
from functools import cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.noise.bernoulli import bernoulli
from sfumato.noise.bits import narrow
from sfumato.noise.discrete_laplace import geometric, invert
from sfumato.noise.integers import uniform_integers
from sfumato.numbers.enclosure import complement_bound, exp_bound, floors, ratio_bound

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.numbers.enclosure import Bound
    from sfumato.types import FloatArray

_FINER = 64
"""Bits beyond those asked for, so that sums of bounds stay tight."""
_STEP = 1.05
"""Sizes are looked at in steps of a twentieth for the worst interval."""
_GENEROUS = 1 - 1e-9
"""Tails are computed in floats: by so much less may they be than what is allowed."""


@dataclass(frozen=True, slots=True)
class Widths:
    """How wide rungs are.

    Args:
        coefficients: c_0, c_1, …, whole numbers >= 0, not all 0.
        cap: from which size on widths rise no more, >= 0.
    """

    coefficients: tuple[int, ...]
    cap: int

    def at(self, size: int) -> int:
        """w(size).

        Example:
            >>> Widths((0, 1), cap=10).at(3), Widths((0, 0, 2), cap=10).at(99)
            (3, 90)
        """
        return self._without_cap(min(size, self.cap))

    def below(self, size: int, rungs: int) -> int:
        """w(size) + … + w(size + rungs - 1): how far the rungs reach on one side.

        Example:
            >>> Widths((0, 1), cap=5).below(3, 4)
            17
        """
        rising = min(max(self.cap - size, 0), rungs)
        up = sum(
            c * (math.comb(size + rising, r + 1) - math.comb(size, r + 1)) for r, c in enumerate(self.coefficients)
        )
        return up + (rungs - rising) * self._without_cap(self.cap)

    def shares(self, size: int) -> list[int]:
        """B_0, B_1, … such that w(size + s) = Σ B_j C(s, j) while it is not capped.

        Example:
            >>> Widths((0, 1), cap=10).shares(3)
            [3, 1]
        """
        many = len(self.coefficients)
        return [sum(self.coefficients[r] * math.comb(size, r - j) for r in range(j, many)) for j in range(many)]

    def kept(self, size: int) -> Fraction:
        """The part of w(size) without a cap that the cap leaves."""
        whole = self._without_cap(size)
        return Fraction(self.at(size), whole) if whole else Fraction(1)

    def _without_cap(self, size: int) -> int:
        return sum(c * math.comb(size, r) for r, c in enumerate(self.coefficients))


def climb(value: int, size: int, widths: Widths, epsilon: Fraction, *, bits: Bits) -> int:
    """A number around the value, from the ladder's law exactly.

    Args:
        value: the true number.
        size: a.
        widths: of rungs, each below 2⁶³.
        epsilon: > 0.
        bits: source of chance.

    Example:
        >>> from sfumato.noise.bits import SystemBits
        >>> climb(7, 3, Widths((0, 1), cap=10), Fraction(10**4), bits=SystemBits())
        7
    """
    step = _step(size, widths, epsilon, bits)
    if step is None:
        return value
    inside = int(uniform_integers(1, widths.at(size + step), bits=bits)[0])
    away = widths.below(size, step) + 1 + inside
    return value + away if narrow(1, np.uint8, bits=bits)[0] & 1 else value - away


def _step(size: int, widths: Widths, epsilon: Fraction, bits: Bits) -> int | None:
    """The rung less 1, or None for rung 0."""
    shares = widths.shares(size)
    cuts = cache(lambda k: floors(lambda w: _cumulated(shares, epsilon / 2, w), k))
    while True:
        part = int(invert(1, cuts, bits=bits)[0])
        if part == 0:
            return None
        step = part - 1 + int(geometric(part, 2 / epsilon, bits=bits).sum())
        if bernoulli(1, widths.kept(size + step), bits=bits)[0]:
            return step


def _cumulated(shares: list[int], x: Fraction, w: int) -> list[Bound]:
    """Bounds of the chances of rung 0, or of it and the first parts of the mixture; the last, 1, left out.

    Rung 0 weighs 1 and part j weighs 2 B_j q^(j+1)/(1-q)^(j+1), q = e^-x; all are multiplied by (1-q)^R.
    """
    fine = w + _FINER + sum(share.bit_length() for share in shares)
    q = exp_bound(x, fine)
    p, many = complement_bound(q, fine), len(shares)
    weights = [_power(p, many, fine)]
    for j, share in enumerate(shares):
        low, high = _product(_power(q, j + 1, fine), _power(p, many - j - 1, fine), fine)
        weights.append((2 * share * low, 2 * share * high))
    sums = list(accumulate(weights, lambda one, other: (one[0] + other[0], one[1] + other[1])))
    return [ratio_bound(part, sums[-1], w) for part in sums[:-1]]


def _power(base: Bound, exponent: int, w: int) -> Bound:
    """The bound of x^exponent."""
    out = 1 << w, 1 << w
    for _ in range(exponent):
        out = _product(out, base, w)
    return out


def _product(one: Bound, other: Bound, w: int) -> Bound:
    """The bound of x y, both in [0, 1]."""
    return one[0] * other[0] >> w, (one[1] * other[1] >> w) + 1


def farthest(most: int, widths: Widths, epsilon: Fraction, missed: Fraction) -> int:
    """How far from the true number a draw is at most, but for a chance `missed`, whatever the size up to `most`.

    Given that rung 0 is left, larger sizes make high rungs less likely (widths are log-concave, so the ratio of two laws
    falls with the rung), and a cap too. So for sizes from b to c the rung is at most that of b, and the reach that of c.

    Args:
        most: largest size, >= 0.
        widths: log-concave.
        epsilon: of the ladder.
        missed: in (0, 1).

    Example:
        >>> farthest(0, Widths((0, 1), cap=10**6), Fraction(1), Fraction(1, 20))
        55
    """
    sizes = [0]
    while sizes[-1] < most:
        sizes.append(min(max(sizes[-1] + 1, math.floor(sizes[-1] * _STEP)), most))
    steps = _steps(np.array([widths.shares(size) for size in sizes], np.float64), float(epsilon) / 2, float(missed))
    reach = [widths.below(high, step + 1) for high, step in zip([*sizes[1:], sizes[-1]], steps, strict=True)]
    return max(reach)


def _steps(shares: FloatArray, x: float, missed: float) -> list[int]:
    """For each row of shares the least s with P(step > s, given that rung 0 is left) <= missed."""
    log_q, log_p, many = -x, math.log(-math.expm1(-x)), shares.shape[1]
    order = np.arange(many)
    with np.errstate(divide="ignore"):
        logs = np.log(shares) + order * (log_q - log_p)
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)

    def tails(trials: int) -> FloatArray:
        """Of each part j: at most j successes of chance 1 - q in so many trials."""
        each = [
            math.exp(math.log(math.comb(trials, i)) + i * log_p + (trials - i) * log_q) if i <= trials else 0.0
            for i in order.tolist()
        ]
        return np.asarray(np.minimum(np.cumsum(each), 1.0), np.float64)

    def holds(row: FloatArray, step: int) -> bool:
        return float(row @ tails(step + 1)) <= missed * _GENEROUS

    high = 1
    while not all(holds(row, high) for row in weights):
        high *= 2
    return [bisect_left(range(high), True, key=partial(holds, row)) for row in weights]
