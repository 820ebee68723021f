"""The joint of all frequency oracles, and the one estimator that serves them.

A report *supports* a set of values. An oracle is known by two numbers: p, the probability that the
report of a person with value v supports v, and q, that it supports v when the value is another. The
counts of support are sums, so they merge by addition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from sfumato.errors import ParameterError

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.guarantee.base import Guarantee
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


class FrequencyOracle(Protocol[R]):
    """A randomizer of one value out of a finite domain, and what the server reads off its reports.

    R is the array form of many reports. Values are codes 0 … domain_size-1.
    """

    @property
    def name(self) -> str:
        """The field's name, which the wire form carries."""
        ...

    @property
    def epsilon(self) -> float:
        """The exact epsilon of the randomizer as it is sampled, in nats, rounded up."""
        ...

    @property
    def domain_size(self) -> int:
        """Number of values, >= 2."""
        ...

    @property
    def support(self) -> Support:
        """The p and q of the randomizer as it is sampled."""
        ...

    @property
    def exact_support(self) -> tuple[Fraction, Fraction]:
        """The same p and q as exact fractions."""
        ...

    @property
    def bits_per_report(self) -> int:
        """Bits of one report on the wire, without the header."""
        ...

    def guarantee(self) -> Guarantee:
        """The promise of one report."""
        ...

    def randomize(self, values: IntArray, *, bits: Bits) -> R:
        """The reports of n persons; a value outside the domain is refused before any bit is drawn."""
        ...

    def count_support(self, reports: R) -> IntArray:
        """(domain_size,) int64: reports that support each value."""
        ...

    def to_bytes(self, reports: R) -> bytes:
        """The compact, versioned wire form of many reports."""
        ...

    def from_bytes(self, data: bytes) -> R:
        """The reports of a wire form; one made with other parameters is refused."""
        ...


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
