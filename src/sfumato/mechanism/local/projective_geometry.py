"""Projective geometry response: a point that lies on the value's hyperplane more often than not.

Points and hyperplanes are those of a projective space over a prime field. A point is a non-zero vector of F_q^t up to
scaling, written with first non-zero coordinate 1. There are (q^t-1)/(q-1) of them. The point v is read as the hyperplane of
the points u with <u, v> = 0.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.coin import Sided
from sfumato.mechanism.local.encoding import IntegerReports
from sfumato.mechanism.local.oracle import FrequencyOracle, rare_variance
from sfumato.noise.integers import uniform_integers
from sfumato.types import IntArray

if TYPE_CHECKING:
    from sfumato.mechanism.local.coin import Coin
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray


@dataclass(frozen=True, slots=True)
class Space:
    """The projective space of t coordinates over F_q.

    Args:
        q: a prime.
        t: coordinates, >= 2.

    Example:
        >>> plane = Space(3, 3)
        >>> plane.n_points, plane.on_hyperplane, plane.on_two
        (13, 4, 1)
    """

    q: int
    t: int

    @property
    def n_points(self) -> int:
        """K = (q^t-1)/(q-1)."""
        return int(self.q**self.t - 1) // (self.q - 1)

    @property
    def on_hyperplane(self) -> int:
        """Points on one hyperplane, (q^(t-1)-1)/(q-1)."""
        return int(self.q ** (self.t - 1) - 1) // (self.q - 1)

    @property
    def on_two(self) -> int:
        """Points on two different hyperplanes, (q^(t-2)-1)/(q-1)."""
        return int(self.q ** (self.t - 2) - 1) // (self.q - 1)

    def vectors(self, points: IntArray) -> IntArray:
        """(n, t) int64: the coordinates of points 0 … K-1, counted by free coordinates, then as numbers."""
        firsts = self._firsts()
        free = np.searchsorted(firsts, points, side="right") - 1
        out: IntArray = self.digits(points - firsts[free], self.t)
        out[np.arange(len(points)), self.t - 1 - free] = 1
        return out

    def points(self, vectors: IntArray) -> IntArray:
        """(n,) int64: the points of non-zero vectors, whatever their scale."""
        pivot = np.argmax(vectors != 0, axis=1)
        lead = vectors[np.arange(len(vectors)), pivot]
        free = self.t - 1 - pivot
        scaled = vectors * self.inverse(lead)[:, None] % self.q
        return np.asarray(self._firsts()[free] + self.numbers(scaled) - self._powers()[free], np.int64)

    def numbers(self, vectors: IntArray) -> IntArray:
        """(n,) int64: coordinates read as digits in base q, the first the most significant."""
        out = np.zeros(len(vectors), np.int64)
        for column in vectors.T:
            out = out * self.q + column
        return out

    def digits(self, numbers: IntArray, length: int) -> IntArray:
        """(n, length) int64: what `numbers` reads."""
        out, rest = np.empty((len(numbers), length), np.int64), numbers
        for i in reversed(range(length)):
            rest, out[:, i] = np.divmod(rest, self.q)
        return out

    def inverse(self, numbers: IntArray) -> IntArray:
        """(n,) int64: inverses in F_q, as the power q-2 (Fermat)."""
        out, base, rest = np.ones_like(numbers), numbers % self.q, self.q - 2
        while rest:
            if rest & 1:
                out = out * base % self.q
            base, rest = base * base % self.q, rest >> 1
        return out

    def count_on_hyperplanes(self, hits: IntArray, n_planes: int) -> IntArray:
        """(n_planes,) int64: how many hits lie on each of the first hyperplanes.

        Put the hits on all multiples of their points and call that h on F_q^t. Its Fourier transform at v
        is sum_u hits(u)·(q [<u, v> = 0] - 1), so the count is (transform + total)/q. It is rounded from
        floating point, whose error is far below 1/2 for fewer than 10¹² hits.

        Args:
            hits: (K,) int64.
            n_planes: how many, <= K.
        """
        planes = self.vectors(np.arange(n_planes))
        if self.t == 2:
            return hits[self.points(np.column_stack((-planes[:, 1] % self.q, planes[:, 0])))]
        transform = np.fft.rfftn(self._on_multiples(hits).reshape((self.q,) * self.t))
        flip = planes[:, -1] > self.q // 2
        planes[flip] = -planes[flip] % self.q
        found = transform[tuple(planes.T)].real
        return np.asarray(np.rint((found + hits.sum()) / self.q), np.int64)

    def _on_multiples(self, hits: IntArray) -> FloatArray:
        """(q^t,) the hits of each vector's point, by the vector read as a number; 0 at the zero vector.

        The multiples by c of the points with m free coordinates are the numbers c q^m … (c+1) q^m - 1.
        """
        out, firsts = np.zeros(self.q**self.t), self._firsts()
        for scale in range(1, self.q):
            unscaled = self.inverse(np.array([scale])) * np.arange(self.q) % self.q
            origin = np.zeros(1, np.int64)
            for free in range(self.t):
                size = len(origin)
                out[scale * size : (scale + 1) * size] = hits[firsts[free] + origin]
                origin = (unscaled[:, None] * size + origin).ravel() if free < self.t - 1 else origin
        return out

    def _powers(self) -> IntArray:
        """(t,) q^0 … q^(t-1)."""
        return np.array([self.q**i for i in range(self.t)], np.int64)

    def _firsts(self) -> IntArray:
        """(t,) the first point with 0, 1, … free coordinates."""
        return np.array([(self.q**i - 1) // (self.q - 1) for i in range(self.t)], np.int64)


def is_prime(number: int) -> bool:
    """Whether a number is prime, by trial division.

    Example:
        >>> [n for n in range(20) if is_prime(n)]
        [2, 3, 5, 7, 11, 13, 17, 19]
    """
    return number > 1 and all(number % d for d in range(2, int(number**0.5) + 1))


MOST_CELLS = 2**25
"""Size q^t of the server's transform, 256 MB of floats."""


def best_space(epsilon: float, domain_size: int) -> Space:
    """The space with at least k points whose response has the least variance of rare values.

    Primes near e^ε + 1 are best; t is the least that gives k points. Spaces whose transform would exceed
    `MOST_CELLS` are left out; t = 2 needs no transform and is randomized response over q+1 values.

    Example:
        >>> best_space(1.0, 100), best_space(3.0, 16)
        (Space(q=3, t=5), Space(q=17, t=2))
    """
    q = max(2, domain_size - 1)
    while not is_prime(q):
        q += 1
    spaces = [Space(q, 2)]
    for prime in filter(is_prime, range(2, math.isqrt(domain_size) + 2)):
        t = 3
        while Space(prime, t).n_points < domain_size:
            t += 1
        if prime**t <= MOST_CELLS:
            spaces.append(Space(prime, t))
    return min(spaces, key=lambda space: rare_variance(epsilon, Point(domain_size, space).law))


@dataclass(frozen=True, slots=True)
class Point(IntegerReports):
    """The report is a point, and supports the values on whose hyperplane it lies.

    Args:
        domain_size: k >= 2.
        space: with at least k points.
    """

    space: Space

    @property
    def n_reports(self) -> int:
        """K, the number of points."""
        return self.space.n_points

    @property
    def law(self) -> Sided:
        """With c points on one plane and c' on two: of the c, c' are on another plane too; of the K-c, c-c' are."""
        on, both, off = self.space.on_hyperplane, self.space.on_two, self.space.n_points - self.space.on_hyperplane
        return Sided(Fraction(off, on), Fraction(both, on), Fraction(on - both, off))

    def shared(self, coin: Coin) -> tuple[object, ...]:
        """The space, and the coin."""
        return self.space.q, self.space.t, coin.rare, coin.rare_is_noise

    def randomize(self, codes: IntArray, coin: Coin, *, bits: Bits) -> IntArray:
        """(n,) int64 points.

        All coordinates but the plane's pivot are free, and the pivot's makes the product 0 (on the plane,
        where the zero vector is left out) or 1 (off it, where that fixes the scale).
        """
        planes = self.space.vectors(codes)
        off = coin.toss_noise(len(planes), bits=bits)
        free = self.space.q ** (self.space.t - 1)
        numbers = np.empty(len(planes), np.int64)
        numbers[off] = uniform_integers(int(off.sum()), free, bits=bits)
        numbers[~off] = 1 + uniform_integers(int((~off).sum()), free - 1, bits=bits)
        return self.space.points(self._complete(planes, numbers, off.astype(np.int64)))

    def count_support(self, reports: IntArray) -> IntArray:
        """(k,) int64: reports on each value's hyperplane."""
        return self.space.count_on_hyperplanes(self.hits(reports), self.domain_size)

    def _complete(self, planes: IntArray, numbers: IntArray, product: IntArray) -> IntArray:
        """(n, t) vectors u with the free coordinates of `numbers` and <u, plane> = product."""
        q, t = self.space.q, self.space.t
        pivot, free = np.argmax(planes != 0, axis=1), self.space.digits(numbers, t - 1)
        out, total = np.zeros_like(planes), np.zeros(len(planes), np.int64)
        for i in range(t):
            given = np.where(i < pivot, free[:, min(i, t - 2)], free[:, i - 1])
            out[:, i] = np.where(i == pivot, 0, given)
            total = (total + out[:, i] * planes[:, i]) % q
        out[np.arange(len(planes)), pivot] = (product - total) % q
        return out


@dataclass(frozen=True, slots=True)
class ProjectiveGeometryResponse(FrequencyOracle[IntArray]):
    """Report a point of a projective space; it lies on the value's hyperplane with probability p.

    On the hyperplane all points are equally likely, and so are all off it. With c points on one plane,
    c' on two and K in all, p = c e^ε/(c e^ε+K-c), and another value's plane is hit with
    q = p c'/c + (1-p)(c-c')/(K-c), the same for every other value. A report supports the values whose plane it
    lies on. One small integer a report, an accuracy next to the optimum, and one transform for the
    server, O(n + q^t log q^t).

    Proof of ε: a point on the plane has probability p/c, one off it (1-p)/(K-c); the ratio is
    (p/(1-p))·(K-c)/c with the float p or 1-p that is sampled.

    Source:
        V. Feldman, J. Nelson, H. Nguyen and K. Talwar, "Private Frequency Estimation via Projective
        Geometry", ICML 2022, section 3 (the transform here is a Fourier transform over F_q).

    Example:
        >>> oracle = ProjectiveGeometryResponse(1.0, 100)
        >>> oracle.encoding.n_reports, round(oracle.support.p, 4), round(oracle.support.q, 4)
        (121, 0.5731, 0.3286)
        >>> from sfumato.noise.bits import SystemBits
        >>> oracle = ProjectiveGeometryResponse(700.0, 9)
        >>> int(oracle.count_support(oracle.randomize(np.array([8, 8]), bits=SystemBits()))[8])
        2
    """

    name: ClassVar[str] = "ProjectiveGeometryResponse"
    place: ClassVar[int] = 80

    @classmethod
    def encode(cls, epsilon: float, domain_size: int) -> Point:
        """A point of the best space."""
        return Point(domain_size, best_space(epsilon, domain_size))
