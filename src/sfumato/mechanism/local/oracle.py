"""What all frequency oracles are: an encoding and a coin; and the one estimator that serves them.

A report *supports* a set of values. An oracle is known by two numbers: p, the probability that the
report of a person with value v supports v, and q, that it supports v when the value is another. The
counts of support are sums, so they merge by addition.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, cast

import numpy as np

from sfumato.errors import ParameterError
from sfumato.frozen import dataclass
from sfumato.guarantee.local_dp import LocalDP, check_epsilon
from sfumato.mechanism.local.check import check_domain, check_values
from sfumato.mechanism.local.coin import Coin, calibrated
from sfumato.mechanism.local.wire import digest, seal, unseal
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from collections.abc import Sized

    from sfumato.guarantee.base import Guarantee
    from sfumato.mechanism.local.coin import Sided
    from sfumato.mechanism.local.encoding import Encoding
    from sfumato.noise.bits import Bits
    from sfumato.types import FloatArray, IntArray

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Support:
    """How often a report supports a value.

    Args:
        p: Pr[report supports v | value is v].
        q: Pr[report supports v | value is not v], the same for every other value, < p.

    Raises:
        ParameterError: not 0 <= q < p <= 1. Remedy: raise epsilon above 0.
    """

    p: float
    q: float

    def __post_init__(self) -> None:
        if not 0 <= self.q < self.p <= 1:
            raise ParameterError(
                "A report must support the true value more often than another: 0 <= q < p <= 1; got p={p}, q={q}.",
                "raise epsilon above 0, or make the domain smaller.",
                p=self.p,
                q=self.q,
            )


@dataclass(frozen=True, slots=True)
class FrequencyOracle(ABC, Generic[R]):
    """A randomizer of one value out of a finite domain, and what the server reads off its reports.

    An oracle says how values are encoded; the coin follows from the law of the encoding, and the epsilon
    from the coin. R is the array form of many reports. Values are codes 0 … domain_size-1.

    Args:
        epsilon: asked, 1e-9 … 700, in nats; afterwards the exact one, rounded up, at most the asked one.
        domain_size: k >= 2.

    Raises:
        ParameterError: epsilon or domain_size outside its range. Remedy: give them inside.
    """

    name: ClassVar[str]
    """The field's name, which the wire form carries."""
    place: ClassVar[int]
    """Where it stands in lists and tables: after those of a lower number."""
    reports_values: ClassVar[bool] = False
    """Whether a report is itself a value of the domain, which a table can hold."""

    epsilon: float
    domain_size: int
    encoding: Encoding[R] = field(init=False, repr=False)
    coin: Coin = field(init=False, repr=False)

    def __post_init__(self) -> None:
        size, asked = check_domain(self.domain_size), check_epsilon(self.epsilon)
        encoding = self.encode(asked, size)
        coin = calibrated(asked, encoding.law)
        object.__setattr__(self, "domain_size", size)
        object.__setattr__(self, "encoding", encoding)
        object.__setattr__(self, "coin", coin)
        object.__setattr__(self, "epsilon", log_up(encoding.law.ratio(coin.odds)))

    @classmethod
    @abstractmethod
    def encode(cls, epsilon: float, domain_size: int) -> Encoding[R]:
        """The encoding that is best at an epsilon for a domain; both are checked already."""

    @property
    def exact_support(self) -> tuple[Fraction, Fraction]:
        """The p and q that are sampled, exactly."""
        return self.encoding.law.support(self.coin)

    @property
    def support(self) -> Support:
        """The same p and q as floats."""
        p, q = self.exact_support
        return Support(float(p), float(q))

    @property
    def bits_per_report(self) -> int:
        """Bits of one report on the wire, without the header."""
        return self.encoding.bits_per_report

    def guarantee(self) -> Guarantee:
        """The promise of one report."""
        return LocalDP(self.epsilon, self.name, "one attribute").guarantee()

    def randomize(self, values: IntArray, *, bits: Bits) -> R:
        """The reports of n persons; a value outside the domain is refused before any bit is drawn."""
        return self.encoding.randomize(check_values(values, self.domain_size), self.coin, bits=bits)

    def count_support(self, reports: R) -> IntArray:
        """(domain_size,) int64: reports that support each value."""
        return self.encoding.count_support(self.encoding.checked(reports, self.name))

    def to_bytes(self, reports: R) -> bytes:
        """The compact, versioned wire form of many reports."""
        checked = self.encoding.checked(reports, self.name)
        return seal(self.name, self.digest, len(cast("Sized", checked)), self.encoding.pack(checked))

    def from_bytes(self, data: bytes) -> R:
        """The reports of a wire form; one made with other parameters is refused."""
        n, payload = unseal(self.name, self.digest, data, self.bits_per_report)
        return self.encoding.checked(self.encoding.unpack(payload, n, self.name), self.name)

    @property
    def digest(self) -> bytes:
        """Eight bytes of what the server must share."""
        return digest(self.name, self.domain_size, *self.encoding.shared(self.coin))


def estimate(counts: IntArray, n: int, support: Support) -> FloatArray:
    """Share of each value from support counts: f̂ = (C/n - q) / (p - q).

    Unbiased: E[C_v] = n (f_v p + (1 - f_v) q). Values may be negative or exceed 1.

    Args:
        counts: (d,) int64, reports supporting each value, 0 <= counts <= n.
        n: number of reports, >= 1.
        support: p and q of the oracle.

    Returns:
        (d,) float64, estimated shares.

    Raises:
        ParameterError: n < 1. Remedy: wait for a report.

    Source:
        T. Wang et al., "Locally Differentially Private Protocols for Frequency Estimation", USENIX
        Security 2017, section 3, equation 3.

    Example:
        >>> import numpy as np
        >>> estimate(np.array([75, 25]), 100, Support(p=0.75, q=0.25)).tolist()
        [1.0, 0.0]
    """
    if n < 1:
        raise ParameterError("An estimate needs at least one report; got {n}.", "wait for reports.", n=n)
    shares: FloatArray = (counts / n - support.q) / (support.p - support.q)
    return shares


def variance(frequencies: FloatArray, n: int, support: Support) -> FloatArray:
    """Exact variance of `estimate` for a fixed table: q(1-q)/(n(p-q)²) + f(1-p-q)/(n(p-q)).

    Args:
        frequencies: (d,) float64, true shares in [0, 1]; zeros give the approximate variance of rare values.
        n: number of reports, >= 1.
        support: p and q of the oracle.

    Source:
        T. Wang et al., USENIX Security 2017, equation 4.

    Example:
        >>> import numpy as np
        >>> variance(np.array([0.0, 1.0]), 100, Support(p=0.75, q=0.25)).tolist()
        [0.0075, 0.0075]
    """
    gap = support.p - support.q
    out: FloatArray = support.q * (1 - support.q) / (n * gap**2) + frequencies * (1 - support.p - support.q) / (n * gap)
    return out


def rare_variance(epsilon: float, law: Sided) -> float:
    """Variance of a value that nobody has, for one report whose coin is calibrated to epsilon; infinite if q >= p."""
    p = 1 / (1 + float(law.spread) * math.exp(-epsilon))
    q = float(law.other(Fraction(p)))
    return float(variance(np.zeros(1), 1, Support(p, q))[0]) if q < p else math.inf
