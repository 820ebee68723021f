"""Points and hyperplanes of a projective space over a prime field: the arithmetic of projective geometry response.

A point is a non-zero vector of F_q^t up to scaling, written with first non-zero coordinate 1. There are
(q^t-1)/(q-1) of them. The point v is read as the hyperplane of the points u with <u, v> = 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass

if TYPE_CHECKING:
    from sfumato.types import FloatArray, IntArray


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
