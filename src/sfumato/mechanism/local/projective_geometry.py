"""Projective geometry response: a point that lies on the value's hyperplane more often than not."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.guarantee.local_dp import LocalDP, check_epsilon
from sfumato.mechanism.local.check import check_domain, check_reports, check_values
from sfumato.mechanism.local.coin import Coin, calibrate
from sfumato.mechanism.local.oracle import Support, variance
from sfumato.mechanism.local.plane import Space, is_prime
from sfumato.mechanism.local.wire import digest, pack_integers, seal, unpack_integers, unseal
from sfumato.noise.integers import uniform_integers
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from sfumato.guarantee.base import Guarantee
    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray

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
    return min(spaces, key=lambda space: _rare_variance(epsilon, space))


def _rare_variance(epsilon: float, space: Space) -> float:
    """Variance of a value that nobody has, for one report."""
    on, off = space.on_hyperplane, space.n_points - space.on_hyperplane
    p = on / (on + off * math.exp(-epsilon))
    q = float(_other(Fraction(p), space))
    return float(variance(np.zeros(1), 1, Support(p, q))[0]) if q < p else math.inf


def _other(p: Fraction, space: Space) -> Fraction:
    """Q = p·on_two/on_hyperplane + (1-p)(on_hyperplane - on_two)/(K - on_hyperplane)."""
    on, both = space.on_hyperplane, space.on_two
    return p * Fraction(both, on) + (1 - p) * Fraction(on - both, space.n_points - on)


@dataclass(frozen=True, slots=True)
class ProjectiveGeometryResponse:
    """Report a point of a projective space; it lies on the value's hyperplane with probability p.

    On the hyperplane all points are equally likely, and so are all off it. With c points on one plane,
    c' on two and K in all, p = c e^ε/(c e^ε+K-c), and another value's plane is hit with
    q = p c'/c + (1-p)(c-c')/(K-c), the same for every other value. A report supports the values whose plane it
    lies on. One small integer a report, an accuracy next to the optimum, and one transform for the
    server, O(n + q^t log q^t).

    Proof of ε: a point on the plane has probability p/c, one off it (1-p)/(K-c); the ratio is
    (p/(1-p))·(K-c)/c with the float p or 1-p that is sampled.

    Args:
        epsilon: asked, 1e-9 … 700; afterwards the exact one, at most the asked one.
        domain_size: k >= 2.

    Raises:
        ParameterError: epsilon or domain_size outside its range. Remedy: give them inside.

    Source:
        V. Feldman, J. Nelson, H. Nguyen and K. Talwar, "Private Frequency Estimation via Projective
        Geometry", ICML 2022, section 3 (the transform here is a Fourier transform over F_q).

    Example:
        >>> oracle = ProjectiveGeometryResponse(1.0, 100)
        >>> oracle.space.n_points, round(oracle.support.p, 4), round(oracle.support.q, 4)
        (121, 0.5731, 0.3286)
        >>> from sfumato.noise.bits import SystemBits
        >>> oracle = ProjectiveGeometryResponse(700.0, 9)
        >>> int(oracle.count_support(oracle.randomize(np.array([8, 8]), bits=SystemBits()))[8])
        2
    """

    name: ClassVar[str] = "ProjectiveGeometryResponse"

    epsilon: float
    domain_size: int
    space: Space = field(init=False, repr=False)
    coin: Coin = field(init=False, repr=False)

    def __post_init__(self) -> None:
        size, asked = check_domain(self.domain_size), check_epsilon(self.epsilon)
        space = best_space(asked, size)
        spread = Fraction(space.n_points - space.on_hyperplane, space.on_hyperplane)
        coin = calibrate(asked, asked - math.log(spread), lambda odds: odds * spread)
        object.__setattr__(self, "domain_size", size)
        object.__setattr__(self, "space", space)
        object.__setattr__(self, "coin", coin)
        object.__setattr__(self, "epsilon", log_up(coin.odds * spread))

    @property
    def exact_support(self) -> tuple[Fraction, Fraction]:
        """The p and q that are sampled, exactly."""
        return self.coin.truth, _other(self.coin.truth, self.space)

    @property
    def support(self) -> Support:
        """Here p = c e^ε/(c e^ε+K-c) and q = p c'/c + (1-p)(c-c')/(K-c)."""
        p, q = self.exact_support
        return Support(float(p), float(q))

    @property
    def bits_per_report(self) -> int:
        """ceil(log2 K)."""
        return (self.space.n_points - 1).bit_length()

    def guarantee(self) -> Guarantee:
        """The promise of one report."""
        return LocalDP(self.epsilon, self.name, "one attribute").guarantee()

    def randomize(self, values: IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64 points, the reports of n persons.

        All coordinates but the plane's pivot are free, and the pivot's makes the product 0 (on the plane,
        where the zero vector is left out) or 1 (off it, where that fixes the scale).
        """
        planes = self.space.vectors(check_values(values, self.domain_size))
        off = self.coin.toss_noise(len(planes), bits=bits)
        free = self.space.q ** (self.space.t - 1)
        numbers = np.empty(len(planes), np.int64)
        numbers[off] = uniform_integers(int(off.sum()), free, bits=bits)
        numbers[~off] = 1 + uniform_integers(int((~off).sum()), free - 1, bits=bits)
        return self.space.points(self._complete(planes, numbers, off.astype(np.int64)))

    def count_support(self, reports: IntArray) -> IntArray:
        """(k,) int64: reports on each value's hyperplane."""
        points = check_reports(reports, self.space.n_points, self.name)
        hits = np.bincount(points, minlength=self.space.n_points).astype(np.int64, copy=False)
        return self.space.count_on_hyperplanes(hits, self.domain_size)

    def to_bytes(self, reports: IntArray) -> bytes:
        """ceil(log2 K) bits a report behind a header."""
        points = check_reports(reports, self.space.n_points, self.name)
        return seal(self.name, self._digest(), len(points), pack_integers(points, self.bits_per_report))

    def from_bytes(self, data: bytes) -> IntArray:
        """The reports of a wire form, checked."""
        n, payload = unseal(self.name, self._digest(), data, self.bits_per_report)
        return check_reports(unpack_integers(payload, n, self.bits_per_report), self.space.n_points, self.name)

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

    def _digest(self) -> bytes:
        """The digest of what the server must share."""
        return digest(self.name, self.domain_size, self.space.q, self.space.t, self.coin.rare, self.coin.rare_is_noise)
