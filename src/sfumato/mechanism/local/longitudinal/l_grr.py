"""L-GRR: one value of a domain reported again and again as one value; GRR remembered, then GRR."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sfumato.frozen import dataclass
from sfumato.mechanism.local.check import check_domain, check_reports
from sfumato.mechanism.local.longitudinal.chain import Chain, symbol_chain, symbol_ratio
from sfumato.mechanism.local.longitudinal.protocol import Form, OfValues
from sfumato.noise.bernoulli import bernoulli
from sfumato.noise.integers import uniform_integers
from sfumato.numbers.logarithm import log_up

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.noise.bits import Bits
    from sfumato.types import IntArray


def keep_or_move(symbols: IntArray, n_symbols: int, keep: Fraction, *, bits: Bits) -> IntArray:
    """Randomized response over g symbols: each stays with probability p, else moves to any other.

    Args:
        symbols: (n,) int64 in [0, g).
        n_symbols: g, >= 2.
        keep: p.
        bits: source of chance.

    Example:
        >>> from fractions import Fraction
        >>> from sfumato.noise.bits import SystemBits
        >>> keep_or_move(np.array([0, 1]), 2, Fraction(0), bits=SystemBits()).tolist()
        [1, 0]
    """
    moves = bernoulli(len(symbols), 1 - keep, bits=bits)
    shift = 1 + uniform_integers(len(symbols), n_symbols - 1, bits=bits)
    return np.where(moves, (symbols + shift) % n_symbols, symbols)


@dataclass(frozen=True, slots=True)
class LGRR(OfValues):
    """Randomized response twice: the first answer to a value is remembered.

    Proof: all reports about one value depend on it through one remembered answer only, whose matrix has
    the largest ratio p1 (k-1)/(1-p1) = e^ε∞; one report alone has matrix M1 M2, of the same form.

    Args:
        domain_size: k, >= 2.
        first: epsilon of one report.
        permanent: epsilon of all reports about one value, > first.

    Raises:
        ParameterError: a number outside its range. Remedy: give them in order.

    Source:
        H. H. Arcolezi et al., "Improving the Utility of Locally Differentially Private Protocols for
        Longitudinal and Multidimensional Frequency Estimates", 2022, L-GRR.

    Example:
        >>> protocol = LGRR(domain_size=4, first=1.0, permanent=2.0)
        >>> round(protocol.epsilon_first, 6), round(protocol.epsilon_permanent, 6)
        (1.0, 2.0)
    """

    domain_size: int
    first: float
    permanent: float
    chain: Chain = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "domain_size", check_domain(self.domain_size))
        object.__setattr__(self, "chain", symbol_chain(self.first, self.permanent, self.domain_size))

    @property
    def label(self) -> bytes:
        """Name, version and parameters."""
        return f"l-grr/1 {self.domain_size} {float(self.first)!r} {float(self.permanent)!r}".encode()

    @property
    def form(self) -> Form:
        """What a person sends."""
        return Form(self.domain_size, 1)

    @property
    def epsilon_first(self) -> float:
        """The logarithm of p (k-1) / (1-p) for one report."""
        return log_up(symbol_ratio(self.chain.p, self.domain_size))

    @property
    def epsilon_permanent(self) -> float:
        """The logarithm of p1 (k-1) / (1-p1) for the remembered answer."""
        return log_up(symbol_ratio(self.chain.p1, self.domain_size))

    def answer(self, inputs: IntArray, traits: IntArray, *, bits: Bits) -> IntArray:  # noqa: ARG002
        """(n,) int64: the answers to remember."""
        return keep_or_move(inputs, self.domain_size, self.chain.p1, bits=bits)

    def report(self, answers: IntArray, *, bits: Bits) -> IntArray:
        """(n,) int64: one report each."""
        return keep_or_move(answers, self.domain_size, self.chain.p2, bits=bits)

    def count_support(self, reports: IntArray, traits: IntArray) -> IntArray:  # noqa: ARG002
        """(k,) int64: how often each value was reported."""
        counted = np.bincount(check_reports(reports, self.domain_size, "L-GRR"), minlength=self.domain_size)
        return counted.astype(np.int64)
