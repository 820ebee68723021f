"""L-SUE and L-OSUE: one value of a domain reported again and again as a vector of bits."""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING, assert_never

import numpy as np

from sfumato.errors import ReportError
from sfumato.frozen import dataclass
from sfumato.mechanism.local.check import check_domain
from sfumato.mechanism.local.longitudinal.chain import Chain, bits_ratio, optimized_chain, symmetric_chain
from sfumato.mechanism.local.longitudinal.protocol import Form, OfValues
from sfumato.noise.bernoulli import bernoulli
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from sfumato.noise.bits import Bits
    from sfumato.types import BoolArray, IntArray


class Rounds(Enum):
    """How the bits of the two rounds are randomized."""

    SYMMETRIC = "l-sue"
    """Both rounds with q = 1 - p: L-SUE, which is basic RAPPOR."""
    OPTIMIZED = "l-osue"
    """p1 = 1/2, then symmetric: L-OSUE, of smaller variance."""


@dataclass(frozen=True, slots=True)
class LUnary(OfValues):
    """One bit for each value, randomized once and remembered, then randomized at each report.

    Proof: two values differ in two bits, so the largest ratio of a round is p(1-q)/(q(1-p)), at p1, q1
    for all reports together and at p, q of the chain for one. The bits are independent, so it is reached.

    Args:
        rounds: L-SUE or L-OSUE.
        domain_size: k, >= 2.
        first: epsilon of one report.
        permanent: epsilon of all reports about one value, > first.

    Raises:
        ParameterError: a number outside its range. Remedy: give them in order.

    Source:
        Ú. Erlingsson et al., "RAPPOR", CCS 2014; H. H. Arcolezi et al., "Improving the Utility of Locally
        Differentially Private Protocols for Longitudinal and Multidimensional Frequency Estimates", 2022.

    Example:
        >>> protocol = LUnary(Rounds.OPTIMIZED, domain_size=4, first=1.0, permanent=2.0)
        >>> round(protocol.epsilon_first, 6), round(protocol.epsilon_permanent, 6)
        (1.0, 2.0)
    """

    rounds: Rounds
    domain_size: int
    first: float
    permanent: float
    chain: Chain = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "domain_size", check_domain(self.domain_size))
        match self.rounds:
            case Rounds.SYMMETRIC:
                chain = symmetric_chain(self.first, self.permanent)
            case Rounds.OPTIMIZED:
                chain = optimized_chain(self.first, self.permanent)
            case _:
                assert_never(self.rounds)
        object.__setattr__(self, "chain", chain)

    @property
    def label(self) -> bytes:
        """Name, version and parameters."""
        return f"{self.rounds.value}/1 {self.domain_size} {float(self.first)!r} {float(self.permanent)!r}".encode()

    @property
    def form(self) -> Form:
        """What a person sends."""
        return Form(2, self.domain_size, is_bits=True)

    @property
    def epsilon_first(self) -> float:
        """The logarithm of p(1-q)/(q(1-p)) for one report."""
        return log_up(bits_ratio(self.chain.p, self.chain.q))

    @property
    def epsilon_permanent(self) -> float:
        """The logarithm of p1(1-q1)/(q1(1-p1)) for the remembered answer."""
        return log_up(bits_ratio(self.chain.p1, self.chain.q1))

    def answer(self, inputs: IntArray, traits: IntArray, *, bits: Bits) -> BoolArray:  # noqa: ARG002
        """(n, k) bool: the answers to remember."""
        n = len(inputs)
        out = bernoulli(n * self.domain_size, self.chain.q1, bits=bits).reshape(n, self.domain_size)
        out[np.arange(n), inputs] = bernoulli(n, self.chain.p1, bits=bits)
        return out

    def report(self, answers: BoolArray, *, bits: Bits) -> BoolArray:
        """(n, k) bool: one report each. Both kinds have q2 = 1 - p2, so a bit flips with probability q2."""
        flips = bernoulli(answers.size, self.chain.q2, bits=bits)
        return answers ^ flips.reshape(answers.shape)

    def count_support(self, reports: BoolArray, traits: IntArray) -> IntArray:  # noqa: ARG002
        """(k,) int64: how many reports have each bit set."""
        if reports.dtype != np.bool_ or reports.ndim != 2 or reports.shape[1] != self.domain_size:
            raise ReportError(
                "Reports must be rows of {domain_size} bits; got {dtype} of shape {shape}.",
                "give the reports of this protocol with these parameters.",
                domain_size=self.domain_size,
                dtype=reports.dtype,
                shape=reports.shape,
            )
        return np.asarray(np.count_nonzero(reports, axis=0), np.int64)


def l_sue(domain_size: int, first: float, permanent: float) -> LUnary:
    """L-SUE, both rounds symmetric (basic RAPPOR).

    Example:
        >>> l_sue(3, 1.0, 2.0).chain.q1 == 1 - l_sue(3, 1.0, 2.0).chain.p1
        True
    """
    return LUnary(Rounds.SYMMETRIC, domain_size, first, permanent)


def l_osue(domain_size: int, first: float, permanent: float) -> LUnary:
    """L-OSUE, the first round with p1 = 1/2.

    Example:
        >>> l_osue(3, 1.0, 2.0).chain.p1
        Fraction(1, 2)
    """
    return LUnary(Rounds.OPTIMIZED, domain_size, first, permanent)
